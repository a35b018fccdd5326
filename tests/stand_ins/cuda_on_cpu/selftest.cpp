#include "tests/stand_ins/cuda_on_cpu/selftest.h"

#include <nvrtc.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

// Tests the CPU's CUDA driver and NVRTC through their own interfaces: they must detect the errors that they exist for.

using namespace weft::test::cuda_calls;

namespace {

std::vector<uint32_t> read(const Words& words, size_t count, const Stream& stream) {
  std::vector<uint32_t> values(count);
  REQUIRE_EQ(CU(cuMemcpyDtoHAsync_v2)(values.data(), words.address, count * 4, stream.handle), CUDA_SUCCESS);
  return values;
}

// Spins, then sums the numbers of a warp's threads, with a barrier in between. The thread `trap` traps.
constexpr const char* kernel_source = R"(
#define WEFT_WORKGROUP_SIZE_X 64
#define WEFT_WORKGROUP_SIZE_Y 1
#define WEFT_WORKGROUP_SIZE_Z 1
#define WEFT_WORKGROUP_MEMORY_BYTES 256
#define WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES 0
struct Block { uint32_t* data; uint32_t rounds, trap; };
extern "C" __global__ void weft_kernel(const Block block) {
  __shared__ uint32_t numbers[64];
  const uint32_t i = blockIdx.x * 64 + threadIdx.x;
  if (i == block.trap) __trap();
  numbers[threadIdx.x] = i;
  volatile uint32_t rounds = threadIdx.x == 0 ? block.rounds : 0;
  while (rounds > 0) rounds = rounds - 1;
  __syncthreads();
  block.data[i] = __reduce_add_sync(0xffffffffu, numbers[63 - threadIdx.x]);
}
)";
constexpr uint32_t long_time = 300'000'000, no_trap = ~0u;

std::vector<char> compile(const std::string& source, const std::string& architecture) {
  nvrtcProgram program = nullptr;
  REQUIRE_EQ(NVRTC(nvrtcCreateProgram)(&program, source.c_str(), "test.cu", 0, nullptr, nullptr), NVRTC_SUCCESS);
  const std::string option = "--gpu-architecture=" + architecture;
  const char* options[] = {option.c_str(), "--std=c++17"};
  REQUIRE_EQ(NVRTC(nvrtcCompileProgram)(program, 2, options), NVRTC_SUCCESS);
  size_t bytes = 0;
  REQUIRE_EQ(NVRTC(nvrtcGetCUBINSize)(program, &bytes), NVRTC_SUCCESS);
  std::vector<char> code(bytes);
  REQUIRE_EQ(NVRTC(nvrtcGetCUBIN)(program, code.data()), NVRTC_SUCCESS);
  REQUIRE_EQ(NVRTC(nvrtcDestroyProgram)(&program), NVRTC_SUCCESS);
  return code;
}

const std::vector<char>& kernel_code() {
  static const std::vector<char> code = compile(kernel_source, "sm_90");
  return code;
}

// The kernel, waiting for earlier launches as a dependent launch must.
std::vector<char> waiting_code() {
  std::string source = kernel_source;
  const std::string first = "  __shared__ ";
  source.insert(source.find(first), "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n");
  return compile(source, "sm_90");
}

struct Kernel {
  explicit Kernel(const std::vector<char>& code = kernel_code()) {
    REQUIRE_EQ(CU(cuModuleLoadData)(&module, code.data()), CUDA_SUCCESS);
    REQUIRE_EQ(CU(cuModuleGetFunction)(&function, module, "weft_kernel"), CUDA_SUCCESS);
  }
  ~Kernel() { CU(cuModuleUnload)(module); }

  CUresult launch(const Stream& stream, const Words& words, uint32_t blocks, uint32_t rounds = 0,
                  uint32_t trap = no_trap, uint32_t threads = 64, uint32_t dynamic_bytes = 0) const {
    Block block{words.address, rounds, trap};
    void* parameters[] = {&block};
    return CU(cuLaunchKernel)(function, blocks, 1, 1, threads, 1, 1, dynamic_bytes, stream.handle, parameters, nullptr);
  }

  CUresult launch_dependent(const Stream& stream, const Words& words, uint32_t blocks) const {
    Block block{words.address, 0, no_trap};
    void* parameters[] = {&block};
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config{blocks, 1, 1, 64, 1, 1, 0, stream.handle, &attribute, 1};
    return CU(cuLaunchKernelEx)(&config, function, parameters, nullptr);
  }

  CUmodule module = nullptr;
  CUfunction function = nullptr;

