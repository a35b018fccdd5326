#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace weft::host {

/// The memory of one buffer: what its bytes lie in, aligned to 256. Shared by the buffer and the work that may use it.
class Memory {
 public:
  static constexpr uint64_t alignment = 256;

  /// Throws out_of_memory, saying how much was asked for.
  explicit Memory(uint64_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;

  unsigned char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  unsigned char* data_;
  uint64_t bytes_;
};

/// Where a device's buffers lie, for the checking mode. Thread-safe.
class MemoryMap {
 public:
  void add(const std::shared_ptr<Memory>& memory);
  /// The memory that begins last before or at `address`, or null. It stays alive as long as the caller holds it.
  std::shared_ptr<Memory> find_before(const void* address);

 private:
  std::mutex mutex_;
  std::map<uintptr_t, std::weak_ptr<Memory>> by_start_;
};

}  // namespace weft::host
