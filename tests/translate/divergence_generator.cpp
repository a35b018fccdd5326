#include "tests/translate/divergence_expressions.h"

namespace weft::test::divergence {
namespace {

using E = Expression::Kind;
using S = Statement::Kind;

// The context of a statement.
struct Context {
  bool in_loop = false, in_switch = false;
  bool may_continue = false;  // not before the part that makes the loop end
  bool parted = false;        // lanes may have diverged around it
  uint32_t depth = 0;
};

class Generator : RandomExpressions {
 public:
  Generator(uint64_t seed, Extent extent)
      : RandomExpressions(seed),
        is_small_(extent != Extent::ordinary),
        one_way_into_cases_(extent == Extent::small_for_vulkan) {}

  Program run() {
    Program program;
    even_ = 20 + below(60);
    operations_ = 25 + below(35);
    const uint32_t functions = chance(is_small_ ? 20 : 60) ? 1 + below(is_small_ ? 1 : 2) : 0;
    program.functions.resize(1 + functions);
    for (uint32_t k = functions + 1; k-- > 0;) {
      function_ = k;
      function_count_ = functions + 1;
      slots_ = Slot::counters;
      budget_ = is_small_ ? 3 + below(7) : k == 0 ? 6 + below(30) : 3 + below(10);
      Context context;
      context.parted = k != 0 && chance(50);
      add_first_values(program.functions[k].body);
      while (budget_ > 0) add_statements(program.functions[k].body, context);
      Statement last;
      last.kind = S::return_;
      last.value = word(false);
      program.functions[k].body.push_back(last);
      program.functions[k].slots = slots_;
    }
    return program;
  }

 private:
  void add_first_values(Body& body) {
    for (uint32_t k = 0; k < Slot::plain_count; ++k) {
      if (chance(70)) body.push_back(assign(Slot::plain + k, make(E::input, k % inputs_per_lane)));
    }
    for (uint32_t k = 0; k < Slot::even_count; ++k) {
      if (chance(70)) body.push_back(assign(Slot::even + k, make(E::uniform, below(uniforms))));
    }
  }

  uint32_t plain_target() {
    if (chance(10)) return Slot::globals + below(Slot::global_count);
    if (function_ != 0 && chance(15)) return below(2);
    return Slot::plain + below(Slot::plain_count);
  }

  Statement assign(uint32_t target, Expression value) {
    Statement s;
    s.target = target;
    s.value = std::move(value);
    return s;
  }
  // Mostly keeps even variables even.
  Statement assign(const Context& context) {
    const bool even = chance(context.parted ? 8 : 40);
    if (even) return assign(Slot::even + below(Slot::even_count), word(chance(92)));
    return assign(plain_target(), word(false));
  }

  Statement operation(const Context& context) {
    Statement s;
    s.kind = S::operation;
    s.operation = Operation(below(operation_count));
    s.site = ++sites_;
    const bool same_in_all = s.operation != Operation::elect && s.operation != Operation::inclusive_add &&
                             s.operation != Operation::exclusive_add && s.operation != Operation::shuffle_from_other;
    const bool to_even = same_in_all && chance(context.parted ? 6 : 45);
    s.target = to_even ? Slot::even + below(Slot::even_count) : plain_target();
    s.operand = operand();
    return s;
  }

  Expression operand() { return chance(30) ? condition(chance(20)) : word(chance(20)); }

  // Makes the condition of an if, loop or switch, or a part of it, the result of an operation.
  void add_operation(Statement& s) {
    if (!chance(25)) return;
    s.operates = true;
    s.operation = Operation(below(operation_count));
    s.operand = operand();
    const Expression result = make(E::result, 0);
    const uint32_t n = 2 + below(3);
    if (s.kind == S::switch_) {
      s.value = make(E::remainder, n, {result});
      return;
    }
    const Expression decides =
        chance(30) ? result : make(E::less, 0, {make(E::remainder, n, {result}), make(E::constant, 1)});
    s.value = s.is_loop() ? make(E::both, 0, {decides, s.value}) : decides;
  }

