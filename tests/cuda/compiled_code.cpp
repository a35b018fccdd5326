#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Machine code from the cache, or compiled again. Each use is a separate process.

namespace {

Outcome run_child(std::vector<std::string> environment) {
  return run_again({"--no-skip", "-tc=the child that compiles"}, environment);
}

std::map<std::string, std::vector<std::byte>> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().string()] = read_file(entry.path());
  }
  return files;
}

bool says(const Outcome& outcome, const std::string& text) { return outcome.output.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("the child that compiles" * doctest::skip()) {
  const Device device = open_device("cuda:0");
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  try {
    const Kernel kernel = device.kernel_from_glsl(R"(#version 460
      layout(local_size_x = 1) in;
      layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
      void main() { target.v[0] = 391; })");
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
    std::cout << "the kernel computed " << stream.download(target).at(0) << std::endl;
  } catch (const Error& error) {
    std::cout << "the kernel failed: " << to_string(error.code()) << ": " << error.what() << "\nlog: " << error.log()
              << std::endl;
  }
}

TEST_CASE("cached code that the driver does not accept is compiled again and replaced") {
  const TemporaryFolder folder;
  const std::string cache = "WEFT_CACHE_DIR=" + folder.path().string();
  CHECK(says(run_child({cache}), "the kernel computed 391"));
  const auto old = files_of(folder.path());
  // A driver and a compiler that match each other, but refuse code from others.
  const Outcome other = run_child({cache, "WEFT_CUDA_ON_CPU_CODE=2"});
  INFO(other.output);
  CHECK(says(other, "the kernel computed 391"));
  const auto anew = files_of(folder.path());
  CHECK_EQ(anew.size(), old.size());
  CHECK((anew != old));
  CHECK(says(run_child({cache, "WEFT_CUDA_ON_CPU_CODE=2"}), "the kernel computed 391"));
  CHECK((files_of(folder.path()) == anew));
}

TEST_CASE("the child that dispatches indirectly" * doctest::skip()) {
  const std::filesystem::path cache = std::getenv("WEFT_CACHE_DIR");
  const Device device = open_device("cuda:0");
  Stream stream = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(4);
  stream.upload(words, std::vector<uint32_t>{0, 1, 1, 1});
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { target.v[0] = 391; })");
  const auto made = files_of(cache);
  kernel.prepare_indirect();
  const auto prepared = files_of(cache);
  stream.dispatch_indirect(kernel, words.part(1, 3), Arguments().bind(0, 0, words));
  CHECK_EQ(stream.download(words).at(0), 391);
  CHECK_GT(prepared.size(), made.size());
  CHECK((files_of(cache) == prepared));
}

TEST_CASE("a kernel prepared for indirect dispatches compiles nothing at the first one") {
  const TemporaryFolder folder;
  const Outcome outcome = run_again({"--no-skip", "-tc=the child that dispatches indirectly"},
                                    {"WEFT_CACHE_DIR=" + folder.path().string()});
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
}

TEST_CASE("a compiler whose code the driver never accepts is an error with a remedy") {
  const Outcome outcome = run_child({"WEFT_CACHE_DIR=", "WEFT_CUDA_ON_CPU_REFUSES=1"});
  INFO(outcome.output);
  CHECK(says(outcome, "the kernel failed: unsupported"));
  CHECK(says(outcome, "CUDA_ERROR_INVALID_IMAGE"));
  CHECK(says(outcome, "WEFT_NVRTC"));
}

TEST_CASE("a kernel may have a name that looks like an option") {
  const Device device = open_device("cuda:0");
  GlslOptions options;
  options.name = "--where";
  CHECK_NOTHROW(device.kernel(compile_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n", options)));
}

TEST_CASE("a compiler that refuses a kernel gives its log") {
  const TemporaryFolder folder;
  folder.write("compiler", "#!/bin/sh\necho the log of the compiler\nexit 1\n");
  const std::filesystem::path compiler = folder.path() / "compiler";
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const Outcome outcome = run_child({"WEFT_CACHE_DIR=", "WEFT_CXX=" + compiler.string()});
  INFO(outcome.output);
  CHECK(says(outcome, "the kernel failed: compile_failed"));
  CHECK(says(outcome, "NVRTC_ERROR_COMPILATION"));
  CHECK(says(outcome, "log: the log of the compiler"));
}
