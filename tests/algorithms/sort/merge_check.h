#pragma once

#include <bit>
#include <numeric>
#include <optional>

#include <weft/comparison.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>

#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/sizes.h"

namespace weft::test {

/// A comparison on the device and on the host.
template <typename T>
struct TestComparison {
  Comparison on_device;
  bool (*on_host)(const T& a, const T& b);
};

/// The order bits of a float: an integer that compares as the float does, with -0 before +0 and NaNs at the ends.
template <typename T>
auto order_bits(T x) {
  using Bits = std::conditional_t<sizeof(T) == 2, int16_t, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
  const auto bits = std::bit_cast<Bits>(x);
  return bits < 0 ? Bits(bits ^ std::numeric_limits<Bits>::max()) : bits;
}

/// An ordering in which many elements are equal, so that stability shows. For structs with any fields.
template <typename T>
TestComparison<T> comparison_of() {
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
    return {Comparison::ascending(), [](const T& a, const T& b) { return order_bits(a) < order_bits(b); }};
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
  } else if constexpr (std::is_same_v<T, Mixed>) {
    return {Comparison::by("a.lowest.y / int16_t(1000) < b.lowest.y / int16_t(1000)"),
            [](const Mixed& a, const Mixed& b) { return a.lowest[1] / 1000 < b.lowest[1] / 1000; }};
  } else if constexpr (std::is_same_v<T, Pixel>) {
    return {Comparison::by("a.green > b.green"), [](const Pixel& a, const Pixel& b) { return a.green > b.green; }};
  } else {
    return {Comparison::by("a.bits.z >> 20 < b.bits.z >> 20"),
            [](const Five& a, const Five& b) { return a.bits[2] >> 20 < b.bits[2] >> 20; }};
  }
}

/// Sorts elements and their values by the elements, stably.
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

/// Layout of the arguments in memory.
struct MergeSortPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  bool in_place = false;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of input and output after `count`, which must not change.
};

inline std::string described(const MergeSortPlacement& placement) {
  const auto text = [](uint64_t number) { return std::to_string(number); };
  return "input misaligned by " + text(placement.input_misalignment) + ", output by " +
         text(placement.output_misalignment) + (placement.in_place ? ", in place" : "") +
         (placement.count_on_device ? ", count on device" : "");
}

/// The value type of a plan for V; none for void.
template <typename V>
std::optional<Element> value_element() {
  if constexpr (std::is_void_v<V>) {
    return std::nullopt;
  } else {
    return Elements<V>::element();
  }
}

/// The arguments of a sort in guarded memory full of random bytes, with random values unless V is void.
template <typename V, typename T>
class SortMemory {
 public:
  static constexpr bool with_values = !std::is_void_v<V>;
  using Value = std::conditional_t<with_values, V, uint32_t>;

  SortMemory(Stream& stream, const std::vector<T>& data, uint64_t temporary_bytes, std::mt19937_64& generator,
             const MergeSortPlacement& placement)
      : stream_(stream),
        placement_(placement),
        data_(data),
        values_(random_elements<Value>(with_values ? data.size() : 0, generator)),
        input_(stream.device(), stream, data, generator, placement.input_misalignment),
        separate_(stream.device(), stream, data.size(), generator, placement.output_misalignment),
        input_values_(stream.device(), stream, values_, generator, placement.input_misalignment),
        separate_values_(stream.device(), stream, values_.size(), generator, placement.output_misalignment),
        temporary_(stream.device(), stream, temporary_bytes, 7, generator) {}

  uint64_t count() const { return data_.size() - placement_.behind; }
  Region input() const { return input_; }
  Region output() const { return placement_.in_place ? input_ : separate_; }
  Region input_values() const { return with_values ? Region(input_values_) : Region(); }
  Region output_values() const {
    return with_values ? Region(placement_.in_place ? input_values_ : separate_values_) : Region();
  }
  Region temporary() const { return temporary_.region(); }

  /// Compares the device's result for the first `count` elements and values with that of `sort`.
  template <typename Sort>
  void check(const Sort& sort) const {
    const auto end = std::ptrdiff_t(count());
    std::vector<T> sorted(data_.begin(), data_.begin() + end);
    std::vector<Value> sorted_values(values_.begin(), values_.begin() + (with_values ? end : 0));
    sort(sorted, sorted_values);
    const bool in_place = placement_.in_place;
    std::vector<T> expected = in_place ? data_ : separate_.poison();
    std::vector<Value> expected_values = in_place ? values_ : separate_values_.poison();
    std::copy(sorted.begin(), sorted.end(), expected.begin());
    std::copy(sorted_values.begin(), sorted_values.end(), expected_values.begin());
    check_same((in_place ? input_ : separate_).read(stream_), expected, "the sorted elements");
    check_same((in_place ? input_values_ : separate_values_).read(stream_), expected_values, "their values");
    if (!in_place) check_same(input_.read(stream_), data_, "the input afterwards");
    temporary_.check_guards(stream_);
  }

 private:
  Stream& stream_;
  MergeSortPlacement placement_;
  std::vector<T> data_;
  std::vector<Value> values_;
  Guarded<T> input_, separate_;
  Guarded<Value> input_values_, separate_values_;
  GuardedBytes temporary_;
};

/// Sorts `data` and compares the result.
template <typename V, typename T>
void check_merge_sort(Stream& stream, const MergeSort& plan, const TestComparison<T>& comparison,
                      const std::vector<T>& data, std::mt19937_64& generator,
                      const MergeSortPlacement& placement = {}) {
  const SortMemory<V, T> memory(stream, data, plan.temporary_bytes(), generator, placement);
  INFO("elements: ", memory.count(), ", ", described(placement));
  const DeviceCounts count_word(stream, std::vector{memory.count()}, generator);
  plan.record(stream, {.input = memory.input(),
                       .input_values = memory.input_values(),
                       .output = memory.output(),
                       .output_values = memory.output_values(),
                       .count = placement.count_on_device ? Count(count_word) : Count(memory.count()),
                       .temporary = memory.temporary()});
  memory.check([&](auto& elements, auto& values) { sort_reference(elements, values, comparison.on_host); });
}

}  // namespace weft::test
