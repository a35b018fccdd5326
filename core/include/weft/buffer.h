#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <weft/api.h>
#include <weft/error.h>

namespace weft {

namespace backend {
class Buffer;
}

template <typename T>
concept DeviceCopyable = std::is_trivially_copyable_v<std::remove_const_t<T>>;

/// A device address, for a buffer reference of a kernel: eight bytes in a push-constant block.
template <typename T>
struct Pointer {
  uint64_t address = 0;
};

/// A range of bytes in a buffer: a view without its element type. Does not own; keep the Buffer alive.
struct WEFT_API Region {
  backend::Buffer* buffer = nullptr;
  uint64_t offset = 0;  ///< Bytes from the start of the buffer.
  uint64_t bytes = 0;

  /// Device address of the first byte; 0 without a buffer.
  uint64_t address() const;
  /// A range within this one; `offset` counts from its start. Throws invalid_argument if it reaches past the end.
  Region part(uint64_t offset, uint64_t bytes) const;
};

namespace detail {
// Out of line, because a program may be compiled without exceptions.
[[noreturn]] WEFT_API void throw_past_end(uint64_t first, uint64_t count, uint64_t size);
[[noreturn]] WEFT_API void throw_partial_element(uint64_t bytes, uint64_t element_bytes);
}  // namespace detail

/// `size()` elements of T in device memory, like std::span. Does not own; a View is invalid once its Buffer is gone.
template <DeviceCopyable T>
class View {
 public:
  View() = default;
  explicit View(const Region& region) : region_(region) {}
  /// Converts a view of T to a view of const T. (A template, because for a non-const T this would be the copy
  /// constructor.)
  template <typename U>
    requires std::is_same_v<const U, T>
  View(const View<U>& other) : region_(other.region()) {}

  uint64_t size() const { return region_.bytes / sizeof(T); }
  uint64_t bytes() const { return region_.bytes; }
  bool empty() const { return region_.bytes == 0; }
  const Region& region() const { return region_; }
  operator const Region&() const { return region_; }
  Pointer<std::remove_const_t<T>> pointer() const { return {region_.address()}; }

  /// `count` elements, starting with index `first`. Throws invalid_argument if they reach past the end.
  View part(uint64_t first, uint64_t count) const {
    if (first > size() || count > size() - first) detail::throw_past_end(first, count, size());
    return View(region_.part(first * sizeof(T), count * sizeof(T)));
  }
  /// All elements from index `first` to the end.
  View from(uint64_t first) const { return part(first, first <= size() ? size() - first : 0); }
  /// The same bytes as elements of U. Throws invalid_argument unless their number is a multiple of U's size.
  template <DeviceCopyable U>
  View<U> as() const {
    if (region_.bytes % sizeof(U) != 0) detail::throw_partial_element(region_.bytes, sizeof(U));
    return View<U>(region_);
  }

 private:
  Region region_;
};

/// Owns `size()` elements of T in device memory. Made by Device::buffer(); movable, not copyable.
///
/// May be destroyed while recorded or submitted work uses it: the memory stays until that work is done. Const members
/// are thread-safe.
template <DeviceCopyable T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::shared_ptr<backend::Buffer> impl, uint64_t count) : impl_(std::move(impl)), count_(count) {}
  Buffer(Buffer&& other) noexcept : impl_(std::move(other.impl_)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    impl_ = std::move(other.impl_);
    count_ = std::exchange(other.count_, 0);
    return *this;
  }

  uint64_t size() const { return count_; }
  uint64_t bytes() const { return count_ * sizeof(T); }
  bool empty() const { return count_ == 0; }
  Pointer<T> pointer() const { return {view().region().address()}; }

  View<T> view() const { return View<T>(Region{impl_.get(), 0, bytes()}); }
  View<T> part(uint64_t first, uint64_t count) const { return view().part(first, count); }
  operator View<T>() const { return view(); }
  operator View<const T>() const { return view(); }
  operator Region() const { return view().region(); }
  const std::shared_ptr<backend::Buffer>& shared_impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Buffer> impl_;
  uint64_t count_ = 0;
};

}  // namespace weft
