#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <vector>

#include "python/src/bindings.h"
#include "python/src/plan.h"
#include "python/src/stream.h"

namespace weft::python {
namespace {

/// A plan and the device that it is for.
struct OpenPlan {
  std::unique_ptr<AnyPlan> plan;
  Device device;
};

std::vector<Memory*> memory_in(const nb::kwargs& arguments) {
  std::vector<Memory*> used;
  used.reserve(8);
  PyObject *name, *value;
  for (Py_ssize_t at = 0; PyDict_Next(arguments.ptr(), &at, &name, &value);) {
    if (nb::isinstance<Array>(value)) used.push_back(nb::inst_ptr<Array>(value)->memory().get());
  }
  return used;
}

void record(const OpenPlan& plan, OpenStream& stream, const nb::kwargs& arguments) {
  const std::vector<Memory*> used = memory_in(arguments);
  std::vector<Event> before;
  for (const Memory* memory : used) {
    if (memory->stream && memory->stream.get() != &stream && &memory->device->device.impl() == &plan.device.impl()) {
      before.push_back(memory->stream->record());
    }
  }
  stream.alone([&](Stream& inner) {
    for (const Event& event : before) inner.wait(event);
    ArgumentReader reader(arguments);
    plan.plan->record(inner, reader);
  });
  bool is_seen = false;
  for (Memory* memory : used) {
    if (memory->stream.get() != &stream) memory->stream = stream.shared_from_this();
    is_seen = is_seen || memory->seen;
  }
  if (is_seen) stream.synchronize();
}

}  // namespace

void bind_plans(nb::module_& module) {
  nb::class_<OpenPlan>(module, "Plan", "A primitive compiled for a device, element types and a maximum count.")
      .def(
          "__init__",
          [](OpenPlan* plan, const OpenDevice& device, const std::string& line) {
            std::unique_ptr<AnyPlan> made;
            {
              const nb::gil_scoped_release release;
              made = make_plan(device.device, line);
            }
            new (plan) OpenPlan{std::move(made), device.device};
          },
          nb::arg("device"), nb::arg("line"))
      .def_prop_ro("name", [](const OpenPlan& plan) { return plan.plan->name(); })
      .def_prop_ro("properties", [](const OpenPlan& plan) { return plan.plan->properties(); })
      .def("record", record, nb::arg("stream"), nb::arg("arguments"),
           "Records the plan with its arguments by name. The stream provides temporary storage that is left out.");
}

}  // namespace weft::python
