#include "core/src/spirv/reconvergence.h"

#include <cstddef>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

namespace weft::vulkan {

namespace {

constexpr const char* extension = "SPV_KHR_maximal_reconvergence";
constexpr uint32_t maximally_reconverges = 6023;  // ExecutionModeMaximallyReconvergesKHR, newer than the headers
constexpr size_t header_words = 5;

spv::Op opcode(uint32_t word) { return spv::Op(word & 0xffff); }

std::vector<uint32_t> extension_instruction() {
  std::vector<uint32_t> words(1 + std::strlen(extension) / 4 + 1, 0);
  words[0] = uint32_t(words.size()) << 16 | uint32_t(spv::Op::OpExtension);
  std::memcpy(&words[1], extension, std::strlen(extension));
  return words;
}

}  // namespace

std::vector<uint32_t> with_maximal_reconvergence(const std::vector<uint32_t>& module, const std::string& entry) {
  std::vector<uint32_t> result(module.begin(), module.begin() + header_words);
  const std::vector<uint32_t> declare = extension_instruction();
  uint32_t entry_id = 0;
  bool declared = false, mode_set = false;
  for (size_t at = header_words; at < module.size();) {
    const spv::Op op = opcode(module[at]);
    const size_t length = module[at] >> 16;
    if (length == 0 || at + length > module.size()) return module;  // the validator reports this
    const auto* text = reinterpret_cast<const char*>(&module[at + 1]);
    if (op == spv::Op::OpExtension && !std::strcmp(text, extension)) return module;
    // The logical layout of a module: capabilities, extensions, imports, memory model, entry points, execution modes.
    if (!declared && op != spv::Op::OpCapability) {
      result.insert(result.end(), declare.begin(), declare.end());
      declared = true;
    }
    if (op == spv::Op::OpEntryPoint && entry == reinterpret_cast<const char*>(&module[at + 3]))
      entry_id = module[at + 2];
    if (!mode_set && entry_id && op != spv::Op::OpEntryPoint) {
      result.insert(result.end(), {3u << 16 | uint32_t(spv::Op::OpExecutionMode), entry_id, maximally_reconverges});
      mode_set = true;
    }
    result.insert(result.end(), module.begin() + std::ptrdiff_t(at), module.begin() + std::ptrdiff_t(at + length));
    at += length;
  }
  return result;
}

}  // namespace weft::vulkan
