#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/src/array_methods.h"
#include "python/src/bindings.h"
#include "python/src/buffer_protocol.h"
#include "python/src/stream.h"

namespace weft::python {
namespace {

uint64_t checked_size(int64_t size) {
  if (size < 0) throw nb::value_error("'size' must not be negative.");
  return uint64_t(size);
}

}  // namespace

void bind_arrays(nb::module_& module) {
  module.def(
      "add_struct",
      [](const std::string& name, const std::string& code, uint32_t bytes, nb::object numpy,
         const std::vector<std::tuple<std::string, std::string, uint64_t>>& fields) {
        std::vector<Field> members;
        for (const auto& [type, field, offset] : fields) members.push_back({type, field, offset});
        return add_struct({code, name, {}, bytes, 1, std::move(numpy)}, members)->element;
      },
      nb::arg("name"), nb::arg("code"), nb::arg("bytes"), nb::arg("numpy"), nb::arg("fields"),
      "Makes a struct known by a name. Fields are types, names and offsets. Returns it as plans and GLSL name it.");
  nb::class_<Array> type(module, "Array", nb::is_weak_referenceable(), nb::type_slots(buffer_slots),
                         "Elements of one type, one after the other on a device.");
  type.def_static(
          "empty",
          [](const std::shared_ptr<OpenDevice>& device, int64_t size, const std::string& dtype, bool single) {
            return Array::empty(device, dtype_named(dtype), checked_size(size), single);
          },
          nb::arg("device"), nb::arg("size"), nb::arg("dtype"), nb::arg("single") = false,
          "Memory on a device, uninitialised.")
      .def_static(
          "of_host",
          [](const std::shared_ptr<OpenDevice>& device, nb::handle data, const std::string& dtype, bool single) {
            return Array::of_host(device, data, dtype_named(dtype), single);
          },
          nb::arg("device"), nb::arg("data"), nb::arg("dtype"), nb::arg("single") = false,
          "The memory of an object with the buffer protocol, in place, on a host device.")
      .def_prop_ro("size", &Array::size, "Number of elements.")
      .def("__len__",
           [](const Array& array) {
             if (array.is_single()) throw nb::type_error("an array of no dimension has no length");
             return array.size();
           })
      .def_prop_ro("ndim", [](const Array& array) { return array.is_single() ? 0 : 1; })
      .def_prop_ro("shape",
                   [](const Array& array) -> nb::object {
                     return array.is_single() ? nb::make_tuple() : nb::make_tuple(array.size());
                   })
      .def_prop_ro(
          "dtype", [](const Array& array) { return numpy_dtype(*array.dtype()); }, "The numpy.dtype.")
      .def_prop_ro(
          "dtype_name", [](const Array& array) { return array.dtype()->name; }, "NumPy's name of the type.")
      .def_prop_ro(
          "element", [](const Array& array) { return array.dtype()->element; }, "The type as plans and GLSL name it.")
      .def_prop_ro("itemsize", [](const Array& array) { return array.dtype()->bytes; })
      .def_prop_ro("nbytes", &Array::bytes)
      .def_prop_ro("device", [](const Array& array) { return array.memory()->device(); })
      .def_prop_ro(
          "stream",
          [](const Array& array) {
            const Memory& memory = *array.memory();
            return memory.stream ? memory.stream : memory.device()->stream();
          },
          "The stream that used the array last, on which functions go on.")
      .def_prop_ro(
          "writable", [](const Array& array) { return array.memory()->is_writable(); },
          "Whether functions may write results to it.")
      .def_prop_ro(
          "address", [](const Array& array) { return array.region().address(); },
          "The device address of the first element.")
      .def("part", &Array::part, nb::arg("first"), nb::arg("count"), "`count` elements from index `first`; no copy.")
      .def("at", &Array::at, nb::arg("index"), "One element as an array of no dimension; no copy.")
      .def(
          "view", [](const Array& array, const std::string& dtype) { return array.as(dtype_named(dtype)); },
          nb::arg("dtype"), "The same bytes as elements of another type.")
      .def(
          "share", [](const Array& array) { array.memory()->share(); },
          "Its memory is not used again, since another library may use it after Python's last reference.")
      .def("wait", &Array::wait, "Blocks until the work on the array is done.")
      .def("copy_from", &Array::copy_from, nb::arg("other"), "Copies an array of the same device and size.")
      .def("upload", &Array::upload, nb::arg("data"), "Copies the bytes of an object with the buffer protocol.")
      .def("read_count", &Array::read_count, "The number in an array of one uint64. Waits for it.")
      .def("download", &Array::download, nb::arg("data"), "Copies all elements to writable memory; waits for them.");
  bind_methods_of_python(type);
}

}  // namespace weft::python
