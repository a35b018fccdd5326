#pragma once

#include <weft/sort.h>

#include "algorithms/src/tables/rebuild.h"

namespace weft::algorithms {

/// Inserts many keys into a bidirectional table without locks: sorts them by hash, finds those that the table lacks,
/// and rebuilds the table with them.
class SortedInsert {
 public:
  /// `maker` has the values' macros, and the tiling of Rebuild::tiling().
  SortedInsert(const HashTable& table, uint64_t max_keys, KernelMaker maker, const std::optional<Tuning>& tuning);

  /// Throws as Rebuild::check() does, and invalid_argument for keys whose indices need 64 bits.
  static void check(const HashTable::Impl& table, uint64_t max_keys);

  uint64_t bytes() const { return layout_.bytes(); }

  void record(Recorder& recorder, const RebuildArguments& arguments) const;

 private:
  void sort(Recorder& recorder, const RebuildArguments& arguments, RebuildBlock block) const;
  Region words(const RebuildArguments& arguments, const TemporaryLayout::Part& part) const {
    return part.in(arguments.temporary).part(0, 4 * arguments.resolved.most);
  }

  bool hashes_have_keys_;
  uint32_t key_words_;
  Rebuild rebuild_;
  Sort sort_;
  Kernel words_of_keys_, find_added_, list_keys_, finish_;
  TemporaryLayout layout_;
  TemporaryLayout::Part words_, indices_, gaps_, added_;
  Rebuild::Parts parts_;
};

}  // namespace weft::algorithms
