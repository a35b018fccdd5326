#include "core/src/spirv/stripping.h"

#include <spirv/unified1/spirv.hpp>

#include "core/src/spirv/instructions.h"

namespace weft::core {
namespace {

bool is_for_debuggers(uint32_t opcode) {
  switch (opcode) {
    case spv::OpSourceContinued:
    case spv::OpSource:
    case spv::OpSourceExtension:
    case spv::OpName:
    case spv::OpMemberName:
    case spv::OpString:
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpModuleProcessed:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<uint32_t> stripped(const std::vector<uint32_t>& module) {
  if (module.size() < spirv_header_words) return module;
  ModuleWords result(module);
  const bool whole = for_each_instruction(module, [&](const InstructionWords& i) {
    if (!is_for_debuggers(i.opcode())) result.add(i.words());
  });
  return whole ? result.take() : module;
}

}  // namespace weft::core
