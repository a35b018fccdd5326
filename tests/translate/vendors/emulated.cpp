#include <set>
#include <string>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/divergence_run.h"
#include "tests/translate/vendors/emulated_device.h"

// Runs the translator's C++ for CUDA and HIP on the CPU: the corpus's kernels with subgroup operations, compared with
// the host device, and random programs of divergent control flow. This checks that masks name the lanes that arrive,
// and that the preludes' scans, clusters and shuffles are right.
//
//   WEFT_TEST_EVERY_KERNEL=1    all kernels of the corpus, instead of every third of those that depend on subgroups
using namespace weft;
using namespace weft::test;

namespace {

void check_corpus(const Device& device, size_t offset) {
  const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
  size_t number = offset, checked = 0;
  for (const Group group : all_groups()) {
    for (const KernelCase& one : group()) {
      if (!every && (!one.depends_on_subgroups || number++ % 3 != 0)) continue;
      check_kernels(device, {one});
      ++checked;
    }
  }
  CHECK_GE(checked, 10);
}

// Kernels of the corpus that use every lane's bit.
void check_ballots(const Device& device) {
  const std::set<std::string> names{"votes", "ballots and masks", "shuffles between lanes"};
  size_t checked = 0;
  for (const Group group : all_groups()) {
    for (const KernelCase& one : group()) {
      if (!names.contains(one.name)) continue;
      check_kernels(device, {one});
      ++checked;
    }
  }
  CHECK_EQ(checked, names.size());
}

// Variables that are overwritten before they are read, and still differ among the lanes that read them.
KernelCase rewritten_variables() {
  KernelCase one{"variables written anew that differ all the same", R"(
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
)",
                 R"(
    uint l = gl_SubgroupInvocationID, s = 0u, left, w;
    for (uint k = 0u; k < 8u; ++k) { left = k; if (l == k) break; }
    if (left < 3u) s = subgroupAdd(1u);
    put(s);
    switch (gl_WorkGroupID.x & 1u) { default: w = 0u; if ((l & 1u) != 0u) break; w = 1u; }
    if (w == 1u) s = subgroupAdd(1u); else s = subgroupAdd(100u);
    put(s);
    for (uint i = 0u; i < 3u; ++i) {
      uint x = 0u;
      for (; x < 5u; ++x) { if (((l >> i) & 1u) != 0u && x == 2u) break; }
      s = 0u;
      if (x == 2u) s = subgroupAdd(1u);
      put(s);
    })"};
  one.depends_on_subgroups = true;
  one.reference = [](const Invocation& i) {
    const auto count = [&](auto&& is_counted) {
      uint32_t lanes = 0;
      for (uint32_t l = 0; l < i.lanes(); ++l) lanes += is_counted(l);
      return lanes;
    };
    const uint32_t own = i.lane();
    const auto is_odd = [](uint32_t l) { return l % 2 == 1; };
    std::vector<uint32_t> results{own < 3 ? count([](uint32_t l) { return l < 3; }) : 0,
                                  is_odd(own) ? 100 * count(is_odd) : i.lanes() - count(is_odd)};
    for (uint32_t bit = 0; bit < 3; ++bit) {
      const auto is_set = [bit](uint32_t l) { return (l >> bit & 1) != 0; };
      results.push_back(is_set(own) ? count(is_set) : 0);
    }
    return results;
  };
  return one;
}

// Random programs of divergent control flow, in all forms, compared with an interpreter that runs lane by lane.
void check_divergence() {
  const auto emulated = [](TranslationTarget target, uint32_t lanes) {
    return [target, lanes] { return emulated_device(target, lanes); };
  };
  const std::vector<divergence::Where> devices{{"host like CUDA", 32, emulated(TranslationTarget::cuda, 32)},
                                               {"host like HIP", 64, emulated(TranslationTarget::hip, 64)}};
  const size_t batches = std::getenv("WEFT_TEST_EVERY_KERNEL") ? 5 * divergence::Variant::count : 2;
  size_t programs = 0;
  for (size_t k = 0; k < batches; ++k) {
    const uint64_t variant = batches > 2 ? k : (run_seed() + k * 3) % divergence::Variant::count;
    const divergence::Batch batch = divergence::Batch::number(run_seed(), variant, devices);
    const divergence::Outcome outcome = divergence::run(batch);
    for (const divergence::Failure& failure : outcome.failures) {
      FAIL_CHECK(
          "program " << failure.program << " of batch " << variant << ": " << failure.what << "\n"
                     << divergence::to_glsl({batch.programs[failure.program]}, batch.given.lanes, batch.variant.shape));
    }
    programs += outcome.programs;
  }
  CHECK_GT(programs, 20 * batches);
}

}  // namespace

TEST_SUITE("emulated") {
  TEST_CASE("CUDA's warps of 32") { check_corpus(emulated_device(TranslationTarget::cuda, 32), 0); }
  TEST_CASE("HIP's wavefronts of 64") { check_corpus(emulated_device(TranslationTarget::hip, 64), 1); }
  TEST_CASE("ballots of HIP's wavefronts of 64") { check_ballots(emulated_device(TranslationTarget::hip, 64)); }
  TEST_CASE("divergent control flow keeps its masks") { check_divergence(); }
  TEST_CASE("overwritten variables differ if lanes leave separately") {
    check_kernels(open_device("host:form=fibers"), {rewritten_variables()});
    check_kernels(emulated_device(TranslationTarget::cuda, 32), {rewritten_variables()});
  }
  TEST_CASE("HIP's wavefronts of 32") { check_corpus(emulated_device(TranslationTarget::hip, 32), 2); }
}
