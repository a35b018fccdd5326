#include <cstdlib>
#include <cstring>
#include <set>
#include <spirv-tools/optimizer.hpp>

#include "tests/support/environment.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

// Compute shaders in the styles of other projects: the same weft exec command must write the same bytes on the host
// device as on a Vulkan driver.
using namespace weft;
using namespace weft::test;

namespace {

using Random = std::mt19937_64;

struct Run {
  std::string shader;
  std::vector<std::string> arguments;  ///< All but the shader, the device and --out.
  std::vector<std::string> outs;       ///< The part of --out before the file: "0.1".
  bool depends_on_subgroups = false;
};

std::string shader_file(const std::string& name) {
  const char* const folder = std::getenv("WEFT_TEST_SHADERS");
  REQUIRE(folder != nullptr);
  return std::string(folder) + "/" + name + ".comp";
}

// Returns the bytes of numbers between -1 and 1.
std::string floats(size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = float(int64_t(random() % 4097) - 2048) / 2048.0f;
  return bytes_of(values);
}

std::string words(size_t count, Random& random) { return bytes_of(random_values<uint32_t>(count, random)); }

template <typename T>
void put(std::string& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

std::vector<std::string> outputs(const Folder& folder, const std::string& device, const Run& run) {
  std::vector<std::string> arguments = {"exec", run.shader, "--device", device};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  for (size_t k = 0; k < run.outs.size(); ++k) {
    arguments.insert(arguments.end(), {"--out", run.outs[k] + "=out" + std::to_string(k) + ".bin"});
  }
  check_success(folder.weft(arguments));
  std::vector<std::string> files;
  for (size_t k = 0; k < run.outs.size(); ++k) files.push_back(folder.read("out" + std::to_string(k) + ".bin"));
  return files;
}

// Checks that the bytes are not all equal: that would be no result.
bool tells_something(const std::string& bytes) { return std::set<char>(bytes.begin(), bytes.end()).size() > 4; }

void check_same_on_host(const Device& device, const Folder& folder, const Run& run) {
  const std::vector<std::string> wanted = outputs(folder, selector_of(device), run);
  for (const std::string& bytes : wanted) CHECK(tells_something(bytes));
  const std::string same_size = "host:subgroup=" + std::to_string(device.info().limits.max_subgroup_size);
  std::vector<std::string> selectors = {same_size, same_size + ",form=fibers"};
  if (!run.depends_on_subgroups) selectors.push_back("host:subgroup=64,form=fibers");
  for (const std::string& selector : selectors) {
    INFO(run.shader << " on " << selector);
    const std::vector<std::string> files = outputs(folder, selector, run);
    for (size_t k = 0; k < wanted.size(); ++k) {
      INFO("--out " << run.outs[k]);
      REQUIRE(files[k].size() == wanted[k].size());
      const auto differs = std::mismatch(files[k].begin(), files[k].end(), wanted[k].begin()).first;
      const auto at = differs - files[k].begin();
      CHECK_MESSAGE(files[k] == wanted[k], "the first difference is at byte " << at << " of " << wanted[k].size());
    }
  }
}

// Optimises the module like `spirv-opt -O`.
std::string optimised(const std::string& module) {
  const std::vector<uint32_t> before = values_of<uint32_t>(module);
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPerformancePasses();
  std::vector<uint32_t> after;
  REQUIRE(optimizer.Run(before.data(), before.size(), &after));
  CHECK(after != before);
  return bytes_of(after);
}

// Runs the GLSL, and the SPIR-V that weft compile writes for it, optimised.
void check_both_forms(const Device& device, const Folder& folder, Run run) {
  check_same_on_host(device, folder, run);
  check_success(folder.weft({"compile", run.shader, "--target", "spirv", "-o", "plain.spv"}));
  folder.write("optimised.spv", optimised(folder.read("plain.spv")));
  run.shader = "optimised.spv";
  check_same_on_host(device, folder, run);
}

}  // namespace

DEVICE_TEST("matrix multiplication by tiles in shared memory writes the same bytes on host") {
  Random random = random_generator("matmul");
  const Folder folder;
  folder.write("a.bin", floats(37 * 29, random));
  folder.write("b.bin", floats(29 * 41, random));
  folder.write("c.bin", floats(37 * 41, random));
  check_both_forms(device, folder,
                   {shader_file("matmul"),
                    {"--groups", "3,3", "--bind", "0.0=a.bin", "--bind", "0.1=b.bin", "--bind", "0.2=c.bin", "--push",
                     "u32:37,41,29,f32:0.75,-0.5"},
                    {"0.2"}});
}

DEVICE_TEST("a step of an n-body simulation writes the same bytes on host") {
  Random random = random_generator("nbody");
  const Folder folder;
  folder.write("particles.bin", floats(150 * 8, random));
  std::string ubo(16, '\0');
  put(ubo, 0, 0.01f);
  put(ubo, 4, 150);
  put(ubo, 8, 0.002f);
  put(ubo, 12, 0.05f);
  folder.write("ubo.bin", ubo);
  check_both_forms(device, folder,
                   {shader_file("nbody"),
                    {"--invocations", "150", "--bind", "0.0=particles.bin", "--bind", "0.1=ubo.bin"},
                    {"0.0"}});
}

DEVICE_TEST("a Gaussian blur writes the same bytes on host") {
  Random random = random_generator("blur");
  const Folder folder;
  folder.write("image.bin", words(45 * 31, random));
  std::string kernel(16 + 8 * 16, '\0');  // std140: each weight has 16 bytes
  put(kernel, 0, 3);
  const float weights[] = {0.25f, 0.1875f, 0.125f, 0.0625f};
  for (size_t k = 0; k < 4; ++k) put(kernel, 16 + 16 * k, weights[k]);
  folder.write("kernel.bin", kernel);
  for (const char* direction : {"1,0", "0,1"}) {
    check_same_on_host(device, folder,
                       {shader_file("blur"),
                        {"--invocations", "45,31", "--bind", "0.0=image.bin", "--bind", "0.1=zeros:5580", "--bind",
                         "1.0=kernel.bin", "--push", std::string("i32:45,31,") + direction},
                        {"0.1"}});
  }
}

DEVICE_TEST("the Mandelbrot set with specialization constants writes the same bytes on host") {
  const Folder folder;
  for (const char* smooth : {"false", "true"}) {
    check_same_on_host(device, folder,
                       {shader_file("mandelbrot"),
                        {"--invocations", "70,50", "--bind", "0.0=zeros:56000", "--push", "f32:-0.6,0.1,2.5,u32:70,50",
                         "--spec", "0=i32:100", "--spec", "1=f32:16", "--spec", std::string("2=bool:") + smooth},
                        {"0.0"}});
  }
}

DEVICE_TEST("prefix sums by subgroup operations write the same bytes on host") {
  Random random = random_generator("prefix sum");
  const Folder folder;
  folder.write("data.bin", words(5 * 1024, random));
  check_both_forms(device, folder,
                   {shader_file("prefix_sum"),
                    {"--groups", "5", "--bind", "0.0=data.bin", "--bind", "0.1=zeros:20"},
                    {"0.0", "0.1"}});
}

DEVICE_TEST("a bitonic sort writes the same bytes on host") {
  Random random = random_generator("bitonic sort");
  if (device.info().limits.max_workgroup_invocations < 512) unsupported("workgroups of 512 invocations");
  const Folder folder;
  std::vector<uint32_t> keys = random_values<uint32_t>(2048, random);
  for (uint32_t& key : keys) key %= 500;
  folder.write("keys.bin", bytes_of(keys));
  folder.write("values.bin", words(2048, random));
  check_both_forms(device, folder,
                   {shader_file("bitonic_sort"),
                    {"--groups", "2", "--bind", "0.0=keys.bin", "--bind", "0.1=values.bin"},
                    {"0.0", "0.1"}});
}

DEVICE_TEST("a histogram by atomics writes the same bytes on host") {
  Random random = random_generator("histogram");
  const Folder folder;
  folder.write("bytes.bin", words(10'001, random));
  check_both_forms(device, folder,
                   {shader_file("histogram"),
                    {"--groups", "5", "--bind", "2.3=bytes.bin", "--bind", "2.4=zeros:1028", "--push", "u32:10001,16"},
                    {"2.4"}});
}

DEVICE_TEST("skinning with matrices in a std140 block writes the same bytes on host") {
  Random random = random_generator("skinning");
  const Folder folder;
  std::string globals = floats(272 / 4, random);
  put(globals, 264, 100u);
  put(globals, 268, 1u);
  folder.write("globals.bin", globals);
  folder.write("bones.bin", floats(4 * 16, random));
  std::string vertices = floats(100 * 16, random);  // 64 bytes each; the bone indices are arbitrary bits
  folder.write("vertices.bin", vertices);
  check_both_forms(device, folder,
                   {shader_file("skinning"),
                    {"--invocations", "100", "--bind", "0.0=globals.bin", "--bind", "0.1=bones.bin", "--bind",
                     "1.0=vertices.bin", "--bind", "1.1=zeros:1616"},
                    {"1.1"}});
}

DEVICE_TEST("a reduction whose workgroup size is a specialization constant writes the same bytes on host") {
  Random random = random_generator("reduce");
  const Folder folder;
  folder.write("input.bin", words(3 * 128 * 5, random));
  for (const char* size : {"32", "128"}) {
    const uint32_t groups = 3 * 128 / static_cast<uint32_t>(std::atoi(size));
    check_same_on_host(
        device, folder,
        {shader_file("reduce"),
         {"--groups", std::to_string(groups), "--bind", "0.0=input.bin", "--bind",
          "0.1=zeros:" + std::to_string(8 * groups), "--spec", std::string("0=u32:") + size, "--spec", "1=u32:5"},
         {"0.1"}});
  }
}

DEVICE_TEST("SHA-256 writes the same bytes on host") {
  Random random = random_generator("sha256");
  const Folder folder;
  folder.write("blocks.bin", words(70 * 16, random));
  check_both_forms(device, folder,
                   {shader_file("sha256"),
                    {"--invocations", "70", "--bind", "0.0=blocks.bin", "--bind", "0.1=zeros:2240", "--push", "u32:70"},
                    {"0.1"}});
}

TEST_CASE("exec names the host device's kernel that ended the process, and says how to find where") {
  const Folder folder;
  folder.write("far.comp", R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Words { uint v[]; };
layout(push_constant) uniform Push { Words words; };
void main() { words.v[gl_GlobalInvocationID.x] = 1u; })");
  const std::vector<std::string> arguments = {"exec", "far.comp", "--groups", "1", "--push", "u64:4096", "--device"};
  const auto on = [&](const std::string& device) {
    std::vector<std::string> all = arguments;
    all.push_back(device);
    return folder.weft(all);
  };
  const Outcome outcome = on("host");
  CHECK(outcome.status == 128 + 11);  // SIGSEGV
  CHECK(outcome.error.find("weft: kernel 'far.comp' accessed unmapped memory") != std::string::npos);
  CHECK(outcome.error.find("host:check=on") != std::string::npos);
  check_failure(on("host:check=on"), 1, {"far.comp", "out of bounds", "0x1000"});
}

DEVICE_TEST("the messages of the host device's compiler are shown, and that validation has no effect there") {
  const Folder folder;
  const std::string number = std::to_string(random_generator("host")() % 1000000);
  folder.write("s.comp",
               "#version 450\nlayout(binding = 0) buffer D { uint v[]; } d;\nvoid main() { d.v[0] = " + number + "; }");
  const std::vector<std::string> arguments{"exec",        "s.comp", "-g",    "1",  "-b",
                                           "0.0=zeros:4", "-o",     "0.0=-", "-d", "host"};
  {
    folder.write("compiler", "#!/bin/sh\necho 'kernel.cpp:1:1: error: it is Monday' >&2\nexit 1\n");
    std::filesystem::permissions(folder.path() / "compiler", std::filesystem::perms::owner_all);
    const Environment compiler("WEFT_CXX", (folder.path() / "compiler").c_str());
    check_failure(
        folder.weft(arguments), 1,
        {"failed on the translation of kernel 's.comp' (exit status 1): kernel.cpp:1:1: error: it is Monday"});
  }
  const Environment compiler("WEFT_CXX", "env c++"), validation("WEFT_VALIDATION", "1");
  const Outcome outcome = folder.weft(arguments);
  check_success(outcome);
  CHECK(outcome.out == "[" + number + "]\n");
  const std::string line = "validation (DeviceOptions::validation, WEFT_VALIDATION=1) has no effect on host";
  CHECK(outcome.error.find(line) != std::string::npos);
  CHECK(outcome.error.find(line) == outcome.error.rfind(line));
}
