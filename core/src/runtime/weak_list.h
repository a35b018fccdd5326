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

  /// Calls `function` with each object that lives; needs no memory. It must not call the list.
  template <typename Function>
  void each(const Function& function) const {
    all_of([&](T& object) { return function(object), true; });
  }
  /// Whether `predicate` is true of each object that lives. As each().
  template <typename Predicate>
  bool all_of(const Predicate& predicate) const {
    std::lock_guard lock(mutex_);
    for (const auto& weak : objects_) {
      const auto object = weak.lock();
      if (object && !predicate(*object)) return false;
    }
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<T>> objects_;
};

}  // namespace weft::core
