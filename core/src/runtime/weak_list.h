#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace weft::core {

/// The objects that were added and still live. Does not keep them alive. Thread-safe.
template <typename T>
class WeakList {
 public:
  void add(const std::shared_ptr<T>& object) {
    std::lock_guard lock(mutex_);
    std::erase_if(objects_, [](const auto& weak) { return weak.expired(); });
    objects_.push_back(object);
  }

  std::vector<std::shared_ptr<T>> alive() const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> alive;
    for (const auto& weak : objects_) {
      if (auto object = weak.lock()) alive.push_back(std::move(object));
    }
    return alive;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<T>> objects_;
};

}  // namespace weft::core
