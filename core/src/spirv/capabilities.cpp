#include "core/src/spirv/capabilities.h"

#include <algorithm>
#include <set>
#include <spirv/unified1/spirv.hpp>

#include <weft/kernel.h>

#include "core/src/spirv/instructions.h"

namespace weft::core {
namespace {

const Capability* find_capability(uint32_t number) {
  const auto found = std::ranges::lower_bound(all_capabilities(), number, {}, &Capability::number);
  return found != all_capabilities().end() && found->number == number ? &*found : nullptr;
}

bool has_extension(uint32_t capability, const std::string& extension) {
  const Capability* known = find_capability(capability);
  return known && (" " + std::string(known->extensions) + " ").find(" " + extension + " ") != std::string::npos;
}

}  // namespace

std::string capability_name(uint32_t capability) {
  const Capability* known = find_capability(capability);
  return known ? known->name : "capability " + std::to_string(capability);
}

bool validator_requires(uint32_t capability) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr Range exempt[] = {
      {spv::CapabilityImageGatherExtended, spv::CapabilitySampledRect},
      {spv::CapabilityInputAttachment, spv::CapabilityStorageImageWriteWithoutFormat},
      {spv::CapabilityWorkgroupMemoryExplicitLayoutKHR, spv::CapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR},
      {spv::CapabilityStorageBuffer16BitAccess, spv::CapabilityStorageInputOutput16},
      {spv::CapabilityInt8, spv::CapabilityInt8},  // which packed dot products imply
      {spv::CapabilityVariablePointersStorageBuffer, spv::CapabilityVariablePointers},
      {spv::CapabilityStorageBuffer8BitAccess, spv::CapabilityStoragePushConstant8},
      {spv::CapabilityRuntimeDescriptorArray, spv::CapabilityStorageTexelBufferArrayNonUniformIndexing},
  };
  return std::ranges::none_of(exempt, [&](Range r) { return r.first <= capability && capability <= r.last; });
}

std::vector<uint32_t> declared_capabilities(const std::vector<uint32_t>& module) {
  std::vector<uint32_t> capabilities;
  for_each_instruction(module, [&](const InstructionWords& i) {
    if (i.opcode() == spv::OpCapability) capabilities.push_back(i.word(1));
  });
  return capabilities;
}

std::vector<uint32_t> without_capability(const std::vector<uint32_t>& module, uint32_t capability) {
  if (module.size() < spirv_header_words) return module;
  const std::vector<uint32_t> declared = declared_capabilities(module);
  const auto is_for_it_alone = [&](const std::string& extension) {
    return has_extension(capability, extension) && std::ranges::none_of(declared, [&](uint32_t other) {
             return other != capability && has_extension(other, extension);
           });
  };
  ModuleWords result(module);
  const bool whole = for_each_instruction(module, [&](const InstructionWords& i) {
    if (i.opcode() == spv::OpCapability && i.word(1) == capability) return;
    if (i.opcode() == spv::OpExtension && is_for_it_alone(i.text(1))) return;
    result.add(i.words());
  });
  return whole ? result.take() : module;
}

}  // namespace weft::core

namespace weft {

std::vector<std::string> missing_capabilities(const Reflection& reflection, const std::set<uint32_t>& supported) {
  std::vector<std::string> names;
  for (const uint32_t capability : reflection.capabilities) {
    if (!supported.contains(capability)) names.push_back(core::capability_name(capability));
  }
  return names;
}

}  // namespace weft
