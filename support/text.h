#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::support {

/// printf() to a std::string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

std::string format_bytes(uint64_t bytes);          ///< "1.50 GiB"
std::string format_seconds(double seconds);        ///< "12.3 us"
std::string format_rate(double bytes_per_second);  ///< "4.06 TB/s", decimal
std::string format_frequency(double per_second);   ///< "131 M/s"
std::string format_digits(double value);           ///< Three digits, at most two decimals: "0.07", "12.3", "4056"
std::string format_count(uint64_t count);          ///< "1,048,576"
std::string format_size(uint64_t count);           ///< "2^20" for powers of two from 1024 on, else as format_count()

/// Parses a number with an optional suffix K, M or G (powers of 1024), or a power such as 2^20. Throws
/// invalid_argument; the message starts with `what`.
uint64_t parse_size(std::string_view text, const std::string& what);
/// Parses a number from `first` to `last`. Throws as parse_size() does.
uint64_t parse_number(std::string_view text, const std::string& what, uint64_t first, uint64_t last);
/// Parses a 32-bit number. Throws as parse_size() does.
uint32_t parse_u32(std::string_view text, const std::string& what);

/// Escapes control characters, which a terminal would obey, as \x1b and the like; newlines and tabs stay.
std::string printable(std::string_view text);

/// Returns the parts between separators, including empty ones.
std::vector<std::string> split(std::string_view text, char separator);

/// Returns the candidate that `word` most likely misspells, if one is close enough.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates);

/// Rows of cells in aligned columns; numbers align right.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    size_t width = 0;  ///< Minimum; longer cells push the rest of their row to the right.
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  std::string header() const;
  std::string row(const std::vector<std::string>& cells) const;
  /// Widens the columns to hold these cells.
  void fit(const std::vector<std::string>& cells);

 private:
  std::vector<Column> columns_;
};

}  // namespace weft::support
