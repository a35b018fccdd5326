#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/random.h"
#include "tests/translate/divergence_program.h"

using namespace weft::test;
using namespace weft::test::divergence;

// Tests the parts of divergence_fuzz on known results.
namespace {

using E = Expression::Kind;
using S = Statement::Kind;

Expression lane_below(uint32_t count) { return {E::less, 0, {{E::lane, 0, {}}, {E::constant, count, {}}}}; }

Statement count_lanes(uint32_t site) {
  Statement s;
  s.kind = S::operation;
  s.operation = Operation::add;
  s.operand = {E::constant, 1, {}};
  s.site = site;
  s.target = Slot::plain;
  return s;
}

Statement simple(S kind) {
  Statement s;
  s.kind = kind;
  return s;
}

// Returns the last record of each of eight lanes.
std::vector<uint32_t> last_records(const Body& body) {
  Program program;
  program.functions.resize(1);
  program.functions[0].body = body;
  Given given;
  given.lanes = 8;
  given.inputs.resize(8 * inputs_per_lane);
  const std::vector<uint32_t> words = interpret(program, given, 8);
  std::vector<uint32_t> last;
  for (uint32_t lane = 0; lane < 8; ++lane) {
    uint32_t record = 0;
    while (words[lane * words_per_lane + 1 + 2 * (record + 1)] != 0) ++record;
    last.push_back(words[lane * words_per_lane + 2 + 2 * record]);
  }
  return last;
}

}  // namespace

TEST_CASE("lanes that took different branches reconverge after an if") {
  Statement s = simple(S::if_);
  s.value = lane_below(3);
  s.body = {count_lanes(1)};
  CHECK_EQ(last_records({s}), std::vector<uint32_t>{3, 3, 3, 0, 0, 0, 0, 0});
  CHECK_EQ(last_records({s, count_lanes(2)}), std::vector<uint32_t>(8, 8));
}

TEST_CASE("lanes that return are no longer active") {
  Statement s = simple(S::if_);
  s.value = lane_below(3);
  s.body = {count_lanes(1), simple(S::return_)};
  CHECK_EQ(last_records({s, count_lanes(2)}), std::vector<uint32_t>{3, 3, 3, 5, 5, 5, 5, 5});
}

TEST_CASE("lanes that fall into a case join those that jump there") {
  Statement s = simple(S::switch_);
  s.value = {E::remainder, 2, {{E::lane, 0, {}}}};
  s.cases = {{{0}, false, true, {count_lanes(1)}}, {{1}, false, false, {count_lanes(2)}}};
  CHECK_EQ(last_records({s}), std::vector<uint32_t>(8, 8));
  s.cases[0].falls_through = false;
  CHECK_EQ(last_records({s}), std::vector<uint32_t>(8, 4));
}

TEST_CASE("lanes leave a loop when they are done, and reconverge after it") {
  Statement step = simple(S::assign);
  step.target = Slot::plain + 1;
  step.value = {E::add, 0, {{E::variable, Slot::plain + 1, {}}, {E::constant, 1, {}}}};
  Statement loop = simple(S::do_);
  loop.body = {count_lanes(1), step};
  loop.value = {E::less, 0, {{E::variable, Slot::plain + 1, {}}, {E::lane, 0, {}}}};
  CHECK_EQ(last_records({loop}), std::vector<uint32_t>{8, 8, 6, 5, 4, 3, 2, 1});
  CHECK_EQ(last_records({loop, count_lanes(2)}), std::vector<uint32_t>(8, 8));
}

TEST_CASE("programs are the same for the same seed, and can be printed") {
  std::mt19937_64 random = random_generator("programs");
  for (int k = 0; k < 100; ++k) {
    const uint64_t seed = random();
    const std::string text = to_glsl({generate(seed)}, 64, {});
    CHECK_EQ(text, to_glsl({generate(seed)}, 64, {}));
    CHECK_NE(text, to_glsl({generate(seed + 1)}, 64, {}));
  }
}

TEST_CASE("a failing program is reduced to the part that fails") {
  // The fault to find: a maximum within a loop.
  const std::function<bool(const Body&, bool)> has_it = [&](const Body& body, bool in_loop) {
    return std::ranges::any_of(body, [&](const Statement& s) {
      const bool here = in_loop && s.kind == S::operation && s.operation == Operation::maximum;
      const auto in_case = [&](const Case& one) { return has_it(one.body, in_loop); };
      return here || has_it(s.body, in_loop || s.is_loop()) || has_it(s.other, in_loop) ||
             std::ranges::any_of(s.cases, in_case);
    });
  };
  const auto fails = [&](const Program& program) {
    return std::ranges::any_of(program.functions, [&](const Function& f) { return has_it(f.body, false); });
  };
  std::mt19937_64 random = random_generator("reduced");
  size_t reduced = 0;
  while (reduced < 5) {
    const Program program = generate(random());
    if (!fails(program)) continue;
    ++reduced;
    const Program smaller = shrink(program, [&](const std::vector<Program>& programs) {
      std::vector<bool> failed;
      for (const Program& one : programs) failed.push_back(fails(one));
      return failed;
    });
    CHECK(fails(smaller));
    const std::string text = to_glsl({smaller}, 64, {});
    CAPTURE(text);
    const size_t head = to_glsl({}, 64, {}).size();
    CHECK_LT(text.size() - head, 900);
  }
}
