#include "backends/cuda/open.h"

#include "backends/cuda/api.h"
#include "backends/cuda/describe.h"

namespace weft::cuda {

std::shared_ptr<const DriverFunctions> open_driver(const DriverLibraries& libraries) {
  auto functions = DriverFunctions::open(libraries);
  check(*functions, functions->cuInit(0), "starting the CUDA driver");
  return functions;
}

std::shared_ptr<const Compiler> compiler_of(const DriverLibraries& libraries) {
  return std::make_shared<Compiler>([libraries] { return CompilerFunctions::open(libraries); });
}

cuda_hip::Setup describe_setup(const std::shared_ptr<const DriverFunctions>& functions,
                               const DriverLibraries& libraries, int ordinal) {
  cuda_hip::Setup setup;
  setup.api = std::make_shared<Api>(functions);
  setup.compiler = compiler_of(libraries);
  setup.ordinal = ordinal;
  setup.architecture = architecture(*functions, ordinal);
  setup.multiprocessors = multiprocessors(*functions, ordinal);
  setup.info = describe(*functions, ordinal);
  return setup;
}

}  // namespace weft::cuda
