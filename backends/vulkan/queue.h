#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// A queue that streams submit to, each under its lock.
class Queue {
 public:
  /// A queue that only Weft uses: the lock is its own.
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

  /// Calls `use` with the queue while the lock is held.
  template <typename Use>
  auto locked(const Use& use) {
    used_ = true;
    if (!has_host_lock()) {
      const std::lock_guard hold(mutex_);
      return use(handle_);
    }
    lock_();
    const auto result = use(handle_);
    if (unlock_) unlock_();
    return result;
  }

 private:
  VkQueue handle_;
  uint32_t family_;
  std::atomic<bool> used_ = false;
  std::mutex mutex_;
  std::function<void()> lock_, unlock_;
};

}  // namespace weft::vulkan
