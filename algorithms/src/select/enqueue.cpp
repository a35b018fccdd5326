#include <weft/enqueue.h>

#include <array>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/select/selection.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Variants that gather take a tile of 16 KiB, like compaction; the others take one pack for each invocation.
constexpr TileTuning gathering{.bytes_per_invocation = 64};

// Push constants of shaders/kernels/select/enqueue.glsl.
struct EnqueueBlock {
  uint64_t source, destination, others_destination, queue, others, count_on_device, count;
  uint32_t options, unused;
};

bool gathers(EnqueueVariant variant) {
  return variant == EnqueueVariant::multi_item || variant == EnqueueVariant::complement;
}

const char* kernel_of(EnqueueVariant variant) {
  switch (variant) {
    case EnqueueVariant::naive:
      return "select/enqueue_naive";
    case EnqueueVariant::subgroup:
      return "select/enqueue_subgroup";
    case EnqueueVariant::multi_item:
      return "select/enqueue_multi_item";
    case EnqueueVariant::complement:
      return "select/enqueue_complement";
  }
  core::invalid("Enqueue", "unknown variant.");
}

void check_supported(const DeviceInfo& device, const Selection& selection, uint64_t max_count) {
  if (selection.where.empty()) {
    core::invalid("Enqueue", "the selection must be an expression, Selection::when(\"x > 0\"); Compact takes " +
                                 std::string(selection.of_runs ? "the first elements of runs." : "flags."));
  }
  check_int64_atomics("Enqueue", device, max_count);
}

}  // namespace

struct Enqueue::Impl {
  Device device;
  Element element;
  EnqueueVariant variant;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;
};

Enqueue::Enqueue(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                 EnqueueVariant variant) {
  const PlanNote note(device, EnqueueParameters{element, selection, max_count, variant});
  check_addressable("Enqueue", element, max_count);
  check_supported(device.info(), selection, max_count);
  const DeviceInfo& info = device.info();
  const Tiling tiling = gathers(variant) ? make_row_staged_tiling("Enqueue", info, element, nullptr, 0, gathering,
                                                                  gathering.bytes_per_invocation)
                                         : make_tiling(info, element, TileTuning{});
  KernelMaker maker = KernelMaker(device, "Enqueue").element(element).tiling(tiling);
  define_selection(maker, element, selection);
  if (max_count > UINT32_MAX) maker.define("WEFT_WIDE_INDEX");
  impl_ = std::make_shared<Impl>(Impl{device, element, variant, max_count, tiling, maker.make(kernel_of(variant))});
}

void Enqueue::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Enqueue", plan.device, recorder);
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const bool two = plan.variant == EnqueueVariant::complement;
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, bytes, align};
  const ArgumentChecks::Holder others{"others", arguments.others, bytes, align};
  const ResolvedCount count = two ? checks.count(arguments.count, plan.max_count, {input, output, others})
                                  : checks.count(arguments.count, plan.max_count, {input, output});
  if (!two && arguments.others.bytes != 0) {
    core::invalid("Enqueue", "'others' was given, but only the complement variant fills it; leave it empty.");
  }
  const uint32_t counters = two ? 2 : 1, counter_bytes = arguments.queued.bytes();
  checks.written("queued", arguments.queued, plan.max_count, counters);
  checks.overlaps();

  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(arguments.queued.region().part(0, counters * counter_bytes), zero);
  if (count.most == 0) return;
  const uint64_t queue = arguments.queued.region().address();
  const EnqueueBlock block{arguments.input.address(),
                           arguments.output.address(),
                           arguments.others.address(),
                           queue,
                           two ? queue + counter_bytes : 0,
                           count.address,
                           count.most,
                           vectors(plan.tiling, arguments.input, source_vectors) | count_option(count),
                           0};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(count.most), plan.device.info().limits), block);
}

}  // namespace weft
