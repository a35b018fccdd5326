#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

#include "tests/translate/divergence_program.h"

// Each lane runs alone, up to its next subgroup operation. A lane's position is a list of numbers: the statement, the
// arm of an if, the iteration of a loop, and so on inwards. It only ever increases in lexicographic order. So once
// every lane is at an operation or has ended, no other lane can reach the smallest position any more: the lanes there
// are the active ones under maximal reconvergence. They get their results and run on. Cases of a switch are numbered in
// the order of the source, so lanes that jump and lanes that fall into a case join.
namespace weft::test::divergence {
namespace {

using E = Expression::Kind;
using S = Statement::Kind;

constexpr uint32_t most_steps = 1500;

struct Frame {
  const Body* body = nullptr;
  const Statement* owner = nullptr;  ///< The if, loop, switch or call that the body is a part of.
  uint32_t round = 0;                ///< Which part, and in which iteration: grows while the owner stays the same.
  uint32_t at = 0;

  auto position() const { return std::pair(round, at); }
};

struct Lane {
  uint32_t lane = 0, subgroup = 0;
  const uint32_t* inputs = nullptr;
  uint32_t globals[Slot::global_count] = {};
  std::vector<Frame> frames;
  std::vector<std::vector<uint32_t>> variables;  ///< Variables of the running functions.
  std::vector<uint32_t> trace;
  uint32_t recorded = 0, steps = 0;
  std::optional<uint32_t> result;  ///< Result of the operation in the lane's current condition.
  bool ended = false;

  uint32_t& variable(uint32_t slot) {
    return slot >= Slot::globals ? globals[slot - Slot::globals] : variables.back()[slot];
  }
  bool at_end() const { return frames.back().at == frames.back().body->size(); }
  /// Returns the lane's current statement, or the loop whose condition follows.
  const Statement& statement() const {
    return at_end() ? *frames.back().owner : (*frames.back().body)[frames.back().at];
  }
  bool stands_at_operation() const {
    if (!at_end())
      return statement().kind == S::operation || (statement().operates && !statement().is_loop() && !result);
    const Frame& frame = frames.back();
    return frame.owner && frame.owner->operates && frame.body == &frame.owner->first && !result;
  }
};

bool stands_before(const Lane& a, const Lane& b) {
  return std::ranges::lexicographical_compare(a.frames, b.frames, {}, &Frame::position, &Frame::position);
}
bool stands_with(const Lane& a, const Lane& b) {
  return std::ranges::equal(a.frames, b.frames, {}, &Frame::position, &Frame::position);
}

uint32_t fold_ballot(const uint32_t (&words)[4]) { return words[0] + 3 * words[1] + 5 * words[2] + 7 * words[3]; }

class Interpreter {
 public:
  Interpreter(const Program& program, const Given& given, uint32_t subgroup_size)
      : program_(program), given_(given), size_(subgroup_size) {}

  std::vector<uint32_t> run() {
    std::vector<uint32_t> words;
    for (uint32_t first = 0; first < given_.lanes; first += size_) {
      std::vector<Lane> lanes(std::min(size_, given_.lanes - first));
      for (uint32_t k = 0; k < lanes.size(); ++k) start(lanes[k], k, first);
      if (!run(lanes)) return {};
      for (const Lane& lane : lanes) words.insert(words.end(), lane.trace.begin(), lane.trace.end());
    }
    return words;
  }

 private:
  void start(Lane& lane, uint32_t number, uint32_t first) const {
    lane.lane = number;
    lane.subgroup = first / size_;
    lane.inputs = given_.inputs.data() + size_t{first + number} * inputs_per_lane;
    lane.trace.assign(words_per_lane, 0);
    enter(lane, 0, nullptr, 0);
  }

  void enter(Lane& lane, uint32_t function, const Statement* call, uint32_t parameter) const {
    std::vector<uint32_t> variables(program_.functions[function].slots, 0);
    if (call) {
      variables[Slot::value_parameter] = parameter;
      variables[Slot::reference_parameter] = lane.variable(call->reference);
    }
    lane.variables.push_back(std::move(variables));
    lane.frames.push_back({&program_.functions[function].body, call, 0, 0});
  }

  bool run(std::vector<Lane>& lanes) const {
    while (true) {
      const Lane* least = nullptr;
      for (Lane& lane : lanes) {
        if (!advance(lane)) return false;
        if (!lane.ended && (!least || stands_before(lane, *least))) least = &lane;
      }
      if (!least) return true;
      std::vector<Lane*> active;
      for (Lane& lane : lanes) {
        if (!lane.ended && stands_with(lane, *least)) active.push_back(&lane);
      }
      operate(active);
    }
  }

