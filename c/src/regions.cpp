#include "c/src/regions.h"

namespace weft::c {

void refuse_region(const weft_region& given, const char* name) {
  const std::string what = std::string("'") + name + "' ";
  if (!given.buffer) refuse(what + "has bytes but no buffer.");
  refuse(what + "reaches past the end of its buffer: " + std::to_string(given.bytes) + " bytes at offset " +
         std::to_string(given.offset) + " of " + std::to_string(given.buffer->buffer.bytes()) + ".");
}

void refuse_word(uint64_t bytes, const char* name) {
  refuse(std::string("'") + name + "' has words of " + std::to_string(bytes) + " bytes; they have 8 or 4.");
}

}  // namespace weft::c
