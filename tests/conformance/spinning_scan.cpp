#include <numeric>

#include "tests/conformance/step.h"
#include "tests/support/needs.h"
#include "tests/support/random.h"

namespace weft::test {
namespace {

struct SpinningBlock {
  Pointer<uint32_t> source, result;
  Pointer<uint64_t> states;
  Pointer<uint32_t> ticket;
  uint32_t count, unused = 0;
};

DEVICE_TEST("a ballot after a loop that lanes leave at different times has all of them") {
  const DeviceFeatures& features = device.info().features;
  if (!features.buffer_int64_atomics) unsupported("has no 64-bit atomics");
  need_waiting(device);
  if (!features.maximal_reconvergence) unsupported("does not define where lanes reconverge");
  const Kernel kernel = device.kernel(kernels::spinning_scan());
  const bool is_cpu = computes_on_cpu(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("spinning scan");
  for (const uint32_t count :
       is_cpu ? std::vector<uint32_t>{1, 129, 4567} : std::vector<uint32_t>{1, 129, 1u << 20, 10'000'019}) {
    std::vector<uint32_t> expected(count);
    for (uint32_t& x : expected) x = uint32_t(generator());
    const uint32_t tiles = (count + 127) / 128;
    const auto source = device.buffer<uint32_t>(count), result = device.buffer<uint32_t>(count);
    const auto ticket = device.buffer<uint32_t>(1);
    const auto states = device.buffer<uint64_t>(tiles);
    stream.upload(source, expected);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    for (int run = 0; run < (is_cpu ? 1 : 20); ++run) {
      stream.fill(result, 0xdeadbeefu);
      stream.fill(ticket, 0u);
      stream.fill(states.view().as<uint32_t>(), 0u);
      stream.dispatch(kernel, {tiles, 1, 1},
                      SpinningBlock{source.pointer(), result.pointer(), states.pointer(), ticket.pointer(), count});
      check_same(stream.download(result), expected);
    }
  }
}

}  // namespace
}  // namespace weft::test
