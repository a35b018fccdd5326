#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include <weft/weft.h>

namespace weft::test {

/// Device memory between two guard zones. All of it starts as random bytes, which exposes elements that a kernel does
/// not write. The guard zones are compared afterwards, which exposes writes outside the memory.
class GuardedBytes {
 public:
  /// Allocates `bytes` of memory, which start `misalignment` bytes after a multiple of 256.
  GuardedBytes(const Device& device, Stream& stream, uint64_t bytes, uint64_t misalignment, std::mt19937_64& generator);

  Region region() const;
  /// Overwrites the memory between the guards.
  void write(Stream& stream, std::span<const std::byte> data);
  /// Downloads the memory between the guards. Fails the running test if a guard has changed.
  std::vector<std::byte> read(Stream& stream) const;
  /// Checks the guards, as read() does.
  void check_guards(Stream& stream) const { read(stream); }
  /// The initial contents of the memory.
  std::span<const std::byte> poison() const;

 private:
  std::vector<std::byte> before_;
  Buffer<std::byte> buffer_;
  uint64_t offset_, bytes_;
};

/// Like GuardedBytes, for `count` elements of T.
template <DeviceCopyable T>
class Guarded {
 public:
  Guarded(const Device& device, Stream& stream, uint64_t count, std::mt19937_64& generator, uint64_t misalignment = 0)
      : bytes_(device, stream, count * sizeof(T), misalignment, generator) {}
  Guarded(const Device& device, Stream& stream, const std::vector<T>& data, std::mt19937_64& generator,
          uint64_t misalignment = 0)
      : Guarded(device, stream, data.size(), generator, misalignment) {
    bytes_.write(stream, std::as_bytes(std::span(data)));
  }

  View<T> view() const { return View<T>(bytes_.region()); }
  operator Region() const { return bytes_.region(); }
  std::vector<T> read(Stream& stream) const { return as_elements(bytes_.read(stream)); }
  std::vector<T> poison() const { return as_elements(bytes_.poison()); }
  void check_guards(Stream& stream) const { bytes_.check_guards(stream); }

 private:
  static std::vector<T> as_elements(std::span<const std::byte> bytes) {
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  GuardedBytes bytes_;
};

std::vector<std::byte> random_bytes(size_t count, std::mt19937_64& generator);

}  // namespace weft::test
