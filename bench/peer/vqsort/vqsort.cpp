// Highway's vectorised quicksort on one thread of the CPU, for `weft bench sort --peer vqsort`.
#include <hwy/contrib/sort/vqsort.h>

#include <hwy/highway.h>

#include <cstring>

#include "bench/peer/cpp/rows.h"

namespace weft::peer {
namespace {

template <class T>
Row sort_keys(size_t count) {
  return {{on_one_thread, [=](const Arrays& a) {
             std::memcpy(a.out<T>(0), a.in<T>(0), count * sizeof(T));
             hwy::Sorter()(a.out<T>(0), count, hwy::SortAscending());
           }}};
}

// Not stable, so pairs are sorted as one number. Weft's benchmarks have the keys' indices as values: by key and then by
// value is the stable order.
Row sort_pairs(size_t count) {
  return {{on_one_thread, [=](const Arrays& a) {
             std::vector<uint64_t> pairs(count);
             for (size_t i = 0; i < count; ++i) pairs[i] = uint64_t{a.in<uint32_t>(0)[i]} << 32 | a.in<uint32_t>(1)[i];
             hwy::Sorter()(pairs.data(), count, hwy::SortAscending());
             for (size_t i = 0; i < count; ++i) {
               a.out<uint32_t>(0)[i] = uint32_t(pairs[i] >> 32);
               a.out<uint32_t>(1)[i] = uint32_t(pairs[i]);
             }
           }}};
}

}  // namespace

std::string library_name() {
  return "Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH) +
         "'s vqsort";
}

Row find_row(const weft_peer_problem& problem) {
  const size_t count = problem.count;
  if (asks(problem, "sort_keys", {"u32"})) return sort_keys<uint32_t>(count);
  if (asks(problem, "sort_keys", {"i32"})) return sort_keys<int32_t>(count);
  if (asks(problem, "sort_keys", {"u64"})) return sort_keys<uint64_t>(count);
  if (asks(problem, "sort_keys", {"f32"})) return sort_keys<float>(count);
  if (asks(problem, "sort_keys", {"f64"})) return sort_keys<double>(count);
  if (asks(problem, "sort_pairs", {"u32", "u32"})) return sort_pairs(count);
  return {};
}

}  // namespace weft::peer
