#include <algorithm>
#include <execution>
#include <numeric>
#include <string>

#include "bench/peer/cpp/families.h"
#include "bench/user_kernels.h"

namespace weft::peer {
namespace {

using bench::plain::UserKernel;

// A plain loop over all items, and one over each of many parts.
Row loops(const UserKernel& kernel, uint32_t count) {
  const uint32_t items = kernel.items(count);
  const uint32_t step = std::max(1u, std::min(items / 64, kernel.item == UserKernel::Item::element ? 16384u : 16u));
  std::vector<uint32_t> firsts((items + step - 1) / step);
  for (uint32_t i = 0; i < firsts.size(); ++i) firsts[i] = i * step;
  return {{on_one_thread, [=](const Arrays& a) { kernel.run({a.inputs, a.outputs, count}, 0, items); }},
          {in_parallel, [=](const Arrays& a) {
             std::for_each(std::execution::par, firsts.begin(), firsts.end(), [&](uint32_t first) {
               kernel.run({a.inputs, a.outputs, count}, first, std::min(items, first + step));
             });
           }}};
}

}  // namespace

Row find_kernel_row(const weft_peer_problem& problem) {
  for (const UserKernel& kernel : bench::plain::user_kernels) {
    if (problem.row == std::string(kernel.name)) return loops(kernel, uint32_t(problem.count));
  }
  return {};
}

}  // namespace weft::peer
