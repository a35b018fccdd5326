#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "python/src/device.h"
#include "python/src/dtype.h"

namespace weft::python {

namespace nb = nanobind;

class OpenStream;

/// Device memory, which several arrays may share: of Weft's own, which returns to the device's pool, or another's.
class Memory {
 public:
  /// Uninitialised.
  Memory(const std::shared_ptr<OpenDevice>& device, uint64_t bytes);
  /// `owner` is kept as long as this.
  Memory(const std::shared_ptr<OpenDevice>& device, Buffer<std::byte> buffer, nb::object owner, bool is_writable);
  ~Memory();
  Memory(const Memory&) = delete;

  const std::shared_ptr<OpenDevice>& device() const { return device_; }
  const Buffer<std::byte>& buffer() const { return buffer_; }
  /// Whether results may be written to it.
  bool is_writable() const { return is_writable_; }
  /// Whether the process sees it in place, so that results must stand there as soon as a function returns.
  bool is_seen() const { return views > 0; }
  /// It does not return to the pool, since others may use it after Python's last reference.
  void share() { is_shared_ = true; }

  /// The stream that used it last; another one waits for it. Null: none has, or one that is gone.
  std::shared_ptr<OpenStream> stream{};
  /// The point up to which another library's stream used it.
  Event point{};
  /// The point in the last work on it; done where there was none.
  Event last_point() const;
  /// The stream on which another library uses it, which waits for Weft's; null for Weft's own memory.
  std::shared_ptr<OpenStream> home{};
  /// Number of views of the process, such as NumPy arrays.
  uint64_t views = 0;

 private:
  const std::shared_ptr<OpenDevice> device_;
  Buffer<std::byte> buffer_;
  const nb::object owner_;
  const bool is_writable_ = true;
  bool is_shared_ = false;
};

/// Elements of one type, one after the other on a device: of one dimension, or a single one of none.
class Array {
 public:
  Array(std::shared_ptr<Memory> memory, SharedDType dtype, uint64_t offset, uint64_t size, bool is_single)
      : memory_(std::move(memory)), dtype_(std::move(dtype)), offset_(offset), size_(size), is_single_(is_single) {}

  /// Uninitialised.
  static Array empty(const std::shared_ptr<OpenDevice>& device, const SharedDType& dtype, uint64_t size,
                     bool is_single);
  /// Of a contiguous object with the buffer protocol, in place, on the host device.
  static Array of_host(const std::shared_ptr<OpenDevice>& device, nb::handle data, const SharedDType& dtype,
                       bool is_single);

  const std::shared_ptr<Memory>& memory() const { return memory_; }
  const SharedDType& dtype() const { return dtype_; }
  uint64_t size() const { return size_; }
  uint64_t bytes() const { return size_ * dtype_->bytes; }
  uint64_t offset() const { return offset_; }
  bool is_single() const { return is_single_; }
  Region region() const { return memory_->buffer().view().region().part(offset_, bytes()); }

  Array part(uint64_t first, uint64_t count) const;
  /// The single element as an array of no dimension.
  Array at(uint64_t index) const;
  /// The same bytes as elements of another type.
  Array as(const SharedDType& dtype) const;

  /// Blocks until the work on it is done.
  void wait() const;
  /// Records a copy of an array of the same device and as many bytes.
  void copy_from(const Array& other);
  /// Copies from and to an object with the buffer protocol, whose bytes are as many as the array's.
  void upload(nb::handle data);
  void download(nb::handle data) const;
  /// The number in an array of one uint64.
  uint64_t read_count() const;

 private:
  /// Copies to the process: few bytes right behind the work on them, unless that takes long.
  void download_to(std::span<std::byte> data) const;
  bool download_soon(std::span<std::byte> data) const;
  void require_writable() const;
  /// The stream that used it last, or the device's if that is another library's.
  OpenStream& own_stream() const;

  std::shared_ptr<Memory> memory_;
  SharedDType dtype_;
  uint64_t offset_ = 0;  // in bytes
  uint64_t size_ = 0;
  bool is_single_ = false;
};

}  // namespace weft::python