  // Runs to the next operation, or to the end. Returns false if that takes too long.
  bool advance(Lane& lane) const {
    while (!lane.ended) {
      if (++lane.steps > most_steps) return false;
      if (lane.stands_at_operation()) return true;
      if (lane.at_end())
        end_of_body(lane);
      else
        execute(lane, lane.statement());
    }
    return true;
  }

  void execute(Lane& lane, const Statement& s) const {
    switch (s.kind) {
      case S::assign:
        lane.variable(s.target) = value(lane, s.value);
        ++lane.frames.back().at;
        return;
      case S::record:
        record(lane, s.site, value(lane, s.value));
        ++lane.frames.back().at;
        return;
      case S::if_: {
        const bool taken = condition(lane, s) != 0;
        lane.frames.push_back({taken ? &s.body : &s.other, &s, taken ? 0u : 1u, 0});
        return;
      }
      case S::for_:
        lane.frames.push_back({&s.first, &s, 0, 0});
        return;
      case S::endless:
      case S::do_:
        lane.frames.push_back({&s.body, &s, 0, 0});
        return;
      case S::switch_:
        open_case(lane, s);
        return;
      case S::call:
        enter(lane, s.function, &s, value(lane, s.value));
        return;
      case S::return_:
        while (lane.frames.size() > 1 && lane.frames.back().owner->kind != S::call) lane.frames.pop_back();
        leave_function(lane, value(lane, s.value));
        return;
      default:
        jump(lane, s.kind == S::continue_);
    }
  }

  // Leaves the innermost loop or switch, or continues at the end of the loop's iteration.
  void jump(Lane& lane, bool continues) const {
    while (!lane.frames.back().owner->is_loop() && (continues || lane.frames.back().owner->kind != S::switch_)) {
      lane.frames.pop_back();
    }
    if (continues)
      next_part(lane);
    else
      leave(lane);
  }

  void leave(Lane& lane) const {
    lane.frames.pop_back();
    ++lane.frames.back().at;
  }

  void leave_function(Lane& lane, uint32_t result) const {
    const Statement* call = lane.frames.back().owner;
    lane.frames.pop_back();
    if (!call) {
      lane.ended = true;
      return;
    }
    const uint32_t reference = lane.variable(Slot::reference_parameter);
    lane.variables.pop_back();
    lane.variable(call->reference) = reference;
    lane.variable(call->target) = result;
    ++lane.frames.back().at;
  }

  void open_case(Lane& lane, const Statement& s) const {
    const uint32_t selector = condition(lane, s);
    const auto has_it = [&](const Case& c) { return std::ranges::find(c.literals, selector) != c.literals.end(); };
    auto found = std::ranges::find_if(s.cases, has_it);
    if (found == s.cases.end()) found = std::ranges::find_if(s.cases, &Case::is_default);
    if (found == s.cases.end()) {
      ++lane.frames.back().at;
      return;
    }
    lane.frames.push_back({&found->body, &s, uint32_t(found - s.cases.begin()), 0});
  }

  void end_of_body(Lane& lane) const {
    const Statement* owner = lane.frames.back().owner;
    if (!owner || owner->kind == S::call)
      leave_function(lane, 0);
    else if (owner->is_loop())
      next_part(lane);
    else if (const Frame& frame = lane.frames.back();
             owner->kind == S::switch_ && owner->cases[frame.round].falls_through)
      lane.frames.back() = {&owner->cases[frame.round + 1].body, owner, frame.round + 1, 0};
    else
      leave(lane);
  }

  // The parts of an iteration follow one another: first, body, last in a for loop; body and the rest in others.
  void next_part(Lane& lane) const {
    Frame& frame = lane.frames.back();
    const Statement& loop = *frame.owner;
    const bool decides = frame.body == &loop.first;
    if (decides && condition(lane, loop) == 0) {
      leave(lane);
      return;
    }
    const Body* next = &loop.body;
    if (loop.kind == S::for_) {
      if (frame.body == &loop.body) next = &loop.last;
      if (frame.body == &loop.last) next = &loop.first;
    } else if (frame.body == &loop.body) {
      next = loop.kind == S::do_ ? &loop.first : &loop.last;
    }
    frame = {next, &loop, frame.round + 1, 0};
  }

