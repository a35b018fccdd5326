#include <weft/sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/sort/gather.h"
#include "algorithms/src/sort/radix_one_tile.h"
#include "algorithms/src/sort/radix_passes.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

struct BitRange {
  uint32_t begin = 0, end = 0;

  uint32_t bits() const { return end - begin; }
};

BitRange bits_of(const SortOrder& order, const Element& key) {
  const BitRange range{order.begin_bit, std::min(order.end_bit, 8 * key.bytes())};
  if (order.begin_bit > order.end_bit || range.begin > range.end) {
    core::invalid("Sort", "bits " + std::to_string(order.begin_bit) + " to " + std::to_string(order.end_bit) +
                              " are not a range of a key of " + std::to_string(8 * key.bytes()) +
                              " bits; begin_bit must not exceed end_bit or the key's width.");
  }
  return range;
}

void check_key(const Element& key) {
  if (!key.is_struct()) return;
  core::invalid("Sort",
                "keys are scalars, and " + key.name() +
                    " is not. Sort by a scalar with the structs as values, or use MergeSort with a comparison.");
}

}  // namespace

struct Sort::Impl {
  Device device;
  Element key;
  std::optional<Element> value;
  BitRange bits;
  uint64_t max_count;
  TilePath path;
  std::optional<RadixOneTile> one_tile;  // For all keys, if few enough.
  std::optional<RadixPasses> passes;     // Otherwise.
  std::optional<Gather> move_keys, move_values;

  bool has_indices() const { return value && value->bytes() != passes->elements().value_bytes; }
  bool carries_values() const { return value && !has_indices(); }

  // Temporary storage of a sort by passes.
  struct Storage {
    Storage(const Impl& plan, uint64_t count)
        : keys(layout.add(count * plan.passes->elements().key_bytes)),
          values(layout.add(count * plan.passes->elements().value_bytes)),
          other_indices(layout.add(plan.has_indices() ? count * plan.passes->elements().value_bytes : 0)),
          values_copy(layout.add(plan.has_indices() ? count * plan.value->bytes() : 0)),
          passes(layout.add(plan.passes->temporary_bytes())) {}

    TemporaryLayout layout;
    TemporaryLayout::Part keys, values;   // Written by passes before the last.
    TemporaryLayout::Part other_indices;  // For values by index: written by the last pass.
    TemporaryLayout::Part values_copy;    // For values by index that are sorted in place.
    TemporaryLayout::Part passes;
  };

  uint64_t temporary_bytes() const { return one_tile ? 0 : with_slack(Storage(*this, max_count).layout.bytes()); }

  void record(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    if (!one_tile) return record_passes(recorder, arguments, count);
    one_tile->record(recorder, {arguments.keys.address(), arguments.values.address()},
                     {arguments.keys_out.address(), arguments.values_out.address()}, bits.begin, bits.end, count);
  }

  void record_passes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const Region& temporary = arguments.temporary;
    const Storage storage(*this, count.most);
    const bool in_place = arguments.keys.address() == arguments.keys_out.address();
    const RadixBuffers in{arguments.keys.address(), has_indices() ? 0 : arguments.values.address()};
    const RadixBuffers out{arguments.keys_out.address(),
                           has_indices() ? storage.other_indices.address(temporary) : arguments.values_out.address()};
    const RadixBuffers other{storage.keys.address(temporary), storage.values.address(temporary)};
    const RadixBuffers sorted = passes->record(recorder, {in, out, other, in_place || values_in_place(arguments)},
                                               bits.begin, bits.end, storage.passes.in(temporary), count);
    if (sorted.keys != out.keys) move_keys->record(recorder, sorted.keys, out.keys, 0, count);
    if (carries_values() && sorted.values != out.values) {
      move_values->record(recorder, sorted.values, out.values, 0, count);
    }
    if (has_indices()) gather_values(recorder, arguments, storage.values_copy.address(temporary), sorted.values, count);
  }

  bool values_in_place(const Arguments& arguments) const {
    return carries_values() && arguments.values.address() == arguments.values_out.address();
  }

  void gather_values(Recorder& recorder, const Arguments& arguments, uint64_t copy, uint64_t indices,
                     const ResolvedCount& count) const {
    uint64_t source = arguments.values.address();
    if (source == arguments.values_out.address()) {
      if (indices == 0) return;
      move_values->record(recorder, source, copy, 0, count);
      source = copy;
    }
    move_values->record(recorder, source, arguments.values_out.address(), indices, count);
  }

  void make_passes(const Options& options);
  static std::shared_ptr<const Impl> make(const Device& device, const Element& key, const std::optional<Element>& value,
                                          uint64_t max_count, const Options& options);
};

void Sort::Impl::make_passes(const Options& options) {
  // Passes move values of a scalar's size. Others are gathered once their order is known.
  const Element index = index_element(max_count > UINT32_MAX);
  const bool carried = value && value->bytes() <= 8 && std::has_single_bit(value->bytes());
  const RadixInput input{"Sort", key, value && !carried ? index : value, options.order.descending, max_count};
  passes.emplace(device, tuning_of(device, options.tuning), input, path);
  const bool may_end_elsewhere = passes->passes(bits.bits()) % 2 == 1 || bits.bits() == 0;
  if (may_end_elsewhere) move_keys.emplace(device, "Sort", key, index.bytes());
  if (value && (!carried || may_end_elsewhere)) move_values.emplace(device, "Sort", *value, index.bytes());
}

