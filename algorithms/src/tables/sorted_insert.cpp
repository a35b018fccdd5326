#include "algorithms/src/tables/sorted_insert.h"

#include "core/src/runtime/messages.h"

namespace weft::algorithms {

void SortedInsert::check(const HashTable::Impl& table, uint64_t max_keys) {
  Rebuild::check("HashInsert", table);
  if (max_keys <= UINT32_MAX) return;
  core::invalid("HashInsert",
                "'max_count' is " + std::to_string(max_keys) + "; up to 2^32 - 1 keys can be sorted at once.");
}

SortedInsert::SortedInsert(const HashTable& table, uint64_t max_keys, KernelMaker maker,
                           const std::optional<Tuning>& tuning)
    : hashes_have_keys_(table.key().bytes() == 4 && table.options().hash.empty()),
      key_words_(table.key().bytes() / 4),
      rebuild_("HashInsert", table, max_keys, tuning),
      sort_(table.device(), Element::of<uint32_t>(), Element::of<uint32_t>(), max_keys, {.tuning = tuning}),
      words_(layout_.add(4 * max_keys)),
      indices_(layout_.add(4 * max_keys)),
      gaps_(layout_.add(4 * max_keys)),
      added_(layout_.add(4 * max_keys)),
      parts_(rebuild_.add_to(layout_, sort_.temporary_bytes())) {
  if (hashes_have_keys_) maker.define("WEFT_HASHES_HAVE_KEYS");
  words_of_keys_ = maker.make("tables/hash_sort_words");
  find_added_ = maker.make("tables/hash_added_keys");
  list_keys_ = maker.make("tables/hash_list_keys");
  finish_ = maker.make("tables/hash_finish_keys");
}

// By the key's words, the last of them most significant, and then by its hash, unless that alone orders the keys.
void SortedInsert::sort(Recorder& recorder, const RebuildArguments& arguments, RebuildBlock block) const {
  const Region words = this->words(arguments, words_), indices = this->words(arguments, indices_);
  const uint32_t passes = hashes_have_keys_ ? 1 : key_words_ + 1;
  for (uint32_t pass = passes; pass-- > 0;) {
    block.pass = pass == 0 ? 0 : passes - pass;
    rebuild_.dispatch(recorder, words_of_keys_, arguments.resolved.most, block);
    sort_.record(recorder, {.keys = words,
                            .values = indices,
                            .keys_out = words,
                            .values_out = indices,
                            .count = arguments.count,
                            .temporary = parts_.steps.in(arguments.temporary)});
  }
}

void SortedInsert::record(Recorder& recorder, const RebuildArguments& arguments) const {
  const Region& temporary = arguments.temporary;
  const uint64_t most = arguments.resolved.most;
  RebuildBlock block = rebuild_.block(arguments, parts_);
  block.words = words_.address(temporary);
  block.indices = indices_.address(temporary);
  block.gaps = gaps_.address(temporary);
  block.added = added_.address(temporary);
  sort(recorder, arguments, block);
  rebuild_.dispatch(recorder, find_added_, most, block);
  rebuild_.add_up(recorder, words(arguments, added_), arguments.count, parts_.steps.in(temporary));
  rebuild_.mark_used(recorder, block);
  rebuild_.list_entries(recorder, parts_, temporary, block);
  rebuild_.dispatch(recorder, list_keys_, most, block);
  rebuild_.store(recorder, arguments.table, parts_, temporary, block);
  rebuild_.dispatch(recorder, finish_, most, block);
}

}  // namespace weft::algorithms
