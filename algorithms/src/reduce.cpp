#include <weft/reduce.h>

#include <weft/error.h>
#include <algorithm>

#include "algorithms/src/checks.h"
#include "algorithms/src/kernel_maker.h"
#include "algorithms/src/kernel_options.h"
#include "algorithms/src/plan_cache.h"
#include "algorithms/src/tiling.h"

namespace weft {
namespace {

using namespace algorithms;

// Eight 16-byte loads under way in each invocation.
constexpr uint32_t bytes_per_invocation = 128;
// Enough workgroups for eight on each core of the largest GPUs, few enough that one workgroup combines their results at
// once.
constexpr uint64_t most_groups = 2048;

// The push-constant block of shaders/kernels/reduce.comp.
struct Block {
  uint64_t source, destination, count_on_device, count;
  uint32_t groups, options;
};

}  // namespace

struct Reduce::Impl {
  Device device;
  Element element;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;

  uint64_t groups(uint64_t count) const { return std::min(tiling.tiles(count), most_groups); }

  void dispatch(Recorder& recorder, const Region& source, const Region& destination, const ResolvedCount& count,
                uint64_t groups) const {
    const uint32_t options = vectors(tiling, source, source_vectors) | count_option(count);
    const Block block{source.address(), destination.address(), count.address, count.most, uint32_t(groups), options};
    recorder.dispatch(kernel, {uint32_t(groups), 1, 1}, block);
  }
};

Reduce::Reduce(const Device& device, const Element& element, const Operator& op, uint64_t max_count) {
  check_addressable("Reduce", element, max_count);
  const Tiling tiling = make_tiling(device.info(), element.words(), bytes_per_invocation);
  const KernelMaker maker = KernelMaker(device, "Reduce").element(element).op(element, op).tiling(tiling);
  impl_ = std::make_shared<Impl>(Impl{device, element, max_count, tiling, maker.make("reduce")});
}

uint64_t Reduce::temporary_bytes() const {
  const uint64_t groups = impl_->groups(impl_->max_count);
  return groups == 1 ? 0 : round_up_16(groups * impl_->element.bytes());
}

void Reduce::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  const ArgumentChecks checks("Reduce", plan.device, recorder);
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const ResolvedCount count = checks.count(arguments.count, plan.max_count, {{"input", arguments.input, bytes, align}});
  checks.region("output", arguments.output, bytes, align);
  checks.region("temporary", arguments.temporary, temporary_bytes(), 16);

  const uint64_t groups = plan.groups(count.most);
  if (groups == 1) return plan.dispatch(recorder, arguments.input, arguments.output, count, 1);
  plan.dispatch(recorder, arguments.input, arguments.temporary, count, groups);
  plan.dispatch(recorder, arguments.temporary, arguments.output, {groups, 0}, 1);
}

void reduce(Stream& stream, const Element& element, const Operator& op, const Region& input,
            std::span<std::byte> result) {
  if (result.size() != element.bytes()) {
    throw Error(ErrorCode::invalid_argument, "reduce: the result has " + std::to_string(result.size()) +
                                                 " bytes, and an element (" + element.name() + ") has " +
                                                 std::to_string(element.bytes()) + ".");
  }
  const uint64_t count = input.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Reduce>(plan_key("reduce", element, key_of(op), max_count), [&] {
    return std::make_shared<Reduce>(stream.device(), element, op, max_count);
  });
  const uint64_t result_bytes = round_up_16(element.bytes());
  const Region scratch = stream.scratch(result_bytes + plan->temporary_bytes());
  const Region output = scratch.part(0, element.bytes());
  plan->record(stream, {input, output, count, scratch.part(result_bytes, plan->temporary_bytes())});
  stream.download_region(output, result);
}

}  // namespace weft
