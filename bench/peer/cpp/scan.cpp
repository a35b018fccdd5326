#include <algorithm>
#include <cstring>
#include <execution>
#include <numeric>

#include "bench/peer/cpp/families.h"

namespace weft::peer {
namespace {

template <class T>
Row reduce(size_t count) {
  return {{on_one_thread, [=](const Arrays& a) { *a.out<T>(0) = std::reduce(a.in<T>(0), a.in<T>(0) + count, T(0)); }},
          {in_parallel, [=](const Arrays& a) {
             *a.out<T>(0) = std::reduce(std::execution::par_unseq, a.in<T>(0), a.in<T>(0) + count, T(0));
           }}};
}

template <class T>
Row scan(size_t count) {
  return {
      {on_one_thread, [=](const Arrays& a) { std::exclusive_scan(a.in<T>(0), a.in<T>(0) + count, a.out<T>(0), T(0)); }},
      {in_parallel, [=](const Arrays& a) {
         std::exclusive_scan(std::execution::par_unseq, a.in<T>(0), a.in<T>(0) + count, a.out<T>(0), T(0));
       }}};
}

}  // namespace

Row find_scan_row(const weft_peer_problem& problem) {
  const size_t count = problem.count;
  if (problem.row == std::string("copy")) {
    return {
        {"", [bytes = problem.inputs[0].bytes](const Arrays& a) { std::memcpy(a.outputs[0], a.inputs[0], bytes); }}};
  }
  if (asks(problem, "reduce", {"u32"})) return reduce<uint32_t>(count);
  if (asks(problem, "reduce", {"f32"})) return reduce<float>(count);
  if (asks(problem, "scan", {"u32"})) return scan<uint32_t>(count);
  if (asks(problem, "scan", {"f32"})) return scan<float>(count);
  return {};
}

}  // namespace weft::peer
