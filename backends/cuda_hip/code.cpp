#include "backends/cuda_hip/code.h"

#include <cstring>

#include "core/src/pack/architectures.h"

namespace weft::cuda_hip {

namespace {

CodeHeader header_of(const CodeMaker::Bytes& bytes) {
  CodeHeader header;
  if (bytes.size() <= sizeof(header)) throw Error(ErrorCode::unsupported, "the cached code is too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

}  // namespace

void OwnedModule::load(std::span<const std::byte> code) {
  unload();
  handle_ = device_.api().load(code);
}

void OwnedModule::unload() noexcept {
  if (!handle_) return;
  device_.clean_up([&] { device_.api().unload(handle_); });
  handle_ = nullptr;
}

Code::Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection,
           const KernelOptions& options, Form form)
    : device_(std::move(device)), module_(std::make_unique<OwnedModule>(*device_)) {
  const Setup& setup = device_->setup();
  const CodeMaker maker(*device_, *setup.compiler, module, reflection, options, form);
  std::string refusal, ignored;
  if (find_packed(maker, module.name, refusal)) return;
  try {
    const CodeMaker::Bytes bytes = maker.made(setup.architecture, [&](const CodeMaker::Bytes& known) {
      return accepts(known, module.name, setup.architecture, ignored);
    });
    device_->kernels.add_to_pack(maker.packed(setup.architecture), bytes);
    if (!function_) load(bytes, module.name, setup.architecture);
  } catch (const Error& error) {
    if (refusal.empty()) throw;
    throw Error(error.code(),
                "The driver refused what a pack holds of '" + module.name + "': " + refusal + ". " + error.what(),
                error.log());
  }
}

Code::~Code() {
  device_->clean_up([&] { device_->retire(std::move(module_)); });
}

bool Code::find_packed(const CodeMaker& maker, const std::string& name, std::string& refusal) {
  for (const std::string& architecture : core::code_architectures(device_->setup().architecture)) {
    const auto known = device_->kernels.find_packed(maker.packed(architecture));
    if (known && accepts(*known, name, architecture, refusal)) return true;
  }
  return false;
}

bool Code::accepts(const CodeMaker::Bytes& known, const std::string& name, const std::string& architecture,
                   std::string& refusal) {
  try {
    load(known, name, architecture);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    refusal = error.what();
    return false;
  }
}

void Code::load(const CodeMaker::Bytes& bytes, const std::string& name, const std::string& architecture) {
  const CodeHeader header = header_of(bytes);
  const uint64_t room = device_->info().limits.workgroup_memory_bytes;
  if (header.workgroup_memory_bytes > room) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name + "' takes " + std::to_string(header.workgroup_memory_bytes) +
                                            " bytes of workgroup memory, and " + device_->info().selector + " (" +
                                            device_->info().name + ") has " + std::to_string(room) + ".");
  }
  dynamic_memory_bytes_ = uint32_t(header.dynamic_memory_bytes);
  awaits_earlier_launches_ = device_->setup().compiler->awaits_earlier_launches(architecture);
  device_->call([&] {
    const Api& api = device_->api();
    module_->load(std::span(bytes).subspan(sizeof(header)));
    const FunctionHandle function = api.function(module_->handle(), "weft_kernel");
    if (dynamic_memory_bytes_ != 0) api.allow_dynamic_memory(function, dynamic_memory_bytes_);
    function_ = function;
  });
}

uint32_t Code::resident_groups(uint32_t invocations) const {
  return device_->call([&] {
    return device_->setup().multiprocessors *
           device_->api().resident_groups(function_, invocations, dynamic_memory_bytes_);
  });
}

}  // namespace weft::cuda_hip
