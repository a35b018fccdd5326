// Weft, the CUDA runtime, a kernel compiled by nvcc and Thrust on the same memory and streams.
#include <algorithm>
#include <numeric>

#include <weft/interop/cuda.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include "tests/interop/cuda_runtime_side.h"
#include "tests/support/compare.h"
#include "tests/support/device_test.h"
#include "tests/support/random.h"

namespace weft::test {
namespace {

constexpr size_t count = 1'000'003;

void require_cuda(const Device& device) {
  if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
}

std::vector<uint32_t> random_words(const char* what) {
  std::mt19937_64 generator = random_generator(what);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = uint32_t(generator());
  return words;
}

DEVICE_TEST("a kernel compiled by nvcc and Thrust use a Weft buffer, in a Weft stream") {
  require_cuda(device);
  std::vector<uint32_t> expected = random_words("Weft's buffer");
  Stream stream = device.stream();
  const auto buffer = device.buffer<uint32_t>(count);
  stream.upload(buffer, expected);
  runtime_side::triple_and_one(cuda::pointer(buffer), count, cuda::stream(stream));
  for (uint32_t& word : expected) word = 3 * word + 1;
  CHECK(reduce(stream, buffer) == std::accumulate(expected.begin(), expected.end(), 0u));
  CHECK(runtime_side::sum(cuda::pointer(buffer), count, cuda::stream(stream)) ==
        std::accumulate(expected.begin(), expected.end(), 0u));
  runtime_side::sort(cuda::pointer(buffer), count, cuda::stream(stream));
  std::ranges::sort(expected);
  check_same(stream.download(buffer), expected);
}

DEVICE_TEST("Weft scans memory of the CUDA runtime, in one of its streams") {
  require_cuda(device);
  std::vector<uint32_t> expected = random_words("the runtime's memory");
  CUstream_st* const their_stream = runtime_side::create_stream();
  uint32_t* const theirs = runtime_side::allocate(count);
  {
    Stream stream = cuda::wrap_stream(device, their_stream);
    const Buffer<uint32_t> buffer = cuda::wrap_pointer(device, theirs, count);
    CHECK(cuda::stream(stream) == their_stream);
    CHECK(cuda::pointer(buffer) == theirs);
    stream.upload(buffer, expected);
    runtime_side::triple_and_one(theirs, count, their_stream);
    inclusive_scan(stream, buffer, buffer);
    runtime_side::triple_and_one(theirs, count, their_stream);
  }
  for (uint32_t& word : expected) word = 3 * word + 1;
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  for (uint32_t& word : expected) word = 3 * word + 1;
  std::vector<uint32_t> result(count);
  runtime_side::copy_to_host(result.data(), theirs, count, their_stream);
  check_same(result, expected);
  runtime_side::release(theirs);
  runtime_side::destroy_stream(their_stream);
}

}  // namespace
}  // namespace weft::test
