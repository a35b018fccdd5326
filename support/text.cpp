#include "support/text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <numeric>

#include <weft/error.h>

namespace weft::support {
namespace {

// Formats three significant digits, with the largest unit that keeps the value at least 1.
std::string with_unit(double value, double step, std::span<const char* const> units) {
  size_t unit = 0;
  while (value >= step * (1 - 5e-4) && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  return format_digits(value) + " " + units[unit];
}

// The number of edits that turn one word into the other: insert, delete, replace, swap neighbours.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string pad(const std::string& text, size_t width, Table::Align align) {
  // The width in characters, not bytes: device names may hold UTF-8.
  const size_t shown = size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  const std::string blank(width > shown ? width - shown : 0, ' ');
  return align == Table::Align::right ? blank + text : text + blank;
}

}  // namespace

std::string format(const char* pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  std::string text(size_t(std::vsnprintf(nullptr, 0, pattern, arguments)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

std::string format_digits(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return format("%.*f", value == 0 ? 0 : decimals, value);
}

std::string format_bytes(uint64_t bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return format("%d bytes", int(bytes));
  return with_unit(double(bytes), 1024, units);
}

std::string format_seconds(double seconds) {
  static constexpr const char* units[] = {"ns", "us", "ms"};
  return seconds < 0.9995 ? with_unit(seconds * 1e9, 1000, units) : format("%.2f s", seconds);
}

std::string format_rate(double bytes_per_second) {
  static constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  return with_unit(bytes_per_second, 1000, units);
}

std::string format_frequency(double per_second) {
  static constexpr const char* units[] = {"/s", "k/s", "M/s", "G/s", "T/s"};
  return with_unit(per_second, 1000, units);
}

std::string format_count(uint64_t count) {
  std::string text = std::to_string(count);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string format_size(uint64_t count) {
  return count >= 1024 && std::has_single_bit(count) ? format("2^%d", std::countr_zero(count)) : format_count(count);
}

uint64_t parse_size(std::string_view text, const std::string& what) {
  if (const size_t caret = text.find('^'); caret != std::string_view::npos) {
    const auto base = number(text.substr(0, caret)), exponent = number(text.substr(caret + 1));
    if (base && exponent && *exponent < 64) {
      uint64_t value = 1;
      bool overflow = false;
      for (uint64_t i = 0; i < *exponent; ++i) overflow |= __builtin_mul_overflow(value, *base, &value);
      if (!overflow) return value;
    }
  } else {
    int shift = 0;
    if (text.ends_with('K')) shift = 10;
    if (text.ends_with('M')) shift = 20;
    if (text.ends_with('G')) shift = 30;
    const auto value = number(shift ? text.substr(0, text.size() - 1) : text);
    if (value && *value << shift >> shift == *value) return *value << shift;
  }
  throw Error(ErrorCode::invalid_argument,
              what + ": '" + std::string(text) + "' is not a size; write a number such as 4096, 64K, 16M or 2^20");
}

uint64_t parse_number(std::string_view text, const std::string& what, uint64_t first, uint64_t last) {
  const auto value = number(text);
  if (value && *value >= first && *value <= last) return *value;
  throw Error(ErrorCode::invalid_argument, what + ": '" + std::string(text) + "' is not a number from " +
                                               std::to_string(first) + " to " + std::to_string(last));
}

uint32_t parse_u32(std::string_view text, const std::string& what) {
  return uint32_t(parse_number(text, what, 0, std::numeric_limits<uint32_t>::max()));
}

std::string printable(std::string_view text) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = uint8_t(text[i]);
    // In UTF-8 the control characters 0x80 to 0x9f are preceded by 0xc2.
    const bool wide = c == 0xc2 && i + 1 < text.size() && (uint8_t(text[i + 1]) & 0xe0) == 0x80;
    const bool obeyed = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || wide;
    shown += obeyed ? format("\\x%02x", wide ? uint8_t(text[++i]) : c) : std::string(1, text[i]);
  }
  return shown;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  // A third of the letters may be wrong, but not all.
  size_t best_distance = std::min(word.size(), std::max<size_t>(1, word.size() / 3) + 1);
  for (const std::string& candidate : candidates) {
    const size_t d = distance(word, candidate);
    if (d < best_distance) {
      best = &candidate;
      best_distance = d;
    }
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string Table::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i) line += "  ";
    line += pad(cells[i], std::max(columns_[i].width, columns_[i].title.size()), columns_[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

void Table::fit(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) columns_[i].width = std::max(columns_[i].width, cells[i].size());
}

}  // namespace weft::support
