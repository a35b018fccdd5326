#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Kernels and launches that are too large for a device. The two devices have different limits.

namespace {

Kernel kernel_with_shared_memory(const Device& device, uint32_t words) {
  return device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    shared uint numbers[)" + std::to_string(words) +
                                 R"(];
    void main() {
      uint i = gl_LocalInvocationIndex, last = numbers.length() - 1;
      numbers[last - i] = i;
      barrier();
      target.v[i] = numbers[last - 63 + i];
    })");
}

}  // namespace

TEST_CASE("workgroup memory above 48 KiB works if the device has it, and is else refused with both sizes") {
  constexpr uint32_t words = 25 * 1024;
  const Device large = open_device("cuda:0"), small = open_device("cuda:1");
  Stream stream = large.stream();
  const Buffer<uint32_t> target = large.buffer<uint32_t>(64);
  stream.dispatch(kernel_with_shared_memory(large, words), {}, Arguments().bind(0, 0, target));
  const std::vector<uint32_t> values = stream.download(target);
  for (uint32_t i = 0; i < 64; ++i) CHECK_EQ(values[i], 63 - i);
  check_error(ErrorCode::unsupported, {"workgroup memory", "102400", std::to_string(64 * 1024)},
              [&] { kernel_with_shared_memory(small, words); });
}

TEST_CASE("more bindings than a launch can pass are refused") {
  std::string bindings, sum;
  for (int i = 0; i < 300; ++i) {
    const std::string number = std::to_string(i);
    bindings +=
        "layout(set = 0, binding = " + number + ", std430) buffer Block" + number + " { uint v[]; } b" + number + ";\n";
    sum += "b" + number + ".v[0] = " + number + ";\n";
  }
  const Device device = open_device("cuda:0");
  check_error(ErrorCode::unsupported, {"bindings"}, [&] {
    device.kernel_from_glsl("#version 460\nlayout(local_size_x = 1) in;\n" + bindings + "void main() {\n" + sum + "}");
  });
}

TEST_CASE("a dispatch beyond the grid's limits is an error with the limit") {
  const Device device = open_device("cuda:0");
  Stream stream = device.stream();
  const Kernel kernel = kernel_with_shared_memory(device, 64);
  const Buffer<uint32_t> target = device.buffer<uint32_t>(64);
  const auto& most = device.info().limits.max_workgroup_count;
  CHECK_EQ(most[1], 65535);
  const auto dispatch = [&](Groups groups) { stream.dispatch(kernel, groups, Arguments().bind(0, 0, target)); };
  check_error(ErrorCode::invalid_argument, {"65536", "65535"}, [&] { dispatch({1, 65536, 1}); });
  check_error(ErrorCode::invalid_argument, {"65536", "65535"}, [&] { dispatch({1, 1, 65536}); });
  check_error(ErrorCode::invalid_argument, {std::to_string(most[0])}, [&] { dispatch({most[0] + 1, 1, 1}); });
  dispatch({2, 2, 2});
  CHECK_EQ(stream.download(target).at(0), 63);
}

TEST_CASE("allocating more memory than the device has is an error with the requested and the available size") {
  const Device device = open_device("cuda:0");
  const uint64_t bytes = device.info().limits.memory_bytes;
  const Buffer<std::byte> half = device.buffer<std::byte>(bytes / 2 + 1);
  check_error(ErrorCode::out_of_memory, {std::to_string(bytes / 2 + 1)},
              [&] { device.buffer<std::byte>(bytes / 2 + 1); });
}
