#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A SPIR-V module: its words in host byte order, and a name for messages. A plain value; weft_add_kernels() makes
/// one for each shader at build time, compile_glsl() at run time.
struct Spirv {
  std::vector<uint32_t> words;
  std::string name;
};

/// Reads a module from bytes in either byte order. Throws Error(invalid_argument) when the bytes are no SPIR-V module.
Spirv spirv_from_bytes(std::span<const std::byte> bytes, std::string name);

/// Assembles SPIR-V text (the syntax of spirv-as), for the version that a first line such as "; Version: 1.0" names;
/// else for 1.6, or for 1.3 where a BufferBlock needs that. Throws Error(compile_failed) with line and column.
Spirv assemble_spirv(const std::string& text, std::string name);

/// The text of a module, one instruction a line.
std::string disassemble_spirv(const Spirv& module);

/// Throws Error(compile_failed) with the validator's message unless the module is valid for Vulkan 1.3.
void validate_spirv(const Spirv& module);

}  // namespace weft
