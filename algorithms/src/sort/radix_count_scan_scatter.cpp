#include "algorithms/src/sort/radix_count_scan_scatter.h"

#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/temporary_layout.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/radix_counts.comp and shaders/kernels/sort/radix_scatter.comp.
struct RadixTilesBlock {
  RadixBlock sort;
  uint64_t counts;
  uint32_t tiles, unused;
};

}  // namespace

struct RadixCountScanScatter::Storage {
  Storage(const RadixCountScanScatter& of, uint64_t tiles)
      : counts(layout.add(tiles * most_digits * of.index_bytes_)), scan(layout.add(of.scan_->temporary_bytes())) {}

  TemporaryLayout layout;
  TemporaryLayout::Part counts;  // Of each digit in each tile.
  TemporaryLayout::Part scan;
};

RadixCountScanScatter::RadixCountScanScatter(const RadixMaking& making, const Tuning& measured)
    : limits_(making.device.info().limits), shape_(making.shape), index_bytes_(making.index_bytes()) {
  const bool wide = making.has_wide_indices();
  const Element index = index_element(wide);
  const Operator sum =
      wide ? Operator::custom("sum of indices", "T(weft_add(a.at, b.at))", "T(uvec2(0u))", true) : Operator::sum();
  const Scan::Options scan{.kind = ScanKind::exclusive, .path = TilePath::reduce_then_scan, .tuning = measured};
  KernelMaker counts = making.maker;
  shape_.counting(making.device.info()).define(counts);
  in_parallel(making.device, {[&] { scan_.emplace(making.device, index, sum, making.most_tiles * most_digits, scan); },
                              [&] { counts_ = counts.make("sort/radix_counts"); },
                              [&] { scatter_ = making.pass_kernel("sort/radix_scatter"); }});
  temporary_bytes_ = Storage(*this, making.most_tiles).layout.bytes();
}

void RadixCountScanScatter::record(Recorder& recorder, const RadixPass& pass, const Region& temporary,
                                   const ResolvedCount& count) const {
  const uint64_t tiles = shape_.tiling.tiles(count.most);
  const Storage storage(*this, tiles);
  const Groups groups = spread(tiles, limits_);
  const RadixTilesBlock block{radix_block(pass.from, pass.to, pass.begin, pass.mask, count),
                              storage.counts.address(temporary), uint32_t(tiles), 0};
  recorder.dispatch(counts_, groups, block);
  const Region counts = storage.counts.in(temporary);
  scan_->record(
      recorder,
      {.input = counts, .output = counts, .count = tiles * shape_.digits(), .temporary = storage.scan.in(temporary)});
  recorder.dispatch(scatter_, groups, block);
}

}  // namespace weft::algorithms
