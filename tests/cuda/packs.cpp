#include <iostream>

#include <weft/sort.h>

#include "tests/cuda/check_says.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tools/pack/pack_maker.h"

using namespace weft;
using namespace weft::test;
using namespace weft::tools;

/// Packs for named architectures, made without their GPUs, on devices without NVRTC. Each device is in a process of its
/// own, since the stand-in driver takes its compute capability from the environment.

namespace {

constexpr const char* list = "Sort key=uint max_count=100\nkernel file=own.spv\n";
constexpr const char* no_nvrtc = "WEFT_NVRTC=/nowhere/libnvrtc.so.13";

Spirv own_kernel() {
  return compile_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { atomicAdd(target.v[0], 391); })");
}

MadePack pack_for(const std::vector<std::string>& architectures) {
  const TemporaryFolder folder;
  folder.write("list", list);
  const std::vector<uint32_t> words = own_kernel().words;
  const auto bytes = std::as_bytes(std::span(words));
  write_file(folder.path() / "own.spv", {bytes.begin(), bytes.end()});
  PackRequest request;
  request.options = DeviceOptions::from_environment();  // with the tests' cache
  for (const std::string& name : architectures) request.profiles.push_back(find_profile(name));
  return make_pack(PlanList::read(folder.path() / "list"), request);
}

/// What a device with that compute capability and no NVRTC says to a pack for these architectures.
std::string answer(const std::string& capability, const std::vector<std::string>& architectures,
                   const std::vector<std::string>& environment = {no_nvrtc}) {
  const TemporaryFolder folder;
  write_file(folder.path() / "pack", pack_for(architectures).bytes);
  std::vector<std::string> all{"WEFT_CACHE_DIR=", "WEFT_CUDA_ON_CPU_DEVICES=1",
                               "WEFT_CUDA_ON_CPU_CAPABILITY=" + capability,
                               "WEFT_PACKS=" + (folder.path() / "pack").string()};
  all.insert(all.end(), environment.begin(), environment.end());
  const Outcome outcome = run_again({"--no-skip", "-tc=the child with a pack"}, all);
  CHECK_EQ(outcome.status, 0);
  CHECK(outcome.output.find("misuse") == std::string::npos);
  return outcome.output;
}

template <typename Work>
void say(const char* what, const Work& work) {
  try {
    work();
    std::cout << what << " is right" << std::endl;
  } catch (const Error& error) {
    std::cout << what << " fails: " << to_string(error.code()) << ": " << error.what() << std::endl;
  }
}

}  // namespace

TEST_CASE("the child with a pack" * doctest::skip()) {
  std::cout << "the best of all is " << choose_device().device.selector << std::endl;
  const Device device = open_device("cuda:0");
  Stream stream = device.stream();
  say("the sort", [&] {
    const Buffer<uint32_t> keys = device.buffer<uint32_t>(4);
    stream.upload(keys, std::vector<uint32_t>{4, 2, 3, 1});
    const Sort plan(device, Element::of<uint32_t>(), 100);
    plan.record(stream, {.keys = keys, .keys_out = keys, .count = 4});
    CHECK_EQ(stream.download(keys), std::vector<uint32_t>{1, 2, 3, 4});
  });
  say("the kernel", [&] {
    const Buffer<uint32_t> words = device.buffer<uint32_t>(4);
    stream.upload(words, std::vector<uint32_t>{0, 2, 1, 1});
    const Kernel kernel = device.kernel(own_kernel());
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, words));
    stream.dispatch_indirect(kernel, words.part(1, 3), Arguments().bind(0, 0, words));
    CHECK_EQ(stream.download(words).at(0), 3 * 391);
  });
}

TEST_CASE("a device takes the code of its own architecture from a pack, in both forms, and needs no NVRTC") {
  for (const char* capability : {"75", "80", "90"}) {
    INFO(capability);
    check_says(answer(capability, {std::string("sm_") + capability}),
               {"the best of all is cuda:0", "the sort is right", "the kernel is right"});
  }
  check_says(answer("90", {"sm_80", "compute_75", "sm_90"}), {"the sort is right", "the kernel is right"});
}

TEST_CASE("a device takes cubins of its major version, and else PTX, also where launches wait for one another") {
  check_says(answer("86", {"sm_80"}), {"the kernel is right"});
  check_says(answer("89", {"sm_86"}), {"the best of all is cuda:0", "the sort is right", "the kernel is right"});
  for (const char* capability : {"75", "80", "90", "120"}) {
    INFO(capability);
    check_says(answer(capability, {"compute_75"}),
               {"the best of all is cuda:0", "the sort is right", "the kernel is right"});
  }
  check_says(answer("103", {"sm_100", "sm_103"}), {"the sort is right", "the kernel is right"});
}

