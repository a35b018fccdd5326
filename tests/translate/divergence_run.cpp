#include "tests/translate/divergence_run.h"

#include <algorithm>
#include <map>
#include <random>
#include <spirv-tools/optimizer.hpp>
#include <sstream>

namespace weft::test::divergence {
namespace {

// Values instead of variables, to get phis; blocks merged, so that constructs begin and end at unusual blocks.
void add_passes(spvtools::Optimizer& optimizer, uint32_t passes) {
  if (passes == 3) {
    optimizer.RegisterPass(spvtools::CreateMergeReturnPass())
        .RegisterPass(spvtools::CreateInlineExhaustivePass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
        .RegisterPass(spvtools::CreatePrivateToLocalPass());
  }
  if (passes >= 2) {
    optimizer.RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
        .RegisterPass(spvtools::CreateSSARewritePass())
        .RegisterPass(spvtools::CreateCCPPass());
  }
  optimizer.RegisterPass(spvtools::CreateDeadBranchElimPass()).RegisterPass(spvtools::CreateCFGCleanupPass());
  if (passes >= 2) {
    optimizer.RegisterPass(spvtools::CreateIfConversionPass())
        .RegisterPass(spvtools::CreateSimplificationPass())
        .RegisterPass(spvtools::CreateRedundancyEliminationPass());
  }
  optimizer.RegisterPass(spvtools::CreateBlockMergePass()).RegisterPass(spvtools::CreateAggressiveDCEPass());
}

Spirv optimized(const Spirv& module, uint32_t passes) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  std::string messages;
  optimizer.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) {
    messages += std::string(text) + "\n";
  });
  add_passes(optimizer, passes);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  Spirv result{{}, module.name};
  if (!optimizer.Run(module.words.data(), module.words.size(), &result.words, options)) {
    throw Error(ErrorCode::compile_failed, "spirv-opt failed: " + messages);
  }
  return result;
}

std::vector<uint32_t> run_kernel(const Device& device, const Kernel& kernel, const Given& given, size_t programs) {
  Stream stream = device.stream();
  const Buffer<uint32_t> inputs = device.buffer<uint32_t>(given.inputs.size());
  const Buffer<uint32_t> trace = device.buffer<uint32_t>(programs * given.lanes * words_per_lane);
  stream.upload(inputs, given.inputs);
  stream.fill(trace, 0u);
  Arguments arguments;
  // Passes may have removed parts that a program does not use.
  if (kernel.reflection().push_constant_bytes != 0) arguments.push(std::as_bytes(std::span(given.uniforms)));
  for (const Reflection::Binding& binding : kernel.reflection().bindings) {
    arguments.bind(0, binding.binding, binding.binding == 0 ? inputs : trace);
  }
  stream.dispatch(kernel, {1, uint32_t(programs), 1}, arguments);
  return stream.download(trace);
}

std::string difference(std::span<const uint32_t> actual, const std::vector<uint32_t>& expected) {
  const auto at = size_t(std::ranges::mismatch(actual, expected).in1 - actual.begin());
  const size_t lane = at / words_per_lane, word = at % words_per_lane;
  std::ostringstream text;
  text << "invocation " << lane;
  if (word == 0) {  // the hash; the first record that differs says more
    const auto mine = actual.subspan(lane * words_per_lane, words_per_lane);
    const auto theirs = std::span(expected).subspan(lane * words_per_lane, words_per_lane);
    const auto first = size_t(std::ranges::mismatch(mine.subspan(1), theirs.subspan(1)).in1 - mine.begin() - 1);
    if (first + 1 == words_per_lane) return text.str() + ": after the records kept";
    const size_t record = 1 + first / 2 * 2;
    text << ", record " << first / 2 << ": site " << mine[record] << " value " << mine[record + 1] << ", expected site "
         << theirs[record] << " value " << theirs[record + 1];
  }
  return text.str();
}

// The words that programs leave at each subgroup size, for those that end soon enough.
struct Expected {
  std::vector<size_t> programs;                                  // indices in the batch
  std::map<uint32_t, std::vector<std::vector<uint32_t>>> words;  // by subgroup size

  explicit Expected(const Batch& batch) {
    for (size_t k = 0; k < batch.programs.size(); ++k) {
      std::map<uint32_t, std::vector<uint32_t>> results;
      bool ends = true;
      for (const Where& where : batch.devices) {
        if (!ends || results.contains(where.subgroup_size)) continue;
        auto& result = results[where.subgroup_size] = interpret(batch.programs[k], batch.given, where.subgroup_size);
        ends = !result.empty();
      }
      if (!ends) continue;
      for (auto& [size, result] : results) words[size].push_back(std::move(result));
      programs.push_back(k);
    }
  }
};

