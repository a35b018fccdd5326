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

/// Number of workgroups that a thread interleaves with a schedule.
constexpr uint32_t interleaved_workgroups = 4;

/// Everything that a dispatch needs.
struct Dispatch {
  std::shared_ptr<const Code> code;
  Groups groups;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  uint32_t subgroup_size = 32;
  std::optional<uint64_t> schedule;
  alignas(16) std::array<std::byte, Arguments::max_push_constant_bytes> push_constants{};
  std::vector<weft_host_binding> bindings;
  std::vector<std::shared_ptr<Memory>> bound;  ///< Keeps the memory of `bindings` alive.
  std::shared_ptr<MemoryMap> checked;          ///< The device's buffers in checking mode, otherwise null.

  uint32_t invocations() const { return workgroup_size[0] * workgroup_size[1] * workgroup_size[2]; }
  uint64_t workgroups() const { return uint64_t{groups.x} * groups.y * groups.z; }
};

/// A running dispatch, shared by its threads. Workgroups start in index order, or in an order drawn from the schedule's
/// seed.
class Progress {
 public:
  Progress(const Dispatch& dispatch, const std::atomic<bool>& cancelled);

  const Dispatch& dispatch() const { return dispatch_; }

  /// Takes the next workgroup to start; nullopt if none is left or the dispatch was stopped.
  std::optional<std::array<uint32_t, 3>> take_workgroup();
  /// Stops all threads. Keeps the first error; it is null if the stream is abandoned.
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
