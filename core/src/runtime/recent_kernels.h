#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace weft::core {

/// The names of the last different kernels that a stream was given since it was last known to be idle, for the error of
/// a wait that takes too long.
class RecentKernels {
 public:
  void add(const std::string& name) {
    for (const std::string& known : names_) {
      if (known == name) return;
    }
    names_[next_++ % names_.size()] = name;
  }
  void clear() { names_ = {}; }

  /// "'first', 'second'", in no order; empty without kernels.
  std::string text() const {
    std::string list;
    for (const std::string& name : names_) {
      if (!name.empty()) list += (list.empty() ? "'" : ", '") + name + "'";
    }
    return list;
  }

 private:
  std::array<std::string, 4> names_;
  size_t next_ = 0;
};

}  // namespace weft::core
