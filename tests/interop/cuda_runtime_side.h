#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

/// Stands for another library in the process, which uses CUDA's runtime and is compiled by nvcc. Each function throws
/// std::runtime_error with the runtime's message.
namespace runtime_side {

CUstream_st* create_stream();
void destroy_stream(CUstream_st* stream);
uint32_t* allocate(size_t count);
void release(uint32_t* memory);
void copy_to_host(uint32_t* to, const uint32_t* from, size_t count, CUstream_st* stream);

/// Computes x = 3 x + 1 with its own kernel, in `stream`.
void triple_and_one(uint32_t* data, size_t count, CUstream_st* stream);
/// Uses Thrust, in `stream`.
uint32_t sum(const uint32_t* data, size_t count, CUstream_st* stream);
void sort(uint32_t* data, size_t count, CUstream_st* stream);

}  // namespace runtime_side
