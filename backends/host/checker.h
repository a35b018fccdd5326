#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/dispatch.h"
#include "backends/host/shadow.h"

namespace weft::host {

/// One access of an invocation to memory.
struct Access {
  uint32_t who = 0;  ///< From Checker::begin().
  const unsigned char* address = nullptr;
  uint32_t bytes = 0, alignment = 1;
  uint32_t kind = 0;  ///< weft_host_access, or-ed.
  const weft_host_binding* binding = nullptr;
  uint32_t site = 0;
};

/// The checking mode of one dispatch. Follows every access in the one order in which a single thread makes them.
///
/// Races: two accesses of one word by two invocations, at least one a write and not both atomic, that nothing orders.
/// What orders A's access before B's is a chain of releases and acquires (barriers are both) that begins after it at A
/// and ends at B. Followed is less than that: that A has released since its access, and B acquired. So no race is
/// reported where there is none. One may go unnoticed behind an unrelated barrier, or when later accesses have taken
/// its place in the Word, which keeps the last write and the last reads of two invocations.
class Checker {
 public:
  explicit Checker(const Dispatch& dispatch) : dispatch_(dispatch) {}

  /// An invocation begins; returns its number.
  uint32_t begin(const std::array<uint32_t, 3>& workgroup, uint32_t local_index);
  /// The memory of a workgroup that starts: nobody has written it.
  void begin_workgroup(const unsigned char* memory);
  /// A barrier or a fence of that invocation.
  void synchronize(uint32_t who, uint32_t kind);

  /// What is wrong with the access, as the end of a sentence; empty when nothing is. `memory` is the workgroup's.
  std::string check(const Access& access, const unsigned char* memory);

 private:
  struct Invocation {
    uint64_t released = 0, acquired = 0;  ///< Times of the last one; 0 for never.
    std::array<uint32_t, 3> workgroup{};
    uint32_t local_index = 0;
  };

  bool in_push_constants(const Access& access) const;
  std::string out_of_bounds(const Access& access, const unsigned char* memory);
  std::string outside_buffers(const Access& access);
  std::string race(const Access& access, Word& word, uint32_t lanes);
  std::string race_with(const Trace& earlier, const char* did, uint32_t who) const;
  bool ordered(const Trace& earlier, uint32_t who) const;

  const Dispatch& dispatch_;
  uint64_t time_ = 0;
  std::vector<Invocation> invocations_;
  Shadow shadow_;
  std::shared_ptr<Memory> last_found_;
};

}  // namespace weft::host
