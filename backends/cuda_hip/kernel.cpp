#include "backends/cuda_hip/kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace weft::cuda_hip {

namespace {

/// The single parameter of every kernel, as declared in backends/translate/prelude/device.h: address and size of each
/// binding, then the push-constant block.
class ArgumentBlock {
 public:
  static constexpr size_t most_bytes = 4096;  // supported by every GPU

  /// Size of a kernel's block.
  static size_t bytes(const Reflection& reflection) {
    size_t bindings = 0;
    for (const auto& binding : reflection.bindings) bindings += binding.count;
    return std::max<size_t>(bindings, 1) * sizeof(Bound) + (reflection.push_constant_bytes + 15) / 16 * 16;
  }

  explicit ArgumentBlock(const backend::BoundArguments& arguments) {
    size_t at = 0;
    for (const Region& region : arguments.bindings) {
      const Bound bound{region.address(), region.bytes};
      std::memcpy(data_.data() + at, &bound, sizeof(bound));
      at += sizeof(bound);
    }
    if (at == 0) at = sizeof(Bound);
    std::memcpy(data_.data() + at, arguments.push_constants.data(), arguments.push_constants.size());
  }
  void* data() { return data_.data(); }

 private:
  struct Bound {
    uint64_t address, bytes;
  };
  alignas(16) std::array<std::byte, most_bytes + Arguments::max_push_constant_bytes> data_;
};

void fill(uint32_t (&to)[3], const std::array<uint32_t, 3>& from) { std::copy(from.begin(), from.end(), to); }

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      code_(device, module, reflection_, options, Form::direct),
      module_(module),
      options_(options) {
  const size_t bytes = ArgumentBlock::bytes(reflection_);
  if (bytes > ArgumentBlock::most_bytes) {
    throw Error(ErrorCode::unsupported, "The bindings and push constants of kernel '" + name() + "' take " +
                                            std::to_string(bytes) + " bytes of launch arguments, 16 for each buffer; " +
                                            device->info().selector + " allows " +
                                            std::to_string(ArgumentBlock::most_bytes) + ".");
  }
  const uint32_t most = device->call([&] { return device->api().max_group_invocations(code_.function()); });
  if (invocations() > most) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name() + "' has workgroups of " + std::to_string(invocations()) +
                                            " invocations, but its use of registers limits " + device->info().selector +
                                            " to " + std::to_string(most) + ".");
  }
}

uint32_t Kernel::invocations() const {
  const auto& size = reflection_.workgroup_size;
  return size[0] * size[1] * size[2];
}

void Kernel::launch(Groups groups, const backend::BoundArguments& arguments, StreamHandle stream) const {
  ArgumentBlock block(arguments);
  void* parameters[] = {block.data()};
  launch(code_, groups, parameters, stream);
}

void Kernel::launch_indirect(uint64_t counts, const backend::BoundArguments& arguments, StreamHandle stream) const {
  const Code& code = indirect();
  ArgumentBlock block(arguments);
  void* parameters[] = {block.data(), &counts};
  // Launch as many blocks as run at once. They loop over the workgroups.
  launch(code, {code.resident_groups(invocations()), 1, 1}, parameters, stream);
}

void Kernel::launch(const Code& code, Groups groups, void** parameters, StreamHandle stream) const {
  Launch launch;
  launch.function = code.function();
  fill(launch.groups, {groups.x, groups.y, groups.z});
  fill(launch.group_size, reflection_.workgroup_size);
  launch.dynamic_memory_bytes = code.dynamic_memory_bytes();
  launch.may_start_early = code.awaits_earlier_launches();
  launch.parameters = parameters;
  static_cast<const Device&>(*device_).api().launch(launch, stream);
}

const Code& Kernel::indirect() const {
  std::call_once(indirect_once_, [&] {
    indirect_ = std::make_unique<Code>(std::static_pointer_cast<Device>(device_), module_, reflection_, options_,
                                       Form::indirect);
  });
  return *indirect_;
}

}  // namespace weft::cuda_hip
