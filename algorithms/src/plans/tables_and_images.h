#pragma once

#include <weft/hash_table.h>
#include <weft/mipmaps.h>

#include "algorithms/src/plans/values.h"

// What the plans of hash tables and images are made from.
namespace weft::algorithms {

struct HashTableParameters {
  static constexpr const char* plan = "HashTable";
  Element key{};
  std::optional<Element> value{};
  uint64_t capacity = 0;
  HashTable::Options options{};

  /// `prefix` precedes the names: a plan over a table has the table's fields under "table.".
  template <typename F>
  void each_of(F& f, const std::string& prefix) {
    f(prefix + "key", key);
    optional_field(f, prefix + "value", value);
    f(prefix + "capacity", capacity);
    f.choice(prefix + "probing", options.probing,
             {{"linear", Probing::linear}, {"bidirectional", Probing::bidirectional}});
    f.choice(prefix + "layout", options.layout,
             {{"automatic", HashLayout::automatic}, {"packed", HashLayout::packed}, {"split", HashLayout::split}});
    f.choice(prefix + "update", options.update,
             {{"keep", HashUpdate::keep}, {"replace", HashUpdate::replace}, {"combine", HashUpdate::combine}});
    fields(f, prefix + "op", options.combine);
    f(prefix + "hash", options.hash);
  }
  template <typename F>
  void each(F& f) {
    each_of(f, "");
  }
  HashTable make(const Device& device) const {
    return value ? HashTable(device, key, *value, capacity, options) : HashTable(device, key, capacity, options);
  }
  static HashTableParameters of(const HashTable& table) {
    return {table.key(), table.value(), table.capacity(), table.options()};
  }
};

struct HashInsertParameters {
  static constexpr const char* plan = "HashInsert";
  HashTableParameters table{};
  HashInsert::Options options{};

  template <typename F>
  void each(F& f) {
    table.each_of(f, "table.");
    f("value", options.value);
    f("max_count", options.max_count);
    optional_field(f, "tuning", options.tuning);
  }
  HashInsert make(const Device& device) const { return HashInsert(table.make(device), options); }
};

struct HashFindParameters {
  static constexpr const char* plan = "HashFind";
  HashTableParameters table{};
  HashPlanOptions options{};

  template <typename F>
  void each(F& f) {
    table.each_of(f, "table.");
    optional_field(f, "tuning", options.tuning);
  }
  HashFind make(const Device& device) const { return HashFind(table.make(device), options); }
};

struct HashEraseParameters {
  static constexpr const char* plan = "HashErase";
  HashTableParameters table{};
  HashPlanOptions options{};

  template <typename F>
  void each(F& f) {
    table.each_of(f, "table.");
    optional_field(f, "tuning", options.tuning);
  }
  HashErase make(const Device& device) const { return HashErase(table.make(device), options); }
};

struct HashEntriesParameters {
  static constexpr const char* plan = "HashEntries";
  HashTableParameters table{};
  HashPlanOptions options{};

  template <typename F>
  void each(F& f) {
    table.each_of(f, "table.");
    optional_field(f, "tuning", options.tuning);
  }
  HashEntries make(const Device& device) const { return HashEntries(table.make(device), options); }
};

struct HashRehashParameters {
  static constexpr const char* plan = "HashRehash";
  HashTableParameters table{};
  uint64_t to_capacity = 0;
  HashPlanOptions options{};

  template <typename F>
  void each(F& f) {
    table.each_of(f, "table.");
    f("to_capacity", to_capacity);
    optional_field(f, "tuning", options.tuning);
  }
  HashTable to(const Device& device) const {
    HashTableParameters other = table;
    other.capacity = to_capacity;
    return other.make(device);
  }
  HashRehash make(const Device& device) const { return HashRehash(table.make(device), to(device), options); }
};

struct MipmapsParameters {
  static constexpr const char* plan = "Mipmaps";
  TexelFormat format{};
  uint32_t width = 0, height = 0;
  Mipmaps::Options options{};

  template <typename F>
  void each(F& f) {
    f.choice("type", format.type,
             {{"unorm8", TexelType::unorm8},
              {"srgb8", TexelType::srgb8},
              {"float16", TexelType::float16},
              {"float32", TexelType::float32}});
    f("channels", format.channels);
    f("width", width);
    f("height", height);
    f.choice(
        "filter", options.filter,
        {{"box", MipFilter::box}, {"min", MipFilter::min}, {"max", MipFilter::max}, {"min_max", MipFilter::min_max}});
    optional_fields(f, "op", options.op);
    f("layers", options.layers);
    f("max_levels", options.max_levels);
  }
  Mipmaps make(const Device& device) const { return Mipmaps(device, format, width, height, options); }
};

}  // namespace weft::algorithms
