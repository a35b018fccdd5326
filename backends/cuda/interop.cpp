#include "backends/cuda_hip/interop.h"

#include <weft/interop/cuda.h>

#include "backends/cuda/open.h"
#include "core/src/runtime/process.h"

namespace weft::cuda {

namespace {

constexpr const char* backend_name = "cuda";

/// The ordinal of a context's device.
int ordinal_of(const DriverFunctions& cu, CUcontext context) {
  CUdevice device = 0;
  if (!context || cu.cuCtxPushCurrent(context) != CUDA_SUCCESS) {
    throw Error(ErrorCode::invalid_argument, "wrap_context takes a live CUDA context; this one is null or destroyed.");
  }
  const CUresult result = cu.cuCtxGetDevice(&device);
  CUcontext left = nullptr;
  cu.cuCtxPopCurrent(&left);
  check(cu, result, "querying a context's device");
  return device;
}

}  // namespace

Device wrap_context(CUctx_st* context, const DeviceOptions& options) {
  const auto functions = open_driver(options.libraries);
  cuda_hip::Setup setup = describe_setup(functions, options.libraries, ordinal_of(*functions, context));
  if (!setup.info.refusal.empty()) {
    throw Error(ErrorCode::unsupported,
                "Weft refuses " + setup.info.selector + " (" + setup.info.name + "): " + setup.info.refusal + ".");
  }
  setup.context = reinterpret_cast<cuda_hip::ContextHandle>(context);
  setup.retained = false;
  return Device(core::make_here<cuda_hip::Device>(std::move(setup), options));
}

Stream wrap_stream(const Device& device, CUstream_st* stream) {
  const auto owner = cuda_hip::device_of(device, backend_name);
  if (stream != nullptr) {
    const auto functions = open_driver(device.options().libraries);
    CUcontext context = nullptr;
    owner->call([&] { check(*functions, functions->cuStreamGetCtx(stream, &context), "querying a stream's context"); });
    if (reinterpret_cast<cuda_hip::ContextHandle>(context) != owner->setup().context) {
      throw Error(ErrorCode::invalid_argument, "The stream belongs to another CUDA context than " +
                                                   device.info().selector +
                                                   ". Wrap the stream's context first, with wrap_context().");
    }
  }
  return cuda_hip::wrap_stream(device, reinterpret_cast<cuda_hip::StreamHandle>(stream), backend_name);
}

std::shared_ptr<backend::Buffer> detail::wrap_pointer(const Device& device, const void* pointer, uint64_t bytes) {
  return cuda_hip::wrap_pointer(device, reinterpret_cast<uint64_t>(pointer), bytes, backend_name);
}

CUctx_st* context(const Device& device) {
  return reinterpret_cast<CUcontext>(cuda_hip::device_of(device, backend_name)->setup().context);
}

CUstream_st* stream(Stream& stream) { return reinterpret_cast<CUstream>(cuda_hip::stream_of(stream, backend_name)); }

}  // namespace weft::cuda
