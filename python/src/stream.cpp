#include "python/src/stream.h"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "python/src/bindings.h"
#include "python/src/device.h"

namespace weft::python {

void wait_for(const Event& event, std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds between_signals = std::chrono::milliseconds(50);
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    try {
      const nb::gil_scoped_release release;
      event.wait(std::min(between_signals, timeout));
      return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::timeout || std::chrono::steady_clock::now() >= end) throw;
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void bind_streams(nb::module_& module) {
  nb::class_<Event>(module, "Event", "A point in the work of a stream.")
      .def_prop_ro("done", &Event::done, "Whether the work before the event is done.")
      .def(
          "wait",
          [](const Event& event, double seconds) {
            wait_for(event, std::chrono::nanoseconds(int64_t(std::min(seconds, 1e9) * 1e9)));
          },
          nb::arg("timeout") = 60.0, "Blocks until the work before the event is done, at most `timeout` seconds.");

  nb::class_<OpenStream>(module, "Stream", "A queue of work on one device, in order. Threads may share it.")
      .def(nb::new_([](const OpenDevice& device) { return std::make_shared<OpenStream>(device.device); }),
           nb::arg("device"))
      .def("record", &OpenStream::record, "Submits recorded work and returns the point reached.")
      .def(
          "wait",
          [](OpenStream& stream, const Event& event) { stream.alone([&](Stream& inner) { inner.wait(event); }); },
          nb::arg("event"), "Work recorded from now on starts after `event`, of any stream of the device.")
      .def(
          "submit", [](OpenStream& stream) { stream.alone([](Stream& inner) { inner.submit(); }); },
          "Starts recorded work; does not wait.")
      .def("synchronize", &OpenStream::synchronize, "Blocks until all work is done.");
}

}  // namespace weft::python
