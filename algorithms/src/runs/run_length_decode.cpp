#include <algorithm>
#include <array>

#include <weft/run_length.h>
#include <weft/scan.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/runs/run_length_tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/runs/run_length_decode.glsl.
struct RunLengthDecodeBlock {
  uint64_t values, offsets, destination, decoded, runs_on_device, runs, capacity;
  uint32_t options, unused;
};

// Temporary storage.
struct Storage {
  Storage(uint64_t max_runs, uint32_t length_bytes, const Scan& lengths)
      : offsets(layout.add(16 + max_runs * length_bytes)), scan(layout.add(lengths.temporary_bytes())) {}

  TemporaryLayout layout;
  TemporaryLayout::Part offsets;  // The first offset ends at byte 16, so that the second is aligned.
  TemporaryLayout::Part scan;
};

}  // namespace

struct RunLengthDecode::Impl {
  Device device;
  Element element;
  uint64_t max_runs, max_count;
  Tiling tiling;
  Scan scan;  // Scans the lengths.
  Kernel decode;
  uint32_t length_bytes;
  Storage storage;
};

RunLengthDecode::RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count,
                                 const Options& options) {
  const PlanNote note(device, RunLengthDecodeParameters{element, max_runs, max_count, options});
  check_addressable("RunLengthDecode", element, max_count);
  const bool wide = std::max(max_runs, max_count) > most_short_offset;
  const Element length = wide ? Element::of<uint64_t>() : Element::of<uint32_t>();
  const Tuning measured = tuning_of(device, options.tuning);
  const DecodeTuning tuning = Tuner(tuned_run_length_decode, device.info(), measured, element.bytes()).at(max_count);
  const bool serial = tuning.serial_bytes > 0 && !wide;  // shaders/serial/offsets.glsl
  const Tiling tiling = serial ? make_serial_tiling(element, nullptr, tuning.serial_bytes)
                               : make_tiling(device.info(), element, tuning.tile);
  KernelMaker maker = KernelMaker(device, "RunLengthDecode").element(element).tiling(tiling);
  if (wide) maker.define("WEFT_WIDE_INDEX");
  Scan scan(device, length, Operator::sum(), max_runs,
            {.kind = ScanKind::inclusive, .path = options.path, .tuning = measured});
  const Storage storage(max_runs, length.bytes(), scan);
  impl_ = std::make_shared<Impl>(Impl{device, element, max_runs, max_count, tiling, std::move(scan),
                                      maker.make(serial ? "runs/run_length_decode_serial" : "runs/run_length_decode"),
                                      length.bytes(), storage});
}

RunLengthDecode::RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count)
    : RunLengthDecode(device, element, max_runs, max_count, Options{}) {}

TilePath RunLengthDecode::path() const { return impl_->scan.path(); }

uint32_t RunLengthDecode::length_bytes() const { return impl_->length_bytes; }

uint64_t RunLengthDecode::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

void RunLengthDecode::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("RunLengthDecode", plan.device, recorder);
  const Region temporary = checks.temporary(arguments.temporary, temporary_bytes());
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align(), length = plan.length_bytes;
  const ResolvedCount runs = checks.count(
      arguments.runs, plan.max_runs,
      {{"values", arguments.values, bytes, align}, {"lengths", arguments.lengths, length, length}}, "runs");
  const uint64_t capacity = std::min(plan.max_count, arguments.output.bytes / bytes);
  checks.region("output", arguments.output, capacity * bytes, align);
  checks.written("decoded", arguments.decoded, plan.max_count);
  checks.overlaps();

  const Region offsets = plan.storage.offsets.in(temporary), first_offset = offsets.part(16 - length, length);
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(first_offset, zero);
  plan.scan.record(recorder, {.input = arguments.lengths,
                              .output = offsets.part(16, plan.max_runs * length),
                              .count = arguments.runs,
                              .temporary = plan.storage.scan.in(temporary)});
  const RunLengthDecodeBlock block{arguments.values.address(),
                                   first_offset.address(),
                                   arguments.output.address(),
                                   arguments.decoded.region().address(),
                                   runs.address,
                                   runs.most,
                                   capacity,
                                   vectors(plan.tiling, arguments.output, destination_vectors) | count_option(runs) |
                                       written_option(arguments.decoded),
                                   0};
  recorder.dispatch(plan.decode, spread(plan.tiling.tiles(capacity), plan.device.info().limits), block);
}

}  // namespace weft
