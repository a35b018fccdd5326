#include "algorithms/src/base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/making_plan.h"

namespace weft::algorithms {

void in_parallel(const Device& device, std::initializer_list<std::function<void()>> parts) {
  std::vector<std::exception_ptr> errors(parts.size());
  std::atomic<size_t> next = 0;
  const core::MakingPlan* const plan = core::MakingPlan::current();
  const auto work = [&] {
    const core::MakingPlan making(plan);
    for (size_t part = next++; part < parts.size(); part = next++) {
      try {
        parts.begin()[part]();
      } catch (...) {
        errors[part] = std::current_exception();
      }
    }
  };
  const size_t cores = device.impl().compiles_side_by_side() ? std::thread::hardware_concurrency() : 1;
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min(cores, parts.size())) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // Fewer threads do the same work.
    }
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace weft::algorithms
