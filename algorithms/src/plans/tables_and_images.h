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
  template <typename F>
  static Region arguments(F& f) {
    return f.region("table");
  }
  static void record(const HashTable& plan, Recorder& recorder, const Region& table) {
    plan.record_clear(recorder, table);
  }
  template <typename F>
  static void properties(F& f) {
    f("capacity", &HashTable::capacity);
    f("slots", &HashTable::slots);
    f("bytes", &HashTable::bytes);
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
  template <typename F>
  static HashInsert::Arguments arguments(F& f) {
    return {.table = f.region("table"),
            .keys = f.region("keys"),
            .values = f.region("values"),
            .results = f.region("results"),
            .counts = f.count_output("counts"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &HashInsert::temporary_bytes);
  }
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
  template <typename F>
  static HashFind::Arguments arguments(F& f) {
    return {.table = f.region("table"),
            .keys = f.region("keys"),
            .values = f.region("values"),
            .found = f.region("found"),
            .counts = f.count_output("counts"),
            .count = f.count("count")};
  }
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
  template <typename F>
  static HashErase::Arguments arguments(F& f) {
    return {.table = f.region("table"),
            .keys = f.region("keys"),
            .erased = f.region("erased"),
            .counts = f.count_output("counts"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &HashErase::temporary_bytes);
  }
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
  template <typename F>
  static HashEntries::Arguments arguments(F& f) {
    return {.table = f.region("table"),
            .keys = f.region("keys"),
            .values = f.region("values"),
            .entries = f.count_output("entries")};
  }
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
  template <typename F>
  static HashRehash::Arguments arguments(F& f) {
    return {.from = f.region("from"), .to = f.region("to"), .counts = f.count_output("counts")};
  }
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
  template <typename F>
  static Mipmaps::Arguments arguments(F& f) {
    return {.image = f.region("image"), .levels = f.region("levels"), .counters = f.region("counters")};
  }
  template <typename F>
  static void properties(F& f) {
    f("levels", &Mipmaps::levels);
    f("image_bytes", &Mipmaps::image_bytes);
    f("level_bytes", &Mipmaps::level_bytes);
    f("counter_bytes", &Mipmaps::counter_bytes);
  }
};

}  // namespace weft::algorithms
