#pragma once

#include <array>
#include <cstdint>

#include <weft/api.h>
#include <weft/pool.h>

namespace weft {

/// A heap from which the invocations of your kernels allocate blocks of 16 bytes to 4 KiB, and free them:
/// weft/device/slab_allocator.glsl. Nine size classes, the powers of two. A full heap is a result, weft_null.
///
/// Memory is handed to the classes in slabs, and each slab has blocks of one class. So a class finds no room if all
/// slabs are full or belong to others. Kernels need progress class P1: weft/progress.h.
///
/// A plain value; the memory is yours. It keeps its state between dispatches.
class WEFT_API SlabAllocator {
 public:
  struct Options {
    uint32_t slab_bytes = 1 << 16;  ///< A power of two from 4 KiB to 1 MiB.
  };
  static constexpr uint32_t classes = 9;

  /// Rounds `heap_bytes` up to whole slabs. Throws invalid_argument for 0 bytes, for more than 256 GiB, and for other
  /// sizes of a slab.
  SlabAllocator(uint64_t heap_bytes, const Options& options);
  explicit SlabAllocator(uint64_t heap_bytes);

  uint32_t slabs() const { return pool_.buffers(); }
  uint32_t slab_bytes() const { return pool_.buffer_bytes(); }
  /// Bytes of memory: the slabs, and 1/128 of that for the tables.
  uint64_t bytes() const;

  /// The allocator in push constants: WeftSlabAllocator in GLSL. Its alignment is 8.
  struct Block {
    Pool::Block slabs;
    uint64_t tables;
    uint32_t hints, log2_slab_bytes;
  };
  /// Throws invalid_argument unless `memory` has bytes() bytes and starts at a multiple of 16.
  Block block(const Region& memory) const;

  /// Frees everything; contents stay. Record it before the first dispatch. Throws as block().
  void record_clear(Recorder& recorder, const Region& memory) const;

  struct Usage {
    uint32_t slabs = 0;                      ///< Slabs with blocks in use.
    std::array<uint64_t, classes> blocks{};  ///< Blocks in use, of 16 << k bytes.
  };
  /// Usage once all recorded work is done. Waits for it. Throws as block(), and what Stream::download() throws.
  Usage usage(Stream& stream, const Region& memory) const;

 private:
  uint64_t hint_words() const;
  Region tables(const Region& memory) const;

  Pool pool_;
};

}  // namespace weft
