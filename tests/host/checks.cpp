#include "tests/host/hand_written.h"

using namespace weft;
using namespace weft::host;
using namespace weft::host::test;

/// The checking mode, with kernels that announce their accesses like translated ones. The first word of the push
/// constants is the address of a buffer of 100 words.

namespace {

const char* const accesses = R"(
    const auto at = [&](const void* p, uint32_t bytes, uint32_t alignment, uint32_t kind, uint32_t site, int bound = -1) {
      self->runtime->access(self, p, bytes, alignment, kind, bound < 0 ? nullptr : &self->bindings[bound], site);
    };
    const uint32_t R = weft_host_read, W = weft_host_write, S = weft_host_workgroup, A = weft_host_atomic;
    const uint32_t acquire = weft_host_acquire, release = weft_host_release;
    uint32_t* memory = shared<uint32_t>(self);
    unsigned char* buffer = *(unsigned char* const*)self->push_constants;
    const uint32_t i = self->local_index, group = self->workgroup_id[0];
    (void)at; (void)R; (void)W; (void)S; (void)A; (void)acquire; (void)release; (void)memory; (void)buffer; (void)group;
)";

/// Runs `body` on 2 workgroups of 8 in checking mode. Returns the error's text, or nothing.
std::string checked(const std::string& body, int seed = -1) {
  const auto buffer = std::make_shared<Memory>(400);
  const auto map = std::make_shared<MemoryMap>();
  map->add(buffer);
  std::vector<uint32_t> words(16, 0);
  Run run(compile_by_hand(accesses + body, 64), {2}, 8, 4);
  run.bind(words).check(map, buffer->data());
  if (seed >= 0) run.schedule(uint64_t(seed));
  try {
    run.on_threads(1);
    return {};
  } catch (const Error& error) {
    CHECK_EQ(error.code(), ErrorCode::kernel_failed);
    return error.what();
  }
}

void check_wrong(const std::string& body, std::initializer_list<const char*> parts) {
  for (int seed = -1; seed < 3; ++seed) {
    const std::string text = checked(body, seed);
    INFO(body, "\nseed ", seed, ": ", text);
    CHECK_FALSE(text.empty());
    for (const char* part : parts) {
      INFO(part);
      CHECK(text.find(part) != std::string::npos);
    }
  }
}

void check_right(const std::string& body) {
  for (int seed = -1; seed < 3; ++seed) {
    INFO(body, "\nseed ", seed);
    CHECK_EQ(checked(body, seed), "");
  }
}

/// An access to workgroup memory, or a barrier of all invocations. Its site is its index in the list.
struct Step {
  uint32_t who = 0, kind = 0, byte = 0, bytes = 4;
};
constexpr uint32_t R = weft_host_read, W = weft_host_write, A = weft_host_atomic;
constexpr Step barrier{};

/// Eight invocations, in subgroups of four, take these steps strictly in turn, so that no schedule changes the order of
/// two accesses. This does not order memory. All bytes were written before.
std::string in_turn(const std::vector<Step>& steps, int seed) {
  const char* const body = R"(
    const uint32_t* steps = binding<uint32_t>(self, 0);
    uint32_t* turn = binding<uint32_t>(self, 1);
    at(memory + i, 4, 4, W | S, 9);
    self->runtime->barrier(self, 9);
    for (uint32_t k = 0; k < steps[0]; ++k) {
      const uint32_t *step = steps + 1 + 4 * k, who = step[0], kind = step[1], byte = step[2], bytes = step[3];
      if (kind == 0) self->runtime->barrier(self, k);
      if (kind != 0 && who != i) continue;
      while (*turn < k) self->runtime->yield(self);
      if (kind != 0) at((char*)memory + byte, bytes, 1, kind | S, k);
      *turn = *turn > k + 1 ? *turn : k + 1;
    })";
  std::vector<uint32_t> words{uint32_t(steps.size())}, turn{0};
  for (const Step& step : steps) words.insert(words.end(), {step.who, step.kind, step.byte, step.bytes});
  Run run(compile_by_hand(accesses + std::string(body), 64), {1}, 8, 4);
  run.bind(words).bind(turn).check(std::make_shared<MemoryMap>(), nullptr);
  if (seed >= 0) run.schedule(uint64_t(seed));
  try {
    run.on_threads(1);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// Checks that the last step races with step `earlier`, and no step before it races.
void check_race(const std::vector<Step>& steps, uint32_t earlier) {
  const std::string did = steps[earlier].kind & R ? " read" : " wrote";
  const std::string race = "a data race: invocation (" + std::to_string(steps[earlier].who) +
                           ", 0, 0) of the same workgroup" + did + " the same bytes at site " + std::to_string(earlier);
  const std::string at = "'by hand', site " + std::to_string(steps.size() - 1) + " ";
  for (int seed = -1; seed < 3; ++seed) {
    const std::string text = in_turn(steps, seed);
    INFO("seed ", seed, ": ", text);
    CHECK(text.find(race) != std::string::npos);
    CHECK(text.find(at) < text.find(race));
  }
}

void check_no_race(const std::vector<Step>& steps) {
  for (int seed = -1; seed < 3; ++seed) CHECK_EQ(in_turn(steps, seed), "");
}

}  // namespace

