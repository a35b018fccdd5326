#include "algorithms/src/persistent/structure_memory.h"

#include "core/src/runtime/messages.h"

namespace weft::algorithms {

Region require_memory(const std::string& caller, const Region& memory, uint64_t bytes) {
  if (memory.bytes < bytes) {
    core::invalid(caller,
                  "the memory has " + std::to_string(memory.bytes) + " bytes; it needs " + std::to_string(bytes) + ".");
  }
  if (memory.address() % sizeof(uint32_t) != 0) {
    core::invalid(caller, "the memory must start at a multiple of 4 bytes.");
  }
  return memory.part(0, bytes);
}

void fill_words(Recorder& recorder, const Region& memory, uint32_t word) {
  recorder.fill(View<uint32_t>(memory), word);
}

}  // namespace weft::algorithms
