#include "backends/hip/functions.h"

#include <weft/error.h>

#define WEFT_LOAD(name) library.load(functions->name, #name);

namespace weft::hip {

namespace {

// In some packages hipRTC is linked with amd_comgr, in others it opens it later.
void load_comgr(const cuda_hip::Library& library, CompilerFunctions* functions) {
  WEFT_LOAD(amd_comgr_get_version)
  WEFT_LOAD(amd_comgr_get_isa_count)
  WEFT_LOAD(amd_comgr_get_isa_name)
}

}  // namespace

std::shared_ptr<const DriverFunctions> DriverFunctions::open(const DriverLibraries& libraries) {
  const cuda_hip::Library library({"AMD's HIP runtime",
                                   "WEFT_HIP_DRIVER",
                                   libraries.hip_driver,
                                   {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                                   "install ROCm's HIP runtime"});
  auto functions = std::make_shared<DriverFunctions>();
  WEFT_HIP_DRIVER_FUNCTIONS(WEFT_LOAD)
  WEFT_LOAD(hipMalloc)
  WEFT_LOAD(hipHostMalloc)
  WEFT_LOAD(hipPointerGetAttributes)
  library.load(functions->old_properties, "hipGetDeviceProperties");
  functions->new_properties = reinterpret_cast<hipError_t (*)(void*, int)>(library.find("hipGetDevicePropertiesR0600"));
  functions->library = library.name();
  check(*functions, functions->hipRuntimeGetVersion(&functions->version), "querying HIP's version");
  return functions;
}

std::shared_ptr<const CompilerFunctions> CompilerFunctions::open(const DriverFunctions& driver,
                                                                 const DriverLibraries& libraries) {
  const std::string name = driver.major() < 6 ? driver.library : "libhiprtc.so." + std::to_string(driver.major());
  return open({"hipRTC", "WEFT_HIPRTC", libraries.hiprtc, {name}, "install it with ROCm"}, driver.version,
              libraries.comgr);
}

std::shared_ptr<const CompilerFunctions> CompilerFunctions::open(const cuda_hip::Library::Search& search, int version,
                                                                 const std::string& comgr) {
  const cuda_hip::Library library(search);
  auto functions = std::make_shared<CompilerFunctions>();
  WEFT_HIPRTC_FUNCTIONS(WEFT_LOAD)
  functions->version = version;
  if (library.find("amd_comgr_get_version")) {
    load_comgr(library, functions.get());
  } else {
    const bool third = version / 10'000'000 >= 7;
    load_comgr(cuda_hip::Library({"amd_comgr",
                                  "WEFT_COMGR",
                                  comgr,
                                  {third ? "libamd_comgr.so.3" : "libamd_comgr.so.2",
                                   third ? "libamd_comgr.so.2" : "libamd_comgr.so.3"},
                                  "install it with ROCm"}),
               functions.get());
  }
  return functions;
}

std::string version_text(int version) {
  return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100) + "." +
         std::to_string(version % 100'000);
}

}  // namespace weft::hip
