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

/// All memory that the driver gives. New memory holds bytes that are nobody's result, and what is freed is kept for a
/// while, so that a write to it shows: that ends the process. Thread-safe.
class Memory {
 public:
  /// 0 when the context's device would hold more than its total then.
  uint64_t allocate(uint64_t bytes, MemoryKind kind, const Context& context);
  /// False when `address` is no such block's start.
  bool release(uint64_t address, MemoryKind kind, const Context& context);
  void release_all(const Context& context);
  /// The block that has all of these bytes.
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
    Bytes memory;
  };

  void retire(Entry entry);

  mutable std::mutex mutex_;
  std::map<uint64_t, Entry> blocks_;
  std::deque<Entry> freed_;
  uint64_t freed_bytes_ = 0;
};

}  // namespace weft::test::cuda_on_cpu
