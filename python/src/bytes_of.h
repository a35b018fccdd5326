#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>

namespace weft::python {

/// The bytes of an object with the buffer protocol, such as a NumPy array, while this lives. Throws what the object
/// raises if it has none, or none that can be written, or if they are not contiguous.
class BytesOf {
 public:
  enum class Access { read, write };

  BytesOf(nanobind::handle object, Access access) {
    if (PyObject_GetBuffer(object.ptr(), &view_, access == Access::write ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) {
      throw nanobind::python_error();
    }
  }
  ~BytesOf() { PyBuffer_Release(&view_); }
  BytesOf(const BytesOf&) = delete;

  std::span<const std::byte> bytes() const { return writable(); }
  std::span<std::byte> writable() const { return {static_cast<std::byte*>(view_.buf), size_t(view_.len)}; }

 private:
  Py_buffer view_{};
};

}  // namespace weft::python
