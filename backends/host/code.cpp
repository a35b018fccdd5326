#include "backends/host/code.h"

#include <utility>

#include <weft/error.h>

#include "core/src/platform/utf8.h"

namespace weft::host {

Code::Code(std::span<const std::byte> shared_object, std::string name) : name_(std::move(name)) {
  // The loader identifies libraries by path, so each is opened from its own folder.
  const std::filesystem::path path = folder_.path() / "kernel.so";
  folder_.write(path, shared_object);
  library_ = core::DynamicLibrary(core::utf8_text(path));
  folder_.remove();
  if (!library_) {
    throw Error(ErrorCode::unsupported, "The compiled kernel '" + name_ + "' cannot be loaded: " + library_.failure() +
                                            ". If the temporary folder is mounted noexec, set TMPDIR to one that "
                                            "is not.");
  }
  entry_ = reinterpret_cast<Entry>(library_.find("weft_kernel"));
  sites_ = static_cast<const weft_host_site*>(library_.find("weft_sites"));
  const auto* count = static_cast<const uint32_t*>(library_.find("weft_site_count"));
  const auto* memory = static_cast<const uint64_t*>(library_.find("weft_workgroup_memory_bytes"));
  const auto* lanes = static_cast<const uint32_t*>(library_.find("weft_lanes_of_call"));
  if (!entry_ || !memory) {
    throw Error(ErrorCode::unsupported, "The compiled kernel '" + name_ + "' has no entry point.");
  }
  site_count_ = sites_ && count ? *count : 0;
  lanes_ = lanes ? *lanes : 0;
  workgroup_memory_bytes_ = *memory;
}

std::string Code::site(uint32_t index) const {
  if (index >= site_count_) return "an unknown location";
  const weft_host_site& site = sites_[index];
  std::string text = site.what ? site.what : "an instruction";
  if (site.line != 0 || site.file) {
    text += " at " + std::string(site.file ? site.file : "line");
    if (site.line != 0) text += (site.file ? ":" : " ") + std::to_string(site.line);
  }
  return text;
}

}  // namespace weft::host
