#include <weft/hash_table.h>

#include <weft/error.h>
#include <array>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/tables/hash_shape.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr uint32_t word_bytes = 4;

// Push constants of shaders/kernels/tables/keys.glsl.
struct KeysBlock {
  uint64_t slots, capacity, keys, values, results, counts, count_on_device, count;
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

  struct Arguments {
    const Region &table, &keys, &values, &results, &counts;
    const Count& count;
    bool needs_values;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;
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
  const uint64_t most = has_int64_atomics(info) ? uint64_t{1} << 37 : UINT32_MAX;
  const ResolvedCount count =
      checks.count(given.count, most, {keys, has_values ? values : keys, given.results.bytes != 0 ? results_of : keys});
  checks.region("table", given.table, shape.bytes(), 16);
  const uint64_t count_bytes = given.counts.bytes == 0 ? 0 : results * sizeof(uint64_t);
  checks.region("counts", given.counts, count_bytes, sizeof(uint64_t));
  checks.overlaps();

  constexpr std::array<std::byte, 4> zero{};
  if (count_bytes != 0) recorder.fill_region(given.counts.part(0, count_bytes), zero);
  if (count.most == 0) return;
  const KeysBlock block{
      given.table.address(),  shape.capacity, given.keys.address(), given.values.address(), given.results.address(),
      given.counts.address(), count.address,  count.most,           count_option(count),    0};
  recorder.dispatch(kernel, spread(tiling.tiles(count.most), info.limits), block);
}

KeysPlan make_plan(const char* primitive, const char* results_name, uint32_t results, const HashTable& table,
                   const std::optional<Tuning>& tuning) {
  return {primitive, results_name, results, table, hash_tiling(table.device(), tuning, table.capacity()), {}};
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
  if (!options.value.empty() && !table.value()) {
    throw Error(ErrorCode::invalid_argument, "HashInsert: a set has no values, and Options::value is an expression.");
  }
  KeysPlan plan = make_plan("HashInsert", "results", 3, table, options.tuning);
  KernelMaker maker = hash_kernels("HashInsert", table.impl(), plan.tiling);
  define_update(maker, table.impl());
  if (!options.value.empty()) {
    if (table.options().update != HashUpdate::combine) maker.element(*table.value());
    maker.expression("WEFT_VALUE_AT", "value", options.value, "of i");
  }
  plan.kernel = maker.make("tables/hash_insert");
  impl_ = std::make_shared<Impl>(Impl{std::move(plan), !options.value.empty()});
}

HashInsert::HashInsert(const HashTable& table) : HashInsert(table, Options{}) {}

void HashInsert::record(Recorder& recorder, const Arguments& arguments) const {
  const bool needs_values = impl_->plan.table.value().has_value() && !impl_->has_expression;
  if (!needs_values && arguments.values.bytes != 0) {
    throw Error(ErrorCode::invalid_argument,
                std::string("HashInsert: 'values' was given, but ") +
                    (impl_->has_expression ? "the plan computes them" : "the table is a set") + "; leave it empty.");
  }
  impl_->plan.record(recorder, {arguments.table, arguments.keys, arguments.values, arguments.results, arguments.counts,
                                arguments.count, needs_values});
}

HashFind::HashFind(const HashTable& table, const HashPlanOptions& options) {
  KeysPlan plan = make_plan("HashFind", "found", 2, table, options.tuning);
  plan.kernel = hash_kernels("HashFind", table.impl(), plan.tiling).make("tables/hash_find");
  impl_ = std::make_shared<Impl>(Impl{std::move(plan)});
}

HashFind::HashFind(const HashTable& table) : HashFind(table, HashPlanOptions{}) {}

void HashFind::record(Recorder& recorder, const Arguments& arguments) const {
  if (!impl_->plan.table.value() && arguments.values.bytes != 0) {
    throw Error(ErrorCode::invalid_argument, "HashFind: 'values' was given, but the table is a set; leave it empty.");
  }
  impl_->plan.record(recorder, {arguments.table, arguments.keys, arguments.values, arguments.found, arguments.counts,
                                arguments.count, false});
}

HashErase::HashErase(const HashTable& table, const HashPlanOptions& options) {
  KeysPlan plan = make_plan("HashErase", "erased", 2, table, options.tuning);
  KernelMaker maker = hash_kernels("HashErase", table.impl(), plan.tiling);
  if (table.layout() == HashLayout::split) define_update(maker, table.impl());
  plan.kernel = maker.make("tables/hash_erase");
  impl_ = std::make_shared<Impl>(Impl{std::move(plan)});
}

HashErase::HashErase(const HashTable& table) : HashErase(table, HashPlanOptions{}) {}

void HashErase::record(Recorder& recorder, const Arguments& arguments) const {
  impl_->plan.record(recorder,
                     {arguments.table, arguments.keys, {}, arguments.erased, arguments.counts, arguments.count, false});
}

}  // namespace weft
