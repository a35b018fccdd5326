#include "compare.h"

#include <algorithm>

namespace weft::tools {

std::vector<std::byte> gather(const Array& array, std::span<const uint64_t> places) {
  const size_t width = bytes(array.type);
  std::vector<std::byte> gathered(places.size() * width);
  for (size_t i = 0; i < places.size(); ++i) {
    std::copy_n(array.data.begin() + std::ptrdiff_t(places[i] * width), width,
                gathered.begin() + std::ptrdiff_t(i * width));
  }
  return gathered;
}

std::optional<std::string> first_difference(ScalarType type, std::span<const std::byte> got,
                                            std::span<const std::byte> expected, const std::string& what) {
  const auto at = std::ranges::mismatch(got, expected).in1 - got.begin();
  if (size_t(at) == got.size()) return std::nullopt;
  const size_t number = size_t(at) / bytes(type), first = number * bytes(type);
  return what + " " + std::to_string(number) + ": got " + format_value(type, &got[first]) + ", expected " +
         format_value(type, &expected[first]);
}

}  // namespace weft::tools
