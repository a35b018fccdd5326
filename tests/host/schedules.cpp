#include <algorithm>
#include <numeric>
#include <set>

#include "tests/host/hand_written.h"

using namespace weft;
using namespace weft::host::test;

namespace {

/// Returns the order in which the invocations of all workgroups run.
std::vector<uint32_t> order_of(std::optional<uint64_t> seed) {
  const auto code = compile_by_hand(R"(
    uint32_t* words = binding<uint32_t>(self, 0);
    words[1 + words[0]++] = self->workgroup_id[0] * 32 + self->local_index;)");
  std::vector<uint32_t> words(1 + 320, 0);
  Run run(code, {10}, 32);
  if (seed) run.schedule(*seed);
  run.bind(words).on_threads(1);
  return {words.begin() + 1, words.end()};
}

}  // namespace

TEST_CASE("without a schedule everything runs in order of index") {
  std::vector<uint32_t> natural(320);
  std::iota(natural.begin(), natural.end(), 0);
  CHECK(order_of(std::nullopt) == natural);
}

TEST_CASE("a schedule permutes the order, differently for each seed, but always the same for one seed") {
  std::vector<uint32_t> natural(320);
  std::iota(natural.begin(), natural.end(), 0);
  std::set<std::vector<uint32_t>> orders{natural};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<uint32_t> order = order_of(seed);
    CHECK(order == order_of(seed));
    CHECK(orders.insert(order).second);
    std::vector<uint32_t> sorted = order;
    std::ranges::sort(sorted);
    CHECK(sorted == natural);
  }
}

TEST_CASE("schedules expose dependence on the order of invocations") {
  // The first invocation leaves a word for the others without a barrier: correct only in the natural order.
  const auto code = compile_by_hand(R"(
    uint32_t* memory = shared<uint32_t>(self);
    if (self->local_index == 0) memory[0] = 7; else if (self->local_index == 1) memory[0] = 9;
    self->runtime->barrier(self, 0);
    if (self->local_index == 0) binding<uint32_t>(self, 0)[self->workgroup_id[0]] = memory[0];)",
                                    4);
  std::set<uint32_t> seen;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<uint32_t> words(20, 0);
    Run(code, {20}, 2).schedule(seed).bind(words).on_threads(1);
    seen.insert(words.begin(), words.end());
  }
  CHECK(seen == std::set<uint32_t>{7, 9});
}
