#include <chrono>
#include <thread>

#include <weft/error.h>

#include "tests/host/contains.h"
#include "tests/host/hand_written.h"

using namespace weft;
using namespace weft::host;
using namespace weft::host::test;

TEST_CASE("lanes that wait for another in vain are a deadlock with its locations") {
  const auto code = compile_by_hand(R"(
    const uint32_t value = 1;
    if (self->local_index != 5) self->runtime->exchange(self, all(self), &value, 4, 4);)");
  Run run(code, {3}, 32, 8);
  check_contains(failure_of(run, 1),
                 {"by hand", "(0, 0, 0)", "invocations 0 to 4, 6, 7 wait at site 4 at hand.comp:104",
                  "lanes 0 to 7 of subgroup 0", "have finished"});
}

TEST_CASE("invocations that wait at a barrier and for lanes are a deadlock with both locations") {
  const auto code = compile_by_hand(R"(
    const uint32_t value = 1;
    if (self->local_index == 3) self->runtime->exchange(self, all(self), &value, 4, 1);
    else self->runtime->barrier(self, 2);)");
  for (const uint32_t threads : {1u, 2u}) {
    Run run(code, {6}, 16, 4);
    check_contains(failure_of(run, threads),
                   {"invocation 3 waits at site 1 at hand.comp:101", "invocations 0 to 2, 4 to 15 wait at site 2",
                    "0 of 16 invocations have finished"});
  }
}

TEST_CASE("two barriers in divergent flow are an error with both locations") {
  const auto code = compile_by_hand("self->runtime->barrier(self, self->local_index % 2);");
  Run run(code, {1}, 4);
  check_contains(failure_of(run, 1), {"divergent", "site 0", "site 1", "(1, 0, 0)"});
}

TEST_CASE("a barrier waits only for unfinished invocations") {
  const auto code = compile_by_hand(R"(
    if (self->local_index >= 10) return;
    __atomic_fetch_add(&binding<uint32_t>(self, 0)[0], 1, __ATOMIC_RELAXED);
    self->runtime->barrier(self, 0);
    if (binding<uint32_t>(self, 0)[0] == 10) __atomic_fetch_add(&binding<uint32_t>(self, 0)[1], 1, __ATOMIC_RELAXED);)");
  for (int seed = -1; seed < 3; ++seed) {
    std::vector<uint32_t> words(2, 0);
    Run run(code, {1}, 64);
    if (seed >= 0) run.schedule(uint64_t(seed));
    run.bind(words).on_threads(1);
    CHECK(words == std::vector<uint32_t>{10, 10});
  }
}

TEST_CASE("an invocation's failure stops the dispatch, whatever the others do") {
  const auto code = compile_by_hand(R"(
    if (self->workgroup_id[0] == 40 && self->local_index == 17) self->runtime->fail(self, "it went wrong", 9);
    self->runtime->barrier(self, 0);
    if (self->workgroup_id[0] >= 40) for (;;) self->runtime->yield(self);)");
  for (const uint32_t threads : {1u, 3u}) {
    Run run(code, {1000}, 64);
    check_contains(failure_of(run, threads), {"it went wrong", "site 9 at hand.comp:109", "(17, 0, 0)", "(40, 0, 0)"});
  }
}

TEST_CASE("an executor works on after a failure") {
  const auto bad = compile_by_hand("if (self->local_index != 5) self->runtime->exchange(self, all(self), 0, 0, 4);");
  const auto good = compile_by_hand(R"(
    const uint32_t* values = (const uint32_t*)self->runtime->exchange(self, all(self), &self->lane, 4, 0);
    self->runtime->barrier(self, 1);
    binding<uint32_t>(self, 0)[self->local_index] = values[0] + values[7];)");
  Executor executor(std::make_shared<StackPool>(), 2);
  for (int round = 0; round < 20; ++round) {
    for (const bool fails : {true, false}) {
      std::vector<uint32_t> words(32, 0xa5a5a5a5);
      Dispatch dispatch;
      dispatch.code = fails ? bad : good;
      dispatch.groups = {4};
      dispatch.workgroup_size = {32, 1, 1};
      dispatch.subgroup_size = 8;
      const uint32_t size = 32;
      std::memcpy(&dispatch.push_constants[63 * 4], &size, 4);
      dispatch.bindings.push_back({reinterpret_cast<unsigned char*>(words.data()), 128});
      if (fails) {
        CHECK_THROWS_AS(executor.run(dispatch), Error);
      } else {
        executor.run(dispatch);
        CHECK(words == std::vector<uint32_t>(32, 7));
      }
    }
  }
}

TEST_CASE("a kernel that polls forever ends when it is cancelled") {
  const auto code = compile_by_hand("for (;;) self->runtime->yield(self);");
  Executor executor(std::make_shared<StackPool>(), 2);
  Dispatch dispatch;
  dispatch.code = code;
  dispatch.groups = {4};
  dispatch.workgroup_size = {8, 1, 1};
  std::thread thread([&] { executor.run(dispatch); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  executor.cancel();
  thread.join();
}
