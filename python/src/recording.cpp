#include "python/src/recording.h"

namespace weft::python {

std::vector<Memory*> memory_in(const nb::dict& arguments) {
  std::vector<Memory*> used;
  used.reserve(8);
  PyObject *name, *value;
  for (Py_ssize_t at = 0; PyDict_Next(arguments.ptr(), &at, &name, &value);) {
    if (nb::isinstance<Array>(value)) used.push_back(nb::inst_ptr<Array>(value)->memory().get());
  }
  return used;
}

std::vector<Event> points_before(const OpenStream& stream, const std::vector<Memory*>& used) {
  std::vector<Event> points;
  for (const Memory* memory : used) {
    const bool is_elsewhere =
        &memory->device()->device.impl() != &stream.device().impl();  // the recording will refuse it
    if (is_elsewhere || memory->stream.get() == &stream) continue;
    if (memory->stream || memory->point.shared_impl()) points.push_back(memory->last_point());
  }
  return points;
}

void follow(OpenStream& stream, const std::vector<Memory*>& used) {
  bool is_seen = false;
  const Event point = stream.is_foreign() ? stream.record() : Event();
  for (Memory* memory : used) {
    if (memory->stream.get() != &stream) memory->stream = stream.shared_from_this();
    memory->point = point;
    if (memory->home && memory->home.get() != &stream) {
      const Event event = stream.record();
      memory->home->alone([&](Stream& home) { home.wait(event); });
    }
    is_seen = is_seen || memory->is_seen();
  }
  if (is_seen) stream.synchronize();
}

}  // namespace weft::python