std::shared_ptr<const Sort::Impl> Sort::Impl::make(const Device& device, const Element& key,
                                                   const std::optional<Element>& value, uint64_t max_count,
                                                   const Options& options) {
  const PlanNote note(device, SortParameters{key, value, max_count, options});
  check_key(key);
  check_addressable("Sort", key, max_count);
  if (value) check_addressable("Sort", *value, max_count);
  Impl plan{.device = device,
            .key = key,
            .value = value,
            .bits = bits_of(options.order, key),
            .max_count = max_count,
            .path = resolve_path(options.path, device.info()),
            .one_tile = RadixOneTile::make(device, tuning_of(device, options.tuning),
                                           {"Sort", key, value, options.order.descending, max_count}),
            .passes = {},
            .move_keys = {},
            .move_values = {}};
  if (!plan.one_tile) plan.make_passes(options);
  return std::make_shared<const Impl>(std::move(plan));
}

Sort::Sort(const Device& device, const Element& key, uint64_t max_count, const Options& options)
    : impl_(Impl::make(device, key, std::nullopt, max_count, options)) {}

Sort::Sort(const Device& device, const Element& key, uint64_t max_count) : Sort(device, key, max_count, Options{}) {}

Sort::Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count, const Options& options)
    : impl_(Impl::make(device, key, value, max_count, options)) {}

Sort::Sort(const Device& device, const Element& key, const Element& value, uint64_t max_count)
    : Sort(device, key, value, max_count, Options{}) {}

TilePath Sort::path() const { return impl_->path; }

uint64_t Sort::temporary_bytes() const { return impl_->temporary_bytes(); }

void Sort::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Sort", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.key.bytes(), align = plan.key.align();
  const ArgumentChecks::Holder keys{"keys", arguments.keys, bytes, align};
  const ArgumentChecks::Holder keys_out{"keys_out", arguments.keys_out, bytes, align};
  ResolvedCount count;
  if (plan.value) {
    const uint32_t value_bytes = plan.value->bytes(), value_align = plan.value->align();
    count = checks.count(arguments.count, plan.max_count,
                         {keys,
                          keys_out,
                          {"values", arguments.values, value_bytes, value_align},
                          {"values_out", arguments.values_out, value_bytes, value_align}});
  } else {
    count = checks.count(arguments.count, plan.max_count, {keys, keys_out});
    const std::string reason = "the plan sorts without values";
    checks.empty("values", arguments.values, reason);
    checks.empty("values_out", arguments.values_out, reason);
  }
  checks.overlaps();
  if (count.most > 0) plan.record(recorder, arguments, count);
}

namespace {

// Like kept_plan_count(), plus three buckets (512, 2048, the maximum) for single-dispatch plans.
uint64_t kept_sort_count(Stream& stream, const Element& key, bool values, uint64_t count) {
  check_key(key);
  const auto most = stream.cached<uint64_t>(plan_key("sort_one_tile", key, values ? "values" : "", 0), [&] {
    return std::make_shared<uint64_t>(
        RadixOneTile::most_keys(stream.device().info(), stream.device().options().tuning, key, values));
  });
  for (const uint64_t few : {uint64_t{512}, uint64_t{2048}, *most}) {
    if (count <= few && few <= *most) return few;
  }
  return kept_plan_count(count);
}

std::string key_of(const SortOrder& order) {
  return std::string(order.descending ? "descending" : "ascending") + "\n" + std::to_string(order.begin_bit) + "\n" +
         std::to_string(order.end_bit);
}

}  // namespace

void sort(Stream& stream, const Element& key, const SortOrder& order, const ElementMemory& keys) {
  const Region& in = elements_in("sort", "keys", keys, key);
  const uint64_t count = in.bytes / key.bytes(), max_count = kept_sort_count(stream, key, false, count);
  const auto plan = stream.cached<Sort>(plan_key("sort", key, key_of(order), max_count), [&] {
    return std::make_shared<Sort>(stream.device(), key, max_count, Sort::Options{.order = order});
  });
  plan->record(stream, {in, {}, in, {}, count, stream.scratch(plan->temporary_bytes())});
}

void sort(Stream& stream, const Element& key, const Element& value, const SortOrder& order, const ElementMemory& keys,
          const ElementMemory& values) {
  const Region &in = elements_in("sort", "keys", keys, key), &with = elements_in("sort", "values", values, value);
  const uint64_t count = in.bytes / key.bytes(), max_count = kept_sort_count(stream, key, true, count);
  const std::string parameters = value.name() + "\n" + key_of(order);
  const auto plan = stream.cached<Sort>(plan_key("sort_pairs", key, parameters, max_count), [&] {
    return std::make_shared<Sort>(stream.device(), key, value, max_count, Sort::Options{.order = order});
  });
  plan->record(stream, {in, with, in, with, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