  Statement record(Expression value) {
    Statement s;
    s.kind = S::record;
    s.site = ++sites_;
    s.value = std::move(value);
    return s;
  }

  void add_statements(Body& body, const Context& context) {
    --budget_;
    if (chance(operations_)) {
      body.push_back(operation(context));
      return;
    }
    if ((context.in_loop || context.in_switch) && chance(25)) {
      add_exit(body, context);
      return;
    }
    const bool deep = context.depth >= 5 || budget_ <= 0;
    switch (below(deep ? 4 : 13)) {
      case 0:
        body.push_back(record(leaf(chance(30))));
        return;
      case 1:
        add_exit(body, context);
        return;
      case 2:
        if (function_ + 1 < function_count_) {
          body.push_back(call());
          return;
        }
        [[fallthrough]];
      case 3:
        body.push_back(assign(context));
        return;
      case 4:
      case 5:
      case 6:
        body.push_back(if_(context));
        return;
      case 7:
      case 8:
        body.push_back(switch_(context));
        return;
      default:
        add_loop(body, context);
    }
  }

  // Mostly records the active lanes at its end.
  Body statements(const Context& context) {
    Body body;
    for (uint32_t n = 1 + below(3); n-- > 0 && budget_ > 0;) add_statements(body, context);
    const bool ends_with_construct = !body.empty() && (body.back().is_loop() || !body.back().body.empty());
    if (ends_with_construct && chance(60)) body.push_back(operation(context));
    return body;
  }

  // A statement that leaves: break, continue or return.
  Statement exit(const Context& context) {
    Statement s;
    std::vector<S> kinds;
    if (context.in_loop || context.in_switch) kinds.insert(kinds.end(), {S::break_, S::break_});
    if (context.may_continue) kinds.insert(kinds.end(), {S::continue_, S::continue_});
    if (kinds.empty() || chance(20)) kinds.push_back(S::return_);
    s.kind = kinds[below(uint32_t(kinds.size()))];
    if (s.kind == S::return_) s.value = word(chance(30));
    return s;
  }

  void add_exit(Body& body, const Context& context) {
    if (context.depth == 0 && chance(60)) return;  // most of the following statements would not run
    Statement s;
    s.kind = S::if_;
    s.value = condition(chance(context.parted ? 20 : even_));
    add_operation(s);
    if (chance(30)) s.body.push_back(operation(context));
    s.body.push_back(exit(context));
    body.push_back(s);
  }

  Statement call() {
    Statement s;
    s.kind = S::call;
    s.function = function_ + 1 + below(function_count_ - function_ - 1);
    s.value = word(chance(20));
    s.target = Slot::plain + below(Slot::plain_count - 1);
    s.reference = s.target + 1;
    return s;
  }

  Statement if_(Context context) {
    Statement s;
    s.kind = S::if_;
    const bool even = chance(even_);
    s.value = condition(even);
    add_operation(s);
    context.parted = context.parted || !even;
    ++context.depth;
    s.body = statements(context);
    if (chance(50)) s.other = statements(context);
    if (chance(10)) s.body.push_back(exit(context));
    return s;
  }

  // Statements that expressions can stand for.
  Body inline_statements(const Context& context) {
    Body body;
    if (chance(45)) body.push_back(operation(context));
    if (chance(12)) {
      Statement s;
      s.kind = S::if_;
      s.value = condition(chance(even_));
      add_operation(s);
      Context inside = context;
      inside.parted = true;
      s.body.push_back(operation(inside));
      if (chance(30)) s.other.push_back(operation(inside));
      body.push_back(s);
    }
    if (chance(10)) body.push_back(assign(context));
    return body;
  }