 private:
  struct Block {
    CUdeviceptr data;
    uint32_t rounds, trap;
  };
};

uint32_t sum_of_warp(uint32_t thread) {
  const uint32_t first = thread / 64 * 64 + (1 - thread % 64 / 32) * 32;  // the kernel reads backwards
  return 32 * first + 31 * 32 / 2;
}

}  // namespace

TEST_CASE("a kernel runs with its warps, its barrier and its arguments") {
  const Primary primary(0);
  const Stream stream;
  const Words words(640);
  const Kernel kernel;
  REQUIRE_EQ(kernel.launch(stream, words, 10), CUDA_SUCCESS);
  const std::vector<uint32_t> values = read(words, 640, stream);
  for (uint32_t i = 0; i < 640; ++i) CHECK_EQ(values[i], sum_of_warp(i));
}

TEST_CASE("without a current context every call is an error") {
  {
    const Primary primary(0);
    const Words words(1);
  }
  CUdeviceptr address = 0;
  CHECK_EQ(CU(cuMemAlloc_v2)(&address, 4), CUDA_ERROR_INVALID_CONTEXT);
  CUstream stream = nullptr;
  CHECK_EQ(CU(cuStreamCreate)(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext context = nullptr;
  CHECK_EQ(CU(cuCtxPopCurrent_v2)(&context), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("a destroyed context is invalid") {
  CUcontext context = nullptr;
  REQUIRE_EQ(CU(cuInit)(0), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
  std::thread([&] {
    CHECK_EQ(CU(cuCtxPushCurrent_v2)(context), CUDA_SUCCESS);
    CHECK_EQ(CU(cuCtxDestroy_v2)(context), CUDA_SUCCESS);
  }).join();
  CUdeviceptr address = 0;
  CHECK_EQ(CU(cuMemAlloc_v2)(&address, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQ(CU(cuCtxPopCurrent_v2)(nullptr), CUDA_SUCCESS);
  CHECK_EQ(CU(cuCtxPushCurrent_v2)(context), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("memory that does not exist, or belongs to another device, is refused") {
  const Primary second(1);
  const Words foreign(100);
  const Primary first(0);
  const Stream stream;
  const Words words(100);
  uint32_t word = 0;
  CHECK_EQ(CU(cuMemcpyHtoDAsync_v2)(words.address + 396, &word, 4, stream.handle), CUDA_SUCCESS);
  CHECK_EQ(CU(cuMemcpyHtoDAsync_v2)(words.address + 397, &word, 4, stream.handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuMemcpyDtoHAsync_v2)(&word, CUdeviceptr(&word), 4, stream.handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuMemsetD32Async)(foreign.address, 1, 100, stream.handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuMemsetD32Async)(words.address + 2, 1, 1, stream.handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuMemFree_v2)(words.address + 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuMemFree_v2)(foreign.address), CUDA_ERROR_INVALID_VALUE);
  wait_for(stream);

  int ordinal = -1;
  CUdeviceptr base = 0;
  CHECK_EQ(CU(cuPointerGetAttribute)(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, foreign.address), CUDA_SUCCESS);
  CHECK_EQ(ordinal, 1);
  CHECK_EQ(CU(cuPointerGetAttribute)(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, words.address + 50), CUDA_SUCCESS);
  CHECK_EQ(base, words.address);
  CHECK_EQ(CU(cuPointerGetAttribute)(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CUdeviceptr(&word)),
           CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("memory is limited, and is freed only once") {
  const Primary primary(0);
  size_t free = 0, total = 0;
  REQUIRE_EQ(CU(cuMemGetInfo_v2)(&free, &total), CUDA_SUCCESS);
  CUdeviceptr address = 0;
  CHECK_EQ(CU(cuMemAlloc_v2)(&address, free + 1), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQ(CU(cuMemAlloc_v2)(&address, 0), CUDA_ERROR_INVALID_VALUE);
  REQUIRE_EQ(CU(cuMemAlloc_v2)(&address, 1000), CUDA_SUCCESS);
  CHECK_EQ(CU(cuMemFree_v2)(address), CUDA_SUCCESS);
  CHECK_EQ(CU(cuMemFree_v2)(address), CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a copy of memory that is freed too early ends the context") {
  const Primary primary(0);
  const Stream stream;
  const Kernel kernel;
  const Words words(64);
  CUdeviceptr doomed = 0;
  REQUIRE_EQ(CU(cuMemAlloc_v2)(&doomed, 256), CUDA_SUCCESS);
  REQUIRE_EQ(kernel.launch(stream, words, 1, long_time), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuMemcpyDtoDAsync_v2)(words.address, doomed, 256, stream.handle), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuMemFree_v2)(doomed), CUDA_SUCCESS);
  CHECK_EQ(CU(cuStreamSynchronize)(stream.handle), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("streams run work asynchronously and in order, and wait for each other by events") {
  const Primary primary(0);
  const Stream first, second;
  const Event event(CU_EVENT_DISABLE_TIMING), start, end;
  const Kernel kernel;
  const Words words(64), copy(64);
  CHECK_EQ(CU(cuEventQuery)(event.handle), CUDA_SUCCESS);  // never recorded
  REQUIRE_EQ(CU(cuEventRecord)(start.handle, first.handle), CUDA_SUCCESS);
  REQUIRE_EQ(kernel.launch(first, words, 1, long_time), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuEventRecord)(event.handle, first.handle), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuEventRecord)(end.handle, first.handle), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuStreamWaitEvent)(second.handle, event.handle, 0), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuMemcpyDtoDAsync_v2)(copy.address, words.address, 256, second.handle), CUDA_SUCCESS);
  CHECK_EQ(CU(cuStreamQuery)(first.handle), CUDA_ERROR_NOT_READY);
  CHECK_EQ(CU(cuStreamQuery)(second.handle), CUDA_ERROR_NOT_READY);
  CHECK_EQ(CU(cuEventQuery)(event.handle), CUDA_ERROR_NOT_READY);
  const std::vector<uint32_t> values = read(copy, 64, second);
  for (uint32_t i = 0; i < 64; ++i) CHECK_EQ(values[i], sum_of_warp(i));
  CHECK_EQ(CU(cuEventQuery)(event.handle), CUDA_SUCCESS);
  wait_for(first);
  float milliseconds = 0;
  CHECK_EQ(CU(cuEventElapsedTime)(&milliseconds, start.handle, end.handle), CUDA_SUCCESS);
  CHECK_GT(milliseconds, 10.0f);
  CHECK_EQ(CU(cuEventElapsedTime)(&milliseconds, start.handle, event.handle),
           CUDA_ERROR_INVALID_HANDLE);  // it has no timing
}

TEST_CASE("copies of pinned memory are asynchronous, and other memory may change at once") {
  const Primary primary(0);
  const Stream stream;
  const Kernel kernel;
  const Words words(64), copies(2);
  void* memory = nullptr;
  REQUIRE_EQ(CU(cuMemHostAlloc)(&memory, 4, CU_MEMHOSTALLOC_PORTABLE), CUDA_SUCCESS);
  auto* const pinned = static_cast<uint32_t*>(memory);
  uint32_t pageable = 1;
  *pinned = 1;
  REQUIRE_EQ(kernel.launch(stream, words, 1, long_time), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuMemcpyHtoDAsync_v2)(copies.address, pinned, 4, stream.handle), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuMemcpyHtoDAsync_v2)(copies.address + 4, &pageable, 4, stream.handle), CUDA_SUCCESS);
  *pinned = pageable = 2;
  CHECK((read(copies, 2, stream) == std::vector<uint32_t>{2, 1}));
  CHECK_EQ(CU(cuMemFreeHost)(pinned), CUDA_SUCCESS);
}

TEST_CASE("a kernel that traps ends its context, and the device works again with the next one") {
  const Primary other(1);
  {
    const Primary primary(0);
    const Stream stream;
    const Kernel kernel;
    const Words words(640);
    REQUIRE_EQ(kernel.launch(stream, words, 10, 0, 100), CUDA_SUCCESS);
    CHECK_EQ(CU(cuStreamSynchronize)(stream.handle), CUDA_ERROR_LAUNCH_FAILED);
    CHECK_EQ(CU(cuStreamQuery)(stream.handle), CUDA_ERROR_LAUNCH_FAILED);
    CUdeviceptr address = 0;
    CHECK_EQ(CU(cuMemAlloc_v2)(&address, 4), CUDA_ERROR_LAUNCH_FAILED);
    // The other device's context is not affected.
    const Primary again(1);
    CHECK_EQ(CU(cuMemAlloc_v2)(&address, 4), CUDA_SUCCESS);
    CHECK_EQ(CU(cuMemFree_v2)(address), CUDA_SUCCESS);
  }
  const Primary primary(0);
  const Stream stream;
  const Kernel kernel;
  const Words words(64);
  CHECK_EQ(kernel.launch(stream, words, 1), CUDA_SUCCESS);
  wait_for(stream);
}

TEST_CASE("a kernel that is launched early must wait for the launches before it") {
  {
    const Primary primary(0);
    const Stream stream;
    const Kernel waiting(waiting_code());
    const Words words(640);
    CHECK_EQ(waiting.launch_dependent(stream, words, 10), CUDA_SUCCESS);
    const std::vector<uint32_t> values = read(words, 640, stream);
    for (uint32_t i = 0; i < 640; ++i) CHECK_EQ(values[i], sum_of_warp(i));
    const Kernel careless;
    CHECK_EQ(careless.launch_dependent(stream, words, 10), CUDA_SUCCESS);
    CHECK_EQ(CU(cuStreamSynchronize)(stream.handle), CUDA_ERROR_LAUNCH_FAILED);
  }
  const Primary older(1);
  const Stream stream;
  const Kernel kernel(compile(kernel_source, "sm_75"));
  CHECK_EQ(kernel.launch_dependent(stream, Words(640), 10), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("code for another device is refused") {
  const Primary primary(0);
  CUmodule module = nullptr;
  const std::vector<char> elf{'\x7f', 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0};
  CHECK_EQ(CU(cuModuleLoadData)(&module, elf.data()), CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQ(CU(cuModuleLoadData)(&module, compile(kernel_source, "sm_75").data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_EQ(CU(cuModuleLoadData)(&module, compile(kernel_source, "sm_100").data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  const Kernel kernel;
  CUfunction function = nullptr;
  CHECK_EQ(CU(cuModuleGetFunction)(&function, kernel.module, "other_kernel"), CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("launches beyond the limits are refused") {
  const Primary primary(0);
  const Stream stream;
  const Kernel kernel;
  const Words words(640);
  CHECK_EQ(kernel.launch(stream, words, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(kernel.launch(stream, words, 0x80000000u), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(kernel.launch(stream, words, 1, 0, no_trap, 32), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(kernel.launch(stream, words, 1, 0, no_trap, 64, 48 * 1024), CUDA_ERROR_INVALID_VALUE);
  constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  CHECK_EQ(CU(cuFuncSetAttribute)(kernel.function, dynamic, 227 * 1024), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(CU(cuFuncSetAttribute)(kernel.function, dynamic, 226 * 1024), CUDA_SUCCESS);
  CHECK_EQ(kernel.launch(stream, words, 1, 0, no_trap, 64, 226 * 1024), CUDA_SUCCESS);
  wait_for(stream);
}

TEST_CASE("a handle is invalid once its object is destroyed, and in another context") {
  const Primary primary(0);
  const Kernel kernel;
  const Words words(64);
  CUstream gone = nullptr;
  {
    const Stream stream;
    gone = stream.handle;
  }
  CHECK_EQ(CU(cuStreamQuery)(gone), CUDA_ERROR_INVALID_HANDLE);
  const Stream own;
  const Primary second(1);
  CHECK_EQ(CU(cuStreamQuery)(own.handle), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQ(kernel.launch(own, words, 1), CUDA_ERROR_INVALID_HANDLE);
  CU(cuCtxPopCurrent_v2)(nullptr);
  CHECK_EQ(CU(cuStreamQuery)(own.handle), CUDA_SUCCESS);
  CU(cuCtxPushCurrent_v2)(second.context);
}

TEST_CASE("an incorrect source gives the compiler's log, and an unknown architecture is refused") {
  nvrtcProgram program = nullptr;
  const char *good = "--gpu-architecture=sm_90", *unknown = "--gpu-architecture=sm_65";
  REQUIRE_EQ(NVRTC(nvrtcCreateProgram)(&program, "this is no C++", "test.cu", 0, nullptr, nullptr), NVRTC_SUCCESS);
  CHECK_EQ(NVRTC(nvrtcCompileProgram)(program, 1, &unknown), NVRTC_ERROR_INVALID_OPTION);
  CHECK_EQ(NVRTC(nvrtcCompileProgram)(program, 1, &good), NVRTC_ERROR_COMPILATION);
  size_t bytes = 0;
  REQUIRE_EQ(NVRTC(nvrtcGetProgramLogSize)(program, &bytes), NVRTC_SUCCESS);
  std::string log(bytes, '\0');
  REQUIRE_EQ(NVRTC(nvrtcGetProgramLog)(program, log.data()), NVRTC_SUCCESS);
  CHECK(log.find("error:") != std::string::npos);
  CHECK_EQ(NVRTC(nvrtcDestroyProgram)(&program), NVRTC_SUCCESS);
}
