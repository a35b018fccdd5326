#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tools {

/// A printf for std::string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

std::string format_bytes(uint64_t bytes);          ///< "1.50 GiB"
std::string format_seconds(double seconds);        ///< "12.3 us"
std::string format_rate(double bytes_per_second);  ///< "4.06 TB/s", decimal
std::string format_frequency(double per_second);   ///< "131 M/s"
std::string format_digits(double value);  ///< Three digits, two of them after the point at most: "0.07", "12.3", "4056"
std::string format_count(uint64_t count);  ///< "1,048,576"
std::string format_size(uint64_t count);   ///< "2^20" for powers of two from 1024 on, otherwise as format_count()

/// A number with an optional K, M or G (times 1024), or a power such as 2^20. Throws invalid_argument, starting with
/// `what`.
uint64_t parse_size(std::string_view text, const std::string& what);
/// A number from `first` to `last`. Throws as parse_size() does.
uint64_t parse_number(std::string_view text, const std::string& what, uint64_t first, uint64_t last);
/// As parse_number() for a number that has 32 bits.
uint32_t parse_u32(std::string_view text, const std::string& what);

/// With \x1b and its like in place of control characters, which a terminal would obey; line ends and tabs stay.
std::string printable(std::string_view text);

/// Parts between separators, empty ones included.
std::vector<std::string> split(std::string_view text, char separator);

/// The candidate that `word` is most likely a misspelling of, if any is near.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates);

/// Rows of cells with their columns lined up; numbers to the right.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    size_t width = 0;  ///< At least this; longer cells push the rest of their row to the right.
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  std::string header() const;
  std::string row(const std::vector<std::string>& cells) const;
  /// Widens the columns to hold these cells.
  void fit(const std::vector<std::string>& cells);

 private:
  std::vector<Column> columns_;
};

}  // namespace weft::tools
