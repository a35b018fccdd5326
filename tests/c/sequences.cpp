#include "tests/c/model.h"
#include "tests/support/random.h"
#include "tests/support/sanitized.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("random sequences of calls do what a model does") {
  std::mt19937_64 generator = random_generator("sequences of calls");
  // Each device has many, one after the other, with what they leave behind: 1,000 in all, fewer where they take
  // longest, on an emulated GPU or sanitized.
  const bool emulated = device.info().backend == "cuda" || device.info().backend == "hip";
  const int devices = is_sanitized() || emulated ? 2 : 10, sequences = emulated ? 10 : 100;
  constexpr int steps = 40;
  for (int d = 0; d < devices; ++d) {
    const ModelDevice opened(device);
    for (int s = 0; s < sequences; ++s) {
      INFO("device " << d << ", sequence " << s);
      Model model(opened, generator);
      for (int i = 0; i < steps; ++i) model.step();
      model.finish();
    }
  }
}
