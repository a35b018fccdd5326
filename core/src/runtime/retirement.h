#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

#include "core/src/runtime/weak_list.h"

namespace weft::core {

/// Work that may use the objects of a device: that of a stream, or the frames of a host application. Asking does not
/// wait and needs no memory. Thread-safe.
class Work {
 public:
  static constexpr size_t marks = 4;

  virtual ~Work() = default;
  /// Moves a mark to the point that covers all work that is submitted or being recorded now.
  virtual void mark(size_t mark) noexcept = 0;
  /// Whether the mark is known to be at that point.
  virtual bool is_marked(size_t mark) noexcept = 0;
  /// Whether the mark is reached, or no work runs any more. True before it was moved.
  virtual bool passed(size_t mark) noexcept = 0;
};

/// What an object leaves behind while work may use it. Made with the object, so that destroying it needs no memory.
class Remains {
 public:
  Remains() = default;
  Remains(const Remains&) = delete;
  /// Releases what is left. Must not throw.
  virtual ~Remains() = default;

 private:
  friend class Retirement;
  Remains* next_ = nullptr;
};

/// Keeps the remains of objects until the work that may use them is done. Thread-safe.
///
/// What is retired at one point forms a group, which waits for a mark of each work. If all marks are taken, the last
/// group's move on for what joins it. So a few marks are enough for any number of objects, and are made ahead.
class Retirement {
 public:
  Retirement() = default;
  /// Leaks what drain() has not released, since the device may still use it.
  ~Retirement() = default;
  Retirement(const Retirement&) = delete;

  /// This work counts as using every object, as long as it lives.
  void add(const std::shared_ptr<Work>& work) { works_.add(work); }
  /// Releases the remains once the work that is submitted or being recorded now is done: at once, or in a later
  /// collect().
  void retire(std::unique_ptr<Remains> remains) noexcept;
  /// Releases what is due, in the order in which it was retired.
  void collect() noexcept;
  /// Releases everything, in the same order. For a device that is idle and about to be destroyed.
  void drain() noexcept;

 private:
  /// First in, first out.
  struct Chain {
    Remains *first = nullptr, *last = nullptr;

    void append(Chain other);
    void release();
  };

  /// The group that what is retired now belongs to. Needs the lock.
  size_t current_group() noexcept;

  std::mutex mutex_;
  std::array<Chain, Work::marks> groups_;  ///< By mark.
  size_t first_ = 0, used_ = 0;            ///< The oldest group, and the number of groups; they take turns.
  WeakList<Work> works_;
};

}  // namespace weft::core
