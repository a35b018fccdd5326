#pragma once

#include <memory>
#include <utility>

#include "core/src/platform/process.h"

namespace weft::core {

/// The process that made an object. A child made by fork() has a copy of the object, but none of its threads, and locks
/// as they were at that moment.
class Process {
 public:
  bool is_current() const { return number_ == process_number(); }

 private:
  uint64_t number_ = process_number();
};

/// Deletes an object in the process that made it. In a forked child the copy is left as it is: its destructor would
/// wait for threads that are not there, or reach into what the driver shares with the parent.
class DeleteWhereMade {
 public:
  template <class T>
  void operator()(T* object) const {
    if (process_.is_current()) delete object;
  }

 private:
  Process process_;
};

template <class T, class... Arguments>
std::shared_ptr<T> make_here(Arguments&&... arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), DeleteWhereMade());
}

}  // namespace weft::core
