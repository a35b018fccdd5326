#include <weft/reduce.h>

#include <algorithm>
#include <array>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/base/user_expressions.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/scans.h"
#include "algorithms/src/reduce/reduce_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/reduce/arguments.glsl.
struct ReduceBlock {
  uint64_t source, second, destination, count_on_device, count;
  uint32_t groups, options;
};

// Elements of a tile with Options::fixed_order, on every device.
uint32_t fixed_elements(const Element& element, const Element* from) {
  return element.words() + (from ? from->words() : 0) <= 4 ? 4096 : 1024;
}

}  // namespace

struct Reduce::Impl {
  Device device;
  Element element;
  std::optional<Transform> transform;
  bool fixed_order;
  uint64_t max_count, storage_tiles, most_groups;
  Tiling tiling, again_tiling;
  Kernel kernel, again;  // `again` combines the results of workgroups, without the transform.

  const Element& from() const { return transform ? transform->from : element; }
  uint64_t groups(const Tiling& of, uint64_t count) const {
    return fixed_order ? of.tiles(count) : std::min(of.tiles(count), most_groups);
  }

  // Temporary storage: a part for the results of each dispatch but the last, which writes the output.
  struct Storage {
    Storage(const Impl& plan, uint64_t groups) {
      for (uint64_t left = groups; left > 1; left = plan.groups_after(left)) {
        parts[steps++] = layout.add(left * plan.element.bytes());
      }
    }

    TemporaryLayout layout;
    std::array<TemporaryLayout::Part, 8> parts;  // Each is at most a 1024th of the one before it.
    uint32_t steps = 0;
  };
  uint64_t groups_after(uint64_t results) const { return fixed_order ? again_tiling.tiles(results) : 1; }

  uint64_t temporary_bytes() const {
    const uint64_t most =
        fixed_order ? tiling.tiles(max_count) : std::min<uint64_t>(storage_tiles, ReduceTuning::most_groups);
    return Storage(*this, most).layout.bytes();
  }

  void first(Recorder& recorder, const Arguments& arguments, const Region& destination, const ResolvedCount& count,
             uint64_t groups) const {
    const bool second_aligned = arguments.second.address() % 16 == 0;
    const uint32_t options =
        (second_aligned ? vectors_of(tiling, from().bytes(), arguments.input, source_vectors) : 0u) |
        count_option(count);
    const ReduceBlock block{arguments.input.address(),
                            arguments.second.address(),
                            destination.address(),
                            count.address,
                            count.most,
                            uint32_t(groups),
                            options};
    recorder.dispatch(kernel, spread(groups, device.info().limits), block);
  }

  void then(Recorder& recorder, const Region& source, const Region& destination, uint64_t count,
            uint64_t groups) const {
    const uint32_t options = vectors(again_tiling, source, source_vectors);
    const ReduceBlock block{source.address(), 0, destination.address(), 0, count, uint32_t(groups), options};
    recorder.dispatch(again, spread(groups, device.info().limits), block);
  }

  void record(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    uint64_t left = groups(tiling, count.most);
    const Storage storage(*this, left);
    const auto results = [&](uint32_t step) {
      return step < storage.steps ? storage.parts[step].in(arguments.temporary) : arguments.output;
    };
    first(recorder, arguments, results(0), count, left);
    for (uint32_t step = 0; step < storage.steps; ++step) {
      const uint64_t next = groups_after(left);
      then(recorder, results(step), results(step + 1), left, next);
      left = next;
    }
  }
};

Reduce::Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count,
               const Options& options) {
  const PlanNote note(device, ReduceParameters{element, op, max_count, options});
  const Element* from = options.transform ? &options.transform->from : nullptr;
  const Element& input = from ? *from : element;
  check_addressable("Reduce", input, max_count);
  const Tuner tuner(tuned_reduce, device.info(), tuning_of(device, options.tuning), input.bytes());
  const auto tiling_of = [&](const Element* source, const ReduceTuning& tuning) {
    if (options.fixed_order) return make_fixed_tiling(device.info(), element, source, fixed_elements(element, source));
    if (tuning.serial_bytes > 0) return make_serial_tiling(element, source, tuning.serial_bytes);
    return make_keyed_tiling(device.info(), element, source, tuning.tile);
  };
  const ReduceTuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(from, tuning), again_tiling = tiling_of(nullptr, tuning);
  KernelMaker maker = KernelMaker(device, "Reduce").element(element).op(element, op);
  maker.workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor);
  if (options.fixed_order) {
    maker.define("WEFT_FIXED_ORDER");
  } else if (tuning.consecutive == 1) {
    maker.define("WEFT_CONSECUTIVE");
  }
  const char* name = options.fixed_order  ? "reduce/reduce_fixed"
                     : tiling.is_serial() ? "reduce/reduce_serial"
                                          : "reduce/reduce";
  KernelMaker transforming(maker);
  if (from) define_transform(transforming, *options.transform);
  const Kernel kernel = transforming.tiling(tiling).make(name);
  const uint64_t storage_tiles =
      tuner.most_tiles(max_count, [&](const ReduceTuning& at) { return tiling_of(from, at); });
  impl_ = std::make_shared<Impl>(Impl{device, element, options.transform, options.fixed_order, max_count, storage_tiles,
                                      tuning.groups, tiling, again_tiling, kernel,
                                      from ? maker.tiling(again_tiling).make(name) : kernel});
}

Reduce::Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count)
    : Reduce(device, element, op, max_count, Options{}) {}

uint64_t Reduce::temporary_bytes() const { return with_slack(impl_->temporary_bytes()); }

void Reduce::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Reduce", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.from().bytes(), align = plan.from().align();
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder second{"second", arguments.second, bytes, align};
  const bool two = plan.transform && plan.transform->two;
  if (!two) checks.empty("second", arguments.second, "the plan has no transform of two inputs");
  const ResolvedCount count = two ? checks.count(arguments.count, plan.max_count, {input, second})
                                  : checks.count(arguments.count, plan.max_count, {input});
  checks.region("output", arguments.output, plan.element.bytes(), plan.element.align());
  checks.overlaps();
  plan.record(recorder, arguments, count);
}

void reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
            std::span<std::byte> result) {
  if (result.size() != element.bytes()) {
    core::invalid("reduce", "the result has " + std::to_string(result.size()) + " bytes, and an element (" +
                                element.name() + ") has " + std::to_string(element.bytes()) + ".");
  }
  const Region& from = elements_in("reduce", "input", input, element);
  const uint64_t count = from.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Reduce>(plan_key("reduce", element, key_of(op), max_count), [&] {
    return std::make_shared<Reduce>(stream.device(), element, op, max_count);
  });
  run_plan(stream, result, plan->temporary_bytes(), [&](const Region& output, const Region& temporary) {
    plan->record(stream, {from, output, count, temporary});
  });
}

}  // namespace weft
