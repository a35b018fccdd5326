#include <weft/top_k.h>

#include <algorithm>
#include <array>
#include <bit>

#include <weft/sort.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/key_order.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/reduce/histogram_tuning.h"
#include "algorithms/src/select/selection_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr uint32_t digits = 256;

// Push constants of shaders/kernels/select/top_k_counts.comp.
struct CountsBlock {
  uint64_t source, counts, count_on_device, count, k;
  uint32_t pass, groups, options, unused;
};
// Push constants of shaders/kernels/select/top_k_gather.comp.
struct GatherBlock {
  uint64_t source, destination, indices, counts, before, equal, found, count_on_device, count, k;
  uint32_t options, unused;
};

Element index_of(bool wide) { return wide ? Element::of<uint64_t>() : Element::of<uint32_t>(); }

Count count_in(const CountOutput& word) {
  if (word.bytes() == sizeof(uint32_t)) return View<const uint32_t>(word.region());
  return View<const uint64_t>(word.region());
}

void check_plan(const DeviceInfo& device, const Element& key, uint64_t max_count, uint64_t max_k, bool indices) {
  if (key.is_struct()) {
    core::invalid("TopK", "keys are numbers, not " + key.name() + ".");
  }
  check_addressable("TopK", key, std::max(max_count, max_k));
  if (indices) check_addressable("TopK, indices of max_k keys", index_of(max_count > UINT32_MAX), max_k);
  check_int64_atomics("TopK", device, max_count);
}

KernelMaker key_maker(const Device& device, const Element& key, bool smallest) {
  KernelMaker maker(device, "TopK");
  // Keys are moved as bits. The bits above a narrow key are undefined.
  if (key.bytes() == 8) {
    maker.element(Element::structure({{"uvec2", "bits"}}));
  } else {
    maker.bits_of(key).define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
    maker.define("T_BYTES", std::to_string(key.bytes()));
  }
  define_key_order(maker, key, !smallest);
  return maker;
}

// Temporary storage.
struct TopKStorage {
  TopKStorage(const Element& key, uint32_t word_bytes, const Sort& by_order)
      : counts(layout.add(uint64_t{key.bytes()} * digits * word_bytes)),
        queues(layout.add(2 * word_bytes)),
        sort(layout.add(by_order.temporary_bytes())) {}

  TemporaryLayout layout;
  TemporaryLayout::Part counts, queues;  // Zero at the start of each record().
  TemporaryLayout::Part sort;
};

Sort make_sort(const Device& device, const Element& key, bool wide, uint64_t max_k, const TopK::Options& options) {
  const Sort::Options order{.order = {.descending = !options.smallest}, .tuning = options.tuning};
  if (options.indices) return Sort(device, key, index_of(wide), max_k, order);
  return Sort(device, key, max_k, order);
}

}  // namespace

struct TopK::Impl {
  Device device;
  Element key;
  Options options;
  uint64_t max_count, max_k;
  Tiling counts_tiling, gather_tiling;
  uint64_t most_groups;
  Kernel counts, gather;
  Sort sort;
  TopKStorage storage;

  bool wide() const { return max_count > UINT32_MAX; }
  uint32_t word_bytes() const { return wide() ? 8 : 4; }  // Bytes of a count or index.

  void select(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const uint64_t source = arguments.input.address();
    const uint64_t digit_counts = storage.counts.address(arguments.temporary);
    const uint64_t queues = storage.queues.address(arguments.temporary);
    const uint64_t groups = std::min(counts_tiling.tiles(count.most), most_groups);
    const uint32_t counts_options = vectors(counts_tiling, arguments.input, source_vectors) | count_option(count);
    for (uint32_t pass = 0; pass < key.bytes(); ++pass) {
      const CountsBlock block{source, digit_counts,     count.address,  count.most, arguments.k,
                              pass,   uint32_t(groups), counts_options, 0};
      recorder.dispatch(counts, {uint32_t(groups), 1, 1}, block);
    }
    const GatherBlock block{
        source,
        arguments.output.address(),
        arguments.indices.address(),
        digit_counts,
        queues,
        queues + word_bytes(),
        arguments.found.region().address(),
        count.address,
        count.most,
        arguments.k,
        vectors(gather_tiling, arguments.input, source_vectors) | count_option(count) | written_option(arguments.found),
        0};
    recorder.dispatch(gather, spread(gather_tiling.tiles(count.most), device.info().limits), block);
  }
};

