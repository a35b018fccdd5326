#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <spirv/unified1/spirv.hpp>

#include "fuzz_translate_kernels.h"
#include "tests/translate/mutate.h"

// A libFuzzer target: any module must be translated or refused with a weft::Error. Inputs evolve from the kernels of
// this folder by SPIR-V-aware changes; `fuzz_translate FILE` repeats an input that crashed.
namespace {

using namespace weft::test;
using Words = std::vector<uint32_t>;

Words words_of(const uint8_t* data, size_t size) {
  Words words(size / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  return words;
}

const std::vector<Words>& seeds() {
  static const std::vector<Words> modules = {kernels::control().words,    kernels::layout().words,
                                             kernels::lanes().words,      kernels::shared_memory().words,
                                             kernels::references().words, kernels::constants().words,
                                             kernels::functions().words};
  return modules;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Words words = words_of(data, size);
  uint64_t seed = words.size();  // makes the values of specialization constants depend on the module
  for (const uint32_t word : words) seed = seed * 6364136223846793005u + word;
  std::mt19937_64 random(seed);
  process(words, random);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned int seed) {
  std::mt19937_64 random(seed);
  Words words = words_of(data, size);
  if (words.size() < 16 || words[0] != spv::MagicNumber) words = seeds()[random() % seeds().size()];
  words = mutated(std::move(words), random);
  const size_t bytes = std::min(words.size() * sizeof(uint32_t), most / sizeof(uint32_t) * sizeof(uint32_t));
  if (bytes != 0) std::memcpy(data, words.data(), bytes);
  return bytes;
}
