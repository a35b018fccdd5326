#include "backends/cuda_hip/code.h"

#include <algorithm>
#include <cstring>

#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"

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

/// Makes the C++ of a kernel, and the payload for the cache.
class Source {
 public:
  Source(const Device& device, const Spirv& module, const Reflection& reflection, const KernelOptions& options,
         Form form)
      : device_(device), module_(module), reflection_(reflection), options_(options), form_(form) {}

  std::string translated() {
    const Translation translation =
        translate::translate(module_, reflection_, device_.setup().compiler->target(), options_);
    header_ = {translation.workgroup_memory_bytes, translation.dynamic_workgroup_memory_bytes};
    return (form_ == Form::indirect ? "#define WEFT_INDIRECT 1\n" : "") + translation.code;
  }

  std::vector<std::byte> compiled(const std::string& text) const {
    const Setup& setup = device_.setup();
    const std::vector<std::byte> code = setup.compiler->compile(text, module_.name, setup.architecture);
    std::vector<std::byte> payload(sizeof(header_) + code.size());
    std::memcpy(payload.data(), &header_, sizeof(header_));
    std::ranges::copy(code, payload.begin() + sizeof(header_));
    return payload;
  }

 private:
  const Device& device_;
  const Spirv& module_;
  const Reflection& reflection_;
  const KernelOptions& options_;
  const Form form_;
  Header header_;
};

}  // namespace

Code::Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection,
           const KernelOptions& options, Form form)
    : device_(std::move(device)) {
  const Setup& setup = device_->setup();
  Source source(*device_, module, reflection, options, form);
  const auto translate = [&] { return source.translated(); };
  const auto compile = [&](const std::string& text) { return source.compiled(text); };
  const translate::CodeCache cache(device_->cache(), device_->info().backend,
                                   setup.compiler->identity() + " " + setup.architecture);
  const std::string variant =
      (form == Form::indirect ? "indirect " : "direct ") + std::to_string(options.resident_workgroups);
  const auto code = cache.code(module, options, variant, translate, compile);
  try {
    load(code.bytes, module.name);
  } catch (const Error& error) {
    if (code.compiled || error.code() != ErrorCode::unsupported) throw;
    // The code came from the cache, and this driver does not accept it.
    load(cache.code_anew(module, options, variant, translate, compile).bytes, module.name);
  }
}

Code::~Code() {
  device_->clean_up([&] { device_->retire([&api = device_->api(), module = module_] { api.unload(module); }); });
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
