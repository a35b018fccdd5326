#include <weft/hash_table.h>

#include <array>
#include <numeric>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/fields.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "algorithms/src/tables/hash_kernels.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr uint32_t table_align = 16;

// Push constants of shaders/kernels/tables/hash_clear.comp.
struct ClearBlock {
  uint64_t slots, capacity;
};

// `instead` is what to do with larger ones.
void check_size(const char* what, const Element& element, const char* instead) {
  if (element.bytes() == word_bytes || element.bytes() == 2 * word_bytes) return;
  const std::string bytes = std::to_string(element.bytes()) + (element.bytes() == 1 ? " byte" : " bytes");
  core::invalid("HashTable", std::string(what) + " are " + element.name() + " of " + bytes + "; atomics need 4 or 8. " +
                                 (element.bytes() < 2 * word_bytes ? "Widen them." : instead));
}

// Padding is in no defined state, and keys are compared as bytes.
void check_padding(const Element& key) {
  uint32_t bytes = key.is_struct() ? 0 : key.bytes();
  for (const Element::Field& field : key.fields()) {
    const FieldType type = field_type(field.type);
    bytes += type.components * type.scalar->bytes;
  }
  if (bytes != key.bytes())
    core::invalid("HashTable", "keys are " + key.name() + ", which has padding; keys are compared as bytes.");
}

void check_update(const std::optional<Element>& value, const HashTable::Options& options) {
  const bool has_operator = !options.combine.combine.empty();
  if (has_operator && options.update != HashUpdate::combine) {
    core::invalid("HashTable", "operator '" + options.combine.name +
                                   "' is given, but values are not combined; use HashUpdate::combine.");
  }
  if (options.update == HashUpdate::keep) return;
  if (!value) core::invalid("HashTable", "a set has no values to replace or combine; use HashUpdate::keep.");
  if (!has_operator && options.update == HashUpdate::combine) {
    core::invalid("HashTable", "HashUpdate::combine needs an operator in 'combine', such as Operator::sum().");
  }
  if (options.update == HashUpdate::combine && !options.combine.commutative) {
    core::invalid("HashTable",
                  "operator '" + options.combine.name + "' is not commutative, and values are combined in any order.");
  }
}

// What needs 64-bit atomics; empty if nothing does.
std::string need_of_int64_atomics(const HashTable::Impl& table) {
  if (table.layout == HashLayout::packed) return "HashLayout::packed";
  if (table.key.bytes() > word_bytes) return "keys of 8 bytes";
  if (table.value_bytes() <= word_bytes) return {};
  if (table.is_bidirectional()) return "bidirectional probing with values of 8 bytes";
  return table.options.update == HashUpdate::keep ? "" : "replacing or combining values of 8 bytes";
}

void check_atomics(const HashTable::Impl& table) {
  const std::string need = need_of_int64_atomics(table);
  const DeviceInfo& info = table.device.info();
  if (need.empty() || has_int64_atomics(info)) return;
  throw Error(ErrorCode::unsupported, "HashTable: " + need + " needs 64-bit atomics on buffers, which " +
                                          info.selector + " (" + info.name + ") lacks.");
}

void check_capacity(const HashTable::Impl& table) {
  if (table.capacity == 0) core::invalid("HashTable", "a capacity of 0; it is a number of keys, of at least 1.");
  constexpr uint64_t most_bytes = uint64_t{1} << 40;  // As of arrays: shaders/thread/memory.glsl.
  const uint64_t most = most_bytes / table.slot_bytes() - table.reserved_keys();
  if (table.capacity > most) {
    core::invalid("HashTable", "a capacity of " + std::to_string(table.capacity) + " keys in slots of " +
                                   std::to_string(table.slot_bytes()) +
                                   " bytes is beyond the 1 TiB that kernels can address; it may be up to " +
                                   std::to_string(most) + ".");
  }
}

HashLayout resolve(HashLayout layout, const DeviceInfo& device, const Element& key,
                   const std::optional<Element>& value) {
  const bool fits = key.bytes() == word_bytes && (!value || value->bytes() == word_bytes);
  if (layout == HashLayout::packed && !fits)
    core::invalid("HashTable", "HashLayout::packed needs keys of 4 bytes and values of at most 4.");
  if (layout != HashLayout::automatic) return layout;
  return fits && has_int64_atomics(device) ? HashLayout::packed : HashLayout::split;
}

}  // namespace

uint32_t HashTable::Impl::slot_bytes() const {
  if (layout == HashLayout::packed) return 2 * word_bytes;
  return value ? 2 * std::max(key.bytes(), value->bytes()) : key.bytes();
}

