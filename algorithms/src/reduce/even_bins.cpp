#include "algorithms/src/reduce/even_bins.h"

#include <bit>
#include <cmath>
#include <string>

#include "algorithms/src/base/number_text.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

[[noreturn]] void fail(const Bins& bins, const std::string& why) {
  core::invalid("Histogram",
                "the range from " + number_text(bins.lower) + " to " + number_text(bins.upper) + " " + why);
}

PreparedBins of_floats(const Bins& bins) {
  const auto lower = static_cast<float>(bins.lower), upper = static_cast<float>(bins.upper);
  const auto factor = static_cast<float>(bins.count / (bins.upper - bins.lower));
  if (!(lower < upper) || !std::isfinite(upper - lower) || !std::isnormal(factor)) {
    fail(bins, "cannot be divided in single precision into " + std::to_string(bins.count) + " bins.");
  }
  PreparedBins prepared;
  prepared.words.lower = std::bit_cast<uint32_t>(lower);
  prepared.words.last = std::bit_cast<uint32_t>(upper);
  prepared.words.factor = std::bit_cast<uint32_t>(factor);
  prepared.words.most = bins.count - 1;
  prepared.closed = bins.closed;
  return prepared;
}

void check_whole_ends(const Bins& bins) {
  if (bins.lower != std::floor(bins.lower) || bins.upper != std::floor(bins.upper)) {
    fail(bins, "must start and end at whole numbers, because the samples are integers.");
  }
}

bool is_signed(const Element& element) { return !element.glsl_type().starts_with("u"); }
double numbers_of(const Element& element) { return std::exp2(8 * element.bytes()); }
double smallest(const Element& element) { return is_signed(element) ? -numbers_of(element) / 2 : 0; }
// Of up to 32 bits.
double largest(const Element& element) { return smallest(element) + numbers_of(element) - 1; }

// Differences are taken modulo 2^32. So the range holds at most 2^32 numbers, as do the numbers from its start to the
// type's last, and from the type's first to its end. Returns whether it holds all of the type's numbers.
bool check_whole(const Element& element, const Bins& bins) {
  check_whole_ends(bins);
  const double least = smallest(element), most = largest(element);
  constexpr double words = 4294967296.0;
  if (bins.lower <= most - words || bins.upper > least + words || bins.upper - bins.lower > words) {
    fail(bins, "exceeds the values of the samples, from " + std::to_string(int64_t(least)) + " to " +
                   std::to_string(int64_t(most)) + ".");
  }
  return bins.lower <= least && bins.upper > most;
}

PreparedBins of_integers(const Element& element, const Bins& bins) {
  PreparedBins prepared;
  prepared.covers_all = check_whole(element, bins);
  const auto range = static_cast<uint64_t>(bins.upper - bins.lower);
  EvenBins& words = prepared.words;
  words.lower = static_cast<uint32_t>(static_cast<int64_t>(bins.lower));
  prepared.closed = bins.closed && bins.upper <= largest(element);
  words.last = static_cast<uint32_t>(prepared.closed ? range : range - 1);
  words.most = bins.count - 1;
  const uint64_t width = range / bins.count;
  if (range % bins.count == 0 && std::has_single_bit(width) && width <= UINT32_MAX) {  // no shift by 32 bits
    prepared.by_shift = true;
    words.shift = static_cast<uint32_t>(std::countr_zero(width));
    return prepared;
  }
  // ceil(count * 2^64 / (range * 2^shift)), by long division in two digits of 32 bits.
  words.shift = range >> 32 != 0 ? 0 : static_cast<uint32_t>(std::countl_zero(static_cast<uint32_t>(range)));
  const uint64_t divisor = range << words.shift;
  const uint64_t high = uint64_t{bins.count} << 32;
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the range is not empty.
  const uint64_t middle = (high % divisor) << 32;
  uint64_t factor = ((high / divisor) << 32) + middle / divisor;
  if (middle % divisor != 0) ++factor;
  words.factor = static_cast<uint32_t>(factor);
  words.factor_high = static_cast<uint32_t>(factor >> 32);
  return prepared;
}

// Modulo 2^64.
uint64_t whole(double x) {
  if (x < 0) return static_cast<uint64_t>(static_cast<int64_t>(x));
  return x < std::exp2(64) ? static_cast<uint64_t>(x) : 0;
}

PreparedBins of_wide_integers(const Element& element, const Bins& bins) {
  check_whole_ends(bins);
  const double least = smallest(element), end = least + numbers_of(element);
  if (bins.lower < least || bins.upper > end) {
    fail(bins, "exceeds the values of " + element.name() + ".");
  }
  const uint64_t lower = whole(bins.lower), last = whole(bins.upper) - lower - 1;
  const uint64_t width = last / bins.count + (last % bins.count == bins.count - 1 ? 1 : 0);
  return {.words = std::bit_cast<EvenBins>(WideEvenBins{lower, last, width}),
          .by_shift = false,
          .covers_all = false,
          .closed = bins.closed && bins.upper < end};
}

}  // namespace

bool is_wide_sample(const Element& element) { return element.glsl_type().ends_with("int64_t"); }

bool is_float_sample(const Element& element) { return element.glsl_type().starts_with("float"); }

PreparedBins prepare_even_bins(const Element& element, const Bins& bins) {
  if (!(bins.lower < bins.upper)) fail(bins, "is empty; the lower end must be below the upper end.");
  if (is_wide_sample(element)) return of_wide_integers(element, bins);
  return is_float_sample(element) ? of_floats(bins) : of_integers(element, bins);
}

}  // namespace weft::algorithms
