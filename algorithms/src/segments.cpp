#include "algorithms/src/segments.h"

#include <algorithm>

#include "algorithms/src/checks.h"
#include "algorithms/src/kernel_maker.h"
#include "algorithms/src/kernel_options.h"
#include "algorithms/src/tile_path.h"
#include "algorithms/src/tiling.h"
#include "algorithms/src/tuning.h"

namespace weft::algorithms {
namespace {

constexpr uint32_t flag_bytes = 4;

// The push-constant blocks of shaders/kernels/segments.glsl and segments_empty.comp.
struct Block {
  uint64_t heads, source, keys_destination, destination, segments, segment_number, count_on_device, count, ticket,
      carries;
  uint32_t options, unused;
};
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

// Words of workgroup memory for each element of a reduction's tile, beside its total: its key, or where it lies.
uint32_t words_beside(const SegmentsWork& work) {
  return work.heads == Heads::keys ? work.key->words() : work.heads == Heads::offsets ? 1 : 0;
}

}  // namespace

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

  ResolvedCount check(const ArgumentChecks& checks, const Arguments& arguments) const;
  ResolvedCount check_segments(const ArgumentChecks& checks, const Arguments& arguments) const;
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
  maker.element(work.element).op(work.element, work.op).segmented(work.element.words(), wide);
  if (wide) maker.define("WEFT_WIDE_INDEX");
  TileCarry carry(device, path, segment_words(work.element.words(), wide), maker);

  const Element* key = work.key ? &*work.key : nullptr;
  const Tuner tuner(work.tuning, info, work.element.bytes() + (key ? key->bytes() : 0));
  const auto tiling_of = [&](const Tuning& tuning) {
    if (work.scan) return make_keyed_tiling(info, work.element, key, tuning);
    return make_row_staged_tiling(work.primitive, info, work.element, key, words_beside(work), tuning);
  };
  const Tuning tuning = tuner.at(work.max_count);
  const Tiling tiling = tiling_of(tuning);
  Kernel totals, empty;
  if (work.heads == Heads::offsets && !work.scan) empty = KernelMaker(maker).tiling(tiling).make("segments_empty");
  maker.define(heads_macro(work.heads)).tiling(tiling);
  if (key) maker.key(*key).equality(*key, work.equality);
  if (work.scan == ScanKind::exclusive) maker.define("WEFT_EXCLUSIVE");
  if (path == TilePath::reduce_then_scan) totals = maker.make("segmented_totals");
  if (!work.initial.empty()) maker.initial(work.initial);
  const std::string name = work.scan ? "segmented_scan" : "segmented_reduce";
  Kernel tiles =
      path == TilePath::look_back ? maker.tuning(tuning).make(name + "_look_back") : maker.make(name + "_tiles");
  impl_ = std::make_shared<Impl>(Impl{device, work, wide, tuner.most_tiles(work.max_count, tiling_of), path, tiling,
                                      std::move(carry), std::move(totals), std::move(tiles), std::move(empty),
                                      tiling.workgroup});
}

TilePath SegmentsPlan::path() const { return impl_->path; }

uint64_t SegmentsPlan::temporary_bytes() const {
  return with_slack(impl_->carry.temporary_bytes(impl_->storage_tiles));
}

uint32_t SegmentsPlan::offset_bytes() const { return impl_->wide ? 8 : 4; }

ResolvedCount SegmentsPlan::Impl::check(const ArgumentChecks& checks, const Arguments& arguments) const {
  const uint32_t bytes = work.element.bytes(), align = work.element.align();
  const ArgumentChecks::Holder values{work.scan ? "input" : "values", arguments.values, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, bytes, align};
  const ArgumentChecks::Holder heads{arguments.heads_name, arguments.heads, head_bytes(), head_align()};
  const ArgumentChecks::Holder keys_output{"unique_keys", arguments.keys_output, head_bytes(), head_align()};
  const bool by_offsets = work.heads == Heads::offsets;
  if (by_offsets && !work.scan) return checks.count(arguments.count, work.max_count, {values});
  if (by_offsets) return checks.count(arguments.count, work.max_count, {values, output});
  if (work.scan || work.heads == Heads::flags) {
    return checks.count(arguments.count, work.max_count, {values, output, heads});
  }
  return checks.count(arguments.count, work.max_count, {values, output, heads, keys_output});
}

