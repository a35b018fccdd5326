#include "backends/hip/comgr.h"

#include <weft/error.h>

namespace weft::hip {

namespace {

constexpr const char* isa_prefix = "amdgcn-amd-amdhsa--";

}  // namespace

// hipRTC is linked with it in some packages and opens it later in others.
Comgr::Comgr(const driver::Library& hiprtc) : hiprtc_(hiprtc) {
  if (hiprtc.find("amd_comgr_get_isa_count")) return;
  library_ = std::make_unique<driver::Library>(driver::Library::Search{
      "AMD's code object library", "WEFT_COMGR",
      hiprtc.name().ends_with(".7") ? std::vector<std::string>{"libamd_comgr.so.3", "libamd_comgr.so.2"}
                                    : std::vector<std::string>{"libamd_comgr.so.2", "libamd_comgr.so.3"},
      "install ROCm's libamd_comgr"});
}

template <class Function>
Function* Comgr::function(const char* name) const {
  Function* result = nullptr;
  (library_ ? *library_ : hiprtc_).load(result, name);
  return result;
}

std::vector<std::string> Comgr::architectures() const {
  const auto get_count = function<int(size_t*)>("amd_comgr_get_isa_count");
  const auto get_name = function<int(size_t, const char**)>("amd_comgr_get_isa_name");
  const auto failed = [](const char* what) {
    return Error(ErrorCode::unsupported, std::string("AMD's code object library does not answer ") + what);
  };
  size_t count = 0;
  if (get_count(&count) != 0) throw failed("amd_comgr_get_isa_count");
  std::vector<std::string> names;
  for (size_t k = 0; k < count; ++k) {
    const char* name = nullptr;
    if (get_name(k, &name) != 0) throw failed("amd_comgr_get_isa_name");
    const std::string isa = name;
    if (isa.starts_with(isa_prefix)) names.push_back(isa.substr(std::string(isa_prefix).size()));
  }
  return names;
}

std::string Comgr::version() const {
  size_t major = 0, minor = 0;
  function<void(size_t*, size_t*)>("amd_comgr_get_version")(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace weft::hip
