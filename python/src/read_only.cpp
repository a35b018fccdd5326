#include "python/src/read_only.h"

#include <map>
#include <spirv/unified1/spirv.hpp>

#include "core/src/spirv/instructions.h"

namespace weft::python {
namespace {

using Id = uint32_t;

/// What a module says of its types, variables and their decorations.
struct Declarations {
  struct Variable {
    Id id, pointer;
    uint32_t storage;
  };
  std::map<Id, std::vector<Id>> structs;  // types of members
  std::map<Id, Id> pointees;
  std::vector<Variable> variables;
  std::map<Id, std::pair<uint32_t, uint32_t>> bindings;  // set and binding
  std::map<std::pair<Id, uint32_t>, uint32_t> offsets;   // of members
  std::set<Id> constant_variables, uniform_blocks;       // NonWritable; Block
  std::map<Id, std::set<uint32_t>> constant_members;

  explicit Declarations(const std::vector<uint32_t>& module) {
    core::for_each_instruction(module, [&](const core::InstructionWords& words) {
      switch (words.opcode()) {
        case spv::OpTypeStruct:
          for (uint32_t i = 2; i < words.size(); ++i) structs[words.word(1)].push_back(words.word(i));
          break;
        case spv::OpTypePointer:
          pointees[words.word(1)] = words.word(3);
          break;
        case spv::OpVariable:
          variables.push_back({words.word(2), words.word(1), words.word(3)});
          break;
        case spv::OpDecorate:
          decorate(words);
          break;
        case spv::OpMemberDecorate:
          if (words.word(3) == spv::DecorationOffset) offsets[{words.word(1), words.word(2)}] = words.word(4);
          if (words.word(3) == spv::DecorationNonWritable) constant_members[words.word(1)].insert(words.word(2));
          break;
        default:
          break;
      }
    });
  }

  void decorate(const core::InstructionWords& words) {
    if (words.word(2) == spv::DecorationDescriptorSet) bindings[words.word(1)].first = words.word(3);
    if (words.word(2) == spv::DecorationBinding) bindings[words.word(1)].second = words.word(3);
    if (words.word(2) == spv::DecorationNonWritable) constant_variables.insert(words.word(1));
    if (words.word(2) == spv::DecorationBlock) uniform_blocks.insert(words.word(1));
  }

  /// Whether all members of a block are read-only.
  bool is_constant(Id block) const {
    const auto members = structs.find(block);
    const auto constant = constant_members.find(block);
    return members != structs.end() && constant != constant_members.end() &&
           constant->second.size() == members->second.size();
  }
};

}  // namespace

ReadOnlyBuffers read_only_buffers(const std::vector<uint32_t>& module) {
  const Declarations declared(module);
  ReadOnlyBuffers result;
  std::set<std::pair<uint32_t, uint32_t>> written;  // several variables may share a binding
  for (const Declarations::Variable& variable : declared.variables) {
    const Id block = declared.pointees.at(variable.pointer);
    if (const auto binding = declared.bindings.find(variable.id); binding != declared.bindings.end()) {
      const bool is_uniform = variable.storage == spv::StorageClassUniform && declared.uniform_blocks.contains(block);
      const bool is_read =
          is_uniform || declared.constant_variables.contains(variable.id) || declared.is_constant(block);
      (is_read ? result.bindings : written).insert(binding->second);
    }
    if (variable.storage != spv::StorageClassPushConstant) continue;
    const auto members = declared.structs.find(block);
    if (members == declared.structs.end()) continue;
    for (uint32_t i = 0; i < members->second.size(); ++i) {
      const auto pointee = declared.pointees.find(members->second[i]);
      const auto offset = declared.offsets.find({block, i});
      if (pointee != declared.pointees.end() && offset != declared.offsets.end() &&
          declared.is_constant(pointee->second)) {
        result.references.insert(offset->second);
      }
    }
  }
  for (const auto& binding : written) result.bindings.erase(binding);
  return result;
}

}  // namespace weft::python
