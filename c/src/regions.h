#pragma once

#include <weft/buffer.h>
#include <weft/count.h>

#include "c/src/objects.h"

/// Memory and counts of the caller's. Functions throw invalid_argument, naming the argument.
namespace weft::c {

[[noreturn]] void refuse_region(const weft_region& given, const char* name);
[[noreturn]] void refuse_word(uint64_t bytes, const char* name);

inline Region region_of(const weft_region& given, const char* name) {
  if (!given.buffer) {
    if (given.offset != 0 || given.bytes != 0) refuse_region(given, name);
    return {};
  }
  const Buffer<std::byte>& buffer = checked(given.buffer, name).buffer;
  if (given.offset > buffer.bytes()) refuse_region(given, name);
  const uint64_t rest = buffer.bytes() - given.offset, bytes = given.bytes == WEFT_REST ? rest : given.bytes;
  if (bytes > rest) refuse_region(given, name);
  return {buffer.shared_impl().get(), given.offset, bytes};
}

inline Count count_of(const weft_count& given, const char* name) {
  if (!given.on_device.buffer) {
    if (given.on_device.bytes != 0) refuse_region(given.on_device, name);
    return given.value;
  }
  const Region word = region_of(given.on_device, name);
  if (given.word_bytes == sizeof(uint32_t)) return View<uint32_t>(word);
  if (given.word_bytes != 0 && given.word_bytes != sizeof(uint64_t)) refuse_word(given.word_bytes, name);
  return View<uint64_t>(word);
}

inline CountOutput count_output_of(const weft_count_output& given, const char* name) {
  const Region words = region_of(given.words, name);
  if (given.word_bytes == sizeof(uint32_t)) return View<uint32_t>(words);
  if (given.word_bytes != 0 && given.word_bytes != sizeof(uint64_t)) refuse_word(given.word_bytes, name);
  return View<uint64_t>(words);
}

}  // namespace weft::c
