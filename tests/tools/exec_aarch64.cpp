#include <cstdlib>

#include "tests/support/test.h"
#include "tests/tools/command.h"

// Kernels in lanes, compiled for AArch64 and run by qemu, write the same bytes as the host device of this machine.
using namespace weft;
using namespace weft::test;

namespace {

using Random = std::mt19937_64;

std::string words(size_t count, Random& random) { return bytes_of(random_values<uint32_t>(count, random)); }

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  REQUIRE_MESSAGE(value != nullptr, name);
  return value;
}

struct Run {
  std::string shader, workgroup_size, workgroups;
  std::vector<uint32_t> push;
  std::vector<std::string> buffers;  ///< Their bytes before the run, in the order of their bindings.
  std::vector<std::string> names;    ///< "0.1" for --bind.
};

std::vector<std::string> on_host(const Folder& folder, const Run& run) {
  std::vector<std::string> arguments = {"exec", run.shader, "--device", "host", "--groups", run.workgroups};
  if (!run.push.empty()) {
    std::string push = "u32:";
    for (size_t k = 0; k < run.push.size(); ++k) push += (k > 0 ? "," : "") + std::to_string(run.push[k]);
    arguments.insert(arguments.end(), {"--push", push});
  }
  for (size_t k = 0; k < run.names.size(); ++k) {
    const std::string file = std::to_string(k) + ".bin";
    folder.write(file, run.buffers[k]);
    arguments.insert(arguments.end(),
                     {"--bind", run.names[k] + "=" + file, "--out", run.names[k] + "=" + "host" + file});
  }
  check_success(folder.weft(arguments));
  std::vector<std::string> results;
  for (size_t k = 0; k < run.names.size(); ++k) results.push_back(folder.read("host" + std::to_string(k) + ".bin"));
  return results;
}

std::vector<std::string> on_aarch64(const Folder& folder, const Run& run) {
  check_success(folder.weft({"compile", run.shader, "--target", "lanes", "-o", "kernel.cpp"}));
  folder.write("push.bin", bytes_of(run.push));
  // The options of backends/host/compiler.cpp that say what the code means.
  const std::string compile = environment("WEFT_TEST_AARCH64_CXX") +
                              " -std=c++20 -O2 -w -static -pthread -ffp-contract=off -fno-math-errno"
                              " -fno-strict-aliasing -fwrapv -fno-trapping-math -DWORKGROUP_SIZE=" +
                              run.workgroup_size + " -I" + environment("WEFT_TEST_SOURCES") + " kernel.cpp " +
                              environment("WEFT_TEST_SOURCES") + "/tests/tools/aarch64/run_kernel.cpp -o kernel";
  std::string start = environment("WEFT_TEST_QEMU_AARCH64") + " ./kernel " + run.workgroups + " push.bin";
  for (size_t k = 0; k < run.buffers.size(); ++k) {
    folder.write(std::to_string(k) + ".bin", run.buffers[k]);
    start += " " + std::to_string(k) + ".bin";
  }
  REQUIRE(std::system(("cd '" + folder.path().string() + "' && " + compile + " && " + start).c_str()) == 0);
  std::vector<std::string> results;
  for (size_t k = 0; k < run.buffers.size(); ++k) results.push_back(folder.read(std::to_string(k) + ".bin"));
  return results;
}

void check_same(const Run& run) {
  INFO(run.shader);
  const Folder folder;
  const std::vector<std::string> wanted = on_host(folder, run), found = on_aarch64(folder, run);
  CHECK(wanted != run.buffers);
  for (size_t k = 0; k < wanted.size(); ++k) {
    INFO("binding ", run.names[k]);
    CHECK(found[k] == wanted[k]);
  }
}

std::string shader(const std::string& name) {
  return environment("WEFT_TEST_SOURCES") + "/tests/tools/shaders/" + name;
}

}  // namespace

TEST_CASE("SHA-256 on AArch64 writes the same bytes") {
  Random random = random_generator("sha256");
  check_same(
      {shader("sha256.comp"), "32", "3", {70}, {words(96 * 16, random), std::string(96 * 32, '\0')}, {"0.0", "0.1"}});
}

TEST_CASE("prefix sums by subgroup operations on AArch64 write the same bytes") {
  Random random = random_generator("prefix sum");
  check_same(
      {shader("prefix_sum.comp"), "256", "5", {}, {words(5 * 1024, random), std::string(20, '\0')}, {"0.0", "0.1"}});
}

TEST_CASE("a bitonic sort in workgroup memory on AArch64 writes the same bytes") {
  Random random = random_generator("bitonic sort");
  check_same({shader("bitonic_sort.comp"), "512", "2", {}, {words(2048, random), words(2048, random)}, {"0.0", "0.1"}});
}

TEST_CASE("a histogram by atomics on AArch64 writes the same bytes") {
  Random random = random_generator("histogram");
  check_same({shader("histogram.comp"),
              "128",
              "5",
              {10'001, 16},
              {words(10'001, random), std::string(1028, '\0')},
              {"2.3", "2.4"}});
}

TEST_CASE("floats with NaNs and denormals on AArch64 are the same bits") {
  Random random = random_generator("floats");
  const Folder folder;
  folder.write("floats.comp", R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Source { float x[]; };
layout(binding = 1) writeonly buffer Target { uvec4 y[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = x[i], b = x[i ^ 1u];
  float quotient = a / b, sum = a * b + a;
  bool ordered = a < b;
  y[i] = uvec4(isnan(quotient) ? 1u : floatBitsToUint(quotient), isnan(sum) ? 1u : floatBitsToUint(sum),
               uint(clamp(a, 0.0, 4e9)) + uint(ordered), floatBitsToUint(floor(b)) & (isnan(b) ? 0u : 0xFFFFFFFFu));
})");
  check_same({(folder.path() / "floats.comp").string(),
              "64",
              "16",
              {},
              {words(1024, random), std::string(16384, '\0')},
              {"0.0", "0.1"}});
}
