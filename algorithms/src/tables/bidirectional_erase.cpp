#include "algorithms/src/tables/bidirectional_erase.h"

namespace weft::algorithms {

BidirectionalErase::BidirectionalErase(const HashTable& table, const std::optional<Tuning>& tuning)
    : rebuild_("HashErase", table, 0, tuning),
      unlist_(hash_kernels("HashErase", table.impl(), rebuild_.tiling()).make("tables/hash_unlist_keys")),
      parts_(rebuild_.add_to(layout_, 0)) {}

void BidirectionalErase::record(Recorder& recorder, const RebuildArguments& arguments) const {
  const RebuildBlock block = rebuild_.block(arguments, parts_);
  rebuild_.mark_used(recorder, block);
  rebuild_.dispatch(recorder, unlist_, arguments.resolved.most, block);
  RebuildBlock without_keys = block;  // None are added.
  without_keys.count = without_keys.options = 0;
  rebuild_.list_entries(recorder, parts_, arguments.temporary, without_keys);
  rebuild_.store(recorder, arguments.table, parts_, arguments.temporary, without_keys);
}

}  // namespace weft::algorithms
