#include <weft/interop/host.h>

#include "backends/host/buffer.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"

namespace weft::host {

std::shared_ptr<backend::Buffer> detail::wrap_pointer(const weft::Device& device, const void* pointer, uint64_t bytes) {
  if (device.info().backend != "host") {
    core::invalid(device.info().selector + " (" + device.info().name + ") is not a device of the host backend.");
  }
  if (bytes == 0) return nullptr;
  if (!pointer) core::invalid("A null pointer cannot be wrapped.");
  if (reinterpret_cast<uintptr_t>(pointer) % wrapped_alignment != 0) {
    core::invalid("Memory that is wrapped starts at a multiple of 16 bytes; wrap it from such a multiple on.");
  }
  const auto on = std::static_pointer_cast<Device>(device.shared_impl());
  // Work only reads what its caller made for reading.
  auto memory = std::make_shared<Memory>(static_cast<unsigned char*>(const_cast<void*>(pointer)), bytes);
  if (on->checked()) on->checked()->add(memory);
  return core::make_here<Buffer>(on, std::move(memory));
}

}  // namespace weft::host
