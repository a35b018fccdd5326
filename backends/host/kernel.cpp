#include "backends/host/kernel.h"

#include <algorithm>

#include "backends/host/buffer.h"
#include "backends/host/code_maker.h"

namespace weft::host {

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      subgroup_size_(options.subgroup_size != 0 ? options.subgroup_size : device->settings().subgroup_size) {
  KernelOptions complete = options;
  complete.subgroup_size = subgroup_size_;
  const CodeMaker maker(*device, device->settings(), module, reflection_, complete);
  const auto compiler = [&]() -> const Compiler& { return device->compiler(); };
  code_ = std::make_shared<Code>(maker.object_for(device->info().architecture, compiler), module.name);
  if (code_->workgroup_memory_bytes() > device->info().limits.workgroup_memory_bytes) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name() + "' takes " +
                                            std::to_string(code_->workgroup_memory_bytes()) +
                                            " bytes of workgroup memory, and the host device has " +
                                            std::to_string(device->info().limits.workgroup_memory_bytes) + ".");
  }
}

uint32_t Kernel::resident_workgroups() const {
  const auto& device = static_cast<const Device&>(*device_);
  return device.threads() * (device.settings().schedule ? interleaved_workgroups : 1);
}

Dispatch Kernel::dispatch(const backend::BoundArguments& arguments) const {
  const auto& device = static_cast<const Device&>(*device_);
  Dispatch dispatch;
  dispatch.code = code_;
  dispatch.workgroup_size = reflection_.workgroup_size;
  dispatch.subgroup_size = subgroup_size_;
  dispatch.schedule = device.settings().schedule;
  dispatch.checked = device.checked();
  std::ranges::copy(arguments.push_constants, dispatch.push_constants.begin());
  for (const Region& region : arguments.bindings) {
    weft_host_binding bound{};
    if (region.buffer != nullptr) {
      const auto& memory = memory_of(region);
      bound = {memory->data() + region.offset, region.bytes};
      dispatch.bound.push_back(memory);
    }
    dispatch.bindings.push_back(bound);
  }
  return dispatch;
}

}  // namespace weft::host
