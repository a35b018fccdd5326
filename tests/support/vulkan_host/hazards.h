#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

/// Finds accesses to the same bytes that nothing orders: read after write, write after write, write after read. Stages
/// and accesses are bits of VkPipelineStageFlags2 and VkAccessFlags2.
namespace weft::test {

struct ByteRange {
  uint64_t begin = 0, end = 0;
};

/// What a command reads, or writes, in one stage.
struct CommandAccess {
  uint64_t stage = 0, access = 0;  ///< One bit each.
  bool writes = false;
  std::vector<ByteRange> ranges;  ///< Sorted and disjoint.
};

/// A step of a queue's work, in submission order.
struct QueueStep {
  enum Kind {
    command,
    barrier,
    completion,  ///< The host, or a semaphore, has waited for earlier commands.
  } kind = command;
  std::string name;  ///< Of a command.
  std::vector<CommandAccess> accesses;
  uint64_t number = 0;  ///< Of a command, ascending. Of a completion: the last command that it waited for.
  uint64_t source_stages = 0, source_accesses = 0, destination_stages = 0, destination_accesses = 0;  ///< Of a barrier.
};

/// Describes every hazard, one sentence each. Follows Vulkan's rules: an access is ordered after a read by a chain of
/// barriers, the first of which has the read's stage as its source, or a later one of the same command; after a write
/// if a barrier of that chain also names the write, and that barrier or a later one of the chain names the new access.
/// Atomic operations count as reads and writes.
std::vector<std::string> find_hazards(std::span<const QueueStep> steps);

/// Whether a command right before the barrier with this index conflicts with one right after it: they access the same
/// bytes, one of them writes, and no other barrier is between them.
bool separates_conflict(std::span<const QueueStep> steps, size_t barrier);

/// What the queues of traced devices (traced.h) have done since it was cleared.
std::vector<QueueStep>& queue_steps();
/// Returns the hazards in it, one a line, and clears it.
std::string take_hazards();

/// The bytes that a command reads and writes.
class AccessTrace {
 public:
  void add(uint64_t address, uint64_t bytes, bool reads, bool writes);
  std::vector<ByteRange> read() const { return ranges(1); }
  std::vector<ByteRange> written() const { return ranges(2); }

 private:
  static constexpr uint64_t page_bytes = 4096;
  /// For each byte, 1 if it was read, plus 2 if it was written.
  using Page = std::array<uint8_t, page_bytes>;
  std::vector<ByteRange> ranges(uint8_t bit) const;

  std::map<uint64_t, Page> pages_;
  uint64_t last_ = 0;  ///< The page of the last access.
  Page* last_page_ = nullptr;
};

}  // namespace weft::test
