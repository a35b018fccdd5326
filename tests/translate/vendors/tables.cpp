#include <optional>

#include <weft/hash_table.h>

#include "tests/translate/vendors/plans.h"

namespace weft::test {
namespace {

// All plans of a hash table.
struct HashPlans {
  HashPlans(const Device& device, const Element& key, const std::optional<Element>& value, uint64_t capacity,
            const HashTable::Options& options, const HashInsert::Options& insertion) {
    const HashTable table =
        value ? HashTable(device, key, *value, capacity, options) : HashTable(device, key, capacity, options);
    HashInsert(table, insertion), HashFind(table), HashEntries(table);
    if (options.probing == Probing::linear || table.slots() <= UINT32_MAX) const HashErase erase(table);
    if (options.probing == Probing::bidirectional) return;
    const HashRehash rehash(table, table);
  }
};

}  // namespace

void tables(Plans& plans) {
  const Element word = Element::scalar("uint"), wide = Element::scalar("uint64_t");
  const HashTable::Options keep{}, split{.layout = HashLayout::split};
  const HashTable::Options sum{.update = HashUpdate::combine, .combine = Operator::sum()};
  const HashTable::Options least{.update = HashUpdate::combine, .combine = Operator::min()};
  const auto make = [&](const std::string& what, const Element& key, const std::optional<Element>& value,
                        uint64_t capacity, const HashTable::Options& options, const std::string& expression = {},
                        uint64_t max_count = 0) {
    plans.make<HashPlans>(what, key, value, capacity, options, HashInsert::Options{expression, max_count});
  };
  make("set of uint", word, {}, counts[0], keep);
  make("set of uint, split, 64-bit indices", word, {}, counts[1], split);
  make("map of uint to float", word, Element::scalar("float"), counts[0], keep);
  make("map of uint to counts", word, word, counts[0], sum, "1u");
  make("map of uint to least int", word, Element::scalar("int"), counts[0], least);
  make("map of uint, split, replaced", word, word, counts[0],
       HashTable::Options{.layout = HashLayout::split, .update = HashUpdate::replace});
  make("map of uint64_t to sums of uint64_t", wide, wide, counts[0], sum);
  make("map of uint64_t, 64-bit indices", wide, word, counts[1], keep);
  HashTable::Options bidirectional{.probing = Probing::bidirectional};
  make("bidirectional map of uint", word, word, counts[0], bidirectional, {}, counts[0]);
  bidirectional.layout = HashLayout::split;
  make("bidirectional set of uint, split", word, {}, counts[0], bidirectional);
  make("bidirectional map of uint64_t", wide, wide, counts[0], bidirectional, {}, counts[0]);
  make("bidirectional map of uint64_t, 64-bit indices", wide, wide, counts[1], bidirectional);
}

}  // namespace weft::test
