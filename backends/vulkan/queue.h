#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// A queue that streams submit to under its lock.
class Queue {
 public:
  /// A queue that only Weft uses, with a lock of its own.
  Queue(VkQueue handle, uint32_t family) : handle_(handle), family_(family) {}
  /// A queue that others use too, with their lock.
  Queue(VkQueue handle, uint32_t family, std::function<void()> lock, std::function<void()> unlock)
      : handle_(handle), family_(family), lock_(std::move(lock)), unlock_(std::move(unlock)) {}
  Queue(const Queue&) = delete;

  uint32_t family() const { return family_; }
  bool is(VkQueue handle) const { return handle_ == handle; }
  bool has_host_lock() const { return lock_ != nullptr; }
  /// Whether Weft has ever used the queue.
  bool used() const { return used_; }
  void set_used() { used_ = true; }

  /// Calls `use` with the queue while the lock is held.
  template <typename Use>
  auto locked(const Use& use) {
    used_ = true;
    const std::lock_guard hold(*this);
    return use(handle_);
  }

  void lock() { lock_ ? lock_() : mutex_.lock(); }
  void unlock() { lock_ ? unlock_() : mutex_.unlock(); }

 private:
  VkQueue handle_;
  uint32_t family_;
  std::atomic<bool> used_ = false;
  std::mutex mutex_;
  std::function<void()> lock_, unlock_;
};

}  // namespace weft::vulkan
