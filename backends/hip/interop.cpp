#include "backends/cuda_hip/interop.h"

#include <weft/interop/hip.h>

namespace weft::hip {

namespace {

constexpr const char* backend_name = "hip";

}  // namespace

Stream wrap_stream(const Device& device, ihipStream_t* stream) {
  return cuda_hip::wrap_stream(device, reinterpret_cast<cuda_hip::StreamHandle>(stream), backend_name);
}

std::shared_ptr<backend::Buffer> detail::wrap_pointer(const Device& device, const void* pointer, uint64_t bytes) {
  return cuda_hip::wrap_pointer(device, reinterpret_cast<uint64_t>(pointer), bytes, backend_name);
}

ihipStream_t* stream(Stream& stream) {
  return reinterpret_cast<ihipStream_t*>(cuda_hip::stream_of(stream, backend_name));
}

}  // namespace weft::hip
