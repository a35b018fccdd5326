#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <stdexcept>
#include <string>

#include "tests/interop/cuda_runtime_side.h"

namespace runtime_side {

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

__global__ void triple_and_one_kernel(uint32_t* data, size_t count) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) data[i] = 3 * data[i] + 1;
}

}  // namespace

CUstream_st* create_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

void destroy_stream(CUstream_st* stream) { check(cudaStreamDestroy(stream)); }

uint32_t* allocate(size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(uint32_t)));
  return static_cast<uint32_t*>(memory);
}

void release(uint32_t* memory) { check(cudaFree(memory)); }

void copy_to_host(uint32_t* to, const uint32_t* from, size_t count, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, count * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
}

void triple_and_one(uint32_t* data, size_t count, CUstream_st* stream) {
  triple_and_one_kernel<<<unsigned((count + 255) / 256), 256, 0, stream>>>(data, count);
  check(cudaGetLastError());
}

uint32_t sum(const uint32_t* data, size_t count, CUstream_st* stream) {
  return thrust::reduce(thrust::cuda::par.on(stream), data, data + count);
}

void sort(uint32_t* data, size_t count, CUstream_st* stream) {
  thrust::sort(thrust::cuda::par.on(stream), data, data + count);
}

}  // namespace runtime_side