  uint32_t condition(Lane& lane, const Statement& s) const {
    const uint32_t result = value(lane, s.value);
    lane.result.reset();
    return result;
  }

  uint32_t value(Lane& lane, const Expression& e) const {
    const auto operand = [&](size_t k) { return value(lane, e.operands[k]); };
    switch (e.kind) {
      case E::constant:
        return e.number;
      case E::variable:
        return lane.variable(e.number);
      case E::input:
        return lane.inputs[e.number];
      case E::uniform:
        return given_.uniforms[e.number];
      case E::lane:
        return lane.lane;
      case E::subgroup:
        return lane.subgroup;
      case E::result:
        return *lane.result;
      case E::add:
        return operand(0) + operand(1);
      case E::subtract:
        return operand(0) - operand(1);
      case E::multiply:
        return operand(0) * operand(1);
      case E::exclusive_or:
        return operand(0) ^ operand(1);
      case E::bit:
        return operand(0) >> e.number & 1u;
      case E::remainder:
        return operand(0) % e.number;
      case E::less:
        return operand(0) < operand(1);
      case E::equal:
        return operand(0) == operand(1);
      case E::both:
        return operand(0) != 0 && operand(1) != 0;
      case E::either:
        return operand(0) != 0 || operand(1) != 0;
    }
    return 0;
  }

  static void record(Lane& lane, uint32_t site, uint32_t value) {
    lane.trace[0] = (lane.trace[0] ^ (site * site_factor + value)) * hash_factor;
    if (lane.recorded == records_kept) return;
    lane.trace[1 + 2 * lane.recorded] = site;
    lane.trace[2 + 2 * lane.recorded] = value;
    ++lane.recorded;
  }

  // Performs the current operation of these lanes, which are in ascending order.
  void operate(const std::vector<Lane*>& active) const {
    const Statement& s = active[0]->statement();
    std::vector<uint32_t> values, results;
    for (Lane* lane : active) values.push_back(value(*lane, s.operand));
    for (size_t k = 0; k < active.size(); ++k) results.push_back(result(s.operation, active, values, k));
    for (size_t k = 0; k < active.size(); ++k) {
      if (s.operates) {
        active[k]->result = results[k];
        continue;
      }
      active[k]->variable(s.target) = results[k];
      record(*active[k], s.site, results[k]);
      ++active[k]->frames.back().at;
    }
  }

  static uint32_t result(Operation operation, const std::vector<Lane*>& active, const std::vector<uint32_t>& values,
                         size_t own) {
    const auto sum = [&](size_t count) {
      return std::accumulate(values.begin(), values.begin() + std::ptrdiff_t(count), 0u);
    };
    const auto is_true = [](uint32_t value) { return value != 0; };
    uint32_t ballot[4] = {}, ballot_of_all[4] = {};
    for (size_t k = 0; k < active.size(); ++k) {
      const uint32_t lane = active[k]->lane;
      ballot_of_all[lane / 32] |= 1u << lane % 32;
      if (values[k] != 0) ballot[lane / 32] |= 1u << lane % 32;
    }
    switch (operation) {
      case Operation::ballot_of_all:
        return fold_ballot(ballot_of_all);
      case Operation::ballot:
        return fold_ballot(ballot);
      case Operation::elect:
        return own == 0;
      case Operation::add:
        return sum(values.size());
      case Operation::inclusive_add:
        return sum(own + 1);
      case Operation::exclusive_add:
        return sum(own);
      case Operation::maximum:
        return std::ranges::max(values);
      case Operation::broadcast_first:
        return values.front();
      case Operation::shuffle_from_last:
        return values.back();
      case Operation::shuffle_from_other: {
        const auto it = std::ranges::find(active, active[own]->lane ^ 1u, &Lane::lane);
        return values[it == active.end() ? own : size_t(it - active.begin())];
      }
      case Operation::any:
        return std::ranges::any_of(values, is_true);
      case Operation::all:
        return std::ranges::all_of(values, is_true);
      case Operation::all_equal:
        return std::ranges::count(values, values.front()) == std::ptrdiff_t(values.size());
    }
    return 0;
  }

  const Program& program_;
  const Given& given_;
  uint32_t size_;
};

}  // namespace

std::vector<uint32_t> interpret(const Program& program, const Given& given, uint32_t subgroup_size) {
  return Interpreter(program, given, subgroup_size).run();
}

}  // namespace weft::test::divergence
