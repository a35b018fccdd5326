#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft::core {

/// Writes values one after the other, in this machine's byte order.
class ByteWriter {
 public:
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void value(T value) {
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  void bytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void text(std::string_view text) {
    value(uint32_t(text.size()));
    bytes(std::as_bytes(std::span(text)));
  }
  void words(std::span<const uint32_t> words) {
    value(uint32_t(words.size()));
    bytes(std::as_bytes(words));
  }
  /// The number of `items`, then what `write` writes of each.
  template <typename Items, typename Write>
  void list(const Items& items, const Write& write) {
    value(uint32_t(items.size()));
    for (const auto& item : items) write(item);
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote. What is missing reads as zero or empty; whole() says at the end whether everything was
/// there, and nothing more.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  T value() {
    T value{};
    const std::span<const std::byte> from = bytes(sizeof(T));
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> bytes(size_t count) {
    if (count > rest_.size()) {
      missing_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  std::string text() {
    const auto from = bytes(value<uint32_t>());
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }
  std::vector<uint32_t> words() {
    const auto from = bytes(size_t{value<uint32_t>()} * sizeof(uint32_t));
    std::vector<uint32_t> words(from.size() / sizeof(uint32_t));
    if (!from.empty()) std::memcpy(words.data(), from.data(), from.size());
    return words;
  }
  template <typename Item, typename Read>
  std::vector<Item> list(const Read& read) {
    std::vector<Item> items;
    for (uint32_t left = value<uint32_t>(); left > 0 && !missing_; --left) items.push_back(read());
    return items;
  }

  bool whole() const { return !missing_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool missing_ = false;
};

}  // namespace weft::core
