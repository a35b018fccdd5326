#include <weft/buffer.h>

#include <string>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/messages.h"

namespace weft {

uint64_t Region::address() const { return buffer ? buffer->address() + offset : 0; }

Region Region::part(uint64_t first, uint64_t count) const {
  if (first > bytes || count > bytes - first) {
    throw Error(ErrorCode::invalid_argument, core::count_text(count) + " bytes at offset " + core::count_text(first) +
                                                 " reach past the end of a region of " + std::to_string(bytes) +
                                                 " bytes.");
  }
  return {buffer, offset + first, count};
}

namespace detail {

void throw_past_end(uint64_t first, uint64_t count, uint64_t size) {
  throw Error(ErrorCode::invalid_argument, core::count_text(count) + " elements from index " + core::count_text(first) +
                                               " reach past the end of a view of " + std::to_string(size) +
                                               " elements.");
}

void throw_partial_element(uint64_t bytes, uint64_t element_bytes) {
  throw Error(ErrorCode::invalid_argument, "View::as: a view of " + std::to_string(bytes) +
                                               " bytes does not divide into elements of " +
                                               std::to_string(element_bytes) + " bytes.");
}

}  // namespace detail
}  // namespace weft
