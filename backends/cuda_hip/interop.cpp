#include "backends/cuda_hip/interop.h"

#include <cinttypes>
#include <cstdio>

#include "backends/cuda_hip/buffer.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"

namespace weft::cuda_hip {

namespace {

std::string hexadecimal(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, address);
  return text;
}

}  // namespace

std::shared_ptr<Device> device_of(const weft::Device& device, const char* backend) {
  if (device.info().backend != backend) {
    core::invalid(device.info().selector + " (" + device.info().name + ") is not a device of the " + backend +
                  " backend.");
  }
  return std::static_pointer_cast<Device>(device.shared_impl());
}

weft::Stream wrap_stream(const weft::Device& device, StreamHandle stream, const char* backend) {
  return weft::Stream(std::make_unique<Stream>(device_of(device, backend), stream));
}

std::shared_ptr<backend::Buffer> wrap_pointer(const weft::Device& device, uint64_t address, uint64_t bytes,
                                              const char* backend) {
  const std::shared_ptr<Device> owner = device_of(device, backend);
  if (bytes == 0) return nullptr;
  const PointerInfo info = owner->call([&] { return owner->api().pointer_info(address); });
  const std::string what = "The address " + hexadecimal(address);
  if (info.ordinal < 0) core::invalid(what + " is not device memory; allocate it on " + device.info().selector + ".");
  if (info.ordinal != owner->setup().ordinal) {
    core::invalid(what + " belongs to device " + std::to_string(info.ordinal) + ", and " + device.info().selector +
                  " is device " + std::to_string(owner->setup().ordinal) + "; wrap it on the device that owns it.");
  }
  if (info.bytes != 0 && address - info.base + bytes > info.bytes) {
    core::invalid(what + " is followed by " + std::to_string(info.bytes - (address - info.base)) +
                  " bytes of its allocation; " + std::to_string(bytes) + " cannot be wrapped.");
  }
  return core::make_here<Buffer>(owner, address, bytes);
}

StreamHandle stream_of(weft::Stream& stream, const char* backend) {
  device_of(stream.device(), backend);
  return static_cast<Stream&>(stream.impl()).handle();
}

}  // namespace weft::cuda_hip
