#include <iostream>

#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// A kernel that traps. In a separate process, which loses a device by it.

namespace {

Kernel trapping_kernel(const Device& device) {
  return device.kernel(assemble_spirv(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %main = OpFunction %void None %function
      %label = OpLabel
               OpUnreachable
               OpFunctionEnd)",
                                      "the kernel that traps"));
}

void check_works(const Device& device) {
  Stream stream = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
  stream.fill(words, 7u);
  CHECK_EQ(stream.download(words), std::vector<uint32_t>(100, 7));
}

/// Returns a second GPU if there is one, else another device.
Device another_device() {
  for (const BackendInfo& backend : list_devices()) {
    if (backend.name == "cuda" && backend.devices.size() > 1) return open_device("cuda:1");
  }
  return open_device("host");
}

}  // namespace

TEST_CASE("the child whose kernel traps" * doctest::skip()) {
  const Device other = another_device();
  {
    const Device device = open_device("cuda:0"), same = open_device("cuda:0");
    Stream stream = device.stream();
    const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
    const Event event = stream.record();
    stream.dispatch(trapping_kernel(device), {}, Arguments());
    const std::string name = "the kernel that traps";
    check_error(ErrorCode::device_lost, {name, "the CUDA driver returned CUDA_ERROR_"}, [&] { stream.synchronize(); });
    // Every later call on the device fails, and on another that was opened on the same GPU.
    check_error(ErrorCode::device_lost, {name}, [&] { stream.fill(words, 1u); });
    check_error(ErrorCode::device_lost, {name}, [&] { stream.download(words); });
    check_error(ErrorCode::device_lost, {name}, [&] { event.wait(); });
    check_error(ErrorCode::device_lost, {name}, [&] { device.buffer<uint32_t>(1); });
    check_error(ErrorCode::device_lost, {name}, [&] { device.synchronize(); });
    check_error(ErrorCode::device_lost, {}, [&] { same.stream(); });
    check_works(other);
  }
  // Closed and reopened, it works again or the error says how to recover it.
  try {
    check_works(open_device("cuda:0"));
  } catch (const Error& error) {
    CHECK_EQ(error.code(), ErrorCode::device_lost);
    CHECK(std::string(error.what()).find("only in a new process") != std::string::npos);
  }
  check_works(other);
  std::cout << "the child came to its end" << std::endl;
}

TEST_CASE("a kernel that traps is named, its device is lost, and other devices work on") {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child whose kernel traps"}, {});
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
  CHECK(outcome.output.find("the child came to its end") != std::string::npos);
  CHECK(outcome.output.find("misuse") == std::string::npos);
}
