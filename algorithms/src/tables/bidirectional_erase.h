#pragma once

#include "algorithms/src/tables/rebuild.h"

namespace weft::algorithms {

/// Erases keys from a bidirectional table: rebuilds it without them.
class BidirectionalErase {
 public:
  /// Throws as Rebuild::check() does.
  BidirectionalErase(const HashTable& table, const std::optional<Tuning>& tuning);

  uint64_t bytes() const { return layout_.bytes(); }
  void record(Recorder& recorder, const RebuildArguments& arguments) const;

 private:
  Rebuild rebuild_;
  Kernel unlist_;
  TemporaryLayout layout_;
  Rebuild::Parts parts_;
};

}  // namespace weft::algorithms
