#include "emulated_device.h"

#include <dlfcn.h>

#include <weft/error.h>
#include <cstring>

#include "backends/host/compiler.h"
#include "core/src/backend.h"
#include "core/src/bound_regions.h"
#include "recording_device.h"
#include "tests/support/files.h"

namespace weft::test {
namespace {

// What only the vendors' compilers understand, and what does as well here.
struct Replacement {
  const char *from, *to;
};
constexpr Replacement cuda_replacements[] = {
    {R"(asm("mov.u64 %0, 0;" : "=l"(zero));)", "zero = 0;"},
    {R"(asm volatile("fence.acq_rel.sys;" ::: "memory");)", ";"},
    {R"(asm volatile("fence.acq_rel.gpu;" ::: "memory");)", ";"},
    {R"(asm volatile("fence.acq_rel.cta;" ::: "memory");)", ";"},
    {R"(asm volatile("ld." order space bits " %0, [%1];" : "=" letter(x) : "l"(static_cast<weft_byte*>(p)) : "memory");)",
     "x = *reinterpret_cast<B*>(static_cast<weft_byte*>(p));"},
    {R"(asm volatile("st." order space bits " [%0], %1;" ::"l"(static_cast<weft_byte*>(p)), letter(x) : "memory");)",
     "*reinterpret_cast<B*>(static_cast<weft_byte*>(p)) = x;"}};
constexpr Replacement hip_replacements[] = {
    {"#include <hip/hip_runtime.h>", ""},
    {"__attribute__((ext_vector_type(2)))", "__attribute__((vector_size(8)))"},
    {"__attribute__((ext_vector_type(4)))", "__attribute__((vector_size(16)))"}};

std::string emulated_source(std::string code, translate::Target target, uint32_t subgroup_size) {
  const auto replace = [&](const Replacement& one) {
    const size_t at = code.find(one.from);
    if (at == std::string::npos) {
      throw Error(ErrorCode::unsupported, std::string("The prelude has changed: it lacks ") + one.from);
    }
    code.replace(at, std::strlen(one.from), one.to);
  };
  if (target == translate::Target::cuda) {
    for (const Replacement& one : cuda_replacements) replace(one);
  } else {
    for (const Replacement& one : hip_replacements) replace(one);
  }
  // Compiled once and run once: optimisation would not pay.
  return "#pragma GCC optimize(\"O0\")\n#define WEFT_EMULATED_WARP " + std::to_string(subgroup_size) +
         "u\n#include \"" WEFT_EMULATION_FOLDER "/emulated_gpu.h\"\n" + code +
         "\n#include \"" WEFT_EMULATION_FOLDER "/emulated_launch.h\"\n";
}

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

class EmulatedKernel : public backend::Kernel {
 public:
  EmulatedKernel(std::shared_ptr<backend::Device> device, const Spirv& module, const KernelOptions& options,
                 Reflection reflection, translate::Target target)
      : backend::Kernel(device, module.name, std::move(reflection)) {
    const auto translation = translate::translate(module, {target, options.entry, options.specialization});
    const std::string source = emulated_source(translation.code, target, device->info().limits.subgroup_size);
    const TemporaryFolder folder;
    write_file(folder.path() / "kernel.so", host::Compiler::find().compile(source, module.name));
    library_ = dlopen((folder.path() / "kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw Error(ErrorCode::compile_failed, dlerror());
    launch_ = reinterpret_cast<Launch*>(dlsym(library_, "weft_emulated_launch"));
  }
  ~EmulatedKernel() override { dlclose(library_); }

  // The argument block is that of the preludes: {pointer, bytes} of each binding, then push constants at 16.
  void launch(Groups groups, const Arguments& arguments) const {
    std::vector<uint64_t> block;
    for (const Region& region : core::bound_regions(reflection_, arguments)) {
      block.insert(block.end(), {region.address(), region.bytes});
    }
    if (block.empty()) block.assign(2, 0);
    const size_t push = block.size() * sizeof(uint64_t);
    block.resize(block.size() + Arguments::max_push_constant_bytes / sizeof(uint64_t));
    std::memcpy(reinterpret_cast<std::byte*>(block.data()) + push, arguments.push_constants().data(),
                arguments.push_constants().size());
    const uint32_t count[] = {groups.x, groups.y, groups.z};
    if (const char* problem = launch_(count, block.data())) {
      throw Error(ErrorCode::device_lost, "Kernel '" + name() + "', emulated: " + problem + ".");
    }
  }

 private:
  using Launch = const char*(const uint32_t* groups, const void* arguments);
  void* library_ = nullptr;
  Launch* launch_ = nullptr;
};

// Does at once what it is asked.
class EmulatedStream : public backend::Stream {
 public:
  explicit EmulatedStream(std::shared_ptr<backend::Device> device) : device_(std::move(device)) {}
  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const Arguments& arguments) override {
    static_cast<const EmulatedKernel&>(kernel).launch(groups, arguments);
  }
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups, const Arguments& arguments) override {
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
  void download(const Region& source, std::span<std::byte> data) override {
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
  EmulatedDevice(DeviceInfo info, translate::Target target) : backend::Device(std::move(info), {}), target_(target) {}
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
  translate::Target target_;
};

}  // namespace

Device emulated_device(translate::Target target, uint32_t subgroup_size) {
  DeviceInfo info = gpu(subgroup_size);
  info.selector = info.backend = info.name = target == translate::Target::cuda ? "emulated CUDA" : "emulated HIP";
  return Device(std::make_shared<EmulatedDevice>(std::move(info), target));
}

}  // namespace weft::test
