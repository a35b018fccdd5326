#include <algorithm>
#include <array>

#include <weft/hash_table.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "algorithms/src/tables/hash_kernels.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr std::array<std::byte, 4> zero_word{};

// Push constants of shaders/kernels/tables/hash_entries.comp.
struct EntriesBlock {
  uint64_t slots, capacity, keys, values, entries, room;
};

// Push constants of shaders/kernels/tables/hash_rehash.comp.
struct RehashBlock {
  uint64_t slots, capacity, other_slots, other_capacity, counts;
  uint32_t options, unused;
};

// Everything but the capacity.
bool are_alike(const HashTable::Impl& a, const HashTable::Impl& b) {
  const auto name = [](const std::optional<Element>& element) { return element ? element->name() : std::string(); };
  const HashTable::Options &one = a.options, &other = b.options;
  return one.probing == other.probing && a.key.name() == b.key.name() && name(a.value) == name(b.value) &&
         a.layout == b.layout && one.update == other.update && one.combine.combine == other.combine.combine &&
         one.combine.identity == other.combine.identity && one.hash == other.hash;
}

}  // namespace

struct HashEntries::Impl {
  HashTable table;
  Tiling tiling;
  Kernel kernel;
};

HashEntries::HashEntries(const HashTable& table, const HashPlanOptions& options) {
  const PlanNote note(table.device(), HashEntriesParameters{HashTableParameters::of(table), options});
  check_int64_atomics("HashEntries", table.device().info(), table.slots());
  const Tiling tiling = hash_tiling(table.device(), hash_values(tuned_hash, table, options.tuning).tile);
  Kernel kernel = hash_kernels("HashEntries", table.impl(), tiling).make("tables/hash_entries");
  impl_ = std::make_shared<Impl>(Impl{table, tiling, std::move(kernel)});
}

HashEntries::HashEntries(const HashTable& table) : HashEntries(table, HashPlanOptions{}) {}

void HashEntries::record(Recorder& recorder, const Arguments& arguments) const {
  const HashTable::Impl& shape = impl_->table.impl();
  ArgumentChecks checks("HashEntries", shape.device, recorder);
  const Element &key = shape.key, &value = shape.value ? *shape.value : shape.key;
  const uint64_t room = std::min(arguments.keys.bytes / key.bytes(), shape.slots());
  checks.region("table", arguments.table, shape.bytes(), 16);
  checks.region("keys", arguments.keys, room * key.bytes(), room == 0 ? 1 : key.align());
  if (!shape.value) checks.empty("values", arguments.values, "the table is a set");
  const bool has_values = arguments.values.bytes != 0;
  checks.region("values", arguments.values, has_values ? room * value.bytes() : 0, has_values ? value.align() : 1);
  checks.written("entries", arguments.entries, shape.slots());
  checks.overlaps();

  const Region& entries = arguments.entries.region();
  recorder.fill_region(entries.part(0, arguments.entries.bytes()), zero_word);
  const EntriesBlock block{arguments.table.address(),  shape.capacity,    arguments.keys.address(),
                           arguments.values.address(), entries.address(), room};
  recorder.dispatch(impl_->kernel, spread(impl_->tiling.tiles(shape.slots()), shape.device.info().limits), block);
}

struct HashRehash::Impl {
  HashTable from, to;
  Tiling tiling;
  Kernel kernel;
};

HashRehash::HashRehash(const HashTable& from, const HashTable& to, const HashPlanOptions& options) {
  const PlanNote note(from.device(), HashRehashParameters{HashTableParameters::of(from), to.capacity(), options});
  if (!are_alike(from.impl(), to.impl())) {
    core::invalid("HashRehash",
                  "the tables differ in more than their capacity: keys, values, layout, hash and what an "
                  "insertion does must be the same.");
  }
  need_linear("HashRehash", from.impl(), "list its entries by HashEntries, and insert them by HashInsert");
  const HashTable& larger = from.slots() > to.slots() ? from : to;  // Its indices are the wider ones.
  const Tiling tiling = hash_tiling(from.device(), hash_values(tuned_hash, from, options.tuning).tile);
  KernelMaker maker = hash_kernels("HashRehash", larger.impl(), tiling);
  define_update(maker, from.impl());
  impl_ = std::make_shared<Impl>(Impl{from, to, tiling, maker.make("tables/hash_rehash")});
}

HashRehash::HashRehash(const HashTable& from, const HashTable& to) : HashRehash(from, to, HashPlanOptions{}) {}

void HashRehash::record(Recorder& recorder, const Arguments& arguments) const {
  const HashTable::Impl &from = impl_->from.impl(), &to = impl_->to.impl();
  ArgumentChecks checks("HashRehash", from.device, recorder);
  checks.region("from", arguments.from, from.bytes(), 16);
  checks.region("to", arguments.to, to.bytes(), 16);
  const Region& counts = arguments.counts.region();
  const uint32_t counted = counts.bytes == 0 ? 0 : 3;
  checks.written("counts", arguments.counts, from.slots(), counted);
  checks.overlaps();

  if (counted != 0) recorder.fill_region(counts.part(0, uint64_t{counted} * arguments.counts.bytes()), zero_word);
  const RehashBlock block{arguments.from.address(),
                          from.capacity,
                          arguments.to.address(),
                          to.capacity,
                          counts.address(),
                          written_option(arguments.counts),
                          0};
  recorder.dispatch(impl_->kernel, spread(impl_->tiling.tiles(from.slots()), from.device.info().limits), block);
}

}  // namespace weft