std::vector<std::pair<std::string, std::string>> HashTable::Impl::defines() const {
  std::vector<std::pair<std::string, std::string>> all{
      {"WEFT_HASH_KEY_WORDS", std::to_string(key.bytes() / word_bytes)},
      {"WEFT_HASH_VALUE_WORDS", std::to_string(value_bytes() / word_bytes)}};
  if (layout == HashLayout::packed) all.emplace_back("WEFT_HASH_PACKED", "1");
  if (is_bidirectional()) all.emplace_back("WEFT_HASH_BIDIRECTIONAL", "1");
  if (is_wide()) all.emplace_back("WEFT_WIDE_INDEX", "1");
  return all;
}

HashTable::HashTable(const Device& device, const Element& key, std::optional<Element> value, uint64_t capacity,
                     const Options& options) {
  const PlanNote note(device, HashTableParameters{key, value, capacity, options});
  check_size("keys", key, "Number them, or pack what tells them apart, in 8.");
  check_padding(key);
  if (value) check_size("values", *value, "Store them in your own memory, and their indices in the table.");
  check_update(value, options);
  Impl table{device, key, value, capacity, options, resolve(options.layout, device.info(), key, value), {}, {}};
  check_capacity(table);
  check_atomics(table);
  if (options.update == HashUpdate::combine && table.layout == HashLayout::split) {
    table.tiles =
        hash_tiling(device, Tuner(tuned_hash, device.info(), tuning_of(device, {}), key.bytes()).at(capacity).tile);
    KernelMaker maker = hash_kernels("HashTable", table, table.tiles);
    define_update(maker, table);
    table.clear = maker.make("tables/hash_clear");
  }
  impl_ = std::make_shared<Impl>(std::move(table));
}

HashTable::HashTable(const Device& device, const Element& key, uint64_t capacity, const Options& options)
    : HashTable(device, key, std::nullopt, capacity, options) {}

HashTable::HashTable(const Device& device, const Element& key, uint64_t capacity)
    : HashTable(device, key, std::nullopt, capacity, Options{}) {}

HashTable::HashTable(const Device& device, const Element& key, const Element& value, uint64_t capacity,
                     const Options& options)
    : HashTable(device, key, std::optional<Element>(value), capacity, options) {}

HashTable::HashTable(const Device& device, const Element& key, const Element& value, uint64_t capacity)
    : HashTable(device, key, std::optional<Element>(value), capacity, Options{}) {}

const Device& HashTable::device() const { return impl_->device; }
const Element& HashTable::key() const { return impl_->key; }
const std::optional<Element>& HashTable::value() const { return impl_->value; }
const HashTable::Options& HashTable::options() const { return impl_->options; }
uint64_t HashTable::capacity() const { return impl_->capacity; }
HashLayout HashTable::layout() const { return impl_->layout; }
uint64_t HashTable::slots() const { return impl_->slots(); }
uint64_t HashTable::bytes() const { return impl_->bytes(); }

HashTable::Block HashTable::block(const Region& table) const {
  if (table.bytes < bytes()) {
    core::invalid("HashTable", "the region has " + std::to_string(table.bytes) + " bytes and needs at least " +
                                   std::to_string(bytes()) + ".");
  }
  if (table.address() % table_align != 0) {
    core::invalid("HashTable", "the region starts at byte " + std::to_string(table.offset) +
                                   " of its buffer; it must start at a multiple of 16 bytes.");
  }
  return {table.address(), capacity()};
}

std::vector<std::pair<std::string, std::string>> HashTable::defines() const {
  std::vector<std::pair<std::string, std::string>> all = impl_->defines();
  const Options& options = impl_->options;
  if (has_int64_atomics(impl_->device.info())) all.emplace_back("WEFT_INT64_ATOMICS", "1");
  if (options.update == HashUpdate::replace) all.emplace_back("WEFT_HASH_REPLACE", "1");
  if (!options.hash.empty()) all.emplace_back("WEFT_HASH(key)", "(" + options.hash + ")");
  return all;
}

void HashTable::record_clear(Recorder& recorder, const Region& table) const {
  ArgumentChecks checks("HashTable", impl_->device, recorder);
  checks.region("table", table, bytes(), table_align);
  if (!impl_->clear) {
    constexpr std::array<std::byte, 4> ones{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
    recorder.fill_region(table.part(0, bytes()), ones);
    return;
  }
  const ClearBlock block{table.address(), capacity()};
  recorder.dispatch(impl_->clear, spread(impl_->tiles.tiles(slots()), impl_->device.info().limits), block);
}

}  // namespace weft
