#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cuda_hip/library.h"
#include "core/src/glsl/shader_library.h"

namespace weft::test {

/// stand_in.h, in a source that CMake generates.
std::span<const core::EmbeddedFile> hip_stand_in();

}  // namespace weft::test

/// The parts of the CUDA driver and NVRTC that hip_on_cuda needs, declared here so that it builds without a CUDA
/// toolkit.
namespace hip_on_cuda {

using Address = unsigned long long;
struct Context;
struct Stream;
struct Event;
struct Module;
struct Function;

// Values of CUresult.
constexpr int cuda_success = 0, cuda_invalid_value = 1, cuda_no_device = 100;

struct Driver {
  /// Returns libcuda.so.1, or the file named by WEFT_CUDA_DRIVER, initialized; null if there is none.
  static const Driver* get();

  int (*init)(unsigned flags);
  int (*device_count)(int* count);
  int (*device)(int* device, int ordinal);
  int (*device_name)(char* name, int length, int device);
  int (*device_attribute)(int* value, int attribute, int device);
  int (*device_memory)(size_t* bytes, int device);
  int (*retain_context)(Context** context, int device);
  int (*push_context)(Context* context);
  int (*pop_context)(Context** context);
  int (*allocate)(Address* memory, size_t bytes);
  int (*release)(Address memory);
  int (*allocate_host)(void** memory, size_t bytes, unsigned flags);
  int (*release_host)(void* memory);
  int (*memory_info)(size_t* free, size_t* total);
  int (*copy_to_device)(Address to, const void* from, size_t bytes, Stream* stream);
  int (*copy_to_host)(void* to, Address from, size_t bytes, Stream* stream);
  int (*copy_on_device)(Address to, Address from, size_t bytes, Stream* stream);
  int (*fill)(Address to, unsigned word, size_t words, Stream* stream);
  int (*pointer_attribute)(void* value, int attribute, Address pointer);
  int (*create_stream)(Stream** stream, unsigned flags);
  int (*destroy_stream)(Stream* stream);
  int (*query_stream)(Stream* stream);
  int (*wait_event)(Stream* stream, Event* event, unsigned flags);
  int (*create_event)(Event** event, unsigned flags);
  int (*destroy_event)(Event* event);
  int (*record_event)(Event* event, Stream* stream);
  int (*query_event)(Event* event);
  int (*elapsed)(float* milliseconds, Event* start, Event* end);
  int (*load_module)(Module** module, const void* code);
  int (*unload_module)(Module* module);
  int (*get_function)(Function** function, Module* module, const char* name);
  int (*set_function_attribute)(Function* function, int attribute, int value);
  int (*function_attribute)(int* value, int attribute, Function* function);
  int (*resident_blocks)(int* blocks, Function* function, int threads, size_t dynamic_bytes);
  int (*launch)(Function* function, unsigned x, unsigned y, unsigned z, unsigned size_x, unsigned size_y,
                unsigned size_z, unsigned dynamic_bytes, Stream* stream, void** parameters, void** extra);
  int (*error_string)(int result, const char** text);

 private:
  Driver();
  weft::cuda_hip::Library library_;
};

/// NVRTC, found in the same way as by Weft's CUDA backend.
struct Nvrtc {
  using Program = struct Opaque*;
  /// Returns null if there is none.
  static const Nvrtc* get();

  int (*version)(int* major, int* minor);
  int (*create)(Program*, const char* source, const char* name, int, const char* const*, const char* const*);
  int (*compile)(Program, int count, const char* const* options);
  int (*destroy)(Program*);
  int (*log_size)(Program, size_t*);
  int (*log)(Program, char*);
  int (*code_size)(Program, size_t*);
  int (*code)(Program, char*);

 private:
  Nvrtc();
  weft::cuda_hip::Library library_;
};

/// Returns the architecture, e.g. "sm_90": WEFT_HIP_ON_CUDA_ARCHITECTURE, with which kernels compile without a device,
/// or that of the current device. Returns null if there is neither.
const char* architecture();

/// The current device of this thread.
int current_device();

}  // namespace hip_on_cuda
