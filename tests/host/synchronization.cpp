#include <numeric>
#include <random>

#include "tests/host/hand_written.h"

using namespace weft;
using namespace weft::host::test;

namespace {

uint32_t ceiling(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

}  // namespace

TEST_CASE("every invocation of every workgroup runs once") {
  const auto code = compile_by_hand(R"(
    uint32_t group = self->workgroup_id[0] + self->workgroup_count[0] *
                     (self->workgroup_id[1] + self->workgroup_count[1] * self->workgroup_id[2]);
    __atomic_fetch_add(&binding<uint32_t>(self, 0)[group * 48 + self->local_index], 1, __ATOMIC_RELAXED);)");
  for (const uint32_t threads : {1u, 3u}) {
    for (int seed = -1; seed < 3; ++seed) {
      std::vector<uint32_t> counts(7 * 5 * 3 * 48, 0);
      Run run(code, {7, 5, 3}, 48);
      if (seed >= 0) run.schedule(uint64_t(seed));
      run.bind(counts).on_threads(threads);
      CHECK(counts == std::vector<uint32_t>(counts.size(), 1));
    }
  }
}

TEST_CASE("barriers order workgroup memory") {
  const auto code = compile_by_hand(R"(
    uint32_t* memory = shared<uint32_t>(self);
    const uint32_t i = self->local_index, count = ((uint32_t*)self->push_constants)[63];
    uint32_t value = self->workgroup_id[0] + i;
    for (int round = 0; round < 5; ++round) {
      memory[i] = value;
      self->runtime->barrier(self, 0);
      value = memory[(i * 7 + 3) % count] * 3 + 1;
      self->runtime->barrier(self, 1);
    }
    binding<uint32_t>(self, 0)[self->workgroup_id[0] * count + i] = value;)",
                                    1024 * 4);
  for (const uint32_t size : {1u, 5u, 64u, 100u, 1024u}) {
    std::vector<uint32_t> expected;
    for (uint32_t group = 0; group < 9; ++group) {
      std::vector<uint32_t> values(size), next(size);
      std::iota(values.begin(), values.end(), group);
      for (int round = 0; round < 5; ++round) {
        for (uint32_t i = 0; i < size; ++i) next[i] = values[(i * 7 + 3) % size] * 3 + 1;
        values = next;
      }
      expected.insert(expected.end(), values.begin(), values.end());
    }
    for (int seed = -1; seed < 3; ++seed) {
      std::vector<uint32_t> result(expected.size(), 0xa5a5a5a5);
      Run run(code, {9}, size);
      if (seed >= 0) run.schedule(uint64_t(seed));
      run.bind(result).on_threads(2);
      CHECK(result == expected);
    }
  }
}

