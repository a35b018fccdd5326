#include "tests/translate/divergence_program.h"

namespace weft::test::divergence {
namespace {

using E = Expression::Kind;
using S = Statement::Kind;

std::string number(uint32_t n) { return std::to_string(n) + "u"; }

std::string slot_name(uint32_t slot) {
  if (slot >= Slot::globals) return "g" + std::to_string(slot - Slot::globals);
  if (slot >= Slot::counters) return "i" + std::to_string(slot - Slot::counters);
  if (slot >= Slot::even) return "e" + std::to_string(slot - Slot::even);
  if (slot >= Slot::plain) return "x" + std::to_string(slot - Slot::plain);
  return slot == Slot::value_parameter ? "p" : "r";
}

std::string condition(const Expression& e, const std::string& result = "");

// `result` is the text of the operation that E::result stands for.
std::string word(const Expression& e, const std::string& result = "") {
  const auto binary = [&](const char* symbol) {
    return "(" + word(e.operands[0], result) + symbol + word(e.operands[1], result) + ")";
  };
  switch (e.kind) {
    case E::constant:
      return number(e.number);
    case E::variable:
      return slot_name(e.number);
    case E::input:
      return "given.words[gl_LocalInvocationIndex * " + number(inputs_per_lane) + " + " + number(e.number) + "]";
    case E::uniform:
      return "constants.words[" + std::to_string(e.number) + "]";
    case E::lane:
      return "gl_SubgroupInvocationID";
    case E::subgroup:
      return "gl_SubgroupID";
    case E::result:
      return result;
    case E::add:
      return binary(" + ");
    case E::subtract:
      return binary(" - ");
    case E::multiply:
      return binary(" * ");
    case E::exclusive_or:
      return binary(" ^ ");
    case E::bit:
      return "(" + word(e.operands[0], result) + " >> " + number(e.number) + " & 1u)";
    case E::remainder:
      return "(" + word(e.operands[0], result) + " % " + number(e.number) + ")";
    default:
      return "uint(" + condition(e, result) + ")";
  }
}

std::string condition(const Expression& e, const std::string& result) {
  switch (e.kind) {
    case E::less:
      return word(e.operands[0], result) + " < " + word(e.operands[1], result);
    case E::equal:
      return word(e.operands[0], result) + " == " + word(e.operands[1], result);
    case E::both:
      return "(" + condition(e.operands[0], result) + ") && (" + condition(e.operands[1], result) + ")";
    case E::either:
      return "(" + condition(e.operands[0], result) + ") || (" + condition(e.operands[1], result) + ")";
    default:
      return word(e, result) + " != 0u";
  }
}

std::string operation(const Statement& s) {
  const std::string x = word(s.operand), yes = condition(s.operand);
  switch (s.operation) {
    case Operation::ballot_of_all:
      return "fold(subgroupBallot(true))";
    case Operation::ballot:
      return "fold(subgroupBallot(" + yes + "))";
    case Operation::elect:
      return "uint(subgroupElect())";
    case Operation::add:
      return "subgroupAdd(" + x + ")";
    case Operation::inclusive_add:
      return "subgroupInclusiveAdd(" + x + ")";
    case Operation::exclusive_add:
      return "subgroupExclusiveAdd(" + x + ")";
    case Operation::maximum:
      return "subgroupMax(" + x + ")";
    case Operation::broadcast_first:
      return "subgroupBroadcastFirst(" + x + ")";
    case Operation::shuffle_from_last:
      return "subgroupShuffle(" + x + ", subgroupBallotFindMSB(subgroupBallot(true)))";
    case Operation::shuffle_from_other:
      return "subgroupShuffle(" + x + ", neighbour(subgroupBallot(true)))";
    case Operation::any:
      return "uint(subgroupAny(" + yes + "))";
    case Operation::all:
      return "uint(subgroupAll(" + yes + "))";
    case Operation::all_equal:
      return "uint(subgroupAllEqual(" + x + "))";
  }
  return "";
}

// The condition of an if, a loop or a switch.
std::string test_of(const Statement& s) { return condition(s.value, s.operates ? operation(s) : ""); }

// The text of one function.
class Printer {
 public:
  Printer(std::string prefix, bool returns_value, const Shape& shape)
      : prefix_(std::move(prefix)),
        returns_value_(returns_value),
        second_exits_(shape.second_exits),
        scoped_(shape.scoped) {}

  std::string run(const Function& function) {
    std::string names;
    for (uint32_t slot = Slot::plain; slot < function.slots; ++slot) {
      names += (names.empty() ? "" : ", ") + slot_name(slot) + " = 0u";
    }
    line("uint " + names + ";");
    body(function.body);
    if (returns_value_) line("return 0u;");
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }

  void body(const Body& statements) {
    ++depth_;
    for (const Statement& s : statements) statement(s);
    --depth_;
  }

  void block(const std::string& head, const Body& statements, const std::string& tail = "}") {
    line(head + " {");
    body(statements);
    line(tail);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case S::if_:
        return if_(s);
      case S::for_:
        return block("for (; " + list(s.first, test_of(s)) + "; " + list(s.last, "") + ")", s.body);
      case S::endless:
        line("for (;; " + list(s.last, "") + ") {");
        if (second_exits_) line("  if (constants.words[0] == 99u) break;");
        body(s.body);
        return line("}");
      case S::do_:
        return block("do", s.body, "} while (" + list(s.first, test_of(s)) + ");");
      case S::switch_:
        return switch_(s);
      case S::break_:
        return line("break;");
      case S::continue_:
        return line("continue;");
      case S::return_:
        return line(returns_value_ ? "return " + word(s.value) + ";" : "return;");
      default:
        line(expression(s) + ";");
    }
  }