TopK::TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k, const Options& options) {
  const PlanNote note(device, TopKParameters{key, max_count, max_k, options});
  const DeviceInfo& info = device.info();
  check_plan(info, key, max_count, max_k, options.indices);
  const bool wide = max_count > UINT32_MAX;
  const Tuning measured = tuning_of(device, options.tuning);
  const HistogramTuning counting = Tuner(tuned_histogram, info, measured, key.bytes()).at(max_count);
  const StagedTuning gathering = Tuner(tuned_compact, info, measured, key.bytes()).at(max_count);
  const Tiling counts_tiling = make_tiling(info, key, counting.tile);
  const Tiling gather_tiling = make_staged_tiling("TopK", info, key, gathering.tile);
  KernelMaker maker = key_maker(device, key, options.smallest);
  if (wide) maker.define("WEFT_WIDE_INDEX");
  KernelMaker counts_maker = KernelMaker(maker).tiling(counts_tiling);
  counts_maker.define("WEFT_SHARED_BINS", std::to_string(digits));
  if (wide) counts_maker.define("WEFT_WIDE_BINS");
  const uint32_t copy_bytes = digits * (wide ? 8 : 4);
  constexpr uint32_t beside = 256;
  const uint32_t copies = counting.counting.copies(copy_bytes, info.limits.workgroup_memory_bytes - beside);
  counts_maker.define("WEFT_COPIES", std::to_string(copies));
  KernelMaker gather_maker = KernelMaker(maker).tiling(gather_tiling);
  if (options.indices) gather_maker.define("WEFT_INDICES");
  Kernel counts, gather;
  std::optional<Sort> sort;
  in_parallel(device, {[&] { counts = counts_maker.make("select/top_k_counts"); },
                       [&] { sort = make_sort(device, key, wide, std::max<uint64_t>(max_k, 1), options); },
                       [&] { gather = gather_maker.make("select/top_k_gather"); }});
  const uint32_t resident = counts.resident_workgroups();
  const uint64_t most_groups = resident > 0 ? resident : counting.counting.groups;
  const TopKStorage storage(key, wide ? 8 : 4, *sort);
  impl_ = std::make_shared<Impl>(Impl{device, key, options, max_count, max_k, counts_tiling, gather_tiling, most_groups,
                                      std::move(counts), std::move(gather), std::move(*sort), storage});
}

TopK::TopK(const Device& device, const Element& key, uint64_t max_count, uint64_t max_k)
    : TopK(device, key, max_count, max_k, Options{}) {}

uint32_t TopK::index_bytes() const { return impl_->word_bytes(); }

uint64_t TopK::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

void TopK::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("TopK", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.key.bytes(), align = plan.key.align();
  const ResolvedCount count = checks.count(arguments.count, plan.max_count, {{"input", arguments.input, bytes, align}});
  if (arguments.k > plan.max_k) {
    core::invalid("TopK", "'k' is " + std::to_string(arguments.k) + ", and the plan was made for at most " +
                              std::to_string(plan.max_k) + ".");
  }
  checks.region("output", arguments.output, arguments.k * bytes, align);
  if (plan.options.indices) {
    checks.region("indices", arguments.indices, arguments.k * index_bytes(), index_bytes());
  } else {
    checks.empty("indices", arguments.indices, "the plan was made without indices");
  }
  checks.written("found", arguments.found, plan.max_k);
  checks.overlaps();

  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(arguments.temporary.part(0, plan.storage.sort.offset), zero);
  plan.select(recorder, arguments, count);
  const Region output = arguments.output.part(0, arguments.k * bytes);
  const Region indices = plan.options.indices ? arguments.indices.part(0, arguments.k * index_bytes()) : Region{};
  plan.sort.record(recorder, {.keys = output,
                              .values = indices,
                              .keys_out = output,
                              .values_out = indices,
                              .count = count_in(arguments.found),
                              .temporary = plan.storage.sort.in(arguments.temporary)});
}

namespace {

// For a plan with 32-bit indices.
uint64_t kept_key_count(uint64_t count, bool indices) {
  if (count <= UINT32_MAX) return std::min<uint64_t>(kept_plan_count(count), UINT32_MAX);
  if (!indices) return kept_plan_count(count);
  core::invalid("top_k", core::count_text(count) +
                             " keys are too many for 32-bit indices; make a plan, which "
                             "has 64-bit indices.");
}

}  // namespace

uint64_t top_k(Stream& stream, const Element& key, bool smallest, const ElementMemory& input,
               const ElementMemory& output, const View<uint32_t>& indices) {
  constexpr uint64_t least_k = 256;
  const Region &from = elements_in("top_k", "input", input, key), &to = elements_in("top_k", "output", output, key);
  const TopK::Options options{.smallest = smallest, .indices = !indices.empty()};
  const uint64_t count = from.bytes / key.bytes(), k = to.bytes / key.bytes();
  const uint64_t max_count = kept_key_count(count, options.indices), max_k = std::bit_ceil(std::max(k, least_k));
  const std::string parameters =
      std::string(smallest ? "smallest\n" : "largest\n") + (options.indices ? "indices\n" : "") + std::to_string(max_k);
  const auto plan = stream.cached<TopK>(plan_key("top_k", key, parameters, max_count), [&] {
    return std::make_shared<TopK>(stream.device(), key, max_count, max_k, options);
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& found, const Region& temporary) {
    plan->record(stream, {from, to, indices, found, k, count, temporary});
  });
}

}  // namespace weft
