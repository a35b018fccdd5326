#include <algorithm>
#include <array>
#include <functional>

#include <weft/hash_table.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "algorithms/src/tables/bidirectional_erase.h"
#include "algorithms/src/tables/hash_kernels.h"
#include "algorithms/src/tables/sorted_insert.h"
#include "algorithms/src/trees/one_each.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/tables/keys.glsl.
struct KeysBlock {
  uint64_t slots, capacity, keys, values, results, counts, count_on_device, count, left;
  uint32_t options, unused;
};

// A plan that processes an array of keys.
struct KeysPlan {
  const char* primitive;
  const char* results_name;  // Of the argument that has a word for each key.
  uint32_t results;          // Number of results that a key may have.
  HashTable table;
  Tiling tiling;
  Kernel kernel;
  Kernel rest{};  // For keys that the first one leaves, in a bidirectional table.

  // Rebuilds a bidirectional table instead, for `least_rebuilt` keys or more. It may take up to `max_count` keys.
  std::function<void(Recorder&, const RebuildArguments&)> rebuild{};
  uint64_t rebuild_bytes = 0, least_rebuilt = 0, max_count = UINT64_MAX;

  struct Arguments {
    Region table, keys, values, results, temporary;
    CountOutput counts;
    Count count = 0;
    bool needs_values = false;
  };
  uint64_t temporary_bytes() const { return with_slack(std::max(rest ? round_up_16(left_bytes) : 0, rebuild_bytes)); }
  // The number of a count in device memory is not known. Insertions one by one need memory for results.
  bool rebuilds(const Arguments& given) const {
    return rebuild && (given.count.is_on_device() || given.count.value() >= least_rebuilt || given.results.bytes == 0);
  }
  void record(Recorder& recorder, const Arguments& arguments) const;

  // shaders/kernels/tables/left_keys.glsl
  static constexpr uint64_t left_buckets = 256, left_bytes = (1 + left_buckets) * word_bytes;
};

void KeysPlan::record(Recorder& recorder, const Arguments& given) const {
  const HashTable::Impl& shape = table.impl();
  const DeviceInfo& info = shape.device.info();
  ArgumentChecks checks(primitive, shape.device, recorder);
  const Element &key = shape.key, &value = shape.value ? *shape.value : shape.key;
  const ArgumentChecks::Holder keys{"keys", given.keys, key.bytes(), key.align()};
  const ArgumentChecks::Holder values{"values", given.values, value.bytes(), value.align()};
  const ArgumentChecks::Holder results_of{results_name, given.results, word_bytes, word_bytes};
  const bool has_values = given.needs_values || given.values.bytes != 0;
  // What is left out is not checked: the keys stand in for it.
  const uint64_t most = std::min(max_count, has_int64_atomics(info) ? uint64_t{1} << 37 : UINT32_MAX);
  const bool has_results = given.results.bytes != 0 || (rest && !rebuild);
  const ResolvedCount count =
      checks.count(given.count, most, {keys, has_values ? values : keys, has_results ? results_of : keys});
  checks.region("table", given.table, shape.bytes(), 16);
  const Region& counts = given.counts.region();
  const uint32_t counted = counts.bytes == 0 ? 0 : results;
  checks.written("counts", given.counts, count.most, counted);
  const bool needs_temporary = temporary_bytes() != 0;
  const Region temporary = needs_temporary ? checks.temporary(given.temporary, temporary_bytes()) : Region{};
  checks.overlaps();

  constexpr std::array<std::byte, 4> zero{};
  if (counted != 0) recorder.fill_region(counts.part(0, uint64_t{counted} * given.counts.bytes()), zero);
  if (count.most == 0) return;
  if (rebuilds(given)) {
    return rebuild(recorder, {.table = given.table,
                              .keys = given.keys,
                              .values = given.values,
                              .results = given.results,
                              .counts = given.counts,
                              .count = given.count,
                              .resolved = count,
                              .temporary = temporary});
  }
  if (rest) recorder.fill_region(temporary.part(0, left_bytes), zero);
  const KeysBlock block{.slots = given.table.address(),
                        .capacity = shape.capacity,
                        .keys = given.keys.address(),
                        .values = given.values.address(),
                        .results = given.results.address(),
                        .counts = counts.address(),
                        .count_on_device = count.address,
                        .count = count.most,
                        .left = temporary.address(),
                        .options = count_option(count) | written_option(given.counts),
                        .unused = 0};
  const uint64_t tiles = tiling.tiles(count.most);
  recorder.dispatch(kernel, spread(tiles, info.limits), block);
  if (!rest) return;
  const auto groups = uint32_t(std::min(tiles, left_buckets));
  if (groups > 1) recorder.dispatch(rest, {groups, 1, 1}, block);
  recorder.dispatch(rest, {1, 1, 1}, block);
}

