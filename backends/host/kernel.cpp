#include "backends/host/kernel.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "backends/host/buffer.h"
#include "backends/translate/translate.h"
#include "core/src/disk_cache.h"

namespace weft::host {

namespace {

/// What tells this build of the translator from others: the file that holds it.
std::string translator_identity() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&translate::translate), &info) || !info.dli_fname) return {};
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
  const auto bytes = std::filesystem::file_size(file, error);
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  if (error) return {};
  return file.string() + " " + std::to_string(bytes) + " " + std::to_string(written);
}

/// Of the translation: the module and all that shapes what becomes of it.
core::CacheKey key_of(const Spirv& module, const KernelOptions& options) {
  core::CacheKey key;
  key.add(std::as_bytes(std::span(module.words))).add(options.entry);
  for (const SpecializationValue& v : options.specialization) key.add(v.id).add(v.bytes).add(v.bits);
  return key;
}

std::string translated(const Spirv& module, const KernelOptions& options, bool check) {
  translate::Options wanted;
  wanted.target = translate::Target::host;
  wanted.entry = options.entry;
  wanted.specialization = options.specialization;
  const translate::Translation translation = translate::translate(module, wanted);
  constexpr uint64_t most_invocation_bytes = 80 * 1024;  // of a fiber's stack, which also holds what calls take
  if (translation.invocation_bytes > most_invocation_bytes) {
    throw Error(ErrorCode::unsupported, "The variables of one invocation of kernel '" + module.name + "' take " +
                                            std::to_string(translation.invocation_bytes) +
                                            " bytes, and the host device has " + std::to_string(most_invocation_bytes) +
                                            " for them.");
  }
  return std::string("#define WEFT_HOST_CHECK ") + (check ? "1\n" : "0\n") + translation.code +
         "\nextern \"C\" const uint64_t weft_workgroup_memory_bytes = " +
         std::to_string(translation.workgroup_memory_bytes) + ";\n";
}

/// Two kinds of entries: "host" holds machine code under the C++ that it was made from, and "translation" the key of
/// that under the SPIR-V, so that a kernel that is known is not translated again.
class CodeCache {
 public:
  CodeCache(const Compiler& compiler, bool check)
      : compiler_(compiler), check_(check), disk_(core::DiskCache::from_environment()) {}

  std::vector<std::byte> code(const Spirv& module, const KernelOptions& options) {
    core::CacheKey source = key_of(module, options);
    const std::string translator = translator_identity();
    source.add(translator).add(compiler_.identity()).add(check_);
    const bool remember = disk_ && !translator.empty();
    if (remember) {
      const auto code_key = disk_->load("translation", source);
      core::CacheKey stored;
      if (code_key && code_key->size() == sizeof(stored)) {
        std::memcpy(&stored, code_key->data(), sizeof(stored));
        if (auto code = disk_->load("host", stored)) return *code;
      }
    }
    const std::string text = translated(module, options, check_);
    const core::CacheKey key = core::CacheKey().add(text).add(compiler_.identity());
    std::optional<std::vector<std::byte>> code;
    if (disk_) code = disk_->load("host", key);
    if (!code) {
      code = compiler_.compile(text, module.name);
      if (disk_) disk_->store("host", key, *code);
    }
    if (remember) disk_->store("translation", source, std::as_bytes(std::span(&key, 1)));
    return *code;
  }

 private:
  const Compiler& compiler_;
  const bool check_;
  std::optional<core::DiskCache> disk_;
};
static_assert(std::is_trivially_copyable_v<core::CacheKey>);

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      code_(std::make_shared<Code>(CodeCache(device->compiler(), device->settings().check).code(module, options),
                                   module.name)),
      subgroup_size_(options.subgroup_size != 0 ? options.subgroup_size : device->settings().subgroup_size) {
  if (code_->workgroup_memory_bytes() > device->info().limits.workgroup_memory_bytes) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name() + "' takes " +
                                            std::to_string(code_->workgroup_memory_bytes()) +
                                            " bytes of shared memory, and the host device has " +
                                            std::to_string(device->info().limits.workgroup_memory_bytes) + ".");
  }
}

Dispatch Kernel::dispatch(const Arguments& arguments) const {
  const auto& device = static_cast<const Device&>(*device_);
  Dispatch dispatch;
  dispatch.code = code_;
  dispatch.workgroup_size = reflection_.workgroup_size;
  dispatch.subgroup_size = subgroup_size_;
  dispatch.schedule = device.settings().schedule;
  dispatch.checked = device.checked();
  std::ranges::copy(arguments.push_constants(), dispatch.push_constants.begin());
  for (const Reflection::Binding& binding : reflection_.bindings) {
    for (uint32_t element = 0; element < binding.count; ++element) {
      weft_host_binding place{};
      for (const Arguments::Binding& given : arguments.bindings()) {
        if (given.set != binding.set || given.binding != binding.binding || given.element != element) continue;
        const auto& memory = memory_of(given.region);
        place = {memory->data() + given.region.offset, given.region.bytes};
        dispatch.bound.push_back(memory);
      }
      dispatch.bindings.push_back(place);
    }
  }
  return dispatch;
}

}  // namespace weft::host
