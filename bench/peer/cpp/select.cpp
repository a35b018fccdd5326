#include <algorithm>
#include <execution>

#include "bench/peer/cpp/families.h"

namespace weft::peer {
namespace {

template <class T>
Row select(const weft_peer_problem& problem) {
  const auto below = [limit = T(problem.limit)](T x) { return x < limit; };
  const size_t count = problem.count;
  return {{on_one_thread,
           [=](const Arrays& a) {
             const T* in = a.in<T>(0);
             *a.out<uint64_t>(1) = uint64_t(std::copy_if(in, in + count, a.out<T>(0), below) - a.out<T>(0));
           }},
          {in_parallel, [=](const Arrays& a) {
             const T* in = a.in<T>(0);
             const T* end = std::copy_if(std::execution::par_unseq, in, in + count, a.out<T>(0), below);
             *a.out<uint64_t>(1) = uint64_t(end - a.out<T>(0));
           }}};
}

}  // namespace

Row find_select_row(const weft_peer_problem& problem) {
  if (asks(problem, "select", {"u32"})) return select<uint32_t>(problem);
  if (asks(problem, "select", {"f32"})) return select<float>(problem);
  return {};
}

}  // namespace weft::peer
