#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Programs of random control flow with subgroup operations, to test which lanes are active. A program is a tree that
/// can be printed as GLSL, interpreted lane by lane, and reduced if a device computes it wrongly.
namespace weft::test::divergence {

/// An expression without side effects; all values are 32-bit words.
struct Expression {
  enum class Kind {
    constant,  ///< `number`.
    variable,  ///< The variable `number` of the function; see Slot.
    input,     ///< A random word of the invocation, the `number`th of inputs_per_lane.
    uniform,   ///< A push constant, the `number`th of uniforms.
    lane,      ///< gl_SubgroupInvocationID.
    subgroup,  ///< gl_SubgroupID.
    result,    ///< The result of the statement's own operation; see Statement.
    add,
    subtract,
    multiply,
    exclusive_or,
    bit,        ///< Bit `number` of the operand.
    remainder,  ///< Remainder of the operand by the constant `number`.
    less,
    equal,
    both,    ///< && of two conditions.
    either,  ///< || of two conditions.
  };
  Kind kind = Kind::constant;
  uint32_t number = 0;
  std::vector<Expression> operands;
};

/// Variables of a function are numbered. Loop counters follow those named here.
struct Slot {
  static constexpr uint32_t value_parameter = 0, reference_parameter = 1;
  static constexpr uint32_t plain = 2, plain_count = 4;
  static constexpr uint32_t even = plain + plain_count, even_count = 2;  ///< Mostly the same in every lane.
  static constexpr uint32_t counters = even + even_count;
  static constexpr uint32_t globals = 1000, global_count = 2;  ///< Per invocation, shared by all functions.
};

enum class Operation {
  ballot_of_all,
  ballot,
  elect,
  add,
  inclusive_add,
  exclusive_add,
  maximum,
  broadcast_first,
  shuffle_from_last,   ///< The last active lane.
  shuffle_from_other,  ///< The lane's neighbour if active, otherwise the lane itself.
  any,
  all,
  all_equal,
};
constexpr uint32_t operation_count = uint32_t(Operation::all_equal) + 1;

struct Statement;
using Body = std::vector<Statement>;

struct Case {
  std::vector<uint32_t> literals;
  bool is_default = false;
  bool falls_through = false;
  Body body;
};

struct Statement {
  enum class Kind {
    assign,     ///< target = value
    record,     ///< Adds value to the trace.
    operation,  ///< target = operation(value), added to the trace.
    if_,        ///< if (value) body else other
    for_,       ///< for (; first, value; last) body: `first` and `last` are statements that expressions can stand for.
    endless,    ///< for (;; last) body
    do_,        ///< do body while (first, value)
    switch_,    ///< switch (value) cases
    break_,
    continue_,
    return_,  ///< return value
    call,     ///< target = function(value, reference)
  };
  Kind kind = Kind::assign;
  Expression value;
  uint32_t target = 0;
  uint32_t site = 0;  ///< Names a record or operation in the trace.
  Operation operation = Operation::ballot_of_all;
  /// An if, switch, for or do may also have an operation, within its `value`, which uses the result as E::result.
  bool operates = false;
  Expression operand;  ///< Operand of the operation.
  Body body, other, first, last;
  std::vector<Case> cases;
  uint32_t function = 0, reference = 0;

  bool is_loop() const { return kind == Kind::for_ || kind == Kind::endless || kind == Kind::do_; }
};

struct Function {
  Body body;
  uint32_t slots = Slot::counters;
};

/// functions[0] is the entry, which returns nothing; a function calls only later ones.
struct Program {
  uint64_t seed = 0;
  std::vector<Function> functions;
};

/// An invocation's trace: a hash of all records, then (site, value) of the first ones.
constexpr uint32_t inputs_per_lane = 4, uniforms = 4;
constexpr uint32_t records_kept = 40, words_per_lane = 1 + 2 * records_kept;
constexpr uint32_t hash_factor = 16777619u, site_factor = 0x9e3779b1u;  // hash = (hash ^ site and value) * factor

/// The inputs of all programs of a run.
struct Given {
  uint32_t lanes = 0;            ///< Invocations of the single workgroup.
  std::vector<uint32_t> inputs;  ///< inputs_per_lane for each invocation.
  uint32_t uniforms[divergence::uniforms] = {};
};

/// Generates the program for a seed. Small ones are for drivers that compile slowly. Vulkan's drivers differ in whether
/// lanes that enter a case in different ways join (docs/devices.md), so in programs for them each case has only one
/// label, which lanes jump to.
enum class Extent { ordinary, small, small_for_vulkan };
Program generate(uint64_t seed, Extent extent = Extent::ordinary);

/// Returns the words that the invocations leave; empty if the program takes too long to be useful.
std::vector<uint32_t> interpret(const Program& program, const Given& given, uint32_t subgroup_size);

/// Reduces a program for which `fail` is true to one that cannot be reduced further. `fail` is called with many
/// programs at a time.
Program shrink(Program program, const std::function<std::vector<bool>(const std::vector<Program>&)>& fail);

struct Shape {
  bool entry_in_main = false;  ///< The entry's body is in main(), so that its returns end the kernel.
  /// Each endless loop has one more exit, which is never taken. Otherwise the optimiser's block merging may move the
  /// code before the only break behind the loop, where other lanes are active.
  bool second_exits = false;
  bool scoped = false;  ///< The condition of an if or a switch is a separate variable.
};
/// Returns a compute shader in which workgroup (0, k) runs program k.
std::string to_glsl(const std::vector<Program>& programs, uint32_t lanes, const Shape& shape);

}  // namespace weft::test::divergence
