#include "algorithms/src/tables/rebuild.h"

#include <algorithm>
#include <array>

#include <weft/error.h>

#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

constexpr uint64_t entry_bytes = 4;

Scan make_scan(const Device& device, const Operator& op, uint64_t max_count, const std::optional<Tuning>& tuning) {
  return Scan(device, Element::of<uint32_t>(), op, max_count, {.kind = ScanKind::inclusive, .tuning = tuning});
}

}  // namespace

Rebuild::Rebuild(const char* primitive, const HashTable& table, uint64_t max_keys, const std::optional<Tuning>& tuning)
    : table_(table),
      tiling_(one_each(table.device().info())),
      sum_(make_scan(table.device(), Operator::sum(), std::max(max_keys, table.capacity()), tuning)),
      largest_(make_scan(table.device(), Operator::max(), table.capacity(), tuning)),
      smallest_(make_scan(table.device(), Operator::min(), table.capacity(), tuning)) {
  const KernelMaker maker = hash_kernels(primitive, table.impl(), tiling_);
  used_ = maker.make("tables/hash_used_slots");
  list_ = maker.make("tables/hash_list_entries");
  center_ = maker.make("tables/hash_center");
  place_ = maker.make("tables/hash_place");
}

void Rebuild::check(const char* primitive, const HashTable::Impl& table) {
  if (!table.is_wide()) return;
  throw Error(ErrorCode::unsupported, std::string(primitive) + ": a bidirectional table of " +
                                          std::to_string(table.capacity) +
                                          " keys cannot be rebuilt; it may have up to " +
                                          std::to_string(UINT32_MAX - table.reserved_keys()) + ".");
}

Rebuild::Parts Rebuild::add_to(TemporaryLayout& layout, uint64_t more_steps) const {
  const HashTable::Impl& shape = table_.impl();
  const uint64_t steps =
      std::max({sum_.temporary_bytes(), largest_.temporary_bytes(), smallest_.temporary_bytes(), more_steps});
  return {.used = layout.add((shape.capacity + 1) * entry_bytes),
          .list = layout.add(shape.capacity * shape.slot_bytes()),
          .shifts = layout.add(2 * shape.capacity * entry_bytes),
          .steps = layout.add(steps)};
}

void Rebuild::dispatch(Recorder& recorder, const Kernel& kernel, uint64_t elements, const RebuildBlock& block) const {
  recorder.dispatch(kernel, spread(tiling_.tiles(elements), table_.device().info().limits), block);
}

RebuildBlock Rebuild::block(const RebuildArguments& arguments, const Parts& parts) const {
  return {.slots = arguments.table.address(),
          .capacity = table_.capacity(),
          .keys = arguments.keys.address(),
          .values = arguments.values.address(),
          .results = arguments.results.address(),
          .counts = arguments.counts.region().address(),
          .words = 0,
          .indices = 0,
          .gaps = 0,
          .added = 0,
          .used = parts.used.address(arguments.temporary),
          .list = parts.list.address(arguments.temporary),
          .shifts = parts.shifts.address(arguments.temporary),
          .count_on_device = arguments.resolved.address,
          .count = arguments.resolved.most,
          .options = count_option(arguments.resolved) | written_option(arguments.counts),
          .pass = 0};
}

void Rebuild::mark_used(Recorder& recorder, const RebuildBlock& block) const {
  dispatch(recorder, used_, table_.capacity(), block);
}

void Rebuild::add_up(Recorder& recorder, const Region& marks, const Count& count, const Region& steps) const {
  sum_.record(recorder, {.input = marks, .output = marks, .count = count, .temporary = steps});
}

void Rebuild::list_entries(Recorder& recorder, const Parts& parts, const Region& temporary,
                           const RebuildBlock& block) const {
  const uint64_t capacity = table_.capacity();
  add_up(recorder, parts.used.in(temporary).part(0, capacity * entry_bytes), capacity, parts.steps.in(temporary));
  dispatch(recorder, list_, capacity, block);
}

void Rebuild::store(Recorder& recorder, const Region& table, const Parts& parts, const Region& temporary,
                    const RebuildBlock& block) const {
  constexpr std::array<std::byte, 4> ones{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
  const uint64_t capacity = table_.capacity(), half = capacity * entry_bytes;
  const Region shifts = parts.shifts.in(temporary), steps = parts.steps.in(temporary);
  const Region forward = shifts.part(0, half), backward = shifts.part(half, half);
  const Count listed = View<const uint32_t>(parts.used.in(temporary).part(half, entry_bytes));
  const auto scan = [&] {
    largest_.record(recorder, {.input = forward, .output = forward, .count = listed, .temporary = steps});
    smallest_.record(recorder, {.input = backward, .output = backward, .count = listed, .temporary = steps});
  };
  scan();
  dispatch(recorder, center_, capacity, block);
  scan();
  recorder.fill_region(table.part(0, capacity * table_.impl().slot_bytes()), ones);
  dispatch(recorder, place_, capacity, block);
}

}  // namespace weft::algorithms
