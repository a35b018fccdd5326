#include "c/src/structs.h"

#include <algorithm>

namespace weft::c {

void check_size(const char* parameter, size_t size) {
  if (size >= sizeof(size_t) && size % sizeof(size_t) == 0 && size <= largest_struct) return;
  refuse(std::string("'") + parameter + "' has the size " + std::to_string(size) +
         ", which no version of the struct has. Set its member size to sizeof.");
}

void check_zeros(const char* parameter, const void* given, size_t known, size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(given);
  if (std::all_of(bytes + known, bytes + size, [](std::byte byte) { return byte == std::byte{}; })) return;
  refuse(std::string("'") + parameter + "' has " + std::to_string(size) + " bytes, and this version of Weft knows " +
         std::to_string(known) + " of them; the others are not 0, so they ask for what it cannot do.");
}

}  // namespace weft::c
