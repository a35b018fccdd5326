#include <weft/hash_table.h>

#include "tests/algorithms/all_plans/overlap_parts.h"

namespace weft::test {
namespace {

constexpr uint32_t homes = 128;  // Keys are below 100, or the count, so that each has a home of its own.
constexpr uint32_t slots = homes + 2, unused = 0xFFFFFFFF, erased = 0xFFFFFFFE;
constexpr HashLayout split = HashLayout::split;
const std::string home = "(key % 128u) << 25";

HashTable map_of_words(const Device& device, uint64_t capacity = homes, Probing probing = Probing::linear) {
  return HashTable(
      device, word, word, capacity,
      {.probing = probing, .layout = split, .update = HashUpdate::combine, .combine = Operator::sum(), .hash = home});
}

// Equal keys take turns; so results are those of a second round, in which the table has all of them.
void add_insertion(Cases& all, const Device& device, Probing probing, bool sorted = false) {
  const HashTable shape = map_of_words(device, homes, probing);
  const HashInsert insert(shape, {.max_count = sorted ? most : 0});
  const uint32_t no_value = sorted ? unused : 0;
  all.push_back({"HashInsert",
                 sorted                       ? "sorted"
                 : probing == Probing::linear ? "linear"
                                              : "bidirectional",
                 {written("table", 2 * slots), any("keys"), any("values"), written("results"),
                  written_counts("counts", 3), count},
                 insert.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   HashInsert::Arguments arguments{.table = at.at("table"),
                                                   .keys = at.at("keys"),
                                                   .values = at.at("values"),
                                                   .results = at.at("results"),
                                                   .counts = output_of(at, "counts", 3),
                                                   .count = on_device(at),
                                                   .temporary = at.at("temporary")};
                   shape.record_clear(recorder, at.at("table"));
                   insert.record(recorder, arguments);
                   insert.record(recorder, arguments);
                 },
                 [=](const Contents& before, Contents& after) {
                   Words& table = after["table"];
                   std::ranges::fill(table, no_value);
                   for (uint32_t i = 0; i < slots; ++i) table[2 * i] = unused;
                   for (uint32_t i = homes; i < slots; ++i) table[2 * i + 1] = 0;  // Of reserved keys.
                   for (uint64_t i = 0; i < number(before); ++i) {
                     const uint32_t key = before.at("keys")[i], slot = key % homes;
                     table[2 * slot] = key;
                     table[2 * slot + 1] = 0;
                   }
                   for (uint64_t i = 0; i < number(before); ++i) {
                     table[2 * (before.at("keys")[i] % homes) + 1] += 2 * before.at("values")[i];
                     after["results"][i] = 0;
                   }
                   for (size_t i = 0; i < 3; ++i) set(after, "counts", i == 0 ? number(before) : 0, i, 3);
                 }});
}

void add_erasure(Cases& all, const Device& device, Probing probing) {
  const bool bidirectional = probing == Probing::bidirectional;
  const HashTable shape(device, word, homes, {.probing = probing, .layout = split, .hash = home});
  const HashInsert insert(shape, {.max_count = bidirectional ? most : 0});
  const HashErase erase(shape);
  all.push_back(
      {"HashErase",
       bidirectional ? "bidirectional" : "",
       {written("table", slots), any("keys"), written("erased"), written_counts("counts", 2), count},
       std::max(insert.temporary_bytes(), erase.temporary_bytes()),
       [=](Recorder& recorder, const Regions& at) {
         HashErase::Arguments arguments{.table = at.at("table"),
                                        .keys = at.at("keys"),
                                        .erased = at.at("erased"),
                                        .counts = output_of(at, "counts", 2),
                                        .count = on_device(at),
                                        .temporary = at.at("temporary")};
         shape.record_clear(recorder, at.at("table"));
         insert.record(
             recorder,
             {.table = at.at("table"), .keys = at.at("keys"), .count = on_device(at), .temporary = at.at("temporary")});
         erase.record(recorder, arguments);
         erase.record(recorder, arguments);
       },
       [=](const Contents& before, Contents& after) {
         after["table"].assign(slots, unused);
         for (uint64_t i = 0; i < number(before); ++i) {
           if (!bidirectional) after["table"][before.at("keys")[i] % homes] = erased;
           after["erased"][i] = 0;
         }
         for (size_t i = 0; i < 2; ++i) set(after, "counts", i == 0 ? number(before) : 0, i, 2);
       }});
}

// A table in which all slots are in use, by keys that need not be near their homes.
void add_search(Cases& all, const Device& device) {
  const HashFind find(map_of_words(device, slots));
  constexpr uint64_t words = 2 * (slots + 2);
  all.push_back(
      {"HashFind",
       "",
       {any("table", words), any("keys"), written("values"), written("found"), written_counts("counts", 2), count},
       0,
       [=](Recorder& recorder, const Regions& at) {
         find.record(recorder, {.table = at.at("table"),
                                .keys = at.at("keys"),
                                .values = at.at("values"),
                                .found = at.at("found"),
                                .counts = output_of(at, "counts", 2),
                                .count = on_device(at)});
       },
       [](const Contents& before, Contents& after) {
         uint64_t found = 0;
         for (uint64_t i = 0; i < number(before); ++i) {
           const uint32_t key = before.at("keys")[i];
           const auto first = uint32_t((uint64_t(key % homes << 25) * slots) >> 32);
           after["found"][i] = 0;
           for (uint32_t step = 0; step < slots && after["found"][i] == 0; ++step) {
             const uint32_t slot = (first + step) % slots;
             if (before.at("table")[2 * slot] != key) continue;
             after["found"][i] = 1;
             after["values"][i] = before.at("table")[2 * slot + 1];
           }
           found += after["found"][i];
         }
         set(after, "counts", number(before) - found, 0, 2);
         set(after, "counts", found, 1, 2);
       }});
}

// No two of these may overlap.
void add_whole_tables(Cases& all, const Device& device) {
  const HashTable shape = map_of_words(device);
  const HashEntries entries(shape);
  all.push_back({"HashEntries",
                 "",
                 {any("table", 2 * slots), written("keys", slots), written("values", slots), written_counts("entries")},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   entries.record(recorder, {at.at("table"), at.at("keys"), at.at("values"), output_of(at, "entries")});
                 }});
  const HashRehash rehash(shape, shape);
  all.push_back({"HashRehash",
                 "",
                 {any("from", 2 * slots), written("to", 2 * slots), written_counts("counts", 3)},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   rehash.record(recorder, {at.at("from"), at.at("to"), output_of(at, "counts", 3)});
                 }});
}

}  // namespace

void add_overlap_tables(Cases& all, const Device& device) {
  add_insertion(all, device, Probing::linear);
  add_insertion(all, device, Probing::bidirectional);
  add_insertion(all, device, Probing::bidirectional, true);
  add_erasure(all, device, Probing::linear);
  add_erasure(all, device, Probing::bidirectional);
  add_search(all, device);
  add_whole_tables(all, device);
}

}  // namespace weft::test
