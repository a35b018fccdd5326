#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/src/runtime/backend.h"

namespace weft::core {

/// Memory that the host and the device share. A backend adds its own handle and the last copy that used the slot.
class StagingSlot {
 public:
  StagingSlot(std::byte* data, uint64_t bytes) : data_(data), bytes_(bytes) {}
  virtual ~StagingSlot() = default;
  StagingSlot(const StagingSlot&) = delete;

  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  uint64_t bytes_;
};

enum class StagingUse {
  upload,    ///< The host writes, the device reads.
  download,  ///< The device writes, the host reads.
};

/// A stream that uploads and downloads through staging memory: while the device copies one slot, the host fills or
/// reads the next. Backends whose devices reach all host memory need none of this.
class StagedStream : public backend::Stream {
 public:
  void upload(const Region& destination, std::span<const std::byte> data) final;
  void download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) final;

 protected:
  virtual std::unique_ptr<StagingSlot> make_slot(uint64_t bytes, StagingUse use) = 0;
  /// Records a copy of destination.bytes bytes at `offset` of the slot to `destination`.
  virtual void copy_in(StagingSlot& slot, uint64_t offset, const Region& destination) = 0;
  /// Records a copy of `source` to `offset` of the slot. The host reads it after finish().
  virtual void copy_out(const Region& source, StagingSlot& slot, uint64_t offset) = 0;
  /// Waits for the last copy that uses the slot, submitting it if necessary. Throws timeout or device_lost.
  virtual void finish(StagingSlot& slot, std::chrono::nanoseconds timeout) = 0;

  /// Slots that are reused in turn. The first is small: NVIDIA's driver takes 3 to 5 ms to allocate 8 MiB, which is
  /// most of the time of a program's first upload.
  class Ring {
   public:
    static constexpr size_t slot_count = 5;
    static constexpr uint64_t first_slot_bytes = 256ull << 10, slot_bytes = 8ull << 20;
    struct Piece {
      StagingSlot* slot = nullptr;
      uint64_t offset = 0, bytes = 0;
      std::byte* data() const { return slot->data() + offset; }
    };
    /// The next free piece, of at most `bytes`. Waits while the device uses its slot.
    Piece take(uint64_t bytes, StagedStream& stream, StagingUse use);

   private:
    std::vector<std::unique_ptr<StagingSlot>> slots_;  ///< Grows to slot_count on demand.
    size_t current_ = 0;
    uint64_t used_ = 0;  ///< Bytes of the current slot.
  };
  struct Staging {
    Ring uploads, downloads;
  };
  /// Copies in progress use this memory, so it may have to outlive the stream.
  std::shared_ptr<Staging> release_staging() { return std::move(staging_); }

 private:
  std::shared_ptr<Staging> staging_ = std::make_shared<Staging>();
};

}  // namespace weft::core
