#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::core {

struct Capability {
  uint32_t number;
  const char* name;
  const char* extensions = "";  ///< That a module declares for it: any of them, separated by spaces.
};

/// Every capability of SPIR-V, by number.
const std::vector<Capability>& all_capabilities();

/// "GroupNonUniform", as the newest specification writes it; "capability 9999" if that has no such number.
std::string capability_name(uint32_t capability);

/// Whether the SPIRV-Tools that Weft was built with knows the capability.
bool tools_know(uint32_t capability);

/// Whether the validator refuses every module that uses the capability and does not declare it. It does not check
/// images, the indexing of descriptors, and some ways to reach small types in memory and pointers; and it takes 8-bit
/// integers from modules with dot products of packed integers, which imply them.
bool validator_requires(uint32_t capability);

std::vector<uint32_t> declared_capabilities(const std::vector<uint32_t>& module);

/// Without the declarations of a capability, and of extensions that no other declared capability has.
std::vector<uint32_t> without_capability(const std::vector<uint32_t>& module, uint32_t capability);

}  // namespace weft::core
