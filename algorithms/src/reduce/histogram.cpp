#include <weft/histogram.h>

#include <algorithm>
#include <array>
#include <bit>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/reduce/even_bins.h"
#include "algorithms/src/reduce/histogram_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr uint32_t most_bins = 1u << 20;
constexpr uint32_t most_channels = 4;
constexpr uint32_t weight_bytes = 4;
// With fewer copies, the lanes of a subgroup that hit the same bin are added up first.
constexpr uint32_t enough_copies = 8;
// Of shaders/kernels/reduce/histogram_serial.comp.
constexpr uint32_t most_serial_copies = 4;

// Push constants of shaders/kernels/reduce/histogram_counts.glsl.
struct HistogramBlock {
  uint64_t source, edges, weights, counts, count_on_device, count;
  EvenBins even;
  uint32_t groups, options;
};

// What a workgroup keeps in workgroup memory.
struct SharedBins {
  uint32_t copies = 0;  // 0: the counts are in device memory.
  bool edges = false;
};

Histogram::Options with_defaults(Histogram::Options options) {
  if (options.counted == 0) options.counted = options.channels;
  return options;
}

void check_options(const Bins& bins, const Histogram::Options& options) {
  if (bins.count == 0 || bins.count > most_bins) {
    core::invalid("Histogram", "the number of bins must be 1 to " + std::to_string(most_bins) + ", not " +
                                   std::to_string(bins.count) + ".");
  }
  if (options.channels == 0 || options.channels > most_channels || options.counted > options.channels) {
    core::invalid("Histogram", "there may be 1 to " + std::to_string(most_channels) +
                                   " channels, and at most all are counted; not " + std::to_string(options.counted) +
                                   " of " + std::to_string(options.channels) + ".");
  }
}

void check_element(const Device& device, const Element& element) {
  if (!element.is_struct() && (element.bytes() <= 4 || is_wide_sample(element))) return;
  throw Error(ErrorCode::unsupported, "Histogram of " + element.name() + " cannot run on " + device.info().selector +
                                          ": samples must be integers, or floats of up to 32 bits.");
}

// The tuning's number of copies if they leave room for other workgroups; one if only that fits.
SharedBins share(const DeviceInfo& device, const CountingTuning& tuning, uint64_t bins, uint64_t edges, bool wide) {
  constexpr uint64_t word = 4, beside = 256;
  const uint64_t room = device.limits.workgroup_memory_bytes - beside;
  const uint64_t bytes = bins * word * (wide ? 2 : 1);
  SharedBins shared;
  if (bytes > room) return shared;
  shared.edges = edges > 0 && bytes + edges * word <= room;
  shared.copies = tuning.copies(bytes, room, shared.edges ? edges * word : 0);
  return shared;
}

// If counts leave no room for a second workgroup on a multiprocessor, doubles the workgroup instead.
HistogramTuning fitted(HistogramTuning tuning, const DeviceInfo& device, uint64_t bins) {
  constexpr uint32_t count_bytes = 4;
  const uint64_t bytes = bins * count_bytes;
  if (2 * bytes > device.limits.workgroup_memory_bytes && bytes > tuning.counting.shared_bytes) {
    tuning.tile.workgroup =
        std::bit_floor(std::min(2 * tuning.tile.workgroup, device.limits.max_workgroup_invocations));
  }
  return tuning;
}

std::string sample_of(const Element& element) {
  if (is_wide_sample(element)) return "x";
  if (is_float_sample(element)) return "float(x)";
  return element.glsl_type().starts_with("u") ? "uint(x)" : "int(x)";
}

}  // namespace

struct Histogram::Impl {
  Device device;
  Element element;
  Bins bins;
  Options options;
  uint64_t max_count;
  Tiling tiling;
  EvenBins even;
  bool shared, by_value;
  uint64_t most_groups;
  Kernel kernel;

  uint64_t all_bins() const { return uint64_t{bins.count} * options.counted; }
  uint64_t all_edges() const { return bins.by_edges ? (uint64_t{bins.count} + 1) * options.counted : 0; }
  uint32_t count_bytes() const { return options.wide ? 8 : 4; }
  // Tiles of one invocation have as many pixels as others have samples.
  uint64_t tiles(uint64_t count) const { return tiling.tiles(tiling.is_serial() ? count : count * options.channels); }
  // A single workgroup writes its bins from workgroup memory. Several add to the output.
  bool clears(uint64_t groups) const { return !shared || by_value || groups > 1; }
};

