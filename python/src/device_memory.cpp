#include "python/src/device_memory.h"

#include "python/src/stream.h"

#ifdef WEFT_PYTHON_CUDA
#include <weft/interop/cuda.h>
#endif
#ifdef WEFT_PYTHON_HIP
#include <weft/interop/hip.h>
#endif

namespace weft::python {
namespace {

[[noreturn]] void refuse(const Device& device) {
  throw nb::type_error((device.info().selector + " shares no memory with other libraries; CUDA and HIP do").c_str());
}

Buffer<std::byte> wrapped(const Device& device, uint64_t address, uint64_t bytes) {
  const auto pointer = reinterpret_cast<std::byte*>(address);
#ifdef WEFT_PYTHON_CUDA
  if (device.info().backend == "cuda") return cuda::wrap_pointer(device, pointer, bytes);
#endif
#ifdef WEFT_PYTHON_HIP
  if (device.info().backend == "hip") return hip::wrap_pointer(device, pointer, bytes);
#endif
  refuse(device);
}

Stream wrapped_stream(const Device& device, uint64_t handle) {
#ifdef WEFT_PYTHON_CUDA
  if (device.info().backend == "cuda") return cuda::wrap_stream(device, reinterpret_cast<CUstream_st*>(handle));
#endif
#ifdef WEFT_PYTHON_HIP
  if (device.info().backend == "hip") return hip::wrap_stream(device, reinterpret_cast<ihipStream_t*>(handle));
#endif
  refuse(device);
}

constexpr uint64_t default_stream = 1;

}  // namespace

bool shares_memory(const OpenDevice& device) {
  const std::string& backend = device.device.info().backend;
  return backend == "cuda" || backend == "hip";
}

Array array_at(const std::shared_ptr<OpenDevice>& device, uint64_t address, uint64_t size, const SharedDType& dtype,
               bool is_single, bool is_writable, nb::object owner, const std::shared_ptr<OpenStream>& home) {
  if (size > UINT64_MAX / dtype->bytes) throw nb::value_error("the array is larger than any memory");
  if (address % dtype->bytes != 0) throw nb::value_error("the data is not aligned to its elements");
  auto memory = std::make_shared<Memory>(device, wrapped(device->device, address, size * dtype->bytes),
                                         std::move(owner), is_writable);
  memory->home = memory->stream = home;
  return {std::move(memory), dtype, 0, size, is_single};
}

std::shared_ptr<OpenStream> stream_at(const std::shared_ptr<OpenDevice>& device, uint64_t handle, nb::object owner) {
  if (handle == 0) handle = default_stream;
  std::weak_ptr<OpenStream>& known = device->others[handle];
  std::shared_ptr<OpenStream> stream = known.lock();
  if (!stream) {
    // Both vendors' default stream has the null handle.
    const uint64_t at = handle == default_stream ? 0 : handle;
    stream = std::make_shared<OpenStream>(device->device, wrapped_stream(device->device, at));
    stream->set_foreign(std::move(owner));
    known = stream;
  }
  return stream;
}

uint64_t handle_of(OpenStream& stream) {
  return stream.alone([&]([[maybe_unused]] Stream& inner) -> uint64_t {
    uint64_t handle = 0;
#ifdef WEFT_PYTHON_CUDA
    if (stream.device().info().backend == "cuda") handle = reinterpret_cast<uint64_t>(cuda::stream(inner));
#endif
#ifdef WEFT_PYTHON_HIP
    if (stream.device().info().backend == "hip") handle = reinterpret_cast<uint64_t>(hip::stream(inner));
#endif
    return handle == 0 ? default_stream : handle;
  });
}

}  // namespace weft::python
