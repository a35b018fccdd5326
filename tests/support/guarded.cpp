#include "tests/support/guarded.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace weft::test {

namespace {
constexpr uint64_t guard_bytes = 4096;
}

std::vector<std::byte> random_bytes(size_t count, std::mt19937_64& generator) {
  std::vector<std::byte> bytes(count);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint64_t word = generator();
    std::memcpy(&bytes[i], &word, 8);
  }
  for (uint64_t word = generator(); i < count; ++i, word >>= 8) bytes[i] = std::byte(word & 0xff);
  return bytes;
}

GuardedBytes::GuardedBytes(const Device& device, Stream& stream, uint64_t bytes, uint64_t misalignment,
                           std::mt19937_64& generator)
    : before_(random_bytes(guard_bytes + misalignment + bytes + guard_bytes, generator)),
      buffer_(device.buffer<std::byte>(before_.size())),
      offset_(guard_bytes + misalignment),
      bytes_(bytes) {
  stream.upload(buffer_, before_);
}

Region GuardedBytes::region() const { return buffer_.part(offset_, bytes_).region(); }

void GuardedBytes::write(Stream& stream, std::span<const std::byte> data) { stream.upload_region(region(), data); }

std::vector<std::byte> GuardedBytes::read(Stream& stream) const {
  std::vector<std::byte> now = stream.download(buffer_);
  CHECK_MESSAGE(std::equal(now.begin(), now.begin() + offset_, before_.begin()),
                "something was written before the start of a region");
  const auto end = now.begin() + offset_ + bytes_;
  CHECK_MESSAGE(std::equal(end, now.end(), before_.begin() + offset_ + bytes_),
                "something was written after the end of a region");
  return {now.begin() + offset_, end};
}

std::span<const std::byte> GuardedBytes::poison() const { return std::span(before_).subspan(offset_, bytes_); }

}  // namespace weft::test
