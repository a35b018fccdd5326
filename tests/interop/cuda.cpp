// Tests weft/interop/cuda.h, with the CUDA driver as the other side.
#include <weft/interop/cuda.h>

#include <numeric>

#include <weft/reduce.h>
#include <weft/scan.h>

#include "backends/cuda/open.h"
#include "tests/support/compare.h"
#include "tests/support/device_test.h"
#include "tests/support/errors.h"
#include "tests/support/random.h"

namespace weft::test {
namespace {

constexpr size_t count = 100'003;

/// The other side: the driver, with a device's context current.
class Other {
 public:
  explicit Other(const Device& device) : cu(cuda::open_driver(device.options().libraries)) {
    if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
    require(cu->cuCtxPushCurrent(cuda::context(device)));
  }
  ~Other() {
    CUcontext left = nullptr;
    cu->cuCtxPopCurrent(&left);
  }
  void require(CUresult result) const { cuda::check(*cu, result, "the test's own use of the driver"); }
  void finish(CUstream stream) const {
    CUresult result = CUDA_ERROR_NOT_READY;
    while (result == CUDA_ERROR_NOT_READY) result = cu->cuStreamQuery(stream);
    require(result);
  }

  const std::shared_ptr<const cuda::DriverFunctions> cu;
};

std::vector<uint32_t> random_words(const char* what) {
  std::mt19937_64 generator = random_generator(what);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = uint32_t(generator());
  return words;
}

DEVICE_TEST("CUDA code can use a buffer's pointer and a stream") {
  const Other other(device);
  Stream stream = device.stream();
  const auto buffer = device.buffer<uint32_t>(count);
  stream.fill(buffer, 1u);
  const auto address = reinterpret_cast<CUdeviceptr>(cuda::pointer(buffer.part(3, 1000)));
  other.require(other.cu->cuMemsetD32Async(address, 7, 1000, cuda::stream(stream)));
  CHECK(reduce(stream, buffer) == count - 1000 + 7 * 1000);
}

DEVICE_TEST("work in a borrowed stream runs in order, and the stream outlives Weft's") {
  const Other other(device);
  std::vector<uint32_t> expected = random_words("another's stream");
  CUstream theirs = nullptr;
  other.require(other.cu->cuStreamCreate(&theirs, CU_STREAM_NON_BLOCKING));
  const auto buffer = device.buffer<uint32_t>(count);
  std::vector<uint32_t> result(count);
  {
    Stream stream = cuda::wrap_stream(device, theirs);
    CHECK(cuda::stream(stream) == theirs);
    stream.upload(buffer, expected);
    inclusive_scan(stream, buffer, buffer);
  }
  const auto address = reinterpret_cast<CUdeviceptr>(cuda::pointer(buffer));
  other.require(other.cu->cuMemcpyDtoHAsync(result.data(), address, count * sizeof(uint32_t), theirs));
  other.finish(theirs);
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  check_same(result, expected);
  other.require(other.cu->cuStreamDestroy(theirs));
}

DEVICE_TEST("borrowed memory can be used, and is not freed") {
  const Other other(device);
  std::vector<uint32_t> expected = random_words("another's memory");
  CUdeviceptr theirs = 0;
  other.require(other.cu->cuMemAlloc(&theirs, count * sizeof(uint32_t)));
  Stream stream = device.stream();
  {
    const Buffer<uint32_t> buffer = cuda::wrap_pointer(device, reinterpret_cast<uint32_t*>(theirs), count);
    stream.upload(buffer, expected);
    inclusive_scan(stream, buffer, buffer);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    check_same(stream.download(buffer), expected);
  }
  CHECK(other.cu->cuMemFree(theirs) == CUDA_SUCCESS);
}

DEVICE_TEST("a device on a borrowed context works, and does not destroy the context") {
  const Other other(device);
  std::vector<uint32_t> numbers = random_words("another's context");
  {
    const Device wrapped = cuda::wrap_context(cuda::context(device));
    CHECK(wrapped.info().name == device.info().name);
    Stream stream = wrapped.stream();
    const auto buffer = wrapped.buffer<uint32_t>(count);
    stream.upload(buffer, numbers);
    CHECK(reduce(stream, buffer) == std::accumulate(numbers.begin(), numbers.end(), 0u));
  }
  Stream stream = device.stream();
  const auto buffer = device.buffer<uint32_t>(count);
  stream.upload(buffer, numbers);
  CHECK(reduce(stream, buffer) == std::accumulate(numbers.begin(), numbers.end(), 0u));
}

DEVICE_TEST("objects that cannot be wrapped are refused in words") {
  const Other other(device);
  check_error(ErrorCode::invalid_argument, {"null or destroyed"}, [&] { cuda::wrap_context(nullptr); });
  uint32_t on_the_stack = 0;
  check_error(ErrorCode::invalid_argument, {"not device memory"},
              [&] { cuda::wrap_pointer(device, &on_the_stack, 1); });
  CUdeviceptr theirs = 0;
  other.require(other.cu->cuMemAlloc(&theirs, 4096));
  check_error(ErrorCode::invalid_argument, {"bytes of its allocation"},
              [&] { cuda::wrap_pointer(device, reinterpret_cast<uint32_t*>(theirs + 4000), 100'000'000); });
  other.require(other.cu->cuMemFree(theirs));
}

DEVICE_TEST("memory of another device is refused with the numbers of both devices") {
  const Other other(device);
  int devices = 0;
  other.require(other.cu->cuDeviceGetCount(&devices));
  if (devices < 2) unsupported("the only CUDA device of this machine");
  const Device second = open_device("cuda:1");
  const auto memory = second.buffer<uint32_t>(100);
  check_error(ErrorCode::invalid_argument, {"belongs to device 1"},
              [&] { cuda::wrap_pointer(open_device("cuda:0"), cuda::pointer(memory), 100); });
}

}  // namespace
}  // namespace weft::test
