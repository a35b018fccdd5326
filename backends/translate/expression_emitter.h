#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/body.h"
#include "backends/translate/function_facts.h"
#include "backends/translate/module_emitter.h"

namespace weft::translate {

struct Rule;

/// Emits the values and statements of one function: all instructions but phis and those that end blocks.
class ExpressionEmitter {
 public:
  ExpressionEmitter(ModuleEmitter& parent, const FunctionFacts& facts, Body& body);

  /// Emits a block up to its terminator.
  void emit(const Block& block);
  /// A value as an expression.
  std::string value(Id id);
  /// The same, where parentheses around it are not needed.
  std::string bare_value(Id id) { return without_parentheses(value(id)); }
  /// Emits a deferred value into its own variable, at this point.
  void settle(Id id);
  /// The name of a value: of the whole array, or of the lane's element.
  std::string element_of(Id id) const;
  std::string type_name(Id type, bool of_lanes) const;
  /// With values of lanes in vectors (ModuleEmitter::in_vectors()): a value as an operand of `user`, and the statement
  /// that sets a variable, or a part of it.
  std::string operand(Id id, Id user);
  std::string assignment(const std::string& target, const std::string& text, Id variable) const;
  const Type& type_of(Id id) const { return parent_.module.type_of_value(id); }
  bool is_lvalue(Id pointer) const { return lvalues_.contains(pointer); }
  void line_comment(const Instruction& instruction);
  /// Declarations of values at the function's top.
  std::string declarations() const;
  static std::string without_parentheses(const std::string& text);

  // The rules for instructions, by file. arithmetic.cpp:
  void unary(const Instruction&, const Rule&);
  void binary(const Instruction&, const Rule&);
  void division(const Instruction&, const Rule&);
  void shift(const Instruction&, const Rule&);
  void product(const Instruction&, const Rule&);
  void call(const Instruction&, const Rule&);
  void typed_call(const Instruction&, const Rule&);
  void integer_dot(const Instruction&, const Rule&);
  void extended_arithmetic(const Instruction&, const Rule&);
  // conversion.cpp:
  void convert(const Instruction&, const Rule&);
  void bitcast(const Instruction&, const Rule&);
  void pointer_to_integer(const Instruction&, const Rule&);
  void integer_to_pointer(const Instruction&, const Rule&);
  // composite.cpp:
  void composite_construct(const Instruction&, const Rule&);
  void composite_extract(const Instruction&, const Rule&);
  void composite_insert(const Instruction&, const Rule&);
  void vector_shuffle(const Instruction&, const Rule&);
  void vector_extract_dynamic(const Instruction&, const Rule&);
  void vector_insert_dynamic(const Instruction&, const Rule&);
  void copy_object(const Instruction&, const Rule&);
  void copy_logical(const Instruction&, const Rule&);
  void undefined(const Instruction&, const Rule&);
  void select(const Instruction&, const Rule&);
  // access.cpp:
  void local_variable(const Instruction&, const Rule&);
  void access_chain(const Instruction&, const Rule&);
  void load(const Instruction&, const Rule&);
  void store(const Instruction&, const Rule&);
  void copy_memory(const Instruction&, const Rule&);
  void array_length(const Instruction&, const Rule&);
  void pointer_comparison(const Instruction&, const Rule&);
  // atomics.cpp:
  void atomic(const Instruction&, const Rule&);
  void atomic_load(const Instruction&, const Rule&);
  void atomic_store(const Instruction&, const Rule&);
  void atomic_compare_exchange(const Instruction&, const Rule&);
  void atomic_step(const Instruction&, const Rule&);
  void atomic_flag(const Instruction&, const Rule&);
  void control_barrier(const Instruction&, const Rule&);
  void memory_barrier(const Instruction&, const Rule&);
  // subgroup.cpp:
  void subgroup_call(const Instruction&, const Rule&);
  void subgroup_arithmetic(const Instruction&, const Rule&);
  void ballot_bit_count(const Instruction&, const Rule&);
  void subgroup_rotate(const Instruction&, const Rule&);
  void subgroup_old(const Instruction&, const Rule&);
  // glsl450.cpp:
  void extended(const Instruction&, const Rule&);
  void glsl_ldexp(const Instruction&, const Rule&);
  void glsl_out(const Instruction&, const Rule&);
  // calls.cpp:
  void function_call(const Instruction&, const Rule&);
  void nothing(const Instruction&, const Rule&) {}

 private:
  // values.cpp
  std::string plain_value(Id id);
  std::string spread_value(Id id);
  std::string type_of_result(const Instruction& instruction) const;
  const Type& scalar_of(const Type& type) const;
  void define(const Instruction& instruction, const std::string& expression);
  void declare(const Instruction& instruction, const std::string& expression);
  bool is_hoisted(Id id) const;
  void line(const std::string& text) { body_.line(text); }
  std::string arguments(const Instruction& instruction, size_t first);
  Level level_of(const Instruction& instruction) const { return facts_.lanes.level_of(instruction, inside_); }

  // expressions.cpp: values that are emitted at their use.
  void run_rule(const Instruction& instruction);
  struct PutOff {
    const Instruction* instruction = nullptr;
    bool reads_memory = false;
    uint32_t depth = 1;
  };
  bool put_off(const Instruction& instruction);
  std::string fetch(Id id);
  void settle_operands(const Instruction& instruction);
  void settle_vectors(const Instruction& instruction);
  void settle_before(const Instruction& instruction);
  void settle_all_but(const std::vector<Id>& kept, bool reads_only);
  bool reads_quietly(const Instruction& load) const;
  bool lies_in_one_piece(const Type& type) const;
  const Rule* rule_of(const Instruction& instruction) const;

  // access.cpp
  Lvalue lvalue_of(Id pointer, const Instruction& user);
  Lvalue pointee(Id pointer, const std::string& text, const Instruction& user);
  void check_escape(Id pointer, const Instruction& user);
  void step_into(Lvalue& lvalue, Id index, const Instruction& user);
  void step_over(Lvalue& lvalue, Id index, const Instruction& user);
  size_t memory_access(Lvalue& lvalue, const Instruction& instruction, size_t first);
  void store_of_lanes(const Instruction& instruction, Lvalue& lvalue);
  void write(const Lvalue& lvalue, const std::string& value);
  std::string index_text(Id index, uint64_t stride);
  std::string pointer_value(const Lvalue& lvalue) const;
  std::string kept_pointer(const std::string& pointer);
  void note_element(const std::string& element, Id variable, Id type);
  // calls.cpp
  std::string arguments_of_call(const Instruction& call);
  std::string arguments_for_lanes(const Instruction& call);
  // atomics.cpp
  std::string atomic_head(const Instruction& instruction, const std::string& function, size_t scope = 1);
  uint32_t constant_word(Id id, const Instruction& user, const char* what);

  ModuleEmitter& parent_;
  const FunctionFacts& facts_;
  Body& body_;
  int inside_ = 0;  // the construct around the block being emitted
  std::unordered_map<Id, Lvalue> lvalues_;
  std::unordered_map<Id, PutOff> put_off_;
  std::vector<Id> put_off_order_;
  std::vector<Id> wanted_;  // values being fetched, the innermost last
  std::string fetched_;
  bool spreads_ = false;     // whether operands become vectors of the lanes' values
  std::vector<Id> hoisted_;  // values declared at the function's top
  std::unordered_set<Id> declared_in_loops_;
  std::unordered_map<std::string, std::string> kept_pointers_;
  uint32_t last_line_ = 0;
};

}  // namespace weft::translate
