#include <algorithm>
#include <array>
#include <tuple>

#include <weft/error.h>

#include "tests/stand_ins/cuda_on_cpu/cubin.h"
#include "tests/stand_ins/cuda_on_cpu/driver.h"
#include "tests/stand_ins/cuda_on_cpu/limits.h"

namespace weft::test::cuda_on_cpu {
namespace {

// The parameter values of a launch.
class Parameters {
 public:
  Parameters(const emulated::Entry& entry, void* const* given) {
    for (uint32_t i = 0; i < entry.parameter_count; ++i) {
      const auto* const first = static_cast<const std::byte*>(given[i]);
      values_[i].assign((entry.parameter_bytes[i] + sizeof(Line) - 1) / sizeof(Line), {});
      std::copy_n(first, entry.parameter_bytes[i], values_[i].data()->bytes);
    }
  }
  std::array<const void*, 2> addresses() const { return {values_[0].data(), values_[1].data()}; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::array<std::vector<Line>, 2> values_;
};

emulated::Dim3 grid_of(const CUlaunchConfig& config) { return {config.gridDimX, config.gridDimY, config.gridDimZ}; }

// Weft gives no other attribute.
bool is_dependent(const CUlaunchConfig& config) {
  const CUlaunchAttribute* const only = config.attrs;
  return config.numAttrs == 1 && only->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
         only->value.programmaticStreamSerializationAllowed == 1;
}

bool fits(const Function& function, const CUlaunchConfig& config) {
  const emulated::Entry& entry = function.module->code.entry();
  const emulated::Dim3 grid = grid_of(config), block{config.blockDimX, config.blockDimY, config.blockDimZ};
  const bool grid_fits = grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= most_blocks_x &&
                         grid.y <= most_blocks_yz && grid.z <= most_blocks_yz;
  const bool is_compiled_for = block.x == entry.block.x && block.y == entry.block.y && block.z == entry.block.z;
  return grid_fits && is_compiled_for && config.sharedMemBytes <= function.most_dynamic_bytes;
}

void run(const Function& function, const EmulatedLaunch& launch, const Parameters& parameters) {
  std::string problem;
  try {
    problem = function.module->code.run(launch, parameters.addresses().data());
  } catch (const Error& error) {
    problem = error.what();
  }
  if (!problem.empty()) function.context()->fail(CUDA_ERROR_LAUNCH_FAILED, problem);
}

}  // namespace
}  // namespace weft::test::cuda_on_cpu

using namespace weft::test::cuda_on_cpu;

CUDA_ON_CPU_CALL cuModuleLoadData(CUmodule* handle, const void* image) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    const Cubin cubin = unwrap(image);
    if (cubin.shared_object.empty()) return CUDA_ERROR_INVALID_IMAGE;
    const Device& device = driver().device(context->ordinal());
    const int major = int(cubin.architecture / 10), minor = int(cubin.architecture % 10);
    const bool is_earlier = std::tie(major, minor) <= std::tie(device.major, device.minor);
    if (!is_earlier || (major != device.major && !cubin.ptx)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    try {
      *handle = driver().modules.add(
          std::shared_ptr<Module>(new Module{context, weft::test::EmulatedCode(cubin.shared_object)}));
      return CUDA_SUCCESS;
    } catch (const weft::Error&) {
      return CUDA_ERROR_INVALID_IMAGE;
    }
  });
}

CUDA_ON_CPU_CALL cuModuleUnload(CUmodule handle) {
  return with(driver().modules, handle, [&](Module& module) {
    driver().functions.remove_all([&](const Function& function) { return function.module.get() == &module; });
    driver().modules.remove(handle);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuModuleGetFunction(CUfunction* handle, CUmodule module, const char* name) {
  return with(driver().modules, module, [&](Module& found) {
    if (!found.code.has(name)) return CUDA_ERROR_NOT_FOUND;
    const auto most_dynamic_bytes = uint32_t(declared_memory_bytes - found.code.entry().static_memory_bytes);
    *handle = driver().functions.add(
        std::shared_ptr<Function>(new Function{driver().modules.find(module), {most_dynamic_bytes}}));
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value) {
  return with(driver().functions, handle, [&](Function& function) {
    if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0) return CUDA_ERROR_INVALID_VALUE;
    const uint64_t bytes = function.module->code.entry().static_memory_bytes + uint64_t(value);
    if (bytes > driver().device(function.context()->ordinal()).block_memory_bytes) return CUDA_ERROR_INVALID_VALUE;
    function.most_dynamic_bytes = uint32_t(value);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction handle) {
  return with(driver().functions, handle, [&](Function& function) {
    const emulated::Entry& entry = function.module->code.entry();
    switch (which) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        return *value = int(entry.block.x * entry.block.y * entry.block.z), CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        return *value = int(entry.static_memory_bytes), CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return *value = int(function.most_dynamic_bytes), CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUDA_ON_CPU_CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int threads,
                                                             size_t dynamic_bytes) {
  return with(driver().functions, handle, [&](Function& function) {
    if (threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    const uint64_t bytes = function.module->code.entry().static_memory_bytes + dynamic_bytes;
    const uint64_t room = driver().device(function.context()->ordinal()).block_memory_bytes;
    const uint64_t by_memory = bytes == 0 ? most_resident_blocks : room / bytes;
    const uint64_t by_threads = most_resident_threads / unsigned(threads);
    *blocks = int(std::min<uint64_t>({most_resident_blocks, by_memory, by_threads}));
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction handle, void** parameters, void** extra) {
  return with(driver().functions, handle, [&](Function&) {
    return with(driver().streams, config->hStream, [&](Stream& found) {
      const auto function = driver().functions.find(handle);
      if (!fits(*function, *config) || !parameters || extra) return CUDA_ERROR_INVALID_VALUE;
      const bool dependent = is_dependent(*config);
      if (config->numAttrs > 0 && !dependent) return CUDA_ERROR_INVALID_VALUE;
      if (dependent && driver().device(function->context()->ordinal()).major < 9) return CUDA_ERROR_NOT_SUPPORTED;
      const weft::test::EmulatedLaunch launch{grid_of(*config), config->sharedMemBytes, dependent};
      found.push([function, launch, values = Parameters(function->module->code.entry(), parameters)] {
        run(*function, launch, values);
      });
      return CUDA_SUCCESS;
    });
  });
}

CUDA_ON_CPU_CALL cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                unsigned int dynamic_bytes, CUstream stream, void** parameters, void** extra) {
  const CUlaunchConfig config{.gridDimX = grid_x,
                              .gridDimY = grid_y,
                              .gridDimZ = grid_z,
                              .blockDimX = block_x,
                              .blockDimY = block_y,
                              .blockDimZ = block_z,
                              .sharedMemBytes = dynamic_bytes,
                              .hStream = stream,
                              .attrs = nullptr,
                              .numAttrs = 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
