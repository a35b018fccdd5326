#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <vector>

#include "python/src/bindings.h"
#include "python/src/plan.h"
#include "python/src/recording.h"
#include "python/src/stream.h"

namespace weft::python {
namespace {

/// A plan and the device that it is for, which may keep it. So it does not keep the device: its arguments do.
struct OpenPlan {
  std::unique_ptr<AnyPlan> plan;
  std::weak_ptr<OpenDevice> device;
};

void record_by(void (AnyPlan::*function)(Stream&, ArgumentReader&) const, const OpenPlan& plan, OpenStream& stream,
               const nb::kwargs& arguments) {
  std::vector<Memory*> used = memory_in(arguments);
  // Returns to the device's pool at once, for later work, which comes after this.
  std::unique_ptr<Memory> temporary;
  const uint64_t temporary_bytes = plan.plan->temporary_bytes();
  if (temporary_bytes > 0 && !PyDict_GetItemString(arguments.ptr(), "temporary")) {
    const std::shared_ptr<OpenDevice> device = plan.device.lock();
    if (!device) throw nb::value_error("the plan's device is closed, so no array can be on it.");
    temporary = std::make_unique<Memory>(device, temporary_bytes);
    used.push_back(temporary.get());
  }
  const std::vector<Event> before = points_before(stream, used);
  stream.alone([&](Stream& inner) {
    for (const Event& event : before) inner.wait(event);
    ArgumentReader reader(plan.plan->name(), arguments,
                          temporary ? temporary->buffer().part(0, temporary_bytes).region() : Region{});
    (plan.plan.get()->*function)(inner, reader);
    stream.note_command(inner);
  });
  follow(stream, used);
}

void record(const OpenPlan& plan, OpenStream& stream, const nb::kwargs& arguments) {
  record_by(&AnyPlan::record, plan, stream, arguments);
}

void record_refit(const OpenPlan& plan, OpenStream& stream, const nb::kwargs& arguments) {
  record_by(&AnyPlan::refit, plan, stream, arguments);
}

double seconds_to_record(const OpenPlan& plan, OpenStream& stream, uint64_t times, const nb::kwargs& arguments) {
  ArgumentReader reader(plan.plan->name(), arguments, {});
  return plan.plan->seconds_to_record(stream, reader, times);
}

}  // namespace

void bind_plans(nb::module_& module) {
  nb::class_<OpenPlan>(module, "Plan", "A primitive compiled for a device, element types and a maximum count.")
      .def(
          "__init__",
          [](OpenPlan* plan, const std::shared_ptr<OpenDevice>& device, const std::string& line) {
            std::unique_ptr<AnyPlan> made;
            {
              const nb::gil_scoped_release release;
              made = make_plan(device->device, line);
            }
            new (plan) OpenPlan{std::move(made), device};
          },
          nb::arg("device"), nb::arg("line"))
      .def_prop_ro("name", [](const OpenPlan& plan) { return plan.plan->name(); })
      .def_prop_ro("properties", [](const OpenPlan& plan) { return plan.plan->properties(); })
      .def("record", record, nb::arg("stream"), nb::arg("arguments"),
           "Records the plan with its arguments by name. The stream provides temporary storage that is left out.")
      .def("record_refit", record_refit, nb::arg("stream"), nb::arg("arguments"),
           "Of Lbvh: boxes anew, from primitives that have changed, in the tree that record() wrote.")
      .def("seconds_to_record", seconds_to_record, nb::arg("stream"), nb::arg("times"), nb::arg("arguments"),
           "What recording takes in C++ alone, for python/bench. Arguments have all temporary storage.");
}

}  // namespace weft::python
