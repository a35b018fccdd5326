#pragma once

#include <bit>
#include <numeric>
#include <optional>

#include <weft/comparison.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>

#include "elements.h"
#include "sizes.h"

namespace weft::test {

/// A comparison on the device and on the host.
template <typename T>
struct TestComparison {
  Comparison on_device;
  bool (*on_host)(const T& a, const T& b);
};

/// The bits of a float as an integer that has their total order: -0 before +0, NaNs at the ends.
template <typename T>
auto ordered_bits(T x) {
  using Bits = std::conditional_t<sizeof(T) == 2, int16_t, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
  const auto bits = std::bit_cast<Bits>(x);
  return bits < 0 ? Bits(bits ^ std::numeric_limits<Bits>::max()) : bits;
}

/// An order in which many elements are equal, so that stability shows. For structs of any fields.
template <typename T>
TestComparison<T> comparison_of() {
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
    return {Comparison::ascending(), [](const T& a, const T& b) { return ordered_bits(a) < ordered_bits(b); }};
  } else if constexpr (std::is_integral_v<T>) {
    return {Comparison::by("(a & T(63)) > (b & T(63))"), [](const T& a, const T& b) { return (a & 63) > (b & 63); }};
  } else if constexpr (std::is_same_v<T, AffineMap>) {
    return {Comparison::by("a.shift % 50u < b.shift % 50u"),
            [](const AffineMap& a, const AffineMap& b) { return a.shift % 50 < b.shift % 50; }};
  } else if constexpr (std::is_same_v<T, Range>) {
    return {Comparison::by("weft_ascending(b.low, a.low)"),
            [](const Range& a, const Range& b) { return b.low < a.low; }};
  } else if constexpr (std::is_same_v<T, Matrix>) {
    return {Comparison::by("(a.first.x & 7u) < (b.first.x & 7u)"),
            [](const Matrix& a, const Matrix& b) { return (a.m[0] & 7) < (b.m[0] & 7); }};
  } else {
    return {Comparison::by("a.bits.z >> 20 < b.bits.z >> 20"),
            [](const Five& a, const Five& b) { return a.bits[2] >> 20 < b.bits[2] >> 20; }};
  }
}

/// Elements and the values that they carry: sorted together by the elements, stably.
template <typename T, typename V>
void sort_reference(std::vector<T>& elements, std::vector<V>& values, bool (*before)(const T&, const T&)) {
  std::vector<size_t> order(elements.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return before(elements[i], elements[j]); });
  const std::vector<T> old_elements = elements;
  const std::vector<V> old_values = values;
  for (size_t i = 0; i < order.size(); ++i) {
    elements[i] = old_elements[order[i]];
    if (!values.empty()) values[i] = old_values[order[i]];
  }
}

/// How the arguments lie in memory.
struct SortPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  bool in_place = false;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of input and output behind `count`, which must stay as they are.
};

/// Sorts `data` in guarded memory full of random bytes, with random values unless V is void, and compares.
template <typename V, typename T>
void check_merge_sort(Stream& stream, const MergeSort& plan, const TestComparison<T>& comparison,
                      const std::vector<T>& data, std::mt19937_64& generator, const SortPlacement& placement = {}) {
  constexpr bool with_values = !std::is_void_v<V>;
  using Value = std::conditional_t<with_values, V, uint32_t>;
  const uint64_t count = data.size() - placement.behind, carried = with_values ? data.size() : 0;
  INFO("elements: ", count, ", input misaligned by ", placement.input_misalignment, ", output by ",
       placement.output_misalignment, ", in place: ", placement.in_place,
       ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> separate(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<T>& output = placement.in_place ? input : separate;
  const std::vector<Value> values = random_elements<Value>(carried, generator);
  const Guarded<Value> input_values(device, stream, values, generator, placement.input_misalignment);
  const Guarded<Value> separate_values(device, stream, carried, generator, placement.output_misalignment);
  const Guarded<Value>& output_values = placement.in_place ? input_values : separate_values;
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const Buffer<uint64_t> count_word = device.buffer<uint64_t>(1);
  stream.upload(count_word, std::vector<uint64_t>{count});

  std::vector<T> expected = placement.in_place ? data : output.poison();
  std::vector<Value> expected_values = placement.in_place ? values : output_values.poison();
  std::vector<T> sorted(data.begin(), data.begin() + std::ptrdiff_t(count));
  std::vector<Value> sorted_values(values.begin(), values.begin() + std::ptrdiff_t(with_values ? count : 0));
  sort_reference(sorted, sorted_values, comparison.on_host);
  std::copy(sorted.begin(), sorted.end(), expected.begin());
  std::copy(sorted_values.begin(), sorted_values.end(), expected_values.begin());

  plan.record(stream, {.input = input,
                       .input_values = with_values ? Region(input_values) : Region(),
                       .output = output,
                       .output_values = with_values ? Region(output_values) : Region(),
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  check_same(output.read(stream), expected, "the sorted elements");
  check_same(output_values.read(stream), expected_values, "their values");
  if (!placement.in_place) check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

}  // namespace weft::test