// How many segments the offsets name; nothing for keys and flags.
ResolvedCount SegmentsPlan::Impl::check_segments(const ArgumentChecks& checks, const Arguments& arguments) const {
  if (work.heads != Heads::offsets) return {};
  const ResolvedCount named =
      checks.segments(arguments.heads_name, arguments.heads, head_bytes(), arguments.segment_count, work.max_segments);
  if (work.scan) return named;
  ResolvedCount held = checks.count(arguments.segment_count, work.max_segments,
                                    {{"output", arguments.output, work.element.bytes(), work.element.align()}});
  held.most = std::min(held.most, named.most);
  return held;
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
                         count_option(count) | (segments.on_device() ? uint32_t{second_count_on_device} : 0u),
                         0};
  recorder.dispatch(empty, spread((segments.most - 1) / empty_workgroup + 1, device.info().limits), block);
}

void SegmentsPlan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  const ArgumentChecks checks(plan.work.primitive, plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const ResolvedCount count = plan.check(checks, arguments), segments = plan.check_segments(checks, arguments);
  const bool by_offsets = plan.work.heads == Heads::offsets, reduces = !plan.work.scan;
  const uint64_t values = count.most * plan.work.element.bytes();
  const uint64_t heads = by_offsets ? (segments.most + 1) * plan.head_bytes() : count.most * plan.head_bytes();
  const uint64_t output = reduces && by_offsets ? segments.most * plan.work.element.bytes() : values;
  const bool in_place = !reduces && arguments.values.address() == arguments.output.address();
  const char* values_name = reduces ? "values" : "input";
  if (!in_place) checks.apart(values_name, arguments.values, values, "output", arguments.output, output);
  checks.apart(arguments.heads_name, arguments.heads, heads, "output", arguments.output, output);
  if (plan.work.heads == Heads::keys && reduces) {
    checks.apart("keys", arguments.heads, "unique_keys", arguments.keys_output, heads);
    checks.apart("values", arguments.values, values, "unique_keys", arguments.keys_output, heads);
    checks.apart("output", arguments.output, output, "unique_keys", arguments.keys_output, heads);
  }
  if (reduces && !by_offsets) {
    checks.region("segments", arguments.segments, 8, 8);
    checks.apart_from_count(arguments.count, "segments", arguments.segments);
  }
  if (by_offsets) checks.empty("segments", arguments.segments, "a plan by offsets is told how many there are");
  if (reduces && by_offsets) plan.fill_empty(recorder, arguments, count, segments);
  if (count.most == 0 && (by_offsets || !reduces)) return;

  const bool head_vectors = arguments.heads.address() % 16 == 0 && plan.tiling.pack * plan.head_bytes() % 16 == 0;
  const Block block{arguments.heads.address(),
                    arguments.values.address(),
                    arguments.keys_output.address(),
                    arguments.output.address(),
                    by_offsets ? segments.address : arguments.segments.address(),
                    segments.most,
                    count.address,
                    count.most,
                    TileCarry::ticket(arguments.temporary),
                    plan.carry.carries(arguments.temporary),
                    vectors(plan.tiling, arguments.values, source_vectors) |
                        vectors(plan.tiling, arguments.output, destination_vectors) |
                        (head_vectors ? uint32_t{flags_vectors} : 0u) | count_option(count) |
                        (segments.on_device() ? uint32_t{second_count_on_device} : 0u),
                    0};
  plan.carry.record(recorder, arguments.temporary, count, plan.tiling, plan.device.info().limits, plan.totals,
                    plan.tiles, block);
}

}  // namespace weft::algorithms
