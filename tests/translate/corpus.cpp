#include "corpus.h"

#include <bit>
#include <cmath>
#include <spirv-tools/optimizer.hpp>

#include "tests/support/test.h"

namespace weft::test {
namespace {

constexpr uint32_t invocations = 256, workgroup = 64, per_invocation = 16;

std::string source_of(const KernelCase& one) {
  return R"(#version 460
#extension GL_EXT_scalar_block_layout : require
)" + one.declarations.substr(0, one.declarations.find("//")) +
         R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Input { uint words[]; } given;
layout(set = 0, binding = 1, std430) buffer Output { uint words[]; } result;
uint id = gl_GlobalInvocationID.x, place = 0;
uint u(uint k) { return given.words[id * 16u + k]; }
float f(uint k) { return float(int(u(k)) >> 8) / 1048576.0; }
void put(uint x) { result.words[id * 16u + place] = x; place += 1u; }
void putf(float x) { put(floatBitsToUint(x)); }
)" + (one.declarations.find("//") == std::string::npos ? "" : one.declarations.substr(one.declarations.find("//"))) +
         "\nvoid main() {\n" + one.body + "\n}\n";
}

// Named passes, so that what comes out is as valid as what went in: values instead of variables, branches merged.
Spirv optimized(const Spirv& module) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.SetMessageConsumer(
      [](spv_message_level_t, const char*, const spv_position_t&, const char* text) { MESSAGE("spirv-opt: ", text); });
  optimizer.RegisterPass(spvtools::CreateMergeReturnPass())
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreatePrivateToLocalPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass())
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateIfConversionPass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  Spirv result{{}, module.name + " (optimised)"};
  REQUIRE(optimizer.Run(module.words.data(), module.words.size(), &result.words, options));
  return result;
}

std::vector<uint32_t> run(const Device& device, const Spirv& module, const std::vector<uint32_t>& input) {
  const Kernel kernel = device.kernel(module);
  Stream stream = device.stream();
  const Buffer<uint32_t> given = device.buffer<uint32_t>(input.size());
  const Buffer<uint32_t> result = device.buffer<uint32_t>(invocations * per_invocation);
  stream.upload(given, input);
  stream.fill(result, 0xabababab);
  Arguments arguments;
  for (const Reflection::Binding& binding : kernel.reflection().bindings) {  // optimised kernels may lack the input
    arguments.bind(0, binding.binding, binding.binding == 0 ? given : result);
  }
  stream.dispatch(kernel, {invocations / workgroup, 1, 1}, arguments);
  return stream.download(result);
}

int64_t place_among_floats(uint32_t bits) { return bits & 0x80000000u ? -int64_t(bits & 0x7fffffffu) : int64_t(bits); }

// Words where `ulps` is 0; otherwise floats, where two NaNs are equal.
void check_results(const std::vector<uint32_t>& actual, const std::vector<uint32_t>& expected, uint32_t ulps) {
  size_t differing = 0, first = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    bool same = actual[i] == expected[i];
    if (!same && ulps > 0) {
      const float a = std::bit_cast<float>(actual[i]), e = std::bit_cast<float>(expected[i]);
      same = (std::isnan(a) && std::isnan(e)) ||
             std::abs(place_among_floats(actual[i]) - place_among_floats(expected[i])) <= int64_t{ulps} ||
             std::fabs(a - e) <= 1e-6f;
    }
    if (!same && differing++ == 0) first = i;
  }
  INFO("first at result ", first % per_invocation, " of invocation ", first / per_invocation, ": ", actual[first], " (",
       std::bit_cast<float>(actual[first]), "), expected ", expected[first], " (",
       std::bit_cast<float>(expected[first]), ")");
  CHECK_EQ(differing, 0);
}

// What the driver computes; where it cannot, or not rightly, the host's results, which are compared with one another.
std::vector<uint32_t> expected_results(const Device& reference, const KernelCase& one, const Spirv& module,
                                       const std::vector<uint32_t>& input) {
  const bool is_wrong = !one.wrong_on.empty() && reference.info().name.find(one.wrong_on) != std::string::npos;
  try {
    if (!is_wrong) return run(reference, module, input);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
  }
  return run(open_device("host:subgroup=" + std::to_string(reference.info().limits.subgroup_size)), module, input);
}

}  // namespace

void compare_with_host(const Device& reference, const std::vector<KernelCase>& cases) {
  const std::string size = std::to_string(reference.info().limits.subgroup_size);
  for (const KernelCase& one : cases) {
    INFO("kernel ", one.name);
    std::mt19937_64 generator = random_generator(one.name);
    const auto input = random_values<uint32_t>(invocations * per_invocation, generator);
    const Spirv module = compile_glsl(source_of(one), GlslOptions{.name = one.name});
    const Spirv smaller = optimized(module);
    const std::vector<uint32_t> expected = expected_results(reference, one, module, input);
    std::vector<std::string> selectors{"host:subgroup=" + size, "host:subgroup=" + size + ",schedule=7"};
    if (!one.depends_on_subgroups) selectors = {"host:subgroup=1", "host:subgroup=32,schedule=3", "host:subgroup=128"};
    for (const std::string& selector : selectors) {
      INFO("on ", selector);
      const Device host = open_device(selector);
      check_results(run(host, module, input), expected, one.ulps);
      INFO("optimised");
      check_results(run(host, smaller, input), expected, one.ulps);
    }
  }
}

}  // namespace weft::test