TEST_CASE("lanes exchange values, even in divergent flow") {
  // Odd and even lanes diverge, exchange twice and once, and reconverge.
  const auto code = compile_by_hand(R"(
    const weft_host_mask lanes = all(self);
    const uint64_t parity = self->lane % 2 ? 0xaaaaaaaaaaaaaaaau : 0x5555555555555555u;
    const weft_host_mask half{{lanes.bits[0] & parity, lanes.bits[1] & parity}};
    uint32_t value = self->local_index * 5 + self->workgroup_id[0];
    const auto sum = [&](weft_host_mask mask, uint32_t site) {
      const uint32_t* values = (const uint32_t*)self->runtime->exchange(self, mask, &value, 4, site);
      uint32_t result = 0;
      for (uint32_t lane = 0; lane < self->subgroup_size; ++lane) {
        if (mask.bits[lane / 64] >> (lane % 64) & 1) result += values[lane];
      }
      return result;
    };
    if (self->lane % 2) {
      value = sum(half, 0) + self->lane;
      value = sum(half, 1) ^ self->lane;
    } else {
      value = sum(half, 2) * 3;
    }
    value = sum(lanes, 3) + value;
    binding<uint32_t>(self, 0)[self->workgroup_id[0] * ((uint32_t*)self->push_constants)[63] + self->local_index] = value;)");
  for (const uint32_t lanes : subgroup_sizes) {
    for (const uint32_t size : {1u, 33u, 128u, 200u}) {
      std::vector<uint32_t> expected;
      for (uint32_t group = 0; group < 4; ++group) {
        std::vector<uint32_t> values(size);
        for (uint32_t i = 0; i < size; ++i) values[i] = i * 5 + group;
        for (uint32_t s = 0; s < ceiling(size, lanes); ++s) {
          const uint32_t first = s * lanes, last = std::min(size, first + lanes);
          const auto sum = [&](uint32_t parity) {
            uint32_t total = 0;
            for (uint32_t i = first; i < last; ++i) total += parity == 2 || (i - first) % 2 == parity ? values[i] : 0;
            return total;
          };
          const uint32_t even = sum(0), odd = sum(1);
          for (uint32_t i = first; i < last; ++i) values[i] = (i - first) % 2 ? odd + (i - first) : even * 3;
          const uint32_t again = sum(1);
          for (uint32_t i = first; i < last; ++i) values[i] = (i - first) % 2 ? again ^ (i - first) : values[i];
          const uint32_t total = sum(2);
          for (uint32_t i = first; i < last; ++i) values[i] += total;
        }
        expected.insert(expected.end(), values.begin(), values.end());
      }
      for (int seed = -1; seed < 2; ++seed) {
        std::vector<uint32_t> result(expected.size(), 0xa5a5a5a5);
        Run run(code, {4}, size, lanes);
        if (seed >= 0) run.schedule(uint64_t(seed));
        run.bind(result).on_threads(2);
        INFO("subgroups of ", lanes, ", workgroup of ", size, ", seed ", seed);
        CHECK(result == expected);
      }
    }
  }
}

TEST_CASE("workgroups that wait for earlier ones make progress") {
  // A chain: each workgroup takes a ticket and waits for its predecessor to pass on a sum.
  const auto code = compile_by_hand(R"(
    uint32_t* words = binding<uint32_t>(self, 0);
    uint32_t* memory = shared<uint32_t>(self);
    if (self->local_index == 0) memory[0] = __atomic_fetch_add(&words[0], 1, __ATOMIC_RELAXED);
    self->runtime->barrier(self, 0);
    const uint32_t tile = memory[0];
    if (self->local_index == 0) {
      uint32_t before = 0;
      while (tile != 0 && (before = __atomic_load_n(&words[tile], __ATOMIC_ACQUIRE)) == 0) self->runtime->yield(self);
      __atomic_store_n(&words[tile + 1], before + tile + 1, __ATOMIC_RELEASE);
    }
    self->runtime->barrier(self, 1);)",
                                    4);
  for (const uint32_t threads : {1u, 2u, 8u}) {
    for (int seed = -1; seed < 3; ++seed) {
      std::vector<uint32_t> words(402, 0);
      Run run(code, {400}, 64);
      if (seed >= 0) run.schedule(uint64_t(seed));
      run.bind(words).on_threads(threads);
      CHECK_EQ(words[0], 400);
      CHECK_EQ(words[400], 400 * 401 / 2);
    }
  }
}

TEST_CASE("an invocation that polls lets the others of its workgroup run") {
  const auto code = compile_by_hand(R"(
    uint32_t* word = binding<uint32_t>(self, 0);
    if (self->local_index == 0) {
      while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != 63) self->runtime->yield(self);
    } else {
      __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
    })");
  for (int seed = -1; seed < 3; ++seed) {
    std::vector<uint32_t> word(1, 0);
    Run run(code, {1}, 64);
    if (seed >= 0) run.schedule(uint64_t(seed));
    run.bind(word).on_threads(1);
    CHECK_EQ(word[0], 63);
  }
}
