#include "algorithms/src/sort/merge_pass.h"

#include <algorithm>
#include <bit>

#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/kernel_options.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

// Merges whose tiles are listed at once. More would save a dispatch in sorts of more than 2^16 first runs.
constexpr uint32_t lists = 16;

// Invocations of merge_bounds.comp for each bound. The smallest workgroup has as many, and segments are often shorter.
constexpr uint32_t bound_invocations = 32;

}  // namespace

// Push constants of shaders/kernels/sort/merge_pair.glsl.
struct MergePass::Block {
  uint64_t first, second, destination, first_values, second_values, destination_values;
  uint64_t splits, first_count_on_device, second_count_on_device, first_count, second_count;
  uint32_t run_tiles, options;
  uint64_t bounds = 0;  // The rest is for runs of segments.
  uint32_t bound_tiles = 0, listed_tiles = 0;
  uint64_t busy = 0, busy_tiles = 0;
};

std::optional<Tiling> MergePass::serial_tiling(const DeviceInfo& device, const Element& element, bool values,
                                               const MergeTuning& tuning) {
  // A sort has two tiles of elements and of the indices of their values, and one of a word of these.
  const uint32_t words = 2 * shared_words(element, values) + (values ? 1 : 0);
  constexpr uint32_t least = 256, most = 32768, beside = 1024;  // Indices in a tile have 16 bits.
  const uint32_t fitting = (device.limits.workgroup_memory_bytes - beside) / (4 * words);
  const uint32_t elements = std::bit_floor(std::min({tuning.serial_bytes / element.bytes(), fitting, most}));
  if (tuning.serial_bytes == 0 || fitting < least) return std::nullopt;
  return Tiling{.workgroup = 1,
                .rows = std::max(elements, least),
                .pack = 1,
                .element_words = element.words(),
                .element_bytes = element.bytes()};
}

MergePass::MergePass(const Device& device, KernelMaker maker, const Tiling& tiling, const MergeTuning& tuning, Of of)
    : device_(device), tiling_(tiling) {
  maker.tiling(tiling).workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor);
  if (of != Of::sequences) maker.define("WEFT_MERGE_SORT");
  if (tiling.is_serial()) {
    tiles_ = maker.make("sort/merge_tiles_serial");
    return;
  }
  const bool own_splits = tuning.own_splits != 0;
  if (own_splits) maker.define("WEFT_OWN_SPLITS");
  const auto make_for_segments = [&] {
    KernelMaker bounds = maker;
    bounds.define("WEFT_BOUND_INVOCATIONS", std::to_string(bound_invocations));
    bounds_ = bounds.make("sort/merge_bounds");
    lists_ = maker.make("sort/merge_lists");
  };
  in_parallel(device, {[&] {
                         if (of == Of::runs_of_segments) make_for_segments();
                         if (!own_splits) splits_ = maker.make("sort/merge_splits");
                       },
                       [&] { tiles_ = maker.make("sort/merge_tiles"); }});
  if (of == Of::runs_of_segments) tiles_.prepare_indirect();
}

uint64_t MergePass::split_bytes(bool wide, uint64_t tiles) { return round_up_16(tiles * (wide ? 8 : 4)); }

uint64_t MergePass::bound_bytes(bool wide, uint64_t tiles) { return 2 * split_bytes(wide, tiles); }

uint64_t MergePass::busy_tile_bytes(uint64_t tiles) { return round_up_16(lists * 4 * tiles); }

Groups MergePass::split_groups(uint64_t tiles) const {
  return spread((tiles - 1) / tiling_.workgroup + 1, device_.info().limits);
}

void MergePass::dispatch(Recorder& recorder, const Block& block, uint64_t count) const {
  const uint64_t tiles = tiling_.tiles(count);
  if (splits_) recorder.dispatch(*splits_, split_groups(tiles), block);
  recorder.dispatch(tiles_, spread(tiles, device_.info().limits), block);
}

void MergePass::merge_sequences(Recorder& recorder, const Items& first, const ResolvedCount& first_count,
                                const Items& second, const ResolvedCount& second_count, const Items& output,
                                const Region& temporary) const {
  const uint32_t second_option = second_count_option(second_count);
  const Block block{first.elements.address(),
                    second.elements.address(),
                    output.elements.address(),
                    first.values.address(),
                    second.values.address(),
                    output.values.address(),
                    temporary.address(),
                    first_count.address,
                    second_count.address,
                    first_count.most,
                    second_count.most,
                    0,
                    count_option(first_count) | second_option};
  dispatch(recorder, block, first_count.most + second_count.most);
}

