#include "algorithms/src/runs/segments.h"

#include <algorithm>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/base/user_expressions.h"

namespace weft::algorithms {
namespace {

constexpr uint32_t flag_bytes = 4;

// Push constants of shaders/kernels/runs/segments_arguments.glsl.
struct SegmentsBlock {
  uint64_t heads, source, keys_destination, destination, segments, segment_number, count_on_device, count, ticket,
      carries;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/runs/segments_empty.comp.
struct EmptyBlock {
  uint64_t offsets, destination, segments, segment_number, count_on_device, count;
  uint32_t options, unused;
};

bool is_wide(const SegmentsWork& work) {
  return std::max(work.max_count, work.heads == Heads::offsets ? work.max_segments : 0) > most_short_offset;
}

const char* heads_macro(Heads heads) {
  return heads == Heads::keys    ? "WEFT_HEADS_AT_KEYS"
         : heads == Heads::flags ? "WEFT_HEADS_AT_FLAGS"
                                 : "WEFT_HEADS_AT_OFFSETS";
}

// Words of workgroup memory for each element of a reduction's tile, beside its total: its key, or its index.
uint32_t words_beside(const SegmentsWork& work) {
  return work.heads == Heads::keys ? work.key->words() : work.heads == Heads::offsets ? 1 : 0;
}

const char* kernel_of(const SegmentsWork& work, const Tiling& tiling) {
  if (tiling.is_serial()) return work.scan ? "runs/segmented_serial_scan" : "runs/segmented_serial_reduce";
  return work.scan ? "runs/segmented_scan" : "runs/segmented_reduce";
}

}  // namespace

void define_segments(KernelMaker& maker, uint32_t value_words, bool wide) {
  maker.define("WEFT_SEGMENTED");
  maker.define("WEFT_VALUE_WORDS", std::to_string(value_words));
  maker.define("WEFT_SEGMENT_WORDS", std::to_string(segment_words(value_words, wide)));
}

struct SegmentsPlan::Impl {
  Device device;
  SegmentsWork work;
  bool wide;
  uint64_t storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel totals, tiles;  // look_back has only the second.
  Kernel empty;          // For reductions by offsets.
  uint32_t empty_workgroup;

  uint32_t head_bytes() const {
    return work.heads == Heads::keys ? work.key->bytes() : work.heads == Heads::flags ? flag_bytes : wide ? 8 : 4;
  }
  uint32_t head_align() const { return work.heads == Heads::keys ? work.key->align() : head_bytes(); }

