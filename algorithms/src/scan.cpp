#include <weft/scan.h>

#include <weft/error.h>
#include <algorithm>

#include "algorithms/src/checks.h"
#include "algorithms/src/kernel_maker.h"
#include "algorithms/src/kernel_options.h"
#include "algorithms/src/plan_cache.h"
#include "algorithms/src/tile_path.h"
#include "algorithms/src/tiling.h"
#include "algorithms/src/tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// Push-constant blocks of the kernels in shaders/kernels.
struct LookBackBlock {
  uint64_t source, destination, count_on_device, count, ticket, state;
  uint32_t options, unused;
};
struct TotalsBlock {
  uint64_t source, totals, count_on_device, count;
  uint32_t options, unused;
};
struct TilesBlock {
  uint64_t source, destination, count_on_device, count, carries;
  uint32_t options, unused;
};

}  // namespace

struct Scan::Impl {
  Device device;
  Element element;
  uint64_t max_count;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel totals, tiles;  // look_back has only the second.

  uint32_t options(const Arguments& arguments, const ResolvedCount& count) const {
    return vectors(tiling, arguments.input, source_vectors) | vectors(tiling, arguments.output, destination_vectors) |
           count_option(count);
  }

  void look_back(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const uint64_t tile_count = tiling.tiles(count.most);
    carry.clear(recorder, arguments.temporary, tile_count);
    const LookBackBlock block{arguments.input.address(),
                              arguments.output.address(),
                              count.address,
                              count.most,
                              TileCarry::ticket(arguments.temporary),
                              TileCarry::state(arguments.temporary),
                              options(arguments, count),
                              0};
    recorder.dispatch(tiles, spread(tile_count, device.info().limits), block);
  }

  void reduce_then_scan(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const Groups groups = spread(tiling.tiles(count.most), device.info().limits);
    const uint64_t source = arguments.input.address(), carries = arguments.temporary.address();
    const TotalsBlock totals_block{source, carries, count.address, count.most, options(arguments, count), 0};
    recorder.dispatch(totals, groups, totals_block);
    carry.scan_totals(recorder, arguments.temporary, count, tiling);
    const TilesBlock tiles_block{
        source, arguments.output.address(), count.address, count.most, carries, options(arguments, count), 0};
    recorder.dispatch(tiles, groups, tiles_block);
  }
};

Scan::Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count,
           const Options& options) {
  check_addressable("Scan", element, max_count);
  const TilePath path = resolve_path(options.path, device.info());
  const Tuning tuning = scan_tuning(device.info(), element.words());
  const Tiling tiling = make_tiling(device.info(), element.words(), tuning.bytes_per_invocation);
  KernelMaker maker = KernelMaker(device, "Scan").element(element).op(element, op);
  TileCarry carry(device, path, element.words(), maker);
  maker.tiling(tiling);
  Kernel totals;
  if (path == TilePath::reduce_then_scan) totals = maker.make("scan_totals");
  maker.define("WEFT_PACK_SCAN",
               options.kind == ScanKind::inclusive ? "weft_pack_inclusive_scan" : "weft_pack_exclusive_scan");
  Kernel tiles = path == TilePath::look_back ? maker.tuning(tuning).make("scan_look_back") : maker.make("scan_tiles");
  impl_ = std::make_shared<Impl>(Impl{device, element, max_count, path, tiling, std::move(carry), totals, tiles});
}

Scan::Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count)
    : Scan(device, element, op, max_count, Options{}) {}

TilePath Scan::path() const { return impl_->path; }

uint64_t Scan::temporary_bytes() const { return impl_->carry.temporary_bytes(impl_->tiling.tiles(impl_->max_count)); }

void Scan::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  const ArgumentChecks checks("Scan", plan.device, recorder);
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const ResolvedCount count =
      checks.count(arguments.count, plan.max_count,
                   {{"input", arguments.input, bytes, align}, {"output", arguments.output, bytes, align}});
  if (arguments.input.address() != arguments.output.address()) {
    checks.apart("input", arguments.input, "output", arguments.output, count.most * bytes);
  }
  checks.region("temporary", arguments.temporary, temporary_bytes(), 16);
  if (count.most == 0) return;
  if (plan.path == TilePath::look_back) {
    plan.look_back(recorder, arguments, count);
  } else {
    plan.reduce_then_scan(recorder, arguments, count);
  }
}

void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind, const Region& input,
          const Region& output) {
  const uint64_t count = input.bytes / element.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = key_of(op) + (kind == ScanKind::inclusive ? "\ninclusive" : "\nexclusive");
  const auto plan = stream.cached<Scan>(plan_key("scan", element, parameters, max_count), [&] {
    return std::make_shared<Scan>(stream.device(), element, op, max_count, Scan::Options{kind, TilePath::automatic});
  });
  plan->record(stream, {input, output, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
