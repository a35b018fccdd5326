#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace weft::host {

/// The memory of a buffer, aligned to 256 bytes. Shared by the buffer and the work that may use it.
class Memory {
 public:
  static constexpr uint64_t alignment = 256;

  /// Throws out_of_memory with the requested size.
  explicit Memory(uint64_t bytes);
  /// Memory of the program's own, of any alignment, which outlives this.
  Memory(unsigned char* data, uint64_t bytes) : data_(data), bytes_(bytes), is_own_(false) {}
  ~Memory();
  Memory(const Memory&) = delete;

  unsigned char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  unsigned char* data_;
  uint64_t bytes_;
  bool is_own_ = true;
};

struct Access;

/// The buffers of a device by address, for checking mode. Thread-safe.
class MemoryMap {
 public:
  /// Called with each valid access of a kernel to a buffer. Tests use it to trace what a dispatch reads and writes. Set
  /// it before the device is shared.
  std::function<void(const Access&)> on_access;

  void add(const std::shared_ptr<Memory>& memory);
  /// Returns the last memory that starts at or before `address`, or null.
  std::shared_ptr<Memory> find_before(const void* address);

 private:
  std::mutex mutex_;
  std::map<uintptr_t, std::weak_ptr<Memory>> by_start_;
};

}  // namespace weft::host
