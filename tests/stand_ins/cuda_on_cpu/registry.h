#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace weft::test::cuda_on_cpu {

/// The existing objects of one kind. Handles are never reused, so using one after its object's end is detected.
/// Thread-safe.
template <class Handle, class Object>
class Registry {
 public:
  Handle add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    const auto handle = reinterpret_cast<Handle>(next_ += 64);
    objects_[handle] = std::move(object);
    return handle;
  }
  /// Returns null if there is none.
  std::shared_ptr<Object> find(Handle handle) const {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> remove(Handle handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.extract(handle);
    return found.empty() ? nullptr : found.mapped();
  }
  template <class Condition>
  std::vector<std::shared_ptr<Object>> all(Condition&& condition) const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> result;
    for (const auto& [handle, object] : objects_) {
      if (condition(*object)) result.push_back(object);
    }
    return result;
  }
  template <class Condition>
  void remove_all(Condition&& condition) {
    std::vector<std::shared_ptr<Object>> removed;  // destroyed without the lock
    std::lock_guard lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) {
      if (!condition(*entry.second)) return false;
      removed.push_back(entry.second);
      return true;
    });
  }

 private:
  mutable std::mutex mutex_;
  std::map<Handle, std::shared_ptr<Object>> objects_;
  uintptr_t next_ = 0x10000;
};

}  // namespace weft::test::cuda_on_cpu
