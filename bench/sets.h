#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/device.h>
#include <weft/stream.h>

#include "bench/benchmark.h"
#include "bench/random_data.h"
#include "support/scalar_type.h"

namespace weft::bench {

/// The predicate of compact and enqueue, true for about half of random_element(); and the same in GLSL.
template <typename T>
bool is_kept(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x < T(0.5);
  } else if constexpr (std::is_signed_v<T>) {
    return x < 0;
  } else {
    return x < T(1) << (8 * sizeof(T) - 1);
  }
}
std::string kept_expression(support::ScalarType type);
/// is_kept() keeps values below this limit.
double kept_limit(support::ScalarType type);
/// Returns the number of the problem's elements that is_kept() keeps.
uint64_t count_kept(const Problem& problem);

/// An array for each set, in one buffer.
class Sets {
 public:
  Sets(const Device& device, uint64_t bytes, uint32_t sets);

  Region operator[](uint32_t set) const { return Region(buffer_).part(set * stride_, bytes_); }
  Region all() const { return buffer_; }
  uint32_t count() const { return sets_; }

 private:
  uint64_t bytes_, stride_;
  uint32_t sets_;
  Buffer<std::byte> buffer_;
};

/// Returns random elements in each set.
Sets random_inputs(const Problem& problem);
/// Returns the elements' 32-bit indices in each set.
Sets index_inputs(const Problem& problem);

/// Uploads the same data to each set.
template <typename T>
void upload_to_sets(Stream& stream, const Sets& sets, const std::vector<T>& data) {
  stream.upload(View<T>(sets[0]), std::span<const T>(data));
  for (uint32_t set = 1; set < sets.count(); ++set) stream.copy_region(sets[0], sets[set]);
  stream.synchronize();
}

/// Workgroups of 256 for an invocation for each element, in rows of 32768.
Groups grid_of(uint64_t count);
/// Throws unsupported unless elements are u32 and their number has 32 bits: for cases whose elements are invocations.
void check_invocations(const Problem& problem);

/// Fills the region with a pattern unlikely to occur in a result.
void poison_region(Stream& stream, const Region& region);

/// Downloads a region piece by piece and calls `check(first_index, std::span<const T>)` until it returns a message.
template <typename T, typename Check>
std::optional<std::string> check_in_chunks(Stream& stream, const Region& region, Check&& check) {
  constexpr uint64_t chunk = (uint64_t(64) << 20) / sizeof(T);
  const View<const T> view(region);
  std::vector<T> piece(size_t(std::min(chunk, view.size())));
  for (uint64_t first = 0; first < view.size(); first += chunk) {
    const auto part = std::span(piece).first(size_t(std::min(chunk, view.size() - first)));
    stream.download(view.part(first, part.size()), part);
    if (auto wrong = check(first, std::span<const T>(part))) return wrong;
  }
  return std::nullopt;
}

}  // namespace weft::bench
