#pragma once

#include <cstdint>
#include <utility>

namespace weft::core {

/// Owns what the system has opened, and closes it: a file descriptor on Linux, a HANDLE on Windows.
class Handle {
 public:
  Handle() = default;
  explicit Handle(intptr_t number) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Handle();

  intptr_t number() const { return number_; }
  explicit operator bool() const { return number_ != none; }
  /// Closes a file after writing. Some file systems report write errors only here, as std::system_error.
  void close();
  /// Gives up ownership and returns the number.
  intptr_t release() { return std::exchange(number_, none); }

 private:
  static constexpr intptr_t none = -1;
  intptr_t number_ = none;
};

}  // namespace weft::core
