#include "core/src/spirv/module_scan.h"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

#include <weft/error.h>

#include "core/src/spirv/forms.h"

namespace weft::core {
namespace {

struct Block {
  uint32_t merge = 0, continue_target = 0;  // of the construct that this block opens
  bool is_loop = false;
  bool subgroup_operation = false;
  std::vector<uint32_t> targets, calls;
};

struct Function {
  uint32_t first_label = 0;
  std::unordered_map<uint32_t, Block> blocks;
  std::vector<uint32_t> variables;  // module-scope variables that its instructions use
};

bool is_subgroup_operation(uint32_t opcode) {
  const auto within = [&](uint32_t first, uint32_t last) { return first <= opcode && opcode <= last; };
  return within(spv::OpGroupNonUniformElect, spv::OpGroupNonUniformQuadSwap) ||
         within(spv::OpGroupAll, spv::OpGroupSMax) ||
         within(spv::OpSubgroupBallotKHR, spv::OpSubgroupFirstInvocationKHR) ||
         within(spv::OpSubgroupAllKHR, spv::OpSubgroupReadInvocationKHR) ||  // includes OpGroupNonUniformRotateKHR
         opcode == spv::OpGroupNonUniformPartitionNV;
}

bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID || type == SPV_OPERAND_TYPE_RESULT_ID ||
         type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID || type == SPV_OPERAND_TYPE_SCOPE_ID;
}

// Reads the module, one instruction at a time, as spvBinaryParse calls it.
class Reader {
 public:
  explicit Reader(const std::string& entry_name) : entry_name_(entry_name) {}

  void read(const spv_parsed_instruction_t& instruction) {
    if (instruction.result_id >= ids_.size()) ids_.resize(std::max<size_t>(instruction.result_id + 1, 2 * ids_.size()));
    ids_[instruction.result_id].type = instruction.type_id;
    switch (instruction.opcode) {
      case spv::OpEntryPoint:
        entry_point(instruction);
        break;
      case spv::OpTypePointer:
        if (word(instruction, 2) == spv::StorageClassPhysicalStorageBuffer) pointer_align[word(instruction, 1)] = 1;
        break;
      case spv::OpVariable:
        ids_[instruction.result_id].is_variable = function_ == nullptr;
        if (function_) read_code(instruction);
        break;
      case spv::OpFunction:
        function_ = &functions[instruction.result_id];
        break;
      case spv::OpFunctionEnd:
        function_ = nullptr;
        break;
      default:
        if (function_) read_code(instruction);
    }
  }

  std::unordered_map<uint32_t, Function> functions;
  std::unordered_map<uint32_t, uint32_t> pointer_align;
  uint32_t entry = 0;

 private:
  static uint32_t word(const spv_parsed_instruction_t& instruction, size_t index) {
    return index < instruction.num_words ? instruction.words[index] : 0;
  }

  void entry_point(const spv_parsed_instruction_t& instruction) {
    const char* name = reinterpret_cast<const char*>(instruction.words + 3);
    if (word(instruction, 1) == spv::ExecutionModelGLCompute && name == entry_name_) entry = word(instruction, 2);
  }

  void read_code(const spv_parsed_instruction_t& instruction) {
    for (const spv_parsed_operand_t& operand : std::span(instruction.operands, instruction.num_operands)) {
      if (!is_id(operand.type)) continue;
      const uint32_t id = instruction.words[operand.offset];
      if (id < ids_.size() && ids_[id].is_variable) function_->variables.push_back(id);
    }
    if (instruction.opcode == spv::OpLabel) {
      if (function_->first_label == 0) function_->first_label = instruction.result_id;
      block_ = &function_->blocks[instruction.result_id];
    }
    if (!block_) return;  // parameters come before the first block
    if (is_subgroup_operation(instruction.opcode)) block_->subgroup_operation = true;
    switch (instruction.opcode) {
      case spv::OpFunctionCall:
        block_->calls.push_back(word(instruction, 3));
        break;
      case spv::OpSelectionMerge:
        block_->merge = word(instruction, 1);
        break;
      case spv::OpLoopMerge:
        block_->merge = word(instruction, 1);
        block_->continue_target = word(instruction, 2);
        block_->is_loop = true;
        break;
      case spv::OpBranch:
        block_->targets.push_back(word(instruction, 1));
        break;
      case spv::OpBranchConditional:
        block_->targets = {word(instruction, 2), word(instruction, 3)};
        break;
      case spv::OpSwitch:
        switch_targets(instruction);
        break;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
      case spv::OpCopyObject:
        derived_pointer(instruction.result_id, word(instruction, 3));
        break;
      case spv::OpLoad:
        promise(word(instruction, 3), word(instruction, 4), word(instruction, 5));
        break;
      case spv::OpStore:
        promise(word(instruction, 1), word(instruction, 3), word(instruction, 4));
        break;
      default:
        break;
    }
  }

  void switch_targets(const spv_parsed_instruction_t& instruction) {
    for (const spv_parsed_operand_t& operand : std::span(instruction.operands, instruction.num_operands).subspan(1)) {
      if (operand.type == SPV_OPERAND_TYPE_ID) block_->targets.push_back(instruction.words[operand.offset]);
    }
  }

