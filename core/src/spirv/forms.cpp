#include "core/src/spirv/forms.h"

#include <spirv/unified1/spirv.hpp>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/instructions.h"
#include "core/src/spirv/newer.h"

namespace weft::core {
namespace {

// Newer than the headers.
constexpr uint32_t op_ext_inst_with_forward_refs = 4433, mode_maximally_reconverges = 6023;

bool is_non_semantic(const std::string& instruction_set) {
  return instruction_set.starts_with("NonSemantic.") || instruction_set == "OpenCL.DebugInfo.100" ||
         instruction_set == "DebugInfo";
}

// A merge instruction counts too, because only a terminator may follow it.
bool ends_block(uint32_t opcode) {
  switch (opcode) {
    case spv::OpSelectionMerge:
    case spv::OpLoopMerge:
    case spv::OpTerminateInvocation:
    case spv::OpIgnoreIntersectionKHR:
    case spv::OpTerminateRayKHR:
    case spv::OpEmitMeshTasksEXT:
      return true;
    default:
      return spv::OpBranch <= opcode && opcode <= spv::OpUnreachable;
  }
}

// Whether the instruction names or decorates the id in its first word.
bool is_about_id(uint32_t opcode) {
  return opcode == spv::OpName || opcode == spv::OpDecorate || opcode == spv::OpDecorateId ||
         opcode == spv::OpDecorateString;
}

// Which non-semantic instructions to keep.
enum class Debug { in_blocks, none };

// The results of non-semantic instructions, and their instruction sets, to leave out.
std::unordered_set<uint32_t> unwanted_ids(const std::vector<uint32_t>& module, Debug kept) {
  std::unordered_set<uint32_t> sets, unwanted;
  std::vector<std::pair<uint32_t, uint32_t>> results;  // and the set of each
  bool in_function = false, in_block = false;
  for_each_instruction(module, [&](const InstructionWords& i) {
    const uint32_t opcode = i.opcode(), set = i.word(3);
    if (opcode == spv::OpExtInstImport && is_non_semantic(i.text(2))) {
      sets.insert(i.word(1));
      if (kept == Debug::none) unwanted.insert(i.word(1));
    } else if (opcode == spv::OpFunction) {
      in_function = true;
    } else if (opcode == spv::OpFunctionEnd) {
      in_function = in_block = false;
    } else if (opcode == spv::OpLabel) {
      in_block = true;
    } else if (ends_block(opcode)) {
      in_block = false;
    } else if ((opcode == spv::OpExtInst || opcode == op_ext_inst_with_forward_refs) && sets.contains(set)) {
      results.emplace_back(i.word(2), set);
      if (opcode == op_ext_inst_with_forward_refs) unwanted.insert(set);
      if (in_function && !in_block) unwanted.insert(i.word(2));
    }
  });
  for (const auto& [result, set] : results) {
    if (unwanted.contains(set)) unwanted.insert(result);
  }
  return unwanted;
}

std::vector<uint32_t> filtered(const std::vector<uint32_t>& module, Debug kept) {
  if (module.size() < spirv_header_words) return module;
  const std::unordered_set<uint32_t> unwanted = unwanted_ids(module, kept);
  ModuleWords result(module);
  const bool whole = for_each_instruction(module, [&](const InstructionWords& i) {
    switch (i.opcode()) {
      case spv::OpSource:
        if (i.word(1) > spv::SourceLanguageHLSL) {
          result.add(i.words().subspan(0, 1));
          result.add({{spv::SourceLanguageUnknown}});
          return result.add(i.from(2));
        }
        break;
      case spv::OpExtension:
        if (i.text(1) == "SPV_KHR_relaxed_extended_instruction") return;
        break;
      case spv::OpCapability:
        if (kept == Debug::none && !tools_know(i.word(1))) return;
        break;
      case spv::OpExecutionMode:
        if (kept == Debug::none && i.word(2) == mode_maximally_reconverges) return;
        break;
      case spv::OpExtInstImport:
        if (unwanted.contains(i.word(1))) return;
        break;
      case spv::OpExtInst:
      case op_ext_inst_with_forward_refs:
        if (unwanted.contains(i.word(2))) return;
        break;
      default:
        if (is_about_id(i.opcode()) && unwanted.contains(i.word(1))) return;
    }
    result.add(i.words());
  });
  return whole ? result.take() : module;
}

}  // namespace

std::vector<uint32_t> driver_form(const std::vector<uint32_t>& module) {
  return filtered(without_replicated_composites(module), Debug::in_blocks);
}

std::vector<uint32_t> tool_form(const std::vector<uint32_t>& module) {
  return filtered(without_fma_instructions(without_replicated_composites(module)), Debug::none);
}

}  // namespace weft::core
