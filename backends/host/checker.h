#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/dispatch.h"
#include "backends/host/shadow.h"

namespace weft::host {

/// A memory access of an invocation.
struct Access {
  uint32_t who = 0;  ///< From Checker::begin().
  const unsigned char* address = nullptr;
  uint32_t bytes = 0, alignment = 1;
  uint32_t kind = 0;  ///< A combination of weft_host_access bits.
  const weft_host_binding* binding = nullptr;
  uint32_t site = 0;
};

/// The checking mode of one dispatch. Sees every access, in the order in which a single thread makes them.
///
/// A race is two unordered accesses to one word by two invocations, at least one of them a write and not both atomic.
/// A's access is ordered before B's by a chain of releases and acquires (a barrier is both) that starts after it at A
/// and ends at B. The check is weaker: A has released since its access, and B has acquired. So every reported race is
/// real. A race may go unnoticed because of an unrelated barrier, or because later accesses have replaced it in the
/// Word, which keeps only the last write and the last reads of two invocations.
class Checker {
 public:
  explicit Checker(const Dispatch& dispatch) : dispatch_(dispatch) {}

  /// Registers an invocation that starts; returns its number.
  uint32_t begin(const std::array<uint32_t, 3>& workgroup, uint32_t local_index);
  /// Marks the memory of a workgroup that starts as unwritten.
  void begin_workgroup(const unsigned char* memory);
  /// Notes a barrier or fence of an invocation.
  void synchronize(uint32_t who, uint32_t kind);

  /// Whether an access is in error; `error` says so then, as the end of a sentence. `memory` is the workgroup's.
  bool is_wrong(const Access& access, const unsigned char* memory, std::string& error);

 private:
  struct Invocation {
    uint64_t released = 0, acquired = 0;  ///< Times of the last release and acquire; 0 for never.
    std::array<uint32_t, 3> workgroup{};
    uint32_t local_index = 0;
  };

  // The functions that each access calls return whether it is in error, so that texts are made for errors alone.
  bool in_push_constants(const Access& access) const;
  bool out_of_bounds(const Access& access, const unsigned char* memory, std::string& error);
  bool outside_buffers(const Access& access, std::string& error);
  bool race(const Access& access, Word& word, uint32_t bytes, std::string& error) const;
  std::string race_with(const Trace& earlier, const char* did, uint32_t who) const;
  bool ordered(const Trace& earlier, uint32_t who) const;

  const Dispatch& dispatch_;
  uint64_t time_ = 0;
  std::vector<Invocation> invocations_;
  Shadow shadow_;
  std::shared_ptr<Memory> last_found_;
};

}  // namespace weft::host