KeysPlan make_plan(const char* primitive, const char* results_name, uint32_t results, const HashTable& table,
                   const TileTuning& tuning) {
  return {primitive, results_name, results, table, hash_tiling(table.device(), tuning), {}, {}};
}

// Kernels that insert keys with the values that the options give them.
KernelMaker insertion_kernels(const HashTable& table, const Tiling& tiling, const std::string& value) {
  KernelMaker maker = hash_kernels("HashInsert", table.impl(), tiling);
  define_update(maker, table.impl());
  if (value.empty()) return maker;
  if (table.options().update != HashUpdate::combine) maker.element(*table.value());
  return maker.expression("WEFT_VALUE_AT", "value", value, "of i");
}

void rebuild_by(KeysPlan& plan, const auto& by, uint64_t least) {
  plan.rebuild_bytes = by->bytes();
  plan.least_rebuilt = least;
  plan.rebuild = [by](Recorder& recorder, const RebuildArguments& arguments) { by->record(recorder, arguments); };
}

KeysPlan plan_linear(const HashTable& table, const HashInsert::Options& options) {
  KeysPlan plan = make_plan("HashInsert", "results", 3, table, hash_values(tuned_hash, table, options.tuning).tile);
  plan.kernel = insertion_kernels(table, plan.tiling, options.value).make("tables/hash_insert");
  return plan;
}

void insert_sorted(KeysPlan& plan, const HashInsert::Options& options, uint32_t slots_per_key) {
  SortedInsert::check(plan.table.impl(), options.max_count);
  const KernelMaker maker = insertion_kernels(plan.table, one_each(plan.table.device().info()), options.value);
  plan.max_count = options.max_count;
  rebuild_by(plan, std::make_shared<SortedInsert>(plan.table, options.max_count, maker, options.tuning),
             (plan.table.capacity() - 1) / slots_per_key + 1);
}

KeysPlan plan_bidirectional(const HashTable& table, const HashInsert::Options& options) {
  const BidirectionalTuning tuning = hash_values(tuned_hash_bidirectional, table, options.tuning);
  KeysPlan plan = make_plan("HashInsert", "results", 3, table, tuning.tile);
  KernelMaker maker = insertion_kernels(table, plan.tiling, options.value);
  maker.define("WEFT_HASH_TRIES", std::to_string(tuning.tries) + "u");
  plan.kernel = maker.make("tables/hash_insert_bidirectional");
  plan.rest = maker.make("tables/hash_insert_rest");
  if (options.max_count != 0) insert_sorted(plan, options, tuning.slots_per_key);
  return plan;
}

}  // namespace

struct HashInsert::Impl {
  KeysPlan plan;
  bool has_expression;
};
struct HashFind::Impl {
  KeysPlan plan;
};
struct HashErase::Impl {
  KeysPlan plan;
};

