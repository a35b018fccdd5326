#include <weft/reduce.h>
#include <weft/scan.h>
#include <fstream>
#include <set>

#include "checks.h"
#include "recording_device.h"
#include "tests/support/test.h"

// Every kernel of shaders/kernels through the vendors' compilers, as plans ask for them.
//
//   WEFT_TEST_EVERY_KERNEL=1                          every element type, operator and path, instead of a sample
//   WEFT_TEST_CUDA_ARCHITECTURES, WEFT_TEST_HIP_...   in place of sm_90, and of gfx90a and gfx1030
//   WEFT_TEST_KERNEL_TABLE=FILE                       appends a line for each kernel: registers, workgroup memory
using namespace weft;
using namespace weft::test;

namespace {

void record(const RequestedKernel& kernel, const std::string& architecture, const DeviceCode& code) {
  const char* table = std::getenv("WEFT_TEST_KERNEL_TABLE");
  if (!table) return;
  std::ofstream(table, std::ios::app) << kernel.module.name << "\t" << kernel.purpose << "\t" << architecture << "\t"
                                      << code.registers << "\t" << code.workgroup_memory_bytes << "\n";
}

void check_primitives(const DeviceCompiler& compiler) {
  const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
  const std::vector<std::string> architectures = compiler.architectures();
  std::set<std::pair<std::string, std::string>> seen;
  size_t turn = 0;
  for (const std::string& architecture : architectures) {
    const uint32_t lanes = compiler.subgroup_size(architecture);
    size_t number = turn++;
    for (const RequestedKernel& kernel : kernels_of_primitives(lanes, every)) {
      // Each kernel for every architecture, and its further variants for one of them in turn.
      const bool is_new = seen.insert({kernel.module.name, architecture}).second;
      if (!is_new && !every && number++ % architectures.size() != 0) continue;
      INFO(kernel.module.name, " of the ", kernel.purpose, " for ", architecture);
      const CompiledKernel compiled = compile(compiler, architecture, kernel.module, kernel.options);
      check_lean(compiled, lanes);
      check_memories_known(compiled);
      // Where the source has accesses of 16 bytes, the machine has.
      const std::string& text = compiled.translation.code;
      const std::string body = text.substr(text.find("namespace kernel {"));
      if (body.find("weft_load_vec<uint32_t, 4, 16>") != std::string::npos) CHECK_GT(wide_loads(compiled), 0);
      if (body.find("weft_store_vec<uint32_t, 4, 16>") != std::string::npos) CHECK_GT(wide_stores(compiled), 0);
      record(kernel, architecture, compiled.code);
    }
  }
}

// The loads that an invocation has under way at once, as tilings promise them.
void check_loads_under_way(const DeviceCompiler& compiler) {
  const std::string architecture = compiler.architectures().front();
  std::vector<RequestedKernel> requested;
  const Device device = recording_device(compiler.subgroup_size(architecture), requested);
  Reduce(device, Element::scalar("uint"), Operator::sum(), 1000);
  Scan(device, Element::scalar("uint"), Operator::sum(), 1000);
  REQUIRE_EQ(requested.size(), 2);
  const auto compiled = [&](const RequestedKernel& kernel) {
    return compile(compiler, architecture, kernel.module, kernel.options);
  };
  CHECK_EQ(wide_loads(compiled(requested[0])), 8);
  const CompiledKernel scan = compiled(requested[1]);
  CHECK_EQ(wide_loads(scan), 12);
  CHECK_EQ(wide_stores(scan), 12);
}

}  // namespace

TEST_SUITE("cuda") {
  TEST_CASE("NVRTC compiles the primitives' kernels: no stack, no spills, every memory known") {
    check_primitives(nvrtc());
  }
  TEST_CASE("NVRTC keeps a tile's loads under way at once") { check_loads_under_way(nvrtc()); }
}

TEST_SUITE("hip") {
  TEST_CASE("hipRTC compiles the primitives' kernels: no stack, no spills, every memory known") {
    check_primitives(hiprtc());
  }
  TEST_CASE("hipRTC keeps a tile's loads under way at once") { check_loads_under_way(hiprtc()); }
}
