#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace weft::host {

/// The last access to some bytes of a word: who, when, and where in the kernel.
struct Trace {
  uint64_t time = 0;
  uint32_t who = 0, site = 0;
  uint8_t bytes = 0;  ///< A bit for each of the four bytes; 0 for no access.
  bool atomic = false;
};

/// The state of four bytes of memory in checking mode.
struct Word {
  Trace write;
  Trace reads[2];       ///< Of two invocations, the last first, so that at least one differs from any writer.
  uint8_t written = 0;  ///< A bit for each byte that has been written.
};

/// A Word for each word of memory that was accessed, created on first use.
class Shadow {
 public:
  /// `address` may be that of any byte of the word.
  Word& at(uintptr_t address) {
    const uintptr_t number = address / page_bytes;
    Recent& recent = recent_[number % recent_.size()];
    if (recent.number != number || !recent.page) recent = {number, &find(number)};
    return (*recent.page)[address % page_bytes / 4];
  }

 private:
  static constexpr uintptr_t page_bytes = 4096;
  using Page = std::array<Word, page_bytes / 4>;
  struct Recent {
    uintptr_t number = 0;
    Page* page = nullptr;
  };

  Page& find(uintptr_t number) {
    std::unique_ptr<Page>& found = pages_[number];
    if (!found) found = std::make_unique<Page>();
    return *found;
  }

  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, 64> recent_{};  ///< Invocations in turn access a few arrays.
};

}  // namespace weft::host
