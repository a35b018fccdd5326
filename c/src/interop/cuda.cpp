#include <weft/interop/cuda.h>

#include <weft/weft_cuda_c.h>

#include "c/src/objects.h"
#include "c/src/options.h"

using namespace weft::c;

weft_result weft_cuda_wrap_context(CUctx_st* context, const weft_device_options* options, weft_device** device) {
  return create(__func__, device, [&] {
    return std::unique_ptr<weft_device>(
        new weft_device{.device = weft::cuda::wrap_context(context, options_of(options))});
  });
}

weft_result weft_cuda_wrap_stream(const weft_device* device, CUstream_st* stream, weft_stream** wrapped) {
  return create(__func__, wrapped, [&] {
    return std::unique_ptr<weft_stream>(
        new weft_stream{.stream = weft::cuda::wrap_stream(checked(device, "device").device, stream)});
  });
}

weft_result weft_cuda_wrap_pointer(const weft_device* device, void* pointer, uint64_t bytes, weft_buffer** buffer) {
  return create(__func__, buffer, [&] {
    const weft::Device& on = checked(device, "device").device;
    auto* const first = static_cast<std::byte*>(given(pointer, "pointer"));
    return std::unique_ptr<weft_buffer>(new weft_buffer{.buffer = weft::cuda::wrap_pointer(on, first, bytes)});
  });
}

weft_result weft_cuda_get_context(const weft_device* device, CUctx_st** context) {
  return guarded(__func__, [&] {
    given(context, "context");
    *context = weft::cuda::context(checked(device, "device").device);
  });
}

weft_result weft_cuda_get_stream(weft_stream* stream, CUstream_st** cuda_stream) {
  return guarded(__func__, [&] {
    given(cuda_stream, "cuda_stream");
    *cuda_stream = weft::cuda::stream(checked(stream, "stream").stream);
  });
}
