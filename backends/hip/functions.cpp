#include "backends/hip/functions.h"

#include <weft/error.h>

#include "backends/hip/errors.h"

namespace weft::hip {

namespace {

const driver::Library::Search search{"AMD's HIP library",
                                     "WEFT_HIP_DRIVER",
                                     {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                                     "install ROCm's HIP runtime (libamdhip64)"};

// hipDeviceProp_t, of which only the architecture's name is read: all else has attributes whose numbers never moved.
// Version 6 has a longer structure under a function name of its own, and keeps the old function beside it.
struct OldProperties {
  char before[396];
  char architecture[256];
  char after[4096 - 396 - 256];
};
struct NewProperties {
  char before[1160];
  char architecture[256];
  char after[4096 - 1160 - 256];
};

template <class Properties>
std::string architecture_of(const Functions& functions, const char* symbol, int ordinal) {
  hipError_t (*get)(Properties*, int) = nullptr;
  functions.library.load(get, symbol);
  alignas(8) Properties properties{};
  check(functions, get(&properties, ordinal), symbol);
  properties.after[0] = 0;
  return properties.architecture;
}

}  // namespace

Functions::Functions(const driver::Library::Search& place) : library(place) {
#define WEFT_LOAD(name) library.load(name, #name);
  WEFT_HIP_FUNCTIONS(WEFT_LOAD)
  WEFT_LOAD(hipMalloc)
  WEFT_LOAD(hipHostMalloc)
  WEFT_LOAD(hipPointerGetAttributes)
#undef WEFT_LOAD
}

std::shared_ptr<const Functions> Functions::open() {
  const std::shared_ptr<Functions> functions(new Functions(search));
  const auto none = [&](const std::string& answer) {
    return Error(ErrorCode::unsupported, "HIP (" + functions->library.name() + ") finds no device: " + answer);
  };
  // Without a device, one says that the device is invalid and the other that there is none.
  if (const hipError_t result = functions->hipInit(0); result != hipSuccess) throw none(text(*functions, result));
  int count = 0;
  if (const hipError_t result = functions->hipGetDeviceCount(&count); result != hipSuccess) {
    throw none(text(*functions, result));
  }
  if (count == 0) throw none("it lists none");
  check(*functions, functions->hipRuntimeGetVersion(&functions->version), "asking for HIP's version");
  return functions;
}

std::string Functions::architecture(int ordinal) const {
  return major() >= 6 ? architecture_of<NewProperties>(*this, "hipGetDevicePropertiesR0600", ordinal)
                      : architecture_of<OldProperties>(*this, "hipGetDeviceProperties", ordinal);
}

std::string Functions::version_text() const {
  return std::to_string(major()) + "." + std::to_string(version / 100'000 % 100) + "." +
         std::to_string(version % 100'000);
}

}  // namespace weft::hip
