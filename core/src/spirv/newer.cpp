#include "core/src/spirv/newer.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/instructions.h"

namespace weft::core {
namespace {

// Newer than the headers.
constexpr uint32_t op_fma = 4427, op_constant_composite_replicate = 4461, op_spec_constant_composite_replicate = 4462,
                   op_composite_construct_replicate = 4463;
constexpr uint32_t capability_replicated_composites = 6024, capability_fma = 6030;

bool declares(const std::vector<uint32_t>& module, uint32_t capability) {
  return std::ranges::count(declared_capabilities(module), capability) != 0;
}

// The numbers of constituents of composite types.
class Constituents {
 public:
  void read(const InstructionWords& i) {
    switch (i.opcode()) {
      case spv::OpConstant:
        constants_[i.word(2)] = i.size() == 4 ? i.word(3) : 0;
        break;
      case spv::OpTypeVector:
      case spv::OpTypeMatrix:
        counts_[i.word(1)] = i.word(3);
        break;
      case spv::OpTypeArray:
        counts_[i.word(1)] = constants_[i.word(3)];
        break;
      case spv::OpTypeStruct:
        counts_[i.word(1)] = static_cast<uint32_t>(i.size() - 2);
        break;
      default:
        break;
    }
  }

  // 0 if unknown.
  uint32_t of(uint32_t type) const {
    const auto found = counts_.find(type);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<uint32_t, uint32_t> constants_, counts_;
};

uint32_t written_out(uint32_t opcode) {
  switch (opcode) {
    case op_constant_composite_replicate:
      return spv::OpConstantComposite;
    case op_spec_constant_composite_replicate:
      return spv::OpSpecConstantComposite;
    case op_composite_construct_replicate:
      return spv::OpCompositeConstruct;
    default:
      return spv::OpNop;
  }
}

}  // namespace

std::vector<uint32_t> without_replicated_composites(const std::vector<uint32_t>& module) {
  if (!declares(module, capability_replicated_composites)) return module;
  constexpr uint32_t most = 65535 - 3;  // operands of an instruction, besides type and result
  ModuleWords result(module);
  Constituents constituents;
  bool all = true;
  const bool whole = for_each_instruction(module, [&](const InstructionWords& i) {
    constituents.read(i);
    const uint32_t opcode = written_out(i.opcode());
    if (opcode == spv::OpNop) return result.add(i.words());
    const uint32_t count = constituents.of(i.word(1));
    if (count == 0 || count > most) {
      all = false;
      return;
    }
    std::vector<uint32_t> operands(2 + count, i.word(3));
    operands[0] = i.word(1);
    operands[1] = i.word(2);
    result.add(opcode, operands);
  });
  return whole && all ? without_capability(result.take(), capability_replicated_composites) : module;
}

std::vector<uint32_t> without_fma_instructions(const std::vector<uint32_t>& module) {
  if (!declares(module, capability_fma)) return module;
  uint32_t glsl = 0;
  for_each_instruction(module, [&](const InstructionWords& i) {
    if (i.opcode() == spv::OpExtInstImport && i.text(2) == "GLSL.std.450") glsl = i.word(1);
  });
  const bool import = glsl == 0;
  ModuleWords result(module);
  if (import) glsl = result.new_id();
  const bool whole = for_each_instruction(module, [&](const InstructionWords& i) {
    if (i.opcode() == spv::OpMemoryModel && import) {  // imports come right before it
      result.add(spv::OpExtInstImport, std::vector<uint32_t>{glsl, 0x4c534c47, 0x6474732e, 0x3035342e, 0});
    }
    if (i.opcode() != op_fma) return result.add(i.words());
    std::vector<uint32_t> operands{i.word(1), i.word(2), glsl, GLSLstd450Fma};
    operands.insert(operands.end(), i.from(3).begin(), i.from(3).end());
    result.add(spv::OpExtInst, operands);
  });
  return whole ? without_capability(result.take(), capability_fma) : module;
}

}  // namespace weft::core
