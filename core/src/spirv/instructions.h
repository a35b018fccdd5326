#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::core {

constexpr size_t spirv_header_words = 5;

/// The words of one SPIR-V instruction. For modules whose instructions the installed SPIRV-Tools may not know.
class InstructionWords {
 public:
  explicit InstructionWords(std::span<const uint32_t> words) : words_(words) {}

  uint32_t opcode() const { return words_[0] & 0xffff; }
  size_t size() const { return words_.size(); }
  /// 0 past the end, where a broken module lacks operands.
  uint32_t word(size_t index) const { return index < words_.size() ? words_[index] : 0; }
  std::span<const uint32_t> words() const { return words_; }
  std::span<const uint32_t> from(size_t index) const { return words_.subspan(index < size() ? index : size()); }

  /// The literal string that starts at word `index`.
  std::string text(size_t index) const {
    std::string text;
    for (const uint32_t word : from(index)) {
      for (uint32_t shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>((word >> shift) & 0xff);
        if (c == '\0') return text;
        text += c;
      }
    }
    return text;
  }

 private:
  std::span<const uint32_t> words_;
};

/// Calls `read(InstructionWords)` for each instruction after the header. Returns false if the module is cut off or an
/// instruction has no length, which the validator reports.
template <typename Read>
bool for_each_instruction(const std::vector<uint32_t>& module, const Read& read) {
  if (module.size() < spirv_header_words) return false;
  const std::span words(module);
  for (size_t at = spirv_header_words, length = 0; at < words.size(); at += length) {
    length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return false;
    read(InstructionWords(words.subspan(at, length)));
  }
  return true;
}

/// A module under construction.
class ModuleWords {
 public:
  /// Starts with the header of `module`, which has one.
  explicit ModuleWords(const std::vector<uint32_t>& module)
      : words_(module.begin(), module.begin() + spirv_header_words) {
    words_.reserve(module.size());
  }

  void add(std::span<const uint32_t> words) { words_.insert(words_.end(), words.begin(), words.end()); }
  void add(uint32_t opcode, const std::vector<uint32_t>& operands) {
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    add(operands);
  }
  uint32_t new_id() { return words_[3]++; }
  std::vector<uint32_t> take() { return std::move(words_); }

 private:
  std::vector<uint32_t> words_;
};

}  // namespace weft::core