  struct Counts {
    ResolvedCount elements, segments;
  };
  Counts check(ArgumentChecks& checks, const Arguments& arguments) const;
  void fill_empty(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                  const ResolvedCount& segments) const;
};

SegmentsPlan::SegmentsPlan(const Device& device, const SegmentsWork& work) {
  check_addressable(work.primitive, work.element, work.max_count);
  if (work.key) check_addressable(work.primitive, *work.key, work.max_count);
  const DeviceInfo& info = device.info();
  const TilePath path = resolve_path(work.path, info);
  const bool wide = is_wide(work);
  KernelMaker maker(device, work.primitive);
  maker.element(work.element).op(work.element, work.op);
  define_segments(maker, work.element.words(), wide);
  if (wide) maker.define("WEFT_WIDE_INDEX");
  const Tuning measured = tuning_of(device, work.tuning);
  TileCarry carry(device, measured, path, segment_words(work.element.words(), wide), maker);

  const Element* key = work.key ? &*work.key : nullptr;
  const Tuner tuner(*work.tuned, info, measured, work.element.bytes() + (key ? key->bytes() : 0));
  const bool has_serial_tiles = !wide || work.heads != Heads::offsets;  // shaders/serial/offsets.glsl
  const auto tiling_of = [&](const StagedTuning& tuning) {
    if (tuning.serial_bytes > 0 && has_serial_tiles) return make_serial_tiling(work.element, key, tuning.serial_bytes);
    if (work.scan) return make_keyed_tiling(info, work.element, key, tuning.tile);
    return make_row_staged_tiling(work.primitive, info, work.element, key, words_beside(work), tuning.tile,
                                  tuning.staged_bytes);
  };
  const StagedTuning tuning = tuner.at(work.max_count);
  const Tiling tiling = tiling_of(tuning);
  Kernel empty;
  const bool serial = tiling.is_serial();
  const Tiling empty_tiling = serial ? make_tiling(info, work.element, tuning.tile) : tiling;
  if (work.heads == Heads::offsets && !work.scan) {
    empty = KernelMaker(maker).tiling(empty_tiling).make("runs/segments_empty");
  }
  maker.define(heads_macro(work.heads)).tiling(tiling);
  if (key) define_equality(maker.key(*key), *key, work.equality);
  if (work.scan == ScanKind::exclusive) maker.define("WEFT_EXCLUSIVE");
  Kernel totals = carry.make_totals(maker, serial ? "runs/segmented_serial_totals" : "runs/segmented_totals");
  define_initial(maker, work.initial);
  Kernel tiles = carry.make_tiles(maker, tuning.look_back, kernel_of(work, tiling));
  impl_ = std::make_shared<Impl>(Impl{device, work, wide, tuner.most_tiles(work.max_count, tiling_of), path, tiling,
                                      std::move(carry), std::move(totals), std::move(tiles), std::move(empty),
                                      empty_tiling.workgroup});
}

TilePath SegmentsPlan::path() const { return impl_->path; }

uint64_t SegmentsPlan::temporary_bytes() const {
  return with_slack(impl_->carry.temporary_bytes(impl_->storage_tiles));
}

uint32_t SegmentsPlan::offset_bytes() const { return impl_->wide ? 8 : 4; }

// The counts of elements and, for offsets, of segments.
SegmentsPlan::Impl::Counts SegmentsPlan::Impl::check(ArgumentChecks& checks, const Arguments& arguments) const {
  const uint32_t bytes = work.element.bytes(), align = work.element.align();
  const bool by_keys = work.heads == Heads::keys, reduces = !work.scan;
  const char* const heads_name = by_keys ? "keys" : "heads";
  const ArgumentChecks::Holder values{by_keys && reduces ? "values" : "input", arguments.values, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, bytes, align};
  const ArgumentChecks::Holder heads{heads_name, arguments.heads, head_bytes(), head_align()};
  const ArgumentChecks::Holder keys_output{"unique_keys", arguments.keys_output, head_bytes(), head_align()};
  const auto checked = [&](std::initializer_list<ArgumentChecks::Holder> holders) {
    return checks.count(arguments.count, work.max_count, holders);
  };
  if (work.heads == Heads::offsets) {
    const ResolvedCount count = reduces ? checked({values}) : checked({values, output});
    checks.empty("segments", arguments.segments.region(),
                 "a plan by offsets takes the number of segments as 'segment_count'");
    return {count, checks.segments(heads_name, arguments.heads, head_bytes(), arguments.segment_count,
                                   work.max_segments, reduces ? &output : nullptr)};
  }
  if (reduces) checks.written(by_keys ? "runs" : "segments", arguments.segments, work.max_count);
  return {by_keys && reduces ? checked({values, output, heads, keys_output}) : checked({values, output, heads}), {}};
}

void SegmentsPlan::Impl::fill_empty(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                                    const ResolvedCount& segments) const {
  if (segments.most == 0) return;
  const EmptyBlock block{arguments.heads.address(),
                         arguments.output.address(),
                         segments.address,
                         segments.most,
                         count.address,
                         count.most,
                         count_option(count) | second_count_option(segments),
                         0};
  recorder.dispatch(empty, spread((segments.most - 1) / empty_workgroup + 1, device.info().limits), block);
}

void SegmentsPlan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks(plan.work.primitive, plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const auto [count, segments] = plan.check(checks, arguments);
  checks.overlaps();
  const bool by_offsets = plan.work.heads == Heads::offsets, reduces = !plan.work.scan;
  if (reduces && by_offsets) plan.fill_empty(recorder, arguments, count, segments);
  if (count.most == 0 && (by_offsets || !reduces)) return;

  const bool head_vectors = arguments.heads.address() % 16 == 0 && plan.tiling.pack * plan.head_bytes() % 16 == 0;
  const SegmentsBlock block{arguments.heads.address(),
                            arguments.values.address(),
                            arguments.keys_output.address(),
                            arguments.output.address(),
                            by_offsets ? segments.address : arguments.segments.region().address(),
                            segments.most,
                            count.address,
                            count.most,
                            TileCarry::ticket(arguments.temporary),
                            plan.carry.carries(arguments.temporary),
                            vectors(plan.tiling, arguments.values, source_vectors) |
                                vectors(plan.tiling, arguments.output, destination_vectors) |
                                (head_vectors ? uint32_t{flags_vectors} : 0u) | count_option(count) |
                                second_count_option(segments) | written_option(arguments.segments),
                            0};
  plan.carry.record(recorder, arguments.temporary, count, plan.tiling, plan.device.info().limits, plan.totals,
                    plan.tiles, block);
}

}  // namespace weft::algorithms
