#include "tests/support/random.h"

#include <cstdlib>
#include <functional>

namespace weft::test {

uint64_t run_seed() {
  static const uint64_t seed = [] {
    if (const char* text = std::getenv("WEFT_TEST_SEED"); text != nullptr && *text != '\0') {
      return uint64_t(std::strtoull(text, nullptr, 0));
    }
    std::random_device random;
    return uint64_t(random()) << 32 | random();
  }();
  return seed;
}

std::mt19937_64 random_generator(const std::string& purpose) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: identical on every machine, unlike std::hash
  for (const char c : purpose) hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  return std::mt19937_64(run_seed() ^ hash);
}

}  // namespace weft::test
