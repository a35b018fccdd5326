#include <weft/reduce.h>
#include <weft/scan.h>
#include <numeric>

#include "emulated_device.h"
#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// The corpus's kernels of subgroups, run on the CPU as the translator writes them for CUDA and HIP, against the host
// device: whether masks name the lanes that come, and the preludes' scans, clusters and shuffles are right.
//
//   WEFT_TEST_EVERY_KERNEL=1    all kernels of the corpus, instead of every third of those that depend on subgroups
using namespace weft;
using namespace weft::test;

namespace {

void check_corpus(const Device& device, size_t offset) {
  const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
  size_t number = offset, checked = 0;
  for (const Group group : all_groups()) {
    for (const KernelCase& one : group()) {
      if (!every && (!one.depends_on_subgroups || number++ % 3 != 0)) continue;
      check_kernels(device, {one});
      ++checked;
    }
  }
  CHECK_GE(checked, 10);
}

}  // namespace

TEST_SUITE("emulated") {
  TEST_CASE("CUDA's warps of 32") { check_corpus(emulated_device(translate::Target::cuda, 32), 0); }
  TEST_CASE("HIP's wavefronts of 64") { check_corpus(emulated_device(translate::Target::hip, 64), 1); }
  TEST_CASE("HIP's wavefronts of 32") { check_corpus(emulated_device(translate::Target::hip, 32), 2); }
}
