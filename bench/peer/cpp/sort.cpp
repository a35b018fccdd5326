#include <algorithm>
#include <cstring>
#include <execution>

#include "bench/peer/cpp/families.h"

namespace weft::peer {
namespace {

template <class T>
Row sort_keys(size_t count) {
  const auto sorted = [=](const Arrays& a, auto sort) {
    T* keys = a.out<T>(0);
    std::memcpy(keys, a.in<T>(0), count * sizeof(T));
    sort(keys, keys + count);
  };
  return {{on_one_thread, [=](const Arrays& a) { sorted(a, [](T* first, T* last) { std::sort(first, last); }); }},
          {in_parallel, [=](const Arrays& a) {
             sorted(a, [](T* first, T* last) { std::sort(std::execution::par_unseq, first, last); });
           }}};
}

// The standard library sorts one array, so pairs are sorted as structs. Weft's benchmarks have the keys' indices as
// values: by key and then by value is the stable order.
template <class T>
Row sort_pairs(size_t count) {
  struct Pair {
    T key;
    uint32_t value;
    bool operator<(const Pair& other) const { return key < other.key || (key == other.key && value < other.value); }
  };
  const auto sorted = [=](const Arrays& a, auto sort) {
    std::vector<Pair> pairs(count);
    for (size_t i = 0; i < count; ++i) pairs[i] = {a.in<T>(0)[i], a.in<uint32_t>(1)[i]};
    sort(pairs.begin(), pairs.end());
    for (size_t i = 0; i < count; ++i) {
      a.out<T>(0)[i] = pairs[i].key;
      a.out<uint32_t>(1)[i] = pairs[i].value;
    }
  };
  return {{on_one_thread, [=](const Arrays& a) { sorted(a, [](auto first, auto last) { std::sort(first, last); }); }},
          {in_parallel, [=](const Arrays& a) {
             sorted(a, [](auto first, auto last) { std::sort(std::execution::par_unseq, first, last); });
           }}};
}

}  // namespace

Row find_sort_row(const weft_peer_problem& problem) {
  const size_t count = problem.count;
  if (asks(problem, "sort_keys", {"u32"})) return sort_keys<uint32_t>(count);
  if (asks(problem, "sort_keys", {"f32"})) return sort_keys<float>(count);
  if (asks(problem, "sort_pairs", {"u32", "u32"})) return sort_pairs<uint32_t>(count);
  if (asks(problem, "merge_sort", {"u32"})) return sort_keys<uint32_t>(count);
  if (asks(problem, "merge_sort_pairs", {"u32", "u32"})) return sort_pairs<uint32_t>(count);
  return {};
}

}  // namespace weft::peer
