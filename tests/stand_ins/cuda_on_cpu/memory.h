#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace weft::test::cuda_on_cpu {

class Context;

enum class MemoryKind { device, pinned };

/// One allocation.
struct Block {
  uint64_t address = 0, bytes = 0;
  MemoryKind kind = MemoryKind::device;
  const Context* context = nullptr;
};

/// All memory of the driver. New memory holds bytes that no result has. Freed memory is kept for a while to detect
/// writes to it, which end the process. Thread-safe.
class Memory {
 public:
  /// Returns 0 if the device of the context does not have that much memory left.
  uint64_t allocate(uint64_t bytes, MemoryKind kind, const Context& context);
  /// Adds memory that another API exported, as a block of a context. `mapping` owns the bytes.
  void add(uint64_t address, uint64_t bytes, const Context& context, std::shared_ptr<void> mapping);
  /// Returns false if `address` is not the start of such a block.
  bool release(uint64_t address, MemoryKind kind, const Context& context);
  void release_all(const Context& context);
  /// Returns the block that contains all of these bytes.
  std::optional<Block> find(uint64_t address, uint64_t bytes) const;
  uint64_t used_bytes(int ordinal) const;
  size_t count(const Context& context) const;

 private:
  struct Deleter {
    void operator()(std::byte* memory) const;
  };
  using Bytes = std::unique_ptr<std::byte, Deleter>;
  struct Entry {
    Block block;
    Bytes memory;                   ///< Null for memory of another API.
    std::shared_ptr<void> mapping;  ///< Null for the driver's own.
  };

  void retire(Entry entry);

  mutable std::mutex mutex_;
  std::map<uint64_t, Entry> blocks_;
  std::deque<Entry> freed_;
  uint64_t freed_bytes_ = 0;
};

}  // namespace weft::test::cuda_on_cpu
