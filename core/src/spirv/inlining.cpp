#include "core/src/spirv/inlining.h"

#include <spirv-tools/optimizer.hpp>

namespace weft::core {

std::vector<uint32_t> with_functions_inlined(const std::vector<uint32_t>& module) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPass(
      spvtools::CreateMergeReturnPass());  // only functions with a single return at the end can be inlined
  optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass());
  optimizer.RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> inlined;
  return optimizer.Run(module.data(), module.size(), &inlined, options) ? inlined : module;
}

}  // namespace weft::core
