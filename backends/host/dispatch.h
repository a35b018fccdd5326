#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <weft/arguments.h>

#include "backends/host/code.h"
#include "backends/host/memory.h"

namespace weft::host {

/// Everything that one dispatch runs with.
struct Dispatch {
  std::shared_ptr<const Code> code;
  Groups groups;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  uint32_t subgroup_size = 32;
  std::optional<uint64_t> schedule;
  alignas(16) std::array<std::byte, Arguments::max_push_constant_bytes> push_constants{};
  std::vector<weft_host_binding> bindings;
  std::vector<std::shared_ptr<Memory>> bound;  ///< Keeps what `bindings` point to.
  std::shared_ptr<MemoryMap> checked;          ///< Checking mode: the device's buffers; otherwise null.

  uint32_t invocations() const { return workgroup_size[0] * workgroup_size[1] * workgroup_size[2]; }
  uint64_t workgroups() const { return uint64_t{groups.x} * groups.y * groups.z; }
};

/// A dispatch while it runs: what its threads share. Workgroups are taken in the order of their numbers, or in one
/// drawn from the schedule's seed.
class Progress {
 public:
  Progress(const Dispatch& dispatch, const std::atomic<bool>& cancelled);

  const Dispatch& dispatch() const { return dispatch_; }

  /// The next workgroup to start; nullopt when there is none left or the dispatch is to stop.
  std::optional<std::array<uint32_t, 3>> take_workgroup();
  /// No thread shall go on: the error is the first one, or null when the stream is given up.
  void stop(std::exception_ptr error);
  bool stopped() const {
    return stopped_.load(std::memory_order_relaxed) || cancelled_.load(std::memory_order_relaxed);
  }
  std::exception_ptr error() const;

 private:
  uint64_t permuted(uint64_t index) const;

  const Dispatch& dispatch_;
  const std::atomic<bool>& cancelled_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace weft::host