  // Declares a variable with this value, in the scope of this statement.
  std::string own_variable(const std::string& value) {
    const std::string name = "t" + std::to_string(own_variables_++);
    line("uint " + name + " = " + value + ";");
    return name;
  }

  void if_(const Statement& s) {
    if (scoped_) line("{");
    block("if (" + (scoped_ ? own_variable("uint(" + test_of(s) + ")") + " != 0u" : test_of(s)) + ")", s.body,
          s.other.empty() ? "}" : "} else {");
    if (!s.other.empty()) {
      body(s.other);
      line("}");
    }
    if (scoped_) line("}");
  }

  void switch_(const Statement& s) {
    if (scoped_) line("{");
    const std::string selector = word(s.value, s.operates ? operation(s) : "");
    line("switch (" + (scoped_ ? own_variable(selector) : selector) + ") {");
    ++depth_;
    for (const Case& one : s.cases) {
      std::string labels;
      for (const uint32_t literal : one.literals) labels += "case " + number(literal) + ": ";
      if (one.is_default) labels += "default: ";
      block(labels, one.body, one.falls_through ? "}" : "} break;");
    }
    --depth_;
    line(scoped_ ? "}}" : "}");
  }

  // Writes a statement as an expression.
  std::string expression(const Statement& s) const {
    const std::string target = slot_name(s.target) + " = ", site = number(s.site);
    switch (s.kind) {
      case S::assign:
        return target + word(s.value);
      case S::record:
        return "put(" + site + ", " + word(s.value) + ")";
      case S::operation:
        return target + "put(" + site + ", " + operation(s) + ")";
      case S::call:
        return target + prefix_ + std::to_string(s.function) + "(" + word(s.value) + ", " + slot_name(s.reference) +
               ")";
      default:  // an if
        return "(" + test_of(s) + " ? " + list(s.body, "0u") + " : " + list(s.other, "0u") + ")";
    }
  }

  std::string list(const Body& statements, const std::string& end) const {
    std::string text;
    for (const Statement& s : statements) text += (text.empty() ? "" : ", ") + expression(s);
    if (!end.empty()) text += (text.empty() ? "" : ", ") + end;
    return statements.size() > 1 || (statements.size() == 1 && !end.empty()) ? "(" + text + ")" : text;
  }

  std::string prefix_, text_;
  bool returns_value_, second_exits_, scoped_;
  uint32_t own_variables_ = 0;
  size_t depth_ = 0;
};

const char* const head = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(set = 0, binding = 0, std430) readonly buffer Given { uint words[]; } given;
layout(set = 0, binding = 1, std430) buffer Trace { uint words[]; } trace;
layout(push_constant) uniform Constants { uint words[UNIFORMS]; } constants;
uint recorded = 0u, g0 = 0u, g1 = 0u;
uint fold(uvec4 ballot) { return ballot.x + 3u * ballot.y + 5u * ballot.z + 7u * ballot.w; }
uint neighbour(uvec4 active_lanes) {
  uint other = gl_SubgroupInvocationID ^ 1u;
  return subgroupBallotBitExtract(active_lanes, other) ? other : gl_SubgroupInvocationID;
}
uint put(uint site, uint value) {
  uint first = (gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex) * WORDS;
  trace.words[first] = (trace.words[first] ^ (site * SITE_FACTOR + value)) * HASH_FACTOR;
  if (recorded < RECORDS) {
    trace.words[first + 1u + 2u * recorded] = site;
    trace.words[first + 2u + 2u * recorded] = value;
  }
  recorded += 1u;
  return value;
}
)";

}  // namespace

std::string to_glsl(const std::vector<Program>& programs, uint32_t lanes, const Shape& shape) {
  std::string text = head;
  const auto define = [&](const std::string& name, uint32_t value) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;) text.replace(at, name.size(), number(value));
  };
  define("UNIFORMS", uniforms);
  define("LANES", lanes);
  define("WORDS", words_per_lane);
  define("SITE_FACTOR", site_factor);
  define("HASH_FACTOR", hash_factor);
  define("RECORDS", records_kept);
  text += "layout(local_size_x = " + std::to_string(lanes) + ") in;\n";
  std::string cases;
  for (size_t p = 0; p < programs.size(); ++p) {
    const Program& program = programs[p];
    const std::string prefix = "f" + std::to_string(p) + "_";
    for (size_t k = program.functions.size(); k-- > 1;) {
      text += "uint " + prefix + std::to_string(k) + "(uint p, inout uint r) {\n";
      text += Printer(prefix, true, shape).run(program.functions[k]) + "}\n";
    }
    const std::string entry = Printer(prefix, false, shape).run(program.functions[0]);
    cases += "case " + std::to_string(p) + ": {\n";
    if (shape.entry_in_main) {
      cases += entry;
    } else {
      text += "void " + prefix + "0() {\n" + entry + "}\n";
      cases += prefix + "0();\n";
    }
    cases += "} break;\n";
  }
  return text + "void main() {\nswitch (gl_WorkGroupID.y) {\n" + cases + "}\n}\n";
}

}  // namespace weft::test::divergence
