#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/module_emitter.h"
#include "backends/translate/structure.h"

namespace weft::translate {

struct Rule;

/// Emits the code of one function.
class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& parent, const Function& function);
  std::string run();
  std::string prototype();
  /// Of an entry point; see in_step.cpp.
  bool gains_in_step() const;
  std::string parameter_type(const Instruction& parameter) const;

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
  // access.cpp:
  void function_call(const Instruction&, const Rule&);
  void nothing(const Instruction&, const Rule&) {}

 private:
  // Values and statements.
  std::string value(Id id);
  const Type& type_of(Id id) const { return parent_.module.type_of_value(id); }
  const Type& scalar_of(const Type& type) const;
  void define(const Instruction& instruction, const std::string& expression);
  void declare(const Instruction& instruction, const std::string& expression);
  void line(const std::string& text);
  void label(const std::string& name) { add({name + ": ;", name}); }
  void line_comment(const Instruction& instruction);
  std::string arguments(const Instruction& instruction, size_t first, size_t count = ~size_t{0});
  void find_hoisted();

  // expressions.cpp: values that are emitted at their use.
  struct PutOff {
    const Instruction* instruction = nullptr;
    bool reads_memory = false;
    uint32_t depth = 1;
  };
  bool put_off(const Instruction& instruction);
  std::string fetch(Id id);
  void settle(Id id);
  void settle_operands(const Instruction& instruction);
  void settle_vectors(const Instruction& instruction);
  void settle_before(const Instruction& instruction);
  void settle_all_but(const std::vector<Id>& kept, bool reads_only);
  bool reads_quietly(const Instruction& load) const;
  bool lies_in_one_piece(const Type& type) const;
  const Rule* rule_of(const Instruction& instruction) const;
  static std::string without_parentheses(const std::string& text);

  // access.cpp
  Lvalue lvalue_of(Id pointer, const Instruction& user);
  Lvalue pointee(Id pointer, const std::string& text, const Instruction& user);
  void check_escape(Id pointer, const Instruction& user);
  void step_into(Lvalue& lvalue, Id index, const Instruction& user);
  void step_over(Lvalue& lvalue, Id index, const Instruction& user);
  size_t memory_access(Lvalue& lvalue, const Instruction& instruction, size_t first);
  std::string index_text(Id index, uint64_t stride);
  std::string pointer_value(const Lvalue& lvalue) const;
  std::string arguments_of_call(const Instruction& call);
  // atomics.cpp
  std::string atomic_head(const Instruction& instruction, const std::string& function, size_t scope = 1);
  uint32_t constant_word(Id id, const Instruction& user, const char* what);
  // conversion.cpp
  std::string converted(const std::string& text, const Type& to) const;

  // control_flow.cpp: emission from a stack of remaining work.
  struct Work {
    enum class Kind { block, branch, text, continue_point, construct_end, arm_end } kind = Kind::text;
    int construct = 0;       ///< Around the code. For continue_point and construct_end: the one that ends.
    Id natural = 0;          ///< The label whose code follows in the text, so a branch there needs no jump.
    Id label = 0, from = 0;  ///< The block or the branch's target; the branch's source.
    std::string text;
  };
  void emit_all();
  void push(const std::vector<Work>& items);
  void emit_block(const Work& work);
  void emit_code(const Block& block);
  void terminator(const Block& block, const Work& work);
  void find_effects();
  void open_loop(const Block& block, const Work& work);
  void leave_at_header(const Block& header, Id last_label, bool leaves_when_true);
  void continue_point(const Work& work);
  void construct_end(const Work& work);
  void conditional(const Block& block, const Work& work);
  void selection(const Block& block, const Work& work);
  void branch(Id from, Id target, int construct, Id natural);
  void phi_copies(Id from, Id to);
  void phi_copies_where(Id from, Id to, const std::function<bool(Id)>& is_wanted);
  bool needs_text(Id from, Id to, Id natural) const;
  bool has_phi_copies(Id from, Id to) const;
  // switches.cpp
  void switch_(const Block& block, const Work& work);
  void masked_switch(const Block& block, const Work& work);
  std::string case_labels(const Instruction& instruction, Id target) const;
  // jumps.cpp
  void jump(Id target, int from, Id natural);
  void jump_to_end(Id target, int crossed);
  bool is_case_of(int construct, int switch_construct) const;
  void direct_jump(Id target, int from, const Structure::Target& to);
  void return_(const Instruction& instruction, int from);
  void dispatch_exits(int construct);
  std::string end_label(int construct);
  std::string case_variable(int switch_construct) const;
  static std::string exit_text(Id target);
  static constexpr Id to_return = 0xffffffff;  // represents the function's end among labels

  // lanes.cpp: values and statements of a function that runs once for a subgroup.
  /// Where a statement is: in a loop over the lanes, before the open one, or outside of such loops.
  enum class Level { lanes, ahead, group };
  struct Line {
    std::string text;
    std::string label;  ///< Kept only if something jumps there.
  };
  void add(Line one);
  Level level_of(const Instruction& instruction) const;
  Level level_by_kind(const Instruction& instruction) const;
  Level level_in(int construct) const { return lane_root_[construct] >= 0 ? Level::lanes : Level::group; }
  Level level_of_load(const Instruction& load) const;
  bool stays_apart(const Instruction& instruction) const;
  bool is_divergent(Id id) const { return parent_.divergent.contains(id); }
  Id base_of(Id pointer) const;
  bool is_array(Id id) const { return arrays_.contains(id); }
  std::string type_name(Id type, bool of_lanes) const;
  std::string element_of(Id id) const;
  void declare_in_loop(Id variable);
  void keep_in_registers();
  void note_element(const std::string& element, const std::string& name, const Type& type);
  std::string arguments_for_lanes(const Instruction& call);
  std::string kept_pointer(const std::string& pointer);
  // lanes_arrays.cpp
  struct Home;
  struct LaneUses;
  void find_arrays();
  LaneUses uses_by_loop();
  void keep_for_lanes(Id id);
  bool differs(Id id, const LaneUses& lanes) const;
  void keep_phis(LaneUses& lanes);
  void keep_values(LaneUses& lanes);
  void find_variables_of_loops(LaneUses& lanes);
  // lanes_flow.cpp: control flow of such a function.
  void find_lane_masks();
  bool parts_lanes(int construct) const;
  void vote(const std::string& mask, Id condition, bool negated);
  void selection_of_lanes(const Block& block, const Work& work);
  void conditional_of_lanes(const Block& block, const Work& work);
  void way_out_of_lanes(const Block& header, Id last_label, bool leaves_when_true);
  void switch_of_lanes(const Block& block, const Work& work);
  void arm_end(const Work& work);
  void leave(Id target, int crossed, const std::string& lanes);
  void arrive(int construct, const std::string& entry, Id here);
  void return_of_lanes(const Instruction& instruction, int from);
  std::string return_text() const;

  // in_step.cpp
  bool may_wait(const Instruction& instruction) const;
  bool indexes_own_array(const Instruction& instruction) const;
  bool gathers_shortly(int construct) const;
  int64_t turns_of(const Block& header) const;
  std::string agreement(Id label, Id condition);

  // masks.cpp
  bool is_uniform(Id condition) const;
  void find_masks();
  bool tracked(int construct) const { return tracked_[construct]; }
  bool masked(int construct) const { return masked_[construct]; }
  bool wants_mask(int construct) const;
  bool masked_cases(int switch_construct) const;
  /// The innermost masked construct from `from` outwards, up to but excluding `owner`; -1 for none.
  int masked_below(int from, int owner) const;

  ModuleEmitter& parent_;
  const Function& function_;
  Structure structure_;
  std::unordered_map<Id, Id> block_of_;  // where each value is defined
  std::unordered_map<Id, uint32_t> use_count_;
  std::unordered_set<Id> hoisted_, decides_loop_;
  std::vector<Id> hoisted_order_;
  std::unordered_map<Id, Lvalue> lvalues_;
  std::unordered_map<Id, PutOff> put_off_;
  std::vector<Id> put_off_order_;
  std::vector<Id> wanted_;  // values being fetched, the innermost last
  std::string fetched_;
  std::vector<Line> lines_;
  std::vector<std::string> variable_lines_;
  std::unordered_set<std::string> used_labels_;
  std::vector<Work> work_;
  std::unordered_set<Id> emitted_;
  std::vector<bool> tracked_, masked_, has_effects_;   // of each construct
  std::vector<int> innermost_masked_;                  // from each construct outwards; -1 for none
  std::unordered_map<int, std::vector<Id>> crossing_;  // targets of exits that leave a masked construct early
  bool acts_ = false, uses_exit_ = false;
  std::string returned_;  // the variable for a value that is returned late
  uint32_t last_line_ = 0;
  uint32_t temporaries_ = 0;
  // Of a function that runs once for a subgroup:
  bool for_subgroup_ = false;
  Level level_ = Level::group;
  int inside_ = 0;                 // the construct around the block being emitted
  size_t region_ = 0;              // the line that opens the loop over lanes; 0 for none
  std::vector<int> lane_root_;     // of each construct: the outermost around it that each lane runs alone; or -1
  std::unordered_set<Id> arrays_;  // values with an element for each lane
  std::unordered_set<Id> variables_of_loops_;  // that are declared in the loop over lanes that uses them
  std::unordered_set<Id> lane_used_;           // values that statements of single lanes use
  std::unordered_set<int> second_arm_;         // selections whose second arm is being emitted
  std::unordered_map<Id, const Instruction*> definitions_;
  std::unordered_map<std::string, std::string> kept_pointers_;
  struct Element {
    std::string name, type;
  };
  std::unordered_map<std::string, Element> elements_;  // of variables of lanes, by the text for one of them
};

}  // namespace weft::translate
