#include "python/src/stream.h"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "python/src/bindings.h"
#include "python/src/device.h"

namespace weft::python {

void wait_for(const Event& event, std::chrono::nanoseconds timeout, nb::handle progress) {
  constexpr std::chrono::nanoseconds between_signals = std::chrono::milliseconds(50);
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    try {
      const nb::gil_scoped_release release;
      event.wait(std::min(between_signals, timeout));
      return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::timeout || std::chrono::steady_clock::now() - start >= timeout) throw;
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) {
      progress(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }
}

void OpenStream::synchronize(nb::handle progress) {
  const Event event = record();
  try {
    wait_for(event, device_.options().timeout, progress);
  } catch (const Error& error) {
    // After an error that a wait on the stream itself has thrown too, the stream works again.
    if (error.code() != ErrorCode::timeout) alone_without_gil([](Stream& stream) { stream.synchronize(); });
    throw;
  }
}

void bind_streams(nb::module_& module) {
  nb::class_<Event>(module, "Event", "A point in the work of a stream.")
      .def_prop_ro("done", &Event::done, "Whether the work before the event is done.")
      .def(
          "wait",
          [](const Event& event, double seconds, nb::handle progress) {
            wait_for(event, std::chrono::nanoseconds(int64_t(std::min(seconds, 1e9) * 1e9)), progress);
          },
          nb::arg("timeout") = 60.0, nb::arg("progress") = nb::none(),
          "Blocks until the work before the event is done, at most `timeout` seconds.");

  nb::class_<Timestamp>(module, "Timestamp", "A moment on a device's clock.")
      .def("seconds_since", &Timestamp::seconds_since, nb::arg("start"),
           "Seconds from another moment to this one; the device must have reached both.");

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
      .def("synchronize", &OpenStream::synchronize, nb::arg("progress") = nb::none(),
           "Blocks until all work is done. `progress` is called with the seconds that have passed, now and then.")
      .def(
          "timestamp", [](OpenStream& stream) { return stream.alone([](Stream& inner) { return inner.timestamp(); }); },
          "Records the time at which the work recorded so far is done.");
}

}  // namespace weft::python