  void derived_pointer(uint32_t result, uint32_t base) {
    const auto found = root_of_.find(base);
    root_of_[result] = found != root_of_.end() ? found->second : base;
  }

  // An access through `pointer` promises this alignment of its address. Compilers deduce it from the alignment of the
  // address that the pointer was derived from, which therefore needs as much.
  void promise(uint32_t pointer, uint32_t access_mask, uint32_t alignment) {
    if (!(access_mask & spv::MemoryAccessAlignedMask)) return;
    const auto found = root_of_.find(pointer);
    const uint32_t root = found != root_of_.end() ? found->second : pointer;
    const auto align = pointer_align.find(root < ids_.size() ? ids_[root].type : 0);
    if (align != pointer_align.end()) align->second = std::max(align->second, alignment);
  }

  std::string entry_name_;
  Function* function_ = nullptr;
  Block* block_ = nullptr;
  struct Known {
    uint32_t type = 0;
    bool is_variable = false;
  };
  std::vector<Known> ids_;
  std::unordered_map<uint32_t, uint32_t> root_of_;
};

// `entry` and the functions that it calls, directly or indirectly, without duplicates.
std::vector<uint32_t> reached_functions(const Reader& reader) {
  std::vector<uint32_t> reached;
  if (reader.functions.contains(reader.entry)) reached.push_back(reader.entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const auto& [label, block] : reader.functions.at(reached[i]).blocks) {
      for (const uint32_t callee : block.calls) {
        if (reader.functions.contains(callee) && std::ranges::find(reached, callee) == reached.end()) {
          reached.push_back(callee);
        }
      }
    }
  }
  return reached;
}

// Whether a block for which `acts` holds is inside a construct. Walks the function's control flow with a stack of open
// constructs. A merge block closes its construct, wherever the branch to it comes from.
template <typename Acts>
bool acts_in_construct(const Function& function, const Acts& acts) {
  struct Construct {
    uint32_t merge, continue_target;
    size_t parent;
  };
  constexpr size_t outermost = ~size_t{0};
  std::vector<Construct> constructs;
  std::unordered_set<uint32_t> seen;
  std::vector<std::pair<uint32_t, size_t>> open_blocks{{function.first_label, outermost}};
  while (!open_blocks.empty()) {
    auto [label, construct] = open_blocks.back();
    open_blocks.pop_back();
    const auto found = function.blocks.find(label);
    if (found == function.blocks.end() || !seen.insert(label).second) continue;
    const Block& block = found->second;
    const bool opens = block.merge != 0;
    if (opens && block.is_loop) {  // a loop's header runs again for the remaining lanes
      constructs.push_back({block.merge, block.continue_target, construct});
      construct = constructs.size() - 1;
    }
    if (construct != outermost && acts(block)) return true;
    if (opens && !block.is_loop) {
      constructs.push_back({block.merge, 0, construct});
      construct = constructs.size() - 1;
    }
    for (const uint32_t target : block.targets) {
      size_t destination = construct;
      for (size_t c = construct; c != outermost; c = constructs[c].parent) {
        if (target == constructs[c].merge || target == constructs[c].continue_target) {
          destination = target == constructs[c].merge ? constructs[c].parent : c;
          break;
        }
      }
      open_blocks.emplace_back(target, destination);
    }
  }
  return false;
}

bool has_divergent_subgroup_operations(const Reader& reader, const std::vector<uint32_t>& reached) {
  // A function acts if one of its blocks does, itself or through a call. Callees are in no order, so repeat until
  // nothing changes.
  std::unordered_set<uint32_t> acting;
  const auto acts = [&](const Block& block) {
    return block.subgroup_operation || std::ranges::any_of(block.calls, [&](uint32_t f) { return acting.contains(f); });
  };
  for (size_t before = ~size_t{0}; before != acting.size();) {
    before = acting.size();
    for (const uint32_t id : reached) {
      const auto& blocks = reader.functions.at(id).blocks;
      if (std::ranges::any_of(blocks, [&](const auto& entry) { return acts(entry.second); })) acting.insert(id);
    }
  }
  return std::ranges::any_of(reached, [&](uint32_t id) { return acts_in_construct(reader.functions.at(id), acts); });
}

}  // namespace

ModuleScan scan_module(const Spirv& module, const std::string& entry) {
  Reader reader(entry);
  const auto read = [](void* user, const spv_parsed_instruction_t* instruction) {
    static_cast<Reader*>(user)->read(*instruction);
    return SPV_SUCCESS;
  };
  const std::vector<uint32_t> words = tool_form(module.words);
  const spvtools::Context context(SPV_ENV_VULKAN_1_3);
  if (spvBinaryParse(context.CContext(), &reader, words.data(), words.size(), nullptr, read, nullptr) != SPV_SUCCESS) {
    throw Error(ErrorCode::compile_failed, "'" + module.name + "' is not valid SPIR-V: it does not parse.");
  }
  const std::vector<uint32_t> reached = reached_functions(reader);
  ModuleScan scan;
  scan.pointer_align = std::move(reader.pointer_align);
  scan.divergent_subgroup_operations = has_divergent_subgroup_operations(reader, reached);
  for (const uint32_t id : reached) {
    const std::vector<uint32_t>& variables = reader.functions.at(id).variables;
    scan.used_variables.insert(variables.begin(), variables.end());
  }
  return scan;
}

}  // namespace weft::core