Histogram::Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count,
                     const Options& given) {
  const PlanNote note(device, HistogramParameters{element, bins, max_count, given});
  const Options options = with_defaults(given);
  check_options(bins, options);
  check_element(device, element);
  check_addressable("Histogram", element, max_count);  // before the product, which could overflow
  check_addressable("Histogram", element, max_count * options.channels);
  const bool by_edges = bins.by_edges;
  const PreparedBins even = by_edges ? PreparedBins{} : prepare_even_bins(element, bins);
  const DeviceInfo& info = device.info();
  const uint64_t all_bins = uint64_t{bins.count} * options.counted;
  // Samples of 8 bits are counted by value first.
  const bool by_value = element.bytes() == 1;
  const uint64_t counters = by_value ? 256 * options.counted : all_bins;
  const Tuner tuner(tuned_histogram, info, tuning_of(device, options.tuning), element.bytes());
  const HistogramTuning tuning = fitted(tuner.at(max_count), info, counters);
  // A workgroup counts fewer than 2^32 samples unless there are more in all.
  const bool wide_bins = options.wide && (options.weighted || max_count > UINT32_MAX);
  const bool keeps_edges = by_edges && !by_value && !is_wide_sample(element);
  const uint64_t edges = keeps_edges ? all_bins + options.counted : 0;
  // Beside the counters, tiles of one invocation have one for samples outside of the bins.
  const SharedBins serial_shared = share(info, tuning.counting, counters + 1, edges, wide_bins);
  const bool is_serial = tuning.serial_bytes > 0 && serial_shared.copies > 0;
  SharedBins shared = is_serial ? serial_shared : share(info, tuning.counting, counters, edges, wide_bins);
  if (is_serial) shared.copies = std::min(shared.copies, most_serial_copies);
  const Tiling tiling =
      is_serial ? make_serial_tiling(element, nullptr, tuning.serial_bytes) : make_tiling(info, element, tuning.tile);

  KernelMaker maker = KernelMaker(device, "Histogram").element(element).tiling(tiling);
  maker.workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor);
  maker.define("WEFT_SAMPLE(x)", sample_of(element));
  maker.define("WEFT_BINS", std::to_string(bins.count) + "u");
  maker.define("WEFT_CHANNELS", std::to_string(options.channels));
  maker.define("WEFT_COUNTED", std::to_string(options.counted));
  if (by_edges) maker.define("WEFT_EDGES");
  if (by_edges ? bins.closed : even.closed) maker.define("WEFT_CLOSED");
  if (tuning.consecutive == 1 && !is_serial) maker.define("WEFT_CONSECUTIVE");
  if (is_wide_sample(element)) maker.define("WEFT_EVEN_64");
  if (shared.edges) maker.define("WEFT_SHARED_EDGES");
  if (is_serial && !by_edges && even.covers_all) maker.define("WEFT_ALL_INSIDE");
  if (by_value) maker.define("WEFT_BY_VALUE");
  if (even.by_shift) maker.define("WEFT_EVEN_SHIFT");
  if (options.weighted) maker.define("WEFT_WEIGHTED");
  if (options.wide) maker.define(wide_bins ? "WEFT_WIDE_COUNTS" : "WEFT_WIDENED_COUNTS");
  if (shared.copies > 0) {
    maker.define("WEFT_SHARED_BINS", std::to_string(is_serial ? counters + 1 : counters));
    maker.define("WEFT_COPIES", std::to_string(shared.copies));
    if (wide_bins) maker.define("WEFT_WIDE_BINS");
  }
  if (!options.weighted && !is_serial && shared.copies < enough_copies) maker.define("WEFT_AGGREGATE");
  Kernel kernel = maker.make(is_serial ? "reduce/histogram_serial" : "reduce/histogram");
  const uint32_t resident = kernel.resident_workgroups();
  uint64_t most_groups = resident > 0 ? resident : tuning.counting.groups;
  if (is_serial) {
    most_groups *= 2;                    // Other work may delay a thread.
  } else if (tuning.consecutive == 1) {  // 32-bit indices must reach the last of a workgroup's samples.
    constexpr uint64_t most_samples = 1 << 30;
    most_groups = std::max(most_groups, max_count * options.channels / most_samples + 1);
  }
  impl_ = std::make_shared<Impl>(Impl{device, element, bins, options, max_count, tiling, even.words, shared.copies > 0,
                                      by_value, most_groups, std::move(kernel)});
}

Histogram::Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count)
    : Histogram(device, element, bins, max_count, Options{}) {}

bool Histogram::in_workgroup_memory() const { return impl_->shared; }

void Histogram::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Histogram", plan.device, recorder);
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const ArgumentChecks::Holder input{"input", arguments.input, bytes * plan.options.channels, align};
  const ArgumentChecks::Holder weights{"weights", arguments.weights, weight_bytes, weight_bytes};
  const ResolvedCount count = plan.options.weighted ? checks.count(arguments.count, plan.max_count, {input, weights})
                                                    : checks.count(arguments.count, plan.max_count, {input});
  if (!plan.bins.by_edges) checks.empty("edges", arguments.edges, "the bins are even");
  if (!plan.options.weighted) checks.empty("weights", arguments.weights, "the plan counts each sample as one");
  checks.region("edges", arguments.edges, plan.all_edges() * bytes, align);
  checks.region("output", arguments.output, plan.all_bins() * plan.count_bytes(), plan.count_bytes());
  checks.overlaps();

  const uint64_t groups = std::min(plan.tiles(count.most), plan.most_groups);
  if (plan.clears(groups)) {
    constexpr std::array<std::byte, 4> zero{};
    recorder.fill_region(arguments.output.part(0, plan.all_bins() * plan.count_bytes()), zero);
  }
  const HistogramBlock block{arguments.input.address(),
                             arguments.edges.address(),
                             arguments.weights.address(),
                             arguments.output.address(),
                             count.address,
                             count.most,
                             plan.even,
                             uint32_t(groups),
                             vectors(plan.tiling, arguments.input, source_vectors) | count_option(count)};
  recorder.dispatch(plan.kernel, {uint32_t(groups), 1, 1}, block);
}

void histogram(Stream& stream, const Element& element, const Bins& bins, const ElementMemory& input,
               const ElementMemory& edges, const Region& output) {
  const Region &from = elements_in("histogram", "input", input, element),
               &between = elements_in("histogram", "edges", edges, element);
  const uint64_t count = from.bytes / element.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = std::to_string(bins.count) + (bins.by_edges ? " by edges" : " even ") +
                                 (bins.closed ? "closed " : "") + std::to_string(std::bit_cast<uint64_t>(bins.lower)) +
                                 " " + std::to_string(std::bit_cast<uint64_t>(bins.upper));
  const auto plan = stream.cached<Histogram>(plan_key("histogram", element, parameters, max_count), [&] {
    return std::make_shared<Histogram>(stream.device(), element, bins, max_count);
  });
  plan->record(stream, {from, between, {}, output, count});
}

}  // namespace weft