TEST_CASE("accesses out of bounds are found") {
  check_wrong("at(memory + 16, 4, 4, W | S, 3);", {"out of bounds", "writes 4 bytes", "byte 64", "has 64", "site 3"});
  check_wrong("at(memory - 1, 4, 4, W | S, 3);", {"out of bounds", "4 bytes before"});
  check_wrong("at(memory + 15, 8, 4, W | S, 3);", {"out of bounds", "byte 60"});
  check_wrong("at(binding<uint32_t>(self, 0) + 16, 4, 4, R, 2, 0);", {"out of bounds", "reads 4", "byte 64", "site 2"});
  check_wrong("at(buffer + 400, 4, 4, R, 1);", {"out of bounds", "no buffer"});
  check_wrong("at(buffer + 398, 4, 2, R, 1);", {"out of bounds", "has 400 bytes, and this is its byte 398"});
  check_wrong("at(nullptr, 4, 4, R, 1);", {"null pointer"});
  check_wrong("at((void*)16, 4, 4, W, 1);", {"0x10", "no buffer"});
  // Accesses whose end wraps past 2^64.
  check_wrong("at((void*)-4, 4, 4, W, 1);", {"0xfffffffffffffffc", "no buffer"});
  check_wrong("at((void*)-2, 16, 1, R, 1);", {"0xfffffffffffffffe", "no buffer"});
  check_wrong("at(self->push_constants + 1000, 4, 4, R, 1);", {"out of bounds"});
  check_right(
      "at(buffer + 396, 4, 4, R, 1); at(buffer, 16, 16, R, 1); at(binding<uint32_t>(self, 0), 64, 4, R, 2, 0);");
}

TEST_CASE("misaligned accesses are found") {
  check_wrong("at(buffer + 2, 4, 4, R, 1);", {"misaligned", "multiple of 4", "site 1"});
  check_wrong("at(buffer + 8, 16, 16, R, 1);", {"misaligned", "multiple of 16"});
  check_right("at(buffer + 2, 4, 2, R, 1);");
}

TEST_CASE("reads of unwritten workgroup memory are found") {
  check_wrong("at(memory + i, 4, 4, R | S, 7);", {"not initialised", "site 7"});
  check_wrong("at(memory + i, 2, 2, W | S, 6); at(memory + i, 4, 4, R | S, 7);", {"not initialised", "site 7"});
  check_right("at(memory + i, 4, 4, W | S, 6); at(memory + i, 4, 4, R | S, 7);");
  // The second workgroup does not inherit the first one's writes.
  check_wrong("if (group == 0) at(memory + i, 4, 4, W | S, 6); at(memory + i, 4, 4, R | S, 7);", {"not initialised"});
}

TEST_CASE("races within a workgroup are found") {
  const char* const parts[] = {"data race", "same workgroup", "no barrier"};
  check_wrong("at(memory + i, 4, 4, W | S, 1); at(memory + (i + 1) % 8, 4, 4, W | S, 2);",
              {parts[0], parts[1], parts[2]});
  check_wrong(
      "at(memory + i, 4, 4, W | S, 1); self->runtime->barrier(self, 0); at(memory + (i + 1) % 8, 4, 4, R | S, 2); "
      "at(memory + i, 4, 4, W | S, 3);",
      {"data race", "site 2", "site 3"});
  check_wrong("at(memory, 4, 4, W | S, 1);", {"data race", "site 1"});
  check_wrong("if (i == 0) at(memory, 4, 4, W | S, 1); else at(memory, 4, 4, W | A | S, 2);", {"data race"});
  check_right(
      "at(memory + i, 4, 4, W | S, 1); self->runtime->barrier(self, 0); at(memory + (i + 1) % 8, 4, 4, R | S, 2); "
      "self->runtime->barrier(self, 3); at(memory + i, 4, 4, W | S, 4);");
  check_right("at((char*)memory + i, 1, 1, W | S, 1);");
  check_right("at(memory, 4, 4, W | A | S, 1); at(memory, 4, 4, R | W | A | S, 2);");
}

