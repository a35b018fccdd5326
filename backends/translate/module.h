#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include <weft/spirv.h>

namespace weft::translate {

using Id = uint32_t;

struct Instruction {
  spv::Op op = spv::OpNop;
  Id type = 0, result = 0;
  std::vector<uint32_t> args;  ///< The words after opcode, result type and result.
  uint32_t line = 0;           ///< From OpLine; 0 if there is none.
  Id file = 0;

  uint32_t arg(size_t index) const { return index < args.size() ? args[index] : 0; }
};

struct Block {
  Id label = 0;
  std::vector<Instruction> code;  ///< Phis first, the terminator last. The merge instruction is below.
  spv::Op merge_op = spv::OpNop;
  Id merge = 0, continue_target = 0;
  uint32_t loop_control = 0;

  const Instruction& terminator() const { return code.back(); }
};

struct Function {
  Id id = 0, return_type = 0;
  std::vector<Instruction> parameters;
  std::vector<Block> blocks;
  std::unordered_map<Id, uint32_t> block_index;

  const Block& block(Id label) const { return blocks[block_index.at(label)]; }
};

enum class Kind {
  void_type,
  boolean,
  integer,
  floating,
  vector,
  matrix,
  array,
  runtime_array,
  structure,
  pointer,
  function,
  other
};

struct Type {
  Id id = 0;
  Kind kind = Kind::other;
  spv::Op op = spv::OpNop;
  uint32_t width = 0;  ///< Bits of a scalar.
  bool is_signed = false;
  Id element = 0;      ///< Of vectors, arrays, matrices (the column) and pointers (the pointee).
  uint32_t count = 0;  ///< Number of components of a vector or columns of a matrix.
  Id length = 0;       ///< Of an array: id of the constant.
  std::vector<Id> members;
  spv::StorageClass storage = spv::StorageClassMax;
};

using Decorations = std::map<spv::Decoration, std::vector<uint32_t>>;

struct EntryPoint {
  Id function = 0;
  std::string name;
  std::vector<Id> interface;  ///< Since SPIR-V 1.4, all module-scope variables that it may use.
};

/// The instructions of a module, sorted by subject. Plain data.
struct Module {
  std::string name;
  std::unordered_map<Id, Type> types;
  std::unordered_map<Id, Id> type_of;  ///< The type of each result that has one.
  std::vector<Instruction> constants;  ///< In module order, including undefined values and specialization constants.
  std::vector<Instruction> variables;  ///< Of module scope.
  std::vector<Function> functions;
  std::unordered_map<Id, uint32_t> function_index;
  std::unordered_map<Id, std::string> names, strings, instruction_sets;
  std::map<std::pair<Id, uint32_t>, std::string> member_names;
  std::unordered_map<Id, Decorations> decorations;
  std::map<std::pair<Id, uint32_t>, Decorations> member_decorations;
  std::vector<EntryPoint> entry_points;
  std::unordered_map<Id, std::vector<Instruction>> execution_modes;
  Id largest_id = 0;

  const Type& type(Id id) const { return types.at(id); }
  const Type& type_of_value(Id value) const { return types.at(type_of.at(value)); }
  const Function& function(Id id) const { return functions[function_index.at(id)]; }
  bool has(Id id, spv::Decoration decoration) const;
  std::optional<uint32_t> decoration(Id id, spv::Decoration decoration) const;
  const Decorations* member(Id structure, uint32_t index) const;
};

/// Parses a valid module.
Module parse_module(const Spirv& module);

/// Instructions outside of functions, by kind. They are read, or ignored because the translation does not depend on
/// them.
struct DeclarationKind {
  const char* group;
  std::vector<spv::Op> instructions;
};
const std::vector<DeclarationKind>& declarations();

/// "OpIAdd".
std::string instruction_name(spv::Op op);

/// Reads a string from the words of an instruction. `length` receives its number of words.
std::string literal_string(const std::vector<uint32_t>& words, size_t first, size_t* length = nullptr);

}  // namespace weft::translate
