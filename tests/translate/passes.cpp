#include <spirv-tools/optimizer.hpp>

#include <weft/error.h>

#include "tests/translate/corpus.h"

namespace weft::test {
namespace {

using namespace spvtools;

// Values instead of variables, branches merged.
void values(Optimizer& optimizer) {
  optimizer.RegisterPass(CreateMergeReturnPass())
      .RegisterPass(CreateInlineExhaustivePass())
      .RegisterPass(CreateEliminateDeadFunctionsPass())
      .RegisterPass(CreatePrivateToLocalPass())
      .RegisterPass(CreateScalarReplacementPass())
      .RegisterPass(CreateLocalAccessChainConvertPass())
      .RegisterPass(CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(CreateSSARewritePass())
      .RegisterPass(CreateCCPPass())
      .RegisterPass(CreateDeadBranchElimPass())
      .RegisterPass(CreateIfConversionPass())
      .RegisterPass(CreateRedundancyEliminationPass())
      .RegisterPass(CreateBlockMergePass())
      .RegisterPass(CreateAggressiveDCEPass());
}

// The passes applied to the output of HLSL compilers.
void legalization(Optimizer& optimizer) { optimizer.RegisterPass(CreateWrapOpKillPass()).RegisterLegalizationPasses(); }

// Transforms of loops, except spirv-opt 2023.1's invariant code motion, which moves loads past barriers, and its
// partial unrolling; and Vulkan's memory model instead of GLSL's.
void loops(Optimizer& optimizer) {
  optimizer.RegisterPass(CreateInlineExhaustivePass())
      .RegisterPass(CreateLocalMultiStoreElimPass())
      .RegisterPass(CreateLoopPeelingPass())
      .RegisterPass(CreateLoopUnrollPass(true))
      .RegisterPass(CreateStrengthReductionPass())
      .RegisterPass(CreateCodeSinkingPass())
      .RegisterPass(CreateVectorDCEPass())
      .RegisterPass(CreateDeadInsertElimPass())
      .RegisterPass(CreateUpgradeMemoryModelPass());
}

// The passes for small code.
void simplified(Optimizer& optimizer) {
  optimizer.RegisterPass(CreateEliminateDeadConstantPass())
      .RegisterPass(CreateCombineAccessChainsPass())
      .RegisterPass(CreateLocalSingleStoreElimPass())
      .RegisterPass(CreateSimplificationPass())
      .RegisterPass(CreateCopyPropagateArraysPass())
      .RegisterPass(CreateReduceLoadSizePass())
      .RegisterPass(CreateCFGCleanupPass())
      .RegisterPass(CreateCompactIdsPass());
}

}  // namespace

Spirv optimized(const Spirv& module, const std::string& name) {
  Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  std::string messages;
  optimizer.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
    if (level <= SPV_MSG_ERROR) messages += std::string(text) + "\n";
  });
  void (*const lists[])(Optimizer&) = {values, legalization, loops, simplified};
  const char* const names[] = {"values", "legalization", "loops", "simplified"};
  const size_t which = hash_of(name + "!") % std::size(lists);
  lists[which](optimizer);
  OptimizerOptions options;
  options.set_run_validator(false);
  Spirv result{{}, module.name + " (optimised: " + names[which] + ")"};
  if (!optimizer.Run(module.words.data(), module.words.size(), &result.words, options)) {
    throw Error(ErrorCode::compile_failed, "spirv-opt fails on kernel '" + name + "'", messages);
  }
  return result;
}

}  // namespace weft::test
