#pragma once

#include <memory>

#include <weft/device.h>

#include "backends/cuda_hip/stream.h"

/// The shared implementation of weft/interop/cuda.h and hip.h. `backend` is the one whose function was called.
namespace weft::cuda_hip {

/// Throws invalid_argument if the device belongs to another backend.
std::shared_ptr<Device> device_of(const weft::Device& device, const char* backend);
weft::Stream wrap_stream(const weft::Device& device, StreamHandle stream, const char* backend);
std::shared_ptr<backend::Buffer> wrap_pointer(const weft::Device& device, uint64_t address, uint64_t bytes,
                                              const char* backend);
StreamHandle stream_of(weft::Stream& stream, const char* backend);

}  // namespace weft::cuda_hip
