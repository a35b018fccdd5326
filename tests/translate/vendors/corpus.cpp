#include "tests/translate/corpus.h"

#include <regex>
#include <set>

#include "tests/support/test.h"
#include "tests/translate/vendors/checks.h"

// Compiles the corpus's kernels with the vendors' compilers, so that each function of the preludes is compiled.
//
//   WEFT_TEST_EVERY_KERNEL=1    every kernel for every architecture; else, for one architecture in turn, those that
//   call
//                               a function, with its types, that none before did
using namespace weft;
using namespace weft::test;

namespace {

// Returns the calls of the prelude's functions, with template arguments.
std::set<std::string> calls(const std::string& code) {
  const size_t begin = code.find("namespace kernel {"), end = code.find("#define WEFT_CALL_KERNEL");
  const std::string body = code.substr(begin, end - begin);
  static const std::regex call(R"(weft_\w+(<[^()]*>)?\()");
  std::set<std::string> found;
  for (std::sregex_iterator match(body.begin(), body.end(), call), none; match != none; ++match) {
    found.insert(match->str());
  }
  return found;
}

void check_kernel(const DeviceCompiler& compiler, const std::string& architecture, const KernelCase& one,
                  const Spirv& module) {
  INFO("kernel ", one.name, " for ", architecture);
  const CompiledKernel kernel = compile(compiler, architecture, module, one.options);
  CHECK_EQ(kernel.code.spills, 0);
  CHECK_EQ(kernel.code.subgroup_size, compiler.subgroup_size(architecture));
  CHECK_MESSAGE(kernel.code.log.find("warning") == std::string::npos, kernel.code.log);
}

void check_corpus(const DeviceCompiler& compiler) {
  const bool every = std::getenv("WEFT_TEST_EVERY_KERNEL") != nullptr;
  const std::vector<std::string> architectures = compiler.architectures();
  std::set<std::string> known;
  size_t compiled = 0;
  for (const Group group : all_groups()) {
    for (const KernelCase& one : group()) {
      const Spirv module = module_of(one);
      const size_t before = known.size();
      known.merge(calls(translate_spirv(module, compiler.target(), one.options).code));
      if (every) {
        for (const std::string& architecture : architectures) check_kernel(compiler, architecture, one, module);
      } else if (known.size() > before) {
        check_kernel(compiler, architectures[compiled++ % architectures.size()], one, module);
      }
    }
  }
  CHECK_GT(known.size(), 500);
}

}  // namespace

TEST_SUITE("cuda corpus") {
  TEST_CASE("NVRTC compiles the corpus") { check_corpus(nvrtc()); }
}
TEST_SUITE("hip corpus") {
  TEST_CASE("hipRTC compiles the corpus") { check_corpus(hiprtc()); }
}
TEST_SUITE("hip on cuda corpus") {
  TEST_CASE("NVRTC compiles the corpus for HIP") { check_corpus(hip_on_cuda()); }
}
