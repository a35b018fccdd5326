#include <cstring>
#include <set>

#include "backends/hip/compiler.h"
#include "device_compiler.h"
#include "recording_device.h"
#include "tests/support/test.h"

// What is written for HIP, compiled for an NVIDIA GPU as tests/support/hip_on_cuda does it, so that HIP's host code and
// its prelude can run on one. No GPU needed: WEFT_HIP_ON_CUDA_ARCHITECTURE says which one it would be.
using namespace weft;
using namespace weft::test;

namespace {

// hip_on_cuda as WEFT_HIPRTC names it.
const hip::Compiler& compiler() {
  static const hip::Compiler compiler(hip::CompilerFunctions::open({"hip_on_cuda", "WEFT_HIPRTC", {}, "build it"}, 0));
  return compiler;
}

std::vector<std::byte> compiled(const std::string& source, const std::string& name) {
  try {
    return compiler().compile(source, name, "gfx1030");
  } catch (const Error& error) {
    FAIL_CHECK(error.what() << "\n" << error.log());
    return {};
  }
}

bool is_machine_code(const std::vector<std::byte>& code) {
  return code.size() > 4 && std::memcmp(code.data(),
                                        "\x7f"
                                        "ELF",
                                        4) == 0;
}

}  // namespace

TEST_SUITE("hip on cuda") {
  TEST_CASE("NVRTC compiles the primitives' kernels as they are for HIP") {
    const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
    std::set<std::string> seen;
    for (const RequestedKernel& kernel : kernels_of_primitives(32, every)) {
      INFO(kernel.module.name, " of the ", kernel.purpose);
      const auto translation = translate::translate(
          kernel.module, {translate::Target::hip, kernel.options.entry, kernel.options.specialization});
      CHECK(is_machine_code(compiled(translation.code, kernel.module.name)));
      if (seen.insert(kernel.module.name).second) {
        CHECK(is_machine_code(compiled("#define WEFT_INDIRECT 1\n" + translation.code, kernel.module.name)));
      }
    }
    CHECK_GT(seen.size(), 10);
  }

  TEST_CASE("it is no compiler for another architecture") {
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
