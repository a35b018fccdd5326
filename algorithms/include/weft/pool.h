#pragma once

#include <cstdint>

#include <weft/api.h>
#include <weft/buffer.h>
#include <weft/stream.h>

namespace weft {

/// A pool of buffers of one size, which the subgroups and workgroups of your kernels take and give back:
/// weft/device/pool.glsl. There may be more or fewer buffers than run at once; a take that finds none left says so.
/// For a buffer for each workgroup of a persistent kernel, have Kernel::resident_workgroups() of them.
///
/// A plain value; the memory is yours. It keeps its state between dispatches.
///
///     weft::Pool pool(64, 4096);
///     auto memory = device.buffer<std::byte>(pool.bytes());
///     pool.record_clear(stream, memory);
///     stream.dispatch(kernel, {100}, Block{pool.block(memory), ...});   // Block: your kernel's push constants
class WEFT_API Pool {
 public:
  /// Rounds `buffer_bytes` up to a multiple of 16. Throws invalid_argument if one of them is 0, if a buffer then has
  /// 4 GiB, and above 1 TiB in all.
  Pool(uint32_t buffers, uint32_t buffer_bytes);

  uint32_t buffers() const { return buffers_; }
  uint32_t buffer_bytes() const { return buffer_bytes_; }
  /// Bytes of memory: the buffers, and a bit for each.
  uint64_t bytes() const;

  /// The pool in push constants: WeftPool in GLSL. Its alignment is 8.
  struct Block {
    uint64_t taken, buffers;
    uint32_t count, buffer_bytes;
  };
  /// Throws invalid_argument unless `memory` has bytes() bytes and starts at a multiple of 16.
  Block block(const Region& memory) const;

  /// Gives back all buffers; their contents stay. Record it before the first dispatch. Throws as block().
  void record_clear(Recorder& recorder, const Region& memory) const;

  /// Number of buffers that are taken once all recorded work is done. Waits for it. Throws as block(), and what
  /// Stream::download() throws.
  uint32_t count_taken(Stream& stream, const Region& memory) const;

 private:
  Region taken_bits(const Region& memory) const;

  uint32_t buffers_, buffer_bytes_;
};

}  // namespace weft
