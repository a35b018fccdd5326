#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/rendezvous.h"

namespace weft::host {

/// A running workgroup.
struct Workgroup {
  std::array<uint32_t, 3> id{};
  uint32_t invocations = 0;  ///< Calls of the kernel: an invocation each, or a subgroup.
  uint32_t started = 0, finished = 0;
  /// Local indices in starting order; empty for index order.
  std::vector<uint32_t> order;
  std::vector<Subgroup> subgroups;
  FiberList at_barrier;
  uint32_t barrier_arrived = 0, barrier_site = 0;
  unsigned char* memory = nullptr;
  bool running = false;

  uint32_t live() const { return started - finished; }
};

/// Describes a workgroup whose invocations all wait: "invocations 0 to 30 wait at ...".
std::string describe_deadlock(const Workgroup& workgroup, const std::vector<std::unique_ptr<Fiber>>& fibers,
                              const class Code& code);

/// "(1, 0, 0)".
std::string to_text(const std::array<uint32_t, 3>& id);

}  // namespace weft::host
