#include "backends/cuda/functions.h"

#include <weft/error.h>

#include "backends/cuda/nvrtc_names.h"
#include "backends/cuda_hip/library.h"

#define WEFT_TEXT_OF(name) #name
#define WEFT_LOAD(name) library.load(functions->name, WEFT_TEXT_OF(name));

namespace weft::cuda {

std::shared_ptr<const DriverFunctions> DriverFunctions::open(const DriverLibraries& libraries) {
  const cuda_hip::Library library(
      {"the CUDA driver", "WEFT_CUDA_DRIVER", libraries.cuda_driver, {"libcuda.so.1"}, "install NVIDIA's driver"});
  auto functions = std::make_shared<DriverFunctions>();
  WEFT_CUDA_DRIVER_FUNCTIONS(WEFT_LOAD)
  library.load(functions->cuEventElapsedTimeOfAll, "cuEventElapsedTime");
  return functions;
}

std::shared_ptr<const CompilerFunctions> CompilerFunctions::open(const DriverLibraries& libraries) {
  const cuda_hip::Library library(
      {"NVRTC", "WEFT_NVRTC", libraries.nvrtc, nvrtc_names(), "install it with the CUDA toolkit"});
  auto functions = std::make_shared<CompilerFunctions>();
  WEFT_NVRTC_FUNCTIONS(WEFT_LOAD)
  return functions;
}

}  // namespace weft::cuda
