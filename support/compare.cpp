#include "support/compare.h"

#include <algorithm>

namespace weft::support {

std::vector<std::byte> gather(const Array& array, std::span<const uint64_t> indices) {
  const size_t width = bytes(array.type);
  std::vector<std::byte> gathered(indices.size() * width);
  for (size_t i = 0; i < indices.size(); ++i) {
    std::copy_n(array.data.begin() + std::ptrdiff_t(indices[i] * width), width,
                gathered.begin() + std::ptrdiff_t(i * width));
  }
  return gathered;
}

std::optional<std::string> first_difference(ScalarType type, std::span<const std::byte> got,
                                            std::span<const std::byte> expected, const std::string& what) {
  const auto at = size_t(std::ranges::mismatch(got, expected).in1 - got.begin());
  if (at == got.size() && at == expected.size()) return std::nullopt;
  const size_t number = at / bytes(type), first = number * bytes(type);
  const auto text = [&](std::span<const std::byte> numbers) {
    return first < numbers.size() ? format_value(type, &numbers[first]) : "nothing";
  };
  return what + " " + std::to_string(number) + ": got " + text(got) + ", expected " + text(expected);
}

}  // namespace weft::support