  // Each loop counts its iterations, and ends after a few, whatever else happens in it.
  void add_loop(Body& body, Context context) {
    const uint32_t counter = slots_++;
    const bool even = chance(even_);
    const auto count = [&] { return make(E::variable, counter); };
    const Expression bound = chance(50) ? make(E::constant, 1 + below(4))
                                        : make(E::add, 0, {make(E::constant, 1), make(E::remainder, 4, {leaf(even)})});
    Expression goes_on = make(E::less, 0, {count(), bound});
    if (chance(25)) goes_on = make(E::both, 0, {goes_on, condition(even)});
    const Statement step = assign(counter, make(E::add, 0, {count(), make(E::constant, 1)}));
    body.push_back(assign(counter, make(E::constant, 0)));
    context.in_loop = true;
    context.in_switch = false;
    context.parted = context.parted || !even;
    context.may_continue = true;
    ++context.depth;
    Statement s;
    const S kinds[] = {S::for_, S::endless, S::do_};
    s.kind = kinds[below(3)];
    if (s.kind == S::for_) {
      s.first = inline_statements(context);
      s.value = goes_on;
      add_operation(s);
      s.body = statements(context);
      s.last = inline_statements(context);
      s.last.push_back(step);
    } else if (s.kind == S::do_) {
      s.body = statements(context);
      s.first = inline_statements(context);
      s.first.insert(s.first.begin() + below(uint32_t(s.first.size()) + 1), step);
      s.value = goes_on;
      add_operation(s);
    } else {
      context.may_continue = false;
      if (chance(50)) s.body = statements(context);
      context.may_continue = true;
      Statement guard;
      guard.kind = S::if_;
      guard.value = make(E::less, 0, {goes_on, make(E::constant, 1)});
      if (chance(25)) guard.body.push_back(operation(context));
      exit_of_loop(guard);
      s.body.push_back(guard);
      for (Statement& one : statements(context)) s.body.push_back(std::move(one));
      s.last = inline_statements(context);
      s.last.push_back(step);
    }
    body.push_back(s);
    if (chance(40))
      body.push_back(record(make(E::variable, Slot::plain + below(Slot::plain_count + Slot::even_count))));
  }

  void exit_of_loop(Statement& guard) {
    Statement leaving;
    leaving.kind = chance(85) ? S::break_ : S::return_;
    if (leaving.kind == S::return_) leaving.value = word(false);
    guard.body.push_back(leaving);
  }

  Statement switch_(Context context) {
    Statement s;
    s.kind = S::switch_;
    const bool even = chance(even_);
    const uint32_t n = 2 + below(5);
    s.value = make(E::remainder, n, {leaf(even)});
    add_operation(s);
    context.parted = context.parted || !even;
    context.in_switch = true;
    ++context.depth;
    bool has_default = false;
    uint32_t literal = 0;
    for (uint32_t k = 1 + below(n); k-- > 0;) {
      Case one;
      for (uint32_t labels = chance(20) && !one_way_into_cases_ ? 2 : 1; labels-- > 0;) {
        one.literals.push_back(literal++);
      }
      if (!has_default && chance(25) && !one_way_into_cases_) {
        one.is_default = has_default = true;
        if (chance(60)) one.literals.clear();
      }
      one.body = statements(context);
      one.falls_through = chance(35) && !one_way_into_cases_;
      s.cases.push_back(one);
    }
    // Labels in any order.
    for (size_t k = s.cases.size(); k > 1; --k)
      std::swap(s.cases[k - 1].literals, s.cases[below(uint32_t(k))].literals);
    for (Case& one : s.cases) {
      if (one.literals.empty() && !one.is_default) one.literals.push_back(literal++);
    }
    s.cases.back().falls_through = false;
    return s;
  }

  bool is_small_, one_way_into_cases_;
  uint32_t even_ = 0, operations_ = 0;  // in percent
  uint32_t function_count_ = 0, sites_ = 0;
  int budget_ = 0;
};

}  // namespace

Program generate(uint64_t seed, Extent extent) {
  Program program = Generator(seed, extent).run();
  program.seed = seed;
  return program;
}

}  // namespace weft::test::divergence
