#include <cstring>
#include <set>

#include "backends/hip/compiler.h"
#include "tests/support/test.h"
#include "tests/translate/vendors/checks.h"
#include "tests/translate/vendors/device_compiler.h"
#include "tests/translate/vendors/primitives.h"

// Compiles the translator's C++ for HIP for an NVIDIA GPU with tests/stand_ins/hip_on_cuda, so that HIP's host code and
// prelude can run on one. Needs no GPU: WEFT_HIP_ON_CUDA_ARCHITECTURE names the architecture.
using namespace weft;
using namespace weft::test;

namespace {

// hip_on_cuda, named by WEFT_HIPRTC.
const hip::Compiler& compiler() {
  static const std::string file = DriverLibraries::from_environment().hiprtc;
  static const hip::Compiler compiler(
      [] { return hip::CompilerFunctions::open({"hip_on_cuda", "WEFT_HIPRTC", file, {}, "build it"}, 0, ""); });
  return compiler;
}

class HipOnCuda : public DeviceCompiler {
 public:
  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::vector<std::string> architectures() const override { return {"gfx1030"}; }
  uint32_t subgroup_size(const std::string&) const override { return 32; }
  uint32_t workgroup_memory_bytes(const std::string&) const override { return amd_workgroup_memory_bytes; }
  std::string identity() const override { return compiler().identity(); }
  DeviceCode compile(const std::string& source, const std::string& architecture) const override {
    const std::vector<std::byte> code = compiler().compile(source, "kernel", architecture);
    CHECK_GT(code.size(), 64);
    CHECK_EQ(std::memcmp(code.data(),
                         "\x7f"
                         "ELF",
                         4),
             0);
    DeviceCode result;  // hipRTC reports nothing more about it
    result.subgroup_size = 32;
    return result;
  }
};

}  // namespace

const DeviceCompiler& weft::test::hip_on_cuda() {
  static const HipOnCuda compiler;
  return compiler;
}

TEST_SUITE("hip on cuda") {
  TEST_CASE("NVRTC compiles each of the primitives' kernels for HIP") {
    const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
    std::set<std::string> seen;
    for (const RequestedKernel& kernel : kernels_of_primitives(gpu(32, amd_workgroup_memory_bytes), every)) {
      const bool first = seen.insert(kernel.module.name).second;
      // ptxas fails at first on some kernels of bytes: see tests/stand_ins/hip_on_cuda/compiler.cpp.
      const bool of_bytes = kernel.purpose.find("uint8_t") != std::string::npos;
      if (!first && !of_bytes && !every) continue;
      INFO(kernel.module.name, " of the ", kernel.purpose);
      const CompiledKernel compiled = compile(hip_on_cuda(), "gfx1030", kernel.module, kernel.options);
      if (first) hip_on_cuda().compile("#define WEFT_INDIRECT 1\n" + compiled.translation.code, "gfx1030");
    }
    CHECK_GT(seen.size(), 10);
  }

  TEST_CASE("it does not compile for another architecture") {
    check_error(ErrorCode::unsupported, {"gfx90a"}, [] { compiler().compile("", "kernel", "gfx90a:xnack-"); });
  }

  TEST_CASE("its errors come with NVRTC's log") {
    try {
      compiler().compile("this is no C++\n", "wrong", "gfx1030");
      FAIL("it compiled");
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::compile_failed);
      CHECK(std::string(error.what()).find("wrong") != std::string::npos);
      CHECK(error.log().find("this is no C++") != std::string::npos);
    }
  }
}