HashInsert::HashInsert(const HashTable& table, const Options& options) {
  const PlanNote note(table.device(), HashInsertParameters{HashTableParameters::of(table), options});
  if (!options.value.empty() && !table.value()) {
    core::invalid("HashInsert", "a set has no values, and Options::value is an expression.");
  }
  if (options.max_count != 0 && !table.impl().is_bidirectional()) {
    core::invalid("HashInsert", "'max_count' is for bidirectional tables; leave it 0.");
  }
  KeysPlan plan = table.impl().is_bidirectional() ? plan_bidirectional(table, options) : plan_linear(table, options);
  impl_ = std::make_shared<Impl>(Impl{std::move(plan), !options.value.empty()});
}

HashInsert::HashInsert(const HashTable& table) : HashInsert(table, Options{}) {}

uint64_t HashInsert::temporary_bytes() const { return impl_->plan.temporary_bytes(); }

void HashInsert::record(Recorder& recorder, const Arguments& arguments) const {
  const bool needs_values = impl_->plan.table.value().has_value() && !impl_->has_expression;
  if (!needs_values && arguments.values.bytes != 0) {
    core::invalid("HashInsert", std::string("'values' was given, but ") +
                                    (impl_->has_expression ? "the plan computes them" : "the table is a set") +
                                    "; leave it empty.");
  }
  impl_->plan.record(recorder, {.table = arguments.table,
                                .keys = arguments.keys,
                                .values = arguments.values,
                                .results = arguments.results,
                                .temporary = arguments.temporary,
                                .counts = arguments.counts,
                                .count = arguments.count,
                                .needs_values = needs_values});
}

HashFind::HashFind(const HashTable& table, const HashPlanOptions& options) {
  const PlanNote note(table.device(), HashFindParameters{HashTableParameters::of(table), options});
  KeysPlan plan = make_plan("HashFind", "found", 2, table, hash_values(tuned_hash_find, table, options.tuning).tile);
  plan.kernel = hash_kernels("HashFind", table.impl(), plan.tiling).make("tables/hash_find");
  impl_ = std::make_shared<Impl>(Impl{std::move(plan)});
}

HashFind::HashFind(const HashTable& table) : HashFind(table, HashPlanOptions{}) {}

void HashFind::record(Recorder& recorder, const Arguments& arguments) const {
  if (!impl_->plan.table.value() && arguments.values.bytes != 0) {
    core::invalid("HashFind", "'values' was given, but the table is a set; leave it empty.");
  }
  impl_->plan.record(recorder, {.table = arguments.table,
                                .keys = arguments.keys,
                                .values = arguments.values,
                                .results = arguments.found,
                                .counts = arguments.counts,
                                .count = arguments.count});
}

HashErase::HashErase(const HashTable& table, const HashPlanOptions& options) {
  const PlanNote note(table.device(), HashEraseParameters{HashTableParameters::of(table), options});
  KeysPlan plan = make_plan("HashErase", "erased", 2, table, hash_values(tuned_hash, table, options.tuning).tile);
  if (table.impl().is_bidirectional()) {
    Rebuild::check("HashErase", table.impl());
    plan.max_count = UINT32_MAX;
    rebuild_by(plan, std::make_shared<BidirectionalErase>(table, options.tuning), 0);
    impl_ = std::make_shared<Impl>(Impl{std::move(plan)});
    return;
  }
  KernelMaker maker = hash_kernels("HashErase", table.impl(), plan.tiling);
  if (table.layout() == HashLayout::split) define_update(maker, table.impl());
  plan.kernel = maker.make("tables/hash_erase");
  impl_ = std::make_shared<Impl>(Impl{std::move(plan)});
}

HashErase::HashErase(const HashTable& table) : HashErase(table, HashPlanOptions{}) {}

uint64_t HashErase::temporary_bytes() const { return impl_->plan.temporary_bytes(); }

void HashErase::record(Recorder& recorder, const Arguments& arguments) const {
  impl_->plan.record(recorder, {.table = arguments.table,
                                .keys = arguments.keys,
                                .results = arguments.erased,
                                .temporary = arguments.temporary,
                                .counts = arguments.counts,
                                .count = arguments.count});
}

}  // namespace weft
