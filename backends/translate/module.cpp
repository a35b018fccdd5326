#include "backends/translate/module.h"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>

#include <weft/error.h>

#include "core/src/spirv/forms.h"

namespace weft::translate {
namespace {

bool is_declaration(spv::Op op) {
  const auto is_it = [op](const DeclarationKind& kind) {
    return std::ranges::find(kind.instructions, op) != kind.instructions.end();
  };
  return std::ranges::any_of(declarations(), is_it);
}

class Parser {
 public:
  explicit Parser(Module& module) : module_(module) {}

  void read(const spv_parsed_instruction_t& parsed) {
    Instruction instruction;
    instruction.op = static_cast<spv::Op>(parsed.opcode);
    instruction.type = parsed.type_id;
    instruction.result = parsed.result_id;
    const size_t first = 1 + (parsed.type_id != 0) + (parsed.result_id != 0);
    instruction.args.assign(parsed.words + first, parsed.words + parsed.num_words);
    instruction.line = line_;
    instruction.file = file_;
    if (instruction.type && instruction.result) module_.type_of[instruction.result] = instruction.type;
    if (!declaration(instruction)) code(std::move(instruction));
  }

 private:
  // Reads names, decorations, types and other declarations. Returns false for code.
  bool declaration(const Instruction& i) {
    if (instruction_name(i.op).starts_with("OpType") && i.op != spv::OpTypeForwardPointer) return type(i), true;
    if (!is_declaration(i.op)) return false;
    switch (i.op) {
      case spv::OpLine:
        file_ = i.arg(0);
        line_ = i.arg(1);
        return true;
      case spv::OpNoLine:
        file_ = line_ = 0;
        return true;
      case spv::OpString:
        module_.strings[i.result] = literal_string(i.args, 0);
        return true;
      case spv::OpName:
        module_.names[i.arg(0)] = literal_string(i.args, 1);
        return true;
      case spv::OpMemberName:
        module_.member_names[{i.arg(0), i.arg(1)}] = literal_string(i.args, 2);
        return true;
      case spv::OpExtInstImport:
        module_.instruction_sets[i.result] = literal_string(i.args, 0);
        return true;
      case spv::OpEntryPoint:
        if (i.arg(0) == spv::ExecutionModelGLCompute) entry_point(i);
        return true;
      case spv::OpExecutionMode:
      case spv::OpExecutionModeId:
        module_.execution_modes[i.arg(0)].push_back(i);
        return true;
      case spv::OpDecorate:
      case spv::OpDecorateId:
        module_.decorations[i.arg(0)][spv::Decoration(i.arg(1))] = {i.args.begin() + 2, i.args.end()};
        return true;
      case spv::OpMemberDecorate:
        module_.member_decorations[{i.arg(0), i.arg(1)}][spv::Decoration(i.arg(2))] = {i.args.begin() + 3,
                                                                                       i.args.end()};
        return true;
      case spv::OpGroupDecorate:
        for (size_t k = 1; k < i.args.size(); ++k) {
          for (const auto& [decoration, words] : module_.decorations[i.arg(0)]) {
            module_.decorations[i.args[k]][decoration] = words;
          }
        }
        return true;
      case spv::OpGroupMemberDecorate:
        for (size_t k = 1; k + 1 < i.args.size(); k += 2) {
          for (const auto& [decoration, words] : module_.decorations[i.arg(0)]) {
            module_.member_decorations[{i.args[k], i.args[k + 1]}][decoration] = words;
          }
        }
        return true;
      default:
        return true;  // not needed
    }
  }

  void entry_point(const Instruction& i) {
    constexpr size_t name = 2;
    size_t words = 0;
    EntryPoint& point = module_.entry_points.emplace_back();
    point.function = i.arg(1);
    point.name = literal_string(i.args, name, &words);
    point.interface.assign(i.args.begin() + static_cast<std::ptrdiff_t>(name + words), i.args.end());
  }

  // Also keeps types that cannot be translated: these are refused only if used.
  void type(const Instruction& i) {
    Type t;
    t.id = i.result;
    t.op = i.op;
    switch (i.op) {
      case spv::OpTypeVoid:
        t.kind = Kind::void_type;
        break;
      case spv::OpTypeBool:
        t.kind = Kind::boolean;
        t.width = 1;
        break;
      case spv::OpTypeInt:
        t.kind = Kind::integer;
        t.width = i.arg(0);
        t.is_signed = i.arg(1) != 0;
        break;
      case spv::OpTypeFloat:
        t.kind = Kind::floating;
        t.width = i.arg(0);
        break;
      case spv::OpTypeVector:
      case spv::OpTypeMatrix:
        t.kind = i.op == spv::OpTypeVector ? Kind::vector : Kind::matrix;
        t.element = i.arg(0);
        t.count = i.arg(1);
        break;
      case spv::OpTypeArray:
        t.kind = Kind::array;
        t.element = i.arg(0);
        t.length = i.arg(1);
        break;
      case spv::OpTypeRuntimeArray:
        t.kind = Kind::runtime_array;
        t.element = i.arg(0);
        break;
      case spv::OpTypeStruct:
        t.kind = Kind::structure;
        t.members = i.args;
        break;
      case spv::OpTypePointer:
        t.kind = Kind::pointer;
        t.storage = spv::StorageClass(i.arg(0));
        t.element = i.arg(1);
        break;
      case spv::OpTypeFunction:
        t.kind = Kind::function;
        break;
      default:
        break;
    }
    module_.types[i.result] = t;
  }

