#include <algorithm>
#include <bit>
#include <execution>
#include <numeric>
#include <thread>

#include "bench/peer/cpp/families.h"

namespace weft::peer {
namespace {

// The standard library has no histogram. This is the plain loop, and the plain loop over a part of the samples on each
// thread, with counts of its own.
template <class T, class BinOf>
Row histogram(const weft_peer_problem& problem, BinOf bin_of) {
  const size_t count = problem.count, bins = problem.bins;
  const auto add = [=](const T* first, const T* last, uint32_t* counts) {
    for (; first != last; ++first) ++counts[bin_of(*first)];
  };
  const size_t parts = std::max(1u, std::thread::hardware_concurrency());
  return {{on_one_thread,
           [=](const Arrays& a) {
             std::fill_n(a.out<uint32_t>(0), bins, 0u);
             add(a.in<T>(0), a.in<T>(0) + count, a.out<uint32_t>(0));
           }},
          {in_parallel, [=](const Arrays& a) {
             std::vector<size_t> numbers(parts);
             std::iota(numbers.begin(), numbers.end(), size_t(0));
             std::vector<std::vector<uint32_t>> counts(parts);
             std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), [&](size_t part) {
               counts[part].resize(bins);
               add(a.in<T>(0) + count * part / parts, a.in<T>(0) + count * (part + 1) / parts, counts[part].data());
             });
             for (size_t bin = 0; bin < bins; ++bin) {
               uint32_t sum = 0;
               for (const auto& own : counts) sum += own[bin];
               a.out<uint32_t>(0)[bin] = sum;
             }
           }}};
}

}  // namespace

// Only ranges that take no division.
Row find_histogram_row(const weft_peer_problem& problem) {
  if (problem.lower != 0 || !std::has_single_bit(problem.bins)) return {};
  if (asks(problem, "histogram", {"u32"}) && problem.upper == 4294967296.0 && problem.bins > 1) {
    return histogram<uint32_t>(problem,
                               [shift = 32 - std::countr_zero(problem.bins)](uint32_t x) { return x >> shift; });
  }
  if (asks(problem, "histogram", {"f32"}) && problem.upper == 1) {
    return histogram<float>(problem, [bins = float(problem.bins)](float x) { return uint32_t(x * bins); });
  }
  return {};
}

}  // namespace weft::peer
