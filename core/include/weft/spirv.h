#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weft/api.h>

namespace weft {

/// A SPIR-V module: its words in host byte order, and a name for messages. A plain value. weft_add_kernels() makes one
/// from each shader at build time, compile_glsl() at run time.
struct Spirv {
  std::vector<uint32_t> words;
  std::string name;
};

/// Reads a module from bytes in either byte order. Throws invalid_argument if they are not a SPIR-V module.
WEFT_API Spirv spirv_from_bytes(std::span<const std::byte> bytes, std::string name);

/// Assembles SPIR-V text in the syntax of spirv-as. The first line may name the version: "; Version: 1.0". Otherwise it
/// is 1.6, or 1.3 if a BufferBlock requires that. Throws compile_failed with line and column.
WEFT_API Spirv assemble_spirv(const std::string& text, std::string name);

/// Returns the text of a module, one instruction per line. Leaves out debug information if SPIRV-Tools, with which Weft
/// was built, does not know all of it.
WEFT_API std::string disassemble_spirv(const Spirv& module);

/// Throws compile_failed with the validator's message unless the module is valid for Vulkan 1.3, and unsupported if it
/// uses capabilities that SPIRV-Tools, with which Weft was built, does not know. What is there for debuggers alone is
/// not checked.
WEFT_API void validate_spirv(const Spirv& module);

}  // namespace weft