TEST_CASE("a write races with the reads before it") {
  check_race({{0, R}, {1, W}}, 0);
  check_race({{0, R}, {5, W}}, 0);  // by another subgroup
  check_no_race({{0, R}, {0, W}});
  check_no_race({{0, R}, barrier, {1, W}});
  check_no_race({{0, R}, {1, R}, {6, R}, barrier, {1, W}});
  check_no_race({{0, R}, {1, W, 4}});  // the next word
  check_race({{0, R}, barrier, {0, R}, {1, W}}, 2);
}

TEST_CASE("a write races with earlier readers, even if the writer itself read last") {
  check_race({{0, R}, {1, R}, {1, W}}, 0);
  check_race({{0, R}, {5, R}, {5, W}}, 0);
  check_race({{0, R}, {1, R}, {1, R}, {1, W}}, 0);
  check_race({{0, R}, {1, R}, {2, R}, {7, R}, {7, W}}, 2);
  check_race({{0, R}, {1, R}, {2, R}, {1, W}}, 2);
}

TEST_CASE("reads and writes within a word race if they share a byte") {
  check_no_race({{0, R, 0, 1}, {1, W, 1, 1}, {2, W, 2, 2}});
  check_race({{0, R, 0, 2}, {1, W, 1, 1}}, 0);
  check_race({{0, R, 3, 1}, {1, W}}, 0);
  check_race({{0, R, 2, 4}, {1, W, 4, 1}}, 0);  // parts of two words
  check_no_race({{0, R, 2, 4}, {1, W, 6, 1}});
  check_race({{0, R, 0, 1}, {1, R, 1, 1}, {1, W, 0, 1}}, 0);
  check_race({{0, W, 1, 1}, {1, R}}, 0);
  check_no_race({{0, W, 1, 1}, {1, R, 2, 2}});
}

TEST_CASE("reads and atomic writes race if one of them is not atomic") {
  check_race({{0, R}, {1, R | W | A}}, 0);
  check_race({{0, R | A}, {1, W}}, 0);
  check_no_race({{0, R | A}, {1, W | A}, {2, R | W | A}});
  check_race({{0, R | W | A}, {1, R | W | A}, {1, W}}, 0);
  check_race({{0, R}, {1, R | A}, {1, W | A}}, 0);
}

TEST_CASE("a subgroup barrier orders only the lanes of its subgroup") {
  check_right(
      "if (group == 0) { at(memory + i, 4, 4, W | S, 1); self->runtime->exchange(self, all(self), 0, 0, 0); "
      "at(memory + (i ^ 1), 4, 4, R | S, 2); }");
  check_wrong(
      "at(memory + i, 4, 4, W | S, 1); self->runtime->exchange(self, all(self), 0, 0, 0); "
      "at(memory + (i ^ 4), 4, 4, R | S, 2);",
      {"site"});
  // Other subgroup operations order no memory.
  check_wrong(
      "at(memory + i, 4, 4, W | S, 1); self->runtime->exchange(self, all(self), &i, 4, 0); "
      "at(memory + (i ^ 1), 4, 4, R | S, 2);",
      {"data race"});
}

TEST_CASE("races between workgroups are found, and atomics order them") {
  check_wrong("if (i == 0) at(buffer, 4, 4, W, 1);", {"data race", "of workgroup", "site 1"});
  check_wrong("if (i == 0) { if (group) at(buffer, 4, 4, W, 1); else at(buffer, 4, 4, R, 2); }", {"data race"});
  check_right("at(buffer + (group * 8 + i) * 4, 4, 4, W, 1);");
  check_right("at(buffer, 4, 4, R | W | A, 1);");
  const std::string hand_over = R"(
    uint32_t* flag = binding<uint32_t>(self, 0);
    if (i == 0 && group == 0) {
      at(buffer, 4, 4, W, 1);
      at(flag, 4, 4, W | A RELEASE, 2, 0);
      __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    } else if (i == 0) {
      do {
        self->runtime->yield(self);
        at(flag, 4, 4, R | A ACQUIRE, 3, 0);
      } while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE));
      at(buffer, 4, 4, R, 4);
    })";
  const auto with = [&](const char* releases, const char* acquires) {
    std::string text = hand_over;
    text.replace(text.find(" RELEASE"), 8, releases);
    text.replace(text.find(" ACQUIRE"), 8, acquires);
    return text;
  };
  check_right(with(" | release", " | acquire"));
  check_wrong(with("", " | acquire"), {"data race", "site 4", "site 1"});
  check_wrong(with(" | release", ""), {"data race", "site 4", "site 1"});
}

TEST_CASE("a barrier that some invocations skip is found") {
  check_wrong("if (i < 6) self->runtime->barrier(self, 5);", {"divergent", "2 of 8", "site 5"});
}
