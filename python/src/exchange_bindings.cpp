#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "python/src/bindings.h"
#include "python/src/device_memory.h"
#include "python/src/stream.h"

namespace weft::python {

void bind_exchange(nb::module_& module) {
  module.def("stream_at", stream_at, nb::arg("device"), nb::arg("handle"), nb::arg("owner") = nb::none(),
             "Another library's stream on a device of CUDA or HIP, by its handle.");
  module.def("stream_handle", handle_of, nb::arg("stream"), "The handle of such a stream; 1 for the default stream.");
  module.def(
      "array_at",
      [](const std::shared_ptr<OpenDevice>& device, uint64_t address, int64_t size, const std::string& dtype,
         bool single, bool writable, nb::object owner, const std::shared_ptr<OpenStream>& home) {
        if (size < 0) throw nb::value_error("'size' must not be negative.");
        return array_at(device, address, uint64_t(size), dtype_named(dtype), single, writable, std::move(owner), home);
      },
      nb::arg("device"), nb::arg("address"), nb::arg("size"), nb::arg("dtype"), nb::arg("single"), nb::arg("writable"),
      nb::arg("owner"), nb::arg("home"), "Another library's memory on such a device, in place.");
  module.def("array_of_capsule", array_of_capsule, nb::arg("device"), nb::arg("capsule"), nb::arg("home"),
             "The memory of a capsule of DLPack's, in place.");
  module.def("capsule_of", capsule_of, nb::arg("array"), "A capsule of DLPack's that shares the array.");
  module.def(
      "wait_on",
      [](OpenStream& stream, const Array& array) {
        if (array.memory()->stream.get() == &stream) return;
        const Event event = array.memory()->last_point();
        stream.alone([&](Stream& inner) { inner.wait(event); });
      },
      nb::arg("stream"), nb::arg("array"), "Work recorded into the stream from now on starts after that on the array.");
}

}  // namespace weft::python
