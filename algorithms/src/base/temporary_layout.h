#pragma once

#include <cstdint>

#include <weft/buffer.h>

#include "algorithms/src/base/tiling.h"

namespace weft::algorithms {

/// The temporary storage of a plan as a list of parts. Parts follow one another, each at a multiple of 16 bytes.
///
///   struct Storage {
///     TemporaryLayout layout;
///     TemporaryLayout::Part keys = layout.add(most_keys * key_bytes), counts = layout.add(most_tiles * 4);
///   };
class TemporaryLayout {
 public:
  /// A part, to be found in the memory that record() gets.
  struct Part {
    uint64_t offset = 0, bytes = 0;  ///< The offset is from the start of the storage.

    Region in(const Region& temporary) const { return bytes == 0 ? Region{} : temporary.part(offset, bytes); }
    uint64_t address(const Region& temporary) const { return temporary.address() + offset; }
  };

  /// Adds a part at the end. A part of 0 bytes takes no room.
  Part add(uint64_t bytes) {
    const Part part{bytes_, bytes};
    bytes_ += round_up_16(bytes);
    return part;
  }
  /// Bytes of all parts, a multiple of 16.
  uint64_t bytes() const { return bytes_; }

 private:
  uint64_t bytes_ = 0;
};

}  // namespace weft::algorithms