TEST_CASE("without code that a device runs, the error has NVRTC's reason and the line to add to the list") {
  for (const std::vector<std::string>& others : {std::vector<std::string>{"sm_90"}, {"sm_75"}, {"compute_86"}}) {
    const std::string output = answer("80", others);
    check_says(output, {"the sort fails: unsupported: /nowhere/libnvrtc.so.13", "WEFT_NVRTC", "no pack holds",
                        "machine code", "for sm_80", "weft pack", "with this line: Sort key=uint max_count=100\n",
                        "the kernel fails: unsupported: /nowhere/libnvrtc.so.13", "as WEFT_RECORD_PLANS writes it"});
    CHECK(output.find("the best of all is cuda") == std::string::npos);
  }
}

TEST_CASE("what a pack lacks is compiled where there is NVRTC") {
  check_says(answer("80", {"sm_90"}, {}), {"the best of all is cuda:0", "the sort is right", "the kernel is right"});
}

TEST_CASE("code of a pack that the driver refuses counts as missing, and the error has the reason") {
  check_says(answer("90", {"compute_90"}, {no_nvrtc, "WEFT_CUDA_ON_CPU_REFUSES=1"}),
             {"the sort fails: unsupported: The driver refused what a pack holds of 'weft/kernels/sort",
              "CUDA_ERROR_INVALID_IMAGE", "/nowhere/libnvrtc.so.13", "no pack holds", "for sm_90"});
}

TEST_CASE("a pack names its architectures") {
  const std::string text = pack_for({"sm_80", "sm_90", "compute_80"}).description;
  check_says(text, {"for sm_80\n", "for sm_90\n", "for compute_80\n", "# cuda: "});
}

TEST_CASE("the same architectures give the same pack") {
  CHECK((pack_for({"sm_80", "compute_80"}).bytes == pack_for({"sm_80", "compute_80"}).bytes));
}

TEST_CASE("a profile of an architecture is what the driver says of such a device") {
  const DeviceInfo real = open_device("cuda:0").info(), profile = find_profile("sm_90").device;
  CHECK_EQ(profile.architecture, real.architecture);
  CHECK_EQ(profile.backend, real.backend);
  CHECK((profile.vendor == real.vendor && profile.kind == real.kind));
  CHECK_EQ(profile.capabilities, real.capabilities);
  CHECK((profile.subgroup_operations == real.subgroup_operations));
  CHECK_EQ(profile.limits.min_subgroup_size, real.limits.min_subgroup_size);
  CHECK_EQ(profile.limits.max_subgroup_size, real.limits.max_subgroup_size);
  CHECK_EQ(profile.limits.max_workgroup_invocations, real.limits.max_workgroup_invocations);
  CHECK_EQ(profile.limits.max_workgroup_size, real.limits.max_workgroup_size);
  CHECK_EQ(profile.limits.max_workgroup_count, real.limits.max_workgroup_count);
  CHECK_EQ(profile.limits.workgroup_memory_bytes, real.limits.workgroup_memory_bytes);
  CHECK_EQ(profile.limits.multiprocessor_memory_bytes, real.limits.multiprocessor_memory_bytes);
}

TEST_CASE("PTX is for the least of the GPUs that run it") {
  CHECK_EQ(find_profile("compute_75").device.limits.workgroup_memory_bytes, 64 * 1024);
  CHECK_EQ(find_profile("compute_80").device.limits.workgroup_memory_bytes, 99 * 1024);
  CHECK_EQ(find_profile("sm_80").device.limits.workgroup_memory_bytes, 163 * 1024);
}

TEST_CASE("an architecture that nothing compiles for is an error, before a plan is made") {
  for (const char* name : {"sm_70", "sm_90a", "sm_95", "compute_", "sm_"}) {
    check_invalid({name, "sm_75", "compute_75", "nvidia"}, [&] { find_profile(name); });
  }
  const TemporaryFolder folder;
  folder.write("list", "Sort key=uint max_count=100\n");
  PackRequest request;
  request.profiles = {find_profile("sm_90")};
  request.options.libraries.nvrtc = "/nowhere/libnvrtc.so.13";
  check_error(ErrorCode::unsupported, {"machine code for sm_90", "/nowhere/libnvrtc.so.13", "WEFT_NVRTC"},
              [&] { make_pack(PlanList::read(folder.path() / "list"), request); });
}
