#include "backends/hip/compiler.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/support/test.h"

// AMD's real hipRTC, named by WEFT_HIPRTC. It needs no GPU.
using namespace weft;
using namespace weft::test;

namespace {

const hip::Compiler& compiler() {
  static const DriverLibraries libraries = DriverLibraries::from_environment();
  static const hip::Compiler compiler([] {
    return hip::CompilerFunctions::open({"hipRTC", "WEFT_HIPRTC", libraries.hiprtc, {}, "scripts/setup.sh"}, 50'220'531,
                                        libraries.comgr);
  });
  return compiler;
}
const std::string source = "extern \"C\" __global__ void kernel(int* p) { *p = 1; }\n";

}  // namespace

TEST_CASE("hipRTC knows the architectures of its version") {
  const std::vector<std::string> known = compiler().architectures();
  for (const char* name : {"gfx900", "gfx90a", "gfx1030"}) CHECK(std::ranges::find(known, name) != known.end());
  CHECK(compiler().refusal("gfx90a:sramecc+:xnack-").empty());
  CHECK(compiler().refusal("gfx9999").find("gfx9999") != std::string::npos);
}

TEST_CASE("hipRTC's identity has its name and version") {
  const std::string identity = compiler().identity();
  CHECK(identity.find("hipRTC of HIP 5.2.20531") != std::string::npos);
  CHECK(identity.find("amd_comgr 2.") != std::string::npos);
}

TEST_CASE("hipRTC compiles for an architecture with features") {
  for (const char* architecture : {"gfx90a", "gfx90a:sramecc+:xnack-", "gfx1030"}) {
    INFO(architecture);
    const std::vector<std::byte> code = compiler().compile(source, "kernel", architecture);
    REQUIRE_GT(code.size(), 64);
    CHECK_EQ(std::memcmp(code.data(),
                         "\x7f"
                         "ELF",
                         4),
             0);
  }
}

TEST_CASE("an architecture that hipRTC does not know is an error, and the process survives") {
  for (const char* architecture : {"gfx9999", "gfx1201", "sm_90", ""}) {
    check_error(ErrorCode::unsupported, {"does not compile for", architecture},
                [&] { compiler().compile(source, "kernel", architecture); });
  }
}

TEST_CASE("code that hipRTC does not compile is an error with its log") {
  const Error error = check_error(ErrorCode::compile_failed, {"'wrong'", "hipRTC"},
                                  [] { compiler().compile("int f() { return no_such_name; }\n", "wrong", "gfx1030"); });
  CHECK(error.log().find("no_such_name") != std::string::npos);
}

TEST_CASE("hipRTC compiles for several threads at once") {
  const std::vector<std::byte> alone = compiler().compile(source, "kernel", "gfx90a");
  std::atomic<int> compiled = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int k = 0; k < 3; ++k) {
          try {
            compiled += compiler().compile(source, "kernel", k == 1 ? "gfx1030" : "gfx90a").size() > 64;
          } catch (const Error&) {
            // Not counted below.
          }
        }
      });
    }
  }
  CHECK_EQ(compiled, 12);
  CHECK_EQ(compiler().compile(source, "kernel", "gfx90a").size(), alone.size());
}
