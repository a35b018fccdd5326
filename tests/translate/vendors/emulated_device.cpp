#include "tests/translate/vendors/emulated_device.h"

#include <cstring>

#include <weft/error.h>

#include "backends/host/compiler.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/backend.h"
#include "tests/stand_ins/emulated_gpu/emulated_code.h"
#include "tests/stand_ins/emulated_gpu/source.h"
#include "tests/support/recording_device.h"

namespace weft::test {
namespace {

class EmulatedBuffer : public backend::Buffer {
 public:
  EmulatedBuffer(std::shared_ptr<backend::Device> device, uint64_t bytes)
      : EmulatedBuffer(std::move(device), bytes, std::make_shared<std::vector<Line>>(bytes / sizeof(Line) + 1)) {}

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  EmulatedBuffer(std::shared_ptr<backend::Device> device, uint64_t bytes, std::shared_ptr<std::vector<Line>> lines)
      : backend::Buffer(std::move(device), reinterpret_cast<uint64_t>(lines->data()), bytes), lines_(lines) {}
  std::shared_ptr<std::vector<Line>> lines_;
};

std::byte* memory_of(const Region& region) { return reinterpret_cast<std::byte*>(region.address()); }

std::vector<std::byte> compiled(const Spirv& module, const Reflection& reflection, TranslationTarget target,
                                const KernelOptions& options, uint32_t subgroup_size) {
  const std::string code = translate::translate(module, reflection, target, options).code;
  // Compiled once and run once: optimisation would not pay off for the large ones.
  const std::string source = "#pragma GCC optimize(\"O0\")\n" + emulated_source(code, target, subgroup_size);
  return host::Compiler::find(DeviceOptions::from_environment().compiler).compile(source, module.name);
}

class EmulatedKernel : public backend::Kernel {
 public:
  EmulatedKernel(std::shared_ptr<backend::Device> device, const Spirv& module, const KernelOptions& options,
                 Reflection reflection, TranslationTarget target)
      : backend::Kernel(device, module.name, std::move(reflection)),
        code_(compiled(module, reflection_, target, options, device->info().limits.subgroup_size)) {}

  // The argument block of the preludes: {pointer, bytes} of each binding, then push constants, at byte 16 or later.
  void launch(Groups groups, const backend::BoundArguments& arguments) const {
    std::vector<uint64_t> block;
    for (const Region& region : arguments.bindings) {
      block.insert(block.end(), {region.address(), region.bytes});
    }
    if (block.empty()) block.assign(2, 0);
    const size_t push = block.size() * sizeof(uint64_t);
    block.resize(block.size() + Arguments::max_push_constant_bytes / sizeof(uint64_t));
    std::memcpy(reinterpret_cast<std::byte*>(block.data()) + push, arguments.push_constants.data(),
                arguments.push_constants.size());
    const auto dynamic_memory_bytes = uint32_t(code_.entry().dynamic_memory_bytes);
    const void* parameters[] = {block.data()};
    const std::string problem = code_.run({{groups.x, groups.y, groups.z}, dynamic_memory_bytes}, parameters);
    if (!problem.empty()) throw Error(ErrorCode::device_lost, "Kernel '" + name() + "', emulated: " + problem + ".");
  }

 private:
  EmulatedCode code_;
};

// Executes every command at once.
class EmulatedStream : public backend::Stream {
 public:
  explicit EmulatedStream(std::shared_ptr<backend::Device> device) : device_(std::move(device)) {}
  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) override {
    static_cast<const EmulatedKernel&>(kernel).launch(groups, arguments);
  }
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                         const backend::BoundArguments& arguments) override {
    Groups read;
    std::memcpy(&read, memory_of(groups), sizeof(read));
    dispatch(kernel, read, arguments);
  }
  void copy(const Region& source, const Region& destination) override {
    std::memmove(memory_of(destination), memory_of(source), source.bytes);
  }
  void fill(const Region& region, uint32_t word) override {
    for (uint64_t at = 0; at < region.bytes; at += 4) std::memcpy(memory_of(region) + at, &word, 4);
  }
  void upload(const Region& destination, std::span<const std::byte> data) override {
    std::memcpy(memory_of(destination), data.data(), data.size());
  }
  void download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds) override {
    std::memcpy(data.data(), memory_of(source), data.size());
  }
  std::shared_ptr<backend::Timestamp> timestamp() override { return nullptr; }
  std::shared_ptr<backend::Event> record() override { return nullptr; }
  void wait(const std::shared_ptr<backend::Event>&) override {}
  void begin_independent() override {}
  void end_independent() override {}
  void submit() override {}
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  std::shared_ptr<backend::Device> device_;
};

class EmulatedDevice : public backend::Device {
 public:
  EmulatedDevice(DeviceInfo info, TranslationTarget target)
      : backend::Device(std::move(info), DeviceOptions::from_environment()), target_(target) {}
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override {
    return std::make_shared<EmulatedBuffer>(shared_from_this(), bytes);
  }
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override {
    return std::make_shared<EmulatedKernel>(shared_from_this(), module, options, std::move(reflection), target_);
  }
  std::unique_ptr<backend::Stream> create_stream() override {
    return std::make_unique<EmulatedStream>(shared_from_this());
  }
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  TranslationTarget target_;
};

}  // namespace

Device emulated_device(TranslationTarget target, uint32_t subgroup_size) {
  DeviceInfo info = gpu(subgroup_size, 48 * 1024);
  info.selector = info.backend = info.name = target == TranslationTarget::cuda ? "emulated CUDA" : "emulated HIP";
  return Device(std::make_shared<EmulatedDevice>(std::move(info), target));
}

}  // namespace weft::test
