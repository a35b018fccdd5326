#include <algorithm>
#include <utility>

#include "tests/translate/divergence_program.h"

// Reduces a failing program: tries every program that is one edit smaller, the smallest first.
namespace weft::test::divergence {
namespace {

using S = Statement::Kind;

size_t size_of(const Expression& e) {
  size_t size = e.kind == Expression::Kind::constant ? 0 : 1;
  for (const Expression& operand : e.operands) size += size_of(operand);
  return size;
}

size_t size_of(const Body& body) {
  size_t size = 0;
  for (const Statement& s : body) {
    size += 10 + size_of(s.value) + size_of(s.operand) + size_of(s.body) + size_of(s.other) + size_of(s.first) +
            size_of(s.last);
    if ((s.kind == S::operation || s.operates) && s.operation != Operation::ballot_of_all) ++size;
    for (const Case& one : s.cases) size += 5 + (one.falls_through ? 1 : 0) + one.literals.size() + size_of(one.body);
  }
  return size;
}

// Whether every break and continue is in something to leave.
bool is_valid(const Body& body, bool in_loop, bool in_switch) {
  return std::ranges::all_of(body, [&](const Statement& s) {
    if (s.kind == S::break_) return in_loop || in_switch;
    if (s.kind == S::continue_) return in_loop;
    if (s.is_loop()) return is_valid(s.body, true, false);
    const auto is_valid_case = [&](const Case& one) { return is_valid(one.body, in_loop, true); };
    return is_valid(s.body, in_loop, in_switch) && is_valid(s.other, in_loop, in_switch) &&
           std::ranges::all_of(s.cases, is_valid_case);
  });
}

// Each edit is made in place, tried, and undone.
class Edits {
 public:
  explicit Edits(Program program) : program_(std::move(program)) {}

  std::vector<Program> run() {
    for (Function& function : program_.functions) edit(function.body);
    if (program_.functions.size() > 1) {
      const Function last = std::move(program_.functions.back());
      program_.functions.pop_back();
      hand_on();
      program_.functions.push_back(last);
    }
    const size_t size = size_of_program(program_);
    std::erase_if(found_, [&](const Program& other) { return size_of_program(other) >= size; });
    std::ranges::stable_sort(found_, {}, size_of_program);
    return std::move(found_);
  }

 private:
  static size_t size_of_program(const Program& program) {
    size_t size = 0;
    for (const Function& function : program.functions) size += 10 + size_of(function.body);
    return size;
  }

  bool calls_are_valid(const Body& body) const {
    return std::ranges::all_of(body, [&](const Statement& s) {
      const auto in_case = [&](const Case& one) { return calls_are_valid(one.body); };
      return (s.kind != S::call || s.function < program_.functions.size()) && calls_are_valid(s.body) &&
             calls_are_valid(s.other) && std::ranges::all_of(s.cases, in_case);
    });
  }

  void hand_on() {
    const auto fits = [&](const Function& f) { return is_valid(f.body, false, false) && calls_are_valid(f.body); };
    if (std::ranges::all_of(program_.functions, fits)) found_.push_back(program_);
  }

  template <typename T>
  void try_as(T& part, T other) {
    std::swap(part, other);
    hand_on();
    std::swap(part, other);
  }

  static Body without(const Body& body, size_t begin, size_t end) {
    Body rest(body.begin(), body.begin() + std::ptrdiff_t(begin));
    rest.insert(rest.end(), body.begin() + std::ptrdiff_t(end), body.end());
    return rest;
  }

  void edit(Body& body) {
    if (body.size() > 3) {
      try_as(body, without(body, 0, body.size() / 2));
      try_as(body, without(body, body.size() / 2, body.size()));
    }
    for (size_t k = 0; k < body.size(); ++k) {
      try_as(body, without(body, k, k + 1));
      unwrap(body, k);
      edit(body[k]);
    }
  }

  // Replaces a statement by its contents.
  void unwrap(Body& body, size_t at) {
    const auto put_in_place = [&](const Body& inside) {
      Body rest = without(body, at, at + 1);
      rest.insert(rest.begin() + std::ptrdiff_t(at), inside.begin(), inside.end());
      try_as(body, std::move(rest));
    };
    const Statement& s = body[at];
    for (const Body* part : {&s.body, &s.other, &s.first}) {
      if (!part->empty()) put_in_place(Body(*part));
    }
    for (size_t k = 0; k < s.cases.size(); ++k) put_in_place(Body(s.cases[k].body));
  }

  void edit(Statement& s) {
    edit(s.value);
    edit(s.operand);
    edit(s.body);
    edit(s.other);
    edit(s.first);
    edit(s.last);
    if (!s.other.empty()) try_as(s.other, {});
    if (s.kind == S::operation || s.operates) try_as(s.operation, Operation::ballot_of_all);
    for (size_t k = 0; k < s.cases.size(); ++k) {
      edit(s.cases[k].body);
      if (s.cases[k].falls_through) try_as(s.cases[k].falls_through, false);
      if (s.cases[k].literals.size() > 1) try_as(s.cases[k].literals, {s.cases[k].literals.front()});
      const bool is_fallen_into = k + 1 == s.cases.size() && k > 0 && s.cases[k - 1].falls_through;
      if (s.cases.size() == 1 || is_fallen_into) continue;
      std::vector<Case> rest = s.cases;
      rest.erase(rest.begin() + std::ptrdiff_t(k));
      try_as(s.cases, std::move(rest));
    }
  }

  void edit(Expression& e) {
    if (e.kind == Expression::Kind::constant) return;
    try_as(e, Expression{});
    try_as(e, Expression{Expression::Kind::constant, 1, {}});
    for (const Expression& operand : e.operands) try_as(e, Expression(operand));
    for (Expression& operand : e.operands) edit(operand);
  }

  Program program_;
  std::vector<Program> found_;
};

}  // namespace

Program shrink(Program program, const std::function<std::vector<bool>(const std::vector<Program>&)>& fail) {
  constexpr size_t at_once = 40;
  for (bool smaller = true; smaller;) {
    smaller = false;
    const std::vector<Program> edits = Edits(program).run();
    for (size_t first = 0; first < edits.size() && !smaller; first += at_once) {
      const std::vector<Program> some(edits.begin() + std::ptrdiff_t(first),
                                      edits.begin() + std::ptrdiff_t(std::min(first + at_once, edits.size())));
      const std::vector<bool> failed = fail(some);
      const auto found = std::ranges::find(failed, true);
      if (found == failed.end()) continue;
      program = some[size_t(found - failed.begin())];
      smaller = true;
    }
  }
  return program;
}

}  // namespace weft::test::divergence