  void code(Instruction&& i) {
    if (i.op == spv::OpFunction) {
      module_.function_index[i.result] = static_cast<uint32_t>(module_.functions.size());
      function_ = &module_.functions.emplace_back();
      function_->id = i.result;
      function_->return_type = i.type;
    } else if (!function_) {
      // Module scope contains constants and variables.
      if (i.op == spv::OpVariable)
        module_.variables.push_back(std::move(i));
      else
        module_.constants.push_back(std::move(i));
    } else if (i.op == spv::OpFunctionEnd) {
      function_ = nullptr;
      file_ = line_ = 0;
    } else if (i.op == spv::OpFunctionParameter) {
      function_->parameters.push_back(std::move(i));
    } else if (i.op == spv::OpLabel) {
      function_->block_index[i.result] = static_cast<uint32_t>(function_->blocks.size());
      function_->blocks.emplace_back().label = i.result;
    } else {
      Block& block = function_->blocks.back();
      if (i.op == spv::OpSelectionMerge || i.op == spv::OpLoopMerge) {
        block.merge_op = i.op;
        block.merge = i.arg(0);
        if (i.op == spv::OpLoopMerge) {
          block.continue_target = i.arg(1);
          block.loop_control = i.arg(2);
        }
      } else {
        block.code.push_back(std::move(i));
      }
    }
  }

  Module& module_;
  Function* function_ = nullptr;
  uint32_t line_ = 0;
  Id file_ = 0;
};

}  // namespace

const std::vector<DeclarationKind>& declarations() {
  static const std::vector<DeclarationKind> kinds{
      {"module",
       {spv::OpCapability, spv::OpExtension, spv::OpExtInstImport, spv::OpMemoryModel, spv::OpEntryPoint,
        spv::OpExecutionMode, spv::OpExecutionModeId}},
      {"debugging",
       {spv::OpSource, spv::OpSourceContinued, spv::OpSourceExtension, spv::OpModuleProcessed, spv::OpString,
        spv::OpName, spv::OpMemberName, spv::OpLine, spv::OpNoLine, spv::OpNop}},
      {"annotation",
       {spv::OpDecorate, spv::OpDecorateId, spv::OpDecorateString, spv::OpMemberDecorate, spv::OpMemberDecorateString,
        spv::OpDecorationGroup, spv::OpGroupDecorate, spv::OpGroupMemberDecorate}},
      {"type",
       {spv::OpTypeVoid, spv::OpTypeBool, spv::OpTypeInt, spv::OpTypeFloat, spv::OpTypeVector, spv::OpTypeMatrix,
        spv::OpTypeArray, spv::OpTypeRuntimeArray, spv::OpTypeStruct, spv::OpTypePointer, spv::OpTypeForwardPointer,
        spv::OpTypeFunction}},
  };
  return kinds;
}

bool Module::has(Id id, spv::Decoration decoration) const {
  const auto found = decorations.find(id);
  return found != decorations.end() && found->second.contains(decoration);
}

std::optional<uint32_t> Module::decoration(Id id, spv::Decoration wanted) const {
  const auto found = decorations.find(id);
  if (found == decorations.end()) return std::nullopt;
  const auto value = found->second.find(wanted);
  if (value == found->second.end() || value->second.empty()) return std::nullopt;
  return value->second.front();
}

const Decorations* Module::member(Id structure, uint32_t index) const {
  const auto found = member_decorations.find({structure, index});
  return found == member_decorations.end() ? nullptr : &found->second;
}

Module parse_module(const Spirv& spirv) {
  Module module;
  module.name = spirv.name;
  constexpr size_t bound = 3;  // in the header
  if (spirv.words.size() > bound) module.largest_id = spirv.words[bound];
  Parser parser(module);
  const auto read = [](void* user, const spv_parsed_instruction_t* instruction) {
    static_cast<Parser*>(user)->read(*instruction);
    return SPV_SUCCESS;
  };
  const std::vector<uint32_t> words = core::tool_form(spirv.words);
  const spvtools::Context context(SPV_ENV_VULKAN_1_3);
  if (spvBinaryParse(context.CContext(), &parser, words.data(), words.size(), nullptr, read, nullptr) != SPV_SUCCESS) {
    throw Error(ErrorCode::compile_failed, "'" + spirv.name + "' is not valid SPIR-V: it cannot be parsed.");
  }
  return module;
}

std::string instruction_name(spv::Op op) { return std::string("Op") + spvOpcodeString(op); }

std::string literal_string(const std::vector<uint32_t>& words, size_t first, size_t* length) {
  std::string text;
  for (size_t w = first; w < words.size(); ++w) {
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>((words[w] >> shift) & 0xff);
      if (c == '\0') {
        if (length) *length = w + 1 - first;
        return text;
      }
      text += c;
    }
  }
  if (length) *length = words.size() - first;
  return text;
}

}  // namespace weft::translate