MergePass::Block MergePass::run_block(const Items& input, const Items& output, const ResolvedCount& count,
                                      uint32_t run_tiles, const Region& splits) {
  return {input.elements.address(),
          input.elements.address(),
          output.elements.address(),
          input.values.address(),
          input.values.address(),
          output.values.address(),
          splits.address(),
          count.address,
          0,
          count.most,
          0,
          run_tiles,
          count_option(count)};
}

void MergePass::merge_runs(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                           uint32_t run_tiles, const Region& splits) const {
  dispatch(recorder, run_block(input, output, count, run_tiles, splits), count.most);
}

void MergePass::add_segments(Block& block, const SegmentsOfTiles& segments, uint32_t merge, uint64_t tiles) {
  block.bounds = segments.bounds.address();
  block.bound_tiles = segments.bound_tiles;
  block.listed_tiles = uint32_t(tiles);
  block.busy = segments.busy.address() + merge * busy_bytes;
  block.busy_tiles = segments.busy_tiles.address() + merge % lists * 4 * tiles;
}

void MergePass::merge_bounds(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                             const SegmentsOfTiles& segments) const {
  const uint64_t tiles = tiling_.tiles(count.most), bounds = (tiles - 1) / segments.bound_tiles;
  const uint64_t bounds_of_group = tiling_.workgroup / bound_invocations;
  Block block = run_block(input, output, count, segments.bound_tiles, {});
  add_segments(block, segments, 0, tiles);
  recorder.dispatch(*bounds_, spread((bounds - 1) / bounds_of_group + 1, device_.info().limits), block);
}

void MergePass::merge_segments(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                               uint32_t merge, const Region& splits, const SegmentsOfTiles& segments) const {
  const uint64_t tiles = tiling_.tiles(count.most);
  const Groups groups = split_groups(tiles);
  Block block = run_block(input, output, count, segments.bound_tiles << merge, splits);
  add_segments(block, segments, merge, tiles);
  if (merge % lists == 0) {
    recorder.dispatch(*lists_, {groups.x, std::min(segments.merges - merge, lists), groups.y}, block);
  }
  if (splits_) recorder.dispatch(*splits_, groups, block);
  recorder.dispatch_indirect(tiles_, View<const uint32_t>(segments.busy.part(merge * busy_bytes + 4, 12)), block);
}

namespace {

void define_comparison(KernelMaker& maker, const Element& element, const Comparison& comparison) {
  for (const Comparison& own : {Comparison::ascending(), Comparison::descending()}) {
    if (!element.is_struct() || comparison.before != own.before) continue;
    const std::string& field = element.fields()[0].name;
    core::invalid(maker.primitive(), "comparison \"" + comparison.before + "\" is for scalars, and the elements are " +
                                         element.name() + ". Write one for them with Comparison::by(), \"a." + field +
                                         " < b." + field + "\".");
  }
  maker.expression("WEFT_BEFORE", "comparison", comparison.before, "on " + element.name());
}

// Values are only moved.
void define_values(KernelMaker& maker, const Element& value) {
  maker.bits_of(value).define("WEFT_TILE_SOURCES");
  maker.define("WEFT_VALUE_UNIT_BYTES", std::to_string(value.unit_bytes()));
  maker.define("WEFT_VALUE_UNITS", std::to_string(value.words()));
}

}  // namespace

KernelMaker ordered_kernels(const char* primitive, const Device& device, const Element& element,
                            const Comparison& comparison, const std::optional<Element>& values, uint64_t max_count,
                            bool wide) {
  check_addressable(primitive, element, max_count);
  if (values) check_addressable(primitive, *values, max_count);
  KernelMaker maker = KernelMaker(device, primitive).element(element);
  define_comparison(maker, element, comparison);
  if (wide) maker.define("WEFT_WIDE_INDEX");
  if (values) define_values(maker, *values);
  return maker;
}

ResolvedCount sorted_count(ArgumentChecks& checks, const Element& element, const std::optional<Element>& values,
                           const Count& count, uint64_t max_count, const Items& input, const Items& output) {
  using Holder = ArgumentChecks::Holder;
  const uint32_t bytes = element.bytes(), align = element.align();
  const Holder from{"input", input.elements, bytes, align}, to{"output", output.elements, bytes, align};
  if (values) {
    const Holder values_from{"input_values", input.values, values->bytes(), values->align()};
    const Holder values_to{"output_values", output.values, values->bytes(), values->align()};
    return checks.count(count, max_count, {from, to, values_from, values_to});
  }
  const std::string reason = "the plan sorts without values";
  checks.empty("input_values", input.values, reason);
  checks.empty("output_values", output.values, reason);
  return checks.count(count, max_count, {from, to});
}

uint32_t shared_words(const Element& element, bool values) { return element.words() + (values ? 1 : 0); }

}  // namespace weft::algorithms
