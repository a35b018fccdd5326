#include <weft/interop/hip.h>

#include <weft/weft_hip_c.h>

#include "c/src/objects.h"

using namespace weft::c;

weft_result weft_hip_wrap_stream(const weft_device* device, ihipStream_t* stream, weft_stream** wrapped) {
  return create(__func__, wrapped, [&] {
    return std::unique_ptr<weft_stream>(
        new weft_stream{.stream = weft::hip::wrap_stream(checked(device, "device").device, stream)});
  });
}

weft_result weft_hip_wrap_pointer(const weft_device* device, void* pointer, uint64_t bytes, weft_buffer** buffer) {
  return create(__func__, buffer, [&] {
    const weft::Device& on = checked(device, "device").device;
    auto* const first = static_cast<std::byte*>(given(pointer, "pointer"));
    return std::unique_ptr<weft_buffer>(new weft_buffer{.buffer = weft::hip::wrap_pointer(on, first, bytes)});
  });
}

weft_result weft_hip_get_stream(weft_stream* stream, ihipStream_t** hip_stream) {
  return guarded(__func__, [&] {
    given(hip_stream, "hip_stream");
    *hip_stream = weft::hip::stream(checked(stream, "stream").stream);
  });
}
