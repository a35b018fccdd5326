#include <weft/spirv.h>

#include <cstdio>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <weft/error.h>

#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/forms.h"
#include "core/src/spirv/instructions.h"
#include "core/src/spirv/layout.h"

namespace weft {
namespace {

constexpr spv_target_env environment = SPV_ENV_VULKAN_1_3;

// The messages of SPIRV-Tools, one per line, each with its line and column if known.
struct Messages {
  std::string log, first;

  spvtools::MessageConsumer consumer() {
    return [this](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
      std::string line;
      if (position.line != 0 || position.column != 0) {  // only the assembler sets them; both count from 0
        line = std::to_string(position.line + 1) + ":" + std::to_string(position.column + 1) + ": ";
      }
      line += text;
      line.erase(line.find_last_not_of(" \n") + 1);
      if (first.empty() && level <= SPV_MSG_ERROR) first = line.substr(0, line.find('\n'));
      log += line + "\n";
    };
  }
};

// The version from the comment that disassemblers write at the start, encoded as in a module's header.
std::optional<uint32_t> version_in_heading(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with(';');) {
    unsigned major = 0, minor = 0;
    if (std::sscanf(line.c_str(), "; Version: %u.%u", &major, &minor) != 2) continue;
    if (major == 1 && minor <= 6) return major << 16 | minor << 8;
  }
  return std::nullopt;
}

// BufferBlock declares storage buffers in modules before SPIR-V 1.4.
bool has_buffer_blocks(const std::vector<uint32_t>& words) {
  constexpr uint32_t op_decorate = 71, buffer_block = 3;
  bool found = false;
  core::for_each_instruction(words, [&](const core::InstructionWords& i) {
    if (i.opcode() == op_decorate && i.word(2) == buffer_block) found = true;
  });
  return found;
}

}  // namespace

Spirv assemble_spirv(const std::string& text, std::string name) {
  Messages messages;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(messages.consumer());
  Spirv module{{}, std::move(name)};
  if (!tools.Assemble(text, &module.words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) {
    throw Error(ErrorCode::compile_failed, "SPIR-V text does not assemble: " + module.name + ":" + messages.first,
                messages.log);
  }
  constexpr uint32_t last_with_buffer_blocks = 0x00010300;
  if (const auto version = version_in_heading(text)) {
    module.words[1] = *version;
  } else if (has_buffer_blocks(module.words)) {
    module.words[1] = last_with_buffer_blocks;
  }
  return module;
}

std::string disassemble_spirv(const Spirv& module) {
  Messages messages;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(messages.consumer());
  std::string text;
  const auto disassemble = [&](const std::vector<uint32_t>& words) {
    return tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_INDENT);
  };
  if (!disassemble(module.words) && !disassemble(core::tool_form(module.words))) {
    throw Error(ErrorCode::invalid_argument, "'" + module.name + "' is not a SPIR-V module: " + messages.first,
                messages.log);
  }
  return text;
}

namespace core {

std::string layout_error(const Spirv& module) {
  const std::vector<uint32_t> words = tool_form(module.words);
  Messages messages;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(messages.consumer());
  spvtools::ValidatorOptions options;
  options.SetRelaxBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  return tools.Validate(words.data(), words.size(), options) ? std::string() : messages.first;
}

}  // namespace core

namespace {

// SPIRV-Tools' validator (2023.1) does not look into OpSpecConstantOp, and its optimizer, which evaluates these, trusts
// their types.
void check_quantized_constants(const Spirv& module) {
  std::unordered_set<uint32_t> floats;  // types: of 32 bits, and vectors of them
  std::unordered_map<uint32_t, uint32_t> type_of;
  core::for_each_instruction(module.words, [&](const core::InstructionWords& instruction) {
    const uint32_t opcode = instruction.opcode();
    if (opcode == spv::OpTypeFloat && instruction.word(2) == 32) floats.insert(instruction.word(1));
    if (opcode == spv::OpTypeVector && floats.contains(instruction.word(2))) floats.insert(instruction.word(1));
    const bool is_constant =
        (opcode >= spv::OpConstantTrue && opcode <= spv::OpSpecConstantOp) || opcode == spv::OpUndef;
    if (!is_constant) return;
    const uint32_t type = instruction.word(1);
    type_of[instruction.word(2)] = type;
    if (opcode != spv::OpSpecConstantOp || instruction.word(3) != spv::OpQuantizeToF16) return;
    const auto operand = type_of.find(instruction.word(4));
    if (operand != type_of.end() && operand->second == type && floats.contains(type)) return;
    throw Error(ErrorCode::compile_failed,
                "'" + module.name + "' is not valid SPIR-V: the specialization constant %" +
                    std::to_string(instruction.word(2)) +
                    " is an OpQuantizeToF16 that does not take and return a 32-bit float, or a vector of these.");
  });
}

}  // namespace

void validate_spirv(const Spirv& module) {
  const std::vector<uint32_t> words = core::tool_form(module.words);
  Messages messages;
  const auto is_valid = [&](bool with_names) {
    messages = {};
    spvtools::SpirvTools tools(environment);
    tools.SetMessageConsumer(messages.consumer());
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(true);
    options.SetWorkgroupScalarBlockLayout(true);
    options.SetFriendlyNames(with_names);
    return tools.Validate(words.data(), words.size(), options);
  };
  // Names are only for messages, and making them unique takes most of the time if many functions use the same ones.
  if (!is_valid(false) && !is_valid(true)) {
    std::string unknown;
    for (const uint32_t capability : core::declared_capabilities(module.words)) {
      if (core::tools_know(capability)) continue;
      unknown += (unknown.empty() ? "" : ", ") + core::capability_name(capability);
    }
    if (!unknown.empty()) {
      throw Error(ErrorCode::unsupported,
                  "'" + module.name + "' needs " + unknown + ", which SPIRV-Tools does not know (" +
                      spvSoftwareVersionString() + "), so Weft cannot check the module.",
                  messages.log);
    }
    throw Error(ErrorCode::compile_failed,
                "'" + module.name + "' is not valid SPIR-V for Vulkan 1.3: " + messages.first, messages.log);
  }
  check_quantized_constants(module);
}

}  // namespace weft