std::vector<Failure> compare(const Batch& batch, const Spirv& module, const Expected& expected) {
  std::vector<Failure> failures;
  for (const Where& where : batch.devices) {
    const Device device = where.open();
    const std::vector<uint32_t> trace = run_kernel(device, device.kernel(module), batch.given, batch.programs.size());
    const size_t words = size_t{batch.given.lanes} * words_per_lane;
    for (size_t k = 0; k < batch.programs.size(); ++k) {
      const auto actual = std::span(trace).subspan(k * words, words);
      const std::vector<uint32_t>& right = expected.words.at(where.subgroup_size)[k];
      const bool is_known = std::ranges::find(failures, k, &Failure::program) != failures.end();
      if (is_known || std::ranges::equal(actual, right)) continue;
      failures.push_back({k, where.selector + ": " + difference(actual, right)});
    }
  }
  return failures;
}

bool on_host(const std::vector<Where>& devices) { return devices[0].selector.starts_with("host"); }

bool is_spoiled(const Batch& batch, const Spirv& module) {
  if (batch.variant.passes == 0 && !batch.variant.shortened) return false;
  try {
    validate_spirv(module);
    return false;
  } catch (const Error&) {
    return true;
  }
}

// Programs that do not compile are found by bisection. A main() with many programs has too large a frame for a fiber,
// and lavapipe takes minutes for it.
void run_parts(const Batch& batch, size_t first, Outcome& outcome) {
  const size_t count = batch.programs.size();
  const size_t most = !on_host(batch.devices) ? 4 : batch.variant.all_in_main() ? 6 : Batch::size;
  if (count <= most) {
    try {
      const Spirv module = build(batch);
      if (!is_spoiled(batch, module)) {
        for (const Failure& failure : compare(batch, module, Expected(batch))) {
          outcome.failures.push_back({first + failure.program, failure.what});
        }
        return;
      }
      if (count == 1) ++outcome.spoiled;
    } catch (const Error& error) {
      if (count == 1) outcome.failures.push_back({first, error.what() + ("\n" + error.log().substr(0, 2000))});
    }
    if (count == 1) return;
  }
  const auto middle = batch.programs.begin() + std::ptrdiff_t(count / 2);
  run_parts(batch.with({batch.programs.begin(), middle}), first, outcome);
  run_parts(batch.with({middle, batch.programs.end()}), first + count / 2, outcome);
}

Given make_given(uint64_t seed) {
  std::mt19937_64 random(seed);
  Given given;
  constexpr uint32_t sizes[] = {37, 64, 75, 150};  // last subgroups that are full or partial, the only one or not
  given.lanes = sizes[random() % 4];
  given.inputs.resize(size_t{given.lanes} * inputs_per_lane);
  for (uint32_t& word : given.inputs) word = uint32_t(random());
  for (uint32_t& word : given.uniforms) word = uint32_t(random() % 16);
  return given;
}

}  // namespace

std::vector<Where> host_devices(uint64_t run_seed, size_t batch, const DeviceOptions& options) {
  std::vector<Where> devices;
  for (const uint32_t size : {1u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    const uint64_t schedule = (batch + devices.size()) % 3;
    std::string selector = "host:subgroup=" + std::to_string(size);
    selector += schedule == 0 ? ",form=lanes" : ",schedule=" + std::to_string(run_seed % 1'000'000 + schedule);
    devices.push_back({selector, size, [=] { return open_device(selector, options); }});
  }
  return devices;
}

Batch Batch::number(uint64_t run_seed, size_t number, const std::vector<Where>& devices) {
  std::seed_seq seeds{uint32_t(run_seed), uint32_t(run_seed >> 32), uint32_t(number)};
  std::mt19937_64 random(seeds);
  Batch batch;
  batch.given = make_given(random());
  batch.variant = Variant::number(uint32_t((number * 11 + run_seed) % Variant::count));
  batch.devices = devices;
  const bool on_vulkan = devices[0].selector.starts_with("vulkan");
  const Extent extent = on_host(devices) ? Extent::ordinary : on_vulkan ? Extent::small_for_vulkan : Extent::small;
  while (batch.programs.size() < size) batch.programs.push_back(generate(random(), extent));
  return batch;
}

Batch Batch::with(std::vector<Program> others) const {
  Batch batch = *this;
  batch.programs = std::move(others);
  return batch;
}

Spirv build(const Batch& batch) {
  const std::string source = to_glsl(batch.programs, batch.given.lanes, batch.variant.shape);
  Spirv module = compile_glsl(source, GlslOptions{.name = "divergence"});
  if (batch.variant.shortened) module = shortened(module);
  return batch.variant.passes == 0 ? module : optimized(module, batch.variant.passes);
}

Outcome run(const Batch& batch) {
  const std::vector<size_t> ending = Expected(batch).programs;
  std::vector<Program> programs;
  for (const size_t k : ending) programs.push_back(batch.programs[k]);
  Outcome outcome;
  outcome.programs = ending.size();
  if (!programs.empty()) run_parts(batch.with(std::move(programs)), 0, outcome);
  for (Failure& failure : outcome.failures) failure.program = ending[failure.program];
  return outcome;
}

}  // namespace weft::test::divergence
