#include "tests/stand_ins/cuda_on_cpu/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/stand_ins/cuda_on_cpu/driver.h"
#include "tests/stand_ins/cuda_on_cpu/misuse.h"

namespace weft::test::cuda_on_cpu {
namespace {

constexpr std::align_val_t alignment{512};
constexpr std::byte fresh{0xcd}, freed{0xdd};
constexpr uint64_t most_freed_bytes = uint64_t(64) << 20;

// Only this much of a large block is marked: the rest would cost time and real memory.
uint64_t marked_bytes(const Block& block) { return std::min(block.bytes, uint64_t(16) << 20); }

}  // namespace

void Memory::Deleter::operator()(std::byte* memory) const { ::operator delete(memory, alignment); }

uint64_t Memory::allocate(uint64_t bytes, MemoryKind kind, const Context& context) {
  const uint64_t total = driver().device(context.ordinal()).total_bytes;
  if (kind == MemoryKind::device && bytes > total - std::min(total, used_bytes(context.ordinal()))) return 0;
  auto* const memory = static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
  if (!memory) return 0;
  const Block block{reinterpret_cast<uint64_t>(memory), bytes, kind, &context};
  std::memset(memory, int(fresh), marked_bytes(block));
  std::lock_guard lock(mutex_);
  blocks_.emplace(block.address, Entry{block, Bytes(memory), nullptr});
  return block.address;
}

void Memory::add(uint64_t address, uint64_t bytes, const Context& context, std::shared_ptr<void> mapping) {
  std::lock_guard lock(mutex_);
  blocks_.emplace(address, Entry{{address, bytes, MemoryKind::device, &context}, nullptr, std::move(mapping)});
}

bool Memory::release(uint64_t address, MemoryKind kind, const Context& context) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.block.kind != kind) return false;
  // Pinned memory belongs to all contexts.
  if (kind == MemoryKind::device && found->second.block.context != &context) return false;
  Entry entry = std::move(found->second);
  blocks_.erase(found);
  if (entry.memory) retire(std::move(entry));
  return true;
}

void Memory::release_all(const Context& context) {
  std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [&](const auto& entry) { return entry.second.block.context == &context; });
}

void Memory::retire(Entry entry) {
  std::memset(entry.memory.get(), int(freed), marked_bytes(entry.block));
  freed_bytes_ += entry.block.bytes;
  freed_.push_back(std::move(entry));
  while (freed_bytes_ > most_freed_bytes) {
    const Entry& oldest = freed_.front();
    const std::byte* const first = oldest.memory.get();
    if (std::any_of(first, first + marked_bytes(oldest.block), [](std::byte b) { return b != freed; })) {
      report_misuse("memory was written after it was freed");
      std::abort();
    }
    freed_bytes_ -= oldest.block.bytes;
    freed_.pop_front();
  }
}

std::optional<Block> Memory::find(uint64_t address, uint64_t bytes) const {
  std::lock_guard lock(mutex_);
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return {};
  const Block& block = (--found)->second.block;
  const uint64_t offset = address - block.address;
  if (offset > block.bytes || bytes > block.bytes - offset) return {};
  return block;
}

uint64_t Memory::used_bytes(int ordinal) const {
  std::lock_guard lock(mutex_);
  uint64_t sum = 0;
  for (const auto& [address, entry] : blocks_) {
    const bool own = entry.block.kind == MemoryKind::device && !entry.mapping;
    if (own && entry.block.context->ordinal() == ordinal) sum += entry.block.bytes;
  }
  return sum;
}

size_t Memory::count(const Context& context) const {
  std::lock_guard lock(mutex_);
  return size_t(
      std::ranges::count_if(blocks_, [&](const auto& entry) { return entry.second.block.context == &context; }));
}

}  // namespace weft::test::cuda_on_cpu
