#include "backends/cuda_hip/code.h"

#include <algorithm>
#include <cstring>

#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/compilers.h"

namespace weft::cuda_hip {

namespace {

/// Precedes the machine code in the cache.
struct Header {
  uint64_t workgroup_memory_bytes = 0, dynamic_memory_bytes = 0;
};

Header header_of(const std::vector<std::byte>& payload) {
  Header header;
  if (payload.size() <= sizeof(header)) throw Error(ErrorCode::unsupported, "the cached code is too short");
  std::memcpy(&header, payload.data(), sizeof(header));
  return header;
}

std::vector<std::byte> with_header(const Translation& translation, const std::vector<std::byte>& code) {
  const Header header{translation.workgroup_memory_bytes, translation.dynamic_workgroup_memory_bytes};
  std::vector<std::byte> payload(sizeof(header) + code.size());
  std::memcpy(payload.data(), &header, sizeof(header));
  std::ranges::copy(code, payload.begin() + sizeof(header));
  return payload;
}

translate::CodeTarget target_of(const Device& device) {
  const Setup& setup = device.setup();
  std::string compiler = setup.compiler->identity();
  for (const std::string& option : setup.compiler->options(setup.architecture)) compiler += " " + option;
  return {device.info().backend, setup.architecture, compiler};
}

}  // namespace

Code::Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection,
           const KernelOptions& options, Form form)
    : device_(std::move(device)) {
  const Setup& setup = device_->setup();
  const TranslationTarget target = setup.compiler->target();
  const std::string before = form == Form::indirect ? "#define WEFT_INDIRECT 1\n" : "";
  const core::CacheKey kernel = translate::translation_key(module, target, options, before);
  const core::Artifact packed =
      translate::packed_code(device_->info().backend, setup.architecture, kernel, module.name);
  if (const auto known = device_->kernels.find_packed(packed); known && accepts(*known, module.name)) return;
  core::require_compilers("the machine code of kernel '" + module.name + "' for " + setup.architecture, *device_);
  const translate::CodeCache cache(device_->cache(), target_of(*device_));
  const auto takes = [&](const std::optional<std::vector<std::byte>>& known) {
    if (!known || !accepts(*known, module.name)) return false;
    device_->kernels.add_to_pack(packed, *known);
    return true;
  };
  if (takes(cache.find(kernel))) return;

  const Translation translation = translate::translate(module, reflection, target, options);
  const std::string source = before + translation.code;
  cache.put(kernel, source);
  if (takes(cache.find(source))) return;

  const auto payload = with_header(translation, setup.compiler->compile(source, module.name, setup.architecture));
  cache.put(source, payload);
  device_->kernels.add_to_pack(packed, payload);
  load(payload, module.name);
}

Code::~Code() {
  device_->clean_up([&] { device_->retire([&api = device_->api(), module = module_] { api.unload(module); }); });
}

bool Code::accepts(const std::vector<std::byte>& cached, const std::string& name) {
  try {
    load(cached, name);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return false;
  }
}

void Code::load(const std::vector<std::byte>& payload, const std::string& name) {
  const Header header = header_of(payload);
  const uint64_t room = device_->info().limits.workgroup_memory_bytes;
  if (header.workgroup_memory_bytes > room) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name + "' takes " + std::to_string(header.workgroup_memory_bytes) +
                                            " bytes of workgroup memory, and " + device_->info().selector + " (" +
                                            device_->info().name + ") has " + std::to_string(room) + ".");
  }
  dynamic_memory_bytes_ = uint32_t(header.dynamic_memory_bytes);
  device_->call([&] {
    const Api& api = device_->api();
    module_ = api.load(std::span(payload).subspan(sizeof(header)));
    function_ = api.function(module_, "weft_kernel");
    if (dynamic_memory_bytes_ != 0) api.allow_dynamic_memory(function_, dynamic_memory_bytes_);
  });
}

uint32_t Code::resident_groups(uint32_t invocations) const {
  return device_->call([&] {
    return device_->setup().multiprocessors *
           device_->api().resident_groups(function_, invocations, dynamic_memory_bytes_);
  });
}

}  // namespace weft::cuda_hip
