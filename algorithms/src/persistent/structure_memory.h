#pragma once

#include <cstdint>
#include <string>

#include <weft/buffer.h>
#include <weft/stream.h>

namespace weft::algorithms {

/// Memory of a structure that kernels share. Throws invalid_argument unless it has `bytes` bytes at a multiple of 4.
/// Returns these bytes.
Region require_memory(const std::string& caller, const Region& memory, uint64_t bytes);

void fill_words(Recorder& recorder, const Region& memory, uint32_t word);

}  // namespace weft::algorithms
