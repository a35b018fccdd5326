#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A kernel with an argument of each kind, which sets the first word of `target`.
const char* const source_of_all = R"(#version 460
  #extension GL_EXT_buffer_reference : require
  layout(local_size_x = 1) in;
  layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors { uvec4 v[]; };
  layout(push_constant) uniform Push { Vectors vectors; uint scale; uint unused; } push;
  layout(set = 0, binding = 1, std430) buffer target_block { uint head[4]; uint tail[]; } target;
  layout(set = 1, binding = 2, std140) uniform numbers_block { uvec4 v[3]; } numbers;
  void main() {
    uvec4 whole = push.vectors.v[0];
    target.head[0] = (whole.x + whole.y + whole.z - whole.w) / 2 * push.scale + numbers.v[2].w;
  })";

struct Block {
  uint64_t vectors;
  uint32_t scale, unused = 0;
};

struct Fixture {
  explicit Fixture(const Device& d)
      : device(d),
        kernel(d.kernel_from_glsl(source_of_all)),
        stream(d.stream()),
        vectors(d.buffer<uint32_t>(64)),
        target(d.buffer<uint32_t>(1024)),
        numbers(d.buffer<uint32_t>(1024)),
        block{vectors.pointer().address, 3} {
    stream.fill(vectors, 2u);
    stream.fill(numbers, 4u);
    stream.fill(target, 0xa5a5a5a5u);
  }

  Arguments right() const { return Arguments(block).bind(0, 1, target).bind(1, 2, numbers); }
  /// Checks that refused arguments left nothing behind: the right ones still work.
  void check_right() {
    stream.dispatch(kernel, {}, right());
    CHECK_EQ(stream.download(target.part(0, 1)).at(0), 10);
  }
  void check_refused(const std::vector<std::string>& words, const Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { stream.dispatch(kernel, {}, arguments); });
  }

  const Device& device;
  Kernel kernel;
  Stream stream;
  Buffer<uint32_t> vectors, target, numbers;
  Block block;
};

std::span<const std::byte> bytes_of(const Block& block, size_t bytes = sizeof(Block)) {
  return std::as_bytes(std::span(&block, 1)).first(bytes);
}

}  // namespace

DEVICE_TEST("a push-constant block of the wrong size is an error with both sizes") {
  Fixture fixture(device);
  for (const size_t bytes : {0, 4, 8, 12}) {
    fixture.check_refused({"push", "16", std::to_string(bytes)}, fixture.right().push(bytes_of(fixture.block, bytes)));
  }
  const std::array<uint32_t, 5> large{};
  fixture.check_refused({"push", "16", "20"}, fixture.right().push(std::as_bytes(std::span(large))));
  const std::vector<std::byte> huge(257);
  check_error(ErrorCode::invalid_argument, {"push", "256", "257"}, [&] { Arguments().push(huge); });
  fixture.check_right();
}

DEVICE_TEST("a struct of the right size that lacks a member is an error that names it") {
#if !__has_builtin(__builtin_clear_padding)
  unsupported("this compiler does not tell where a struct has padding");
#endif
  struct Short {
    uint64_t vectors;
    uint32_t scale;
  };
  static_assert(sizeof(Short) == sizeof(Block));
  Fixture fixture(device);
  const Short lacking{fixture.block.vectors, 3};
  fixture.check_refused({"lacks 'unused'", "offset 12"},
                        Arguments(lacking).bind(0, 1, fixture.target).bind(1, 2, fixture.numbers));
  // The same bytes without a type, and another block in the place of the short one.
  for (Arguments right :
       {fixture.right().push(std::as_bytes(std::span(&lacking, 1))),
        Arguments(lacking).bind(0, 1, fixture.target).bind(1, 2, fixture.numbers).push(bytes_of(fixture.block))}) {
    fixture.stream.dispatch(fixture.kernel, {}, right);
  }
  fixture.check_right();
}

DEVICE_TEST("push constants for a kernel that takes none are an error") {
  const Kernel nothing = device.kernel_from_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  Stream stream = device.stream();
  stream.dispatch(nothing, {});
  check_error(ErrorCode::invalid_argument, {"push"}, [&] { stream.dispatch(nothing, {}, uint32_t(1)); });
}

DEVICE_TEST("a misaligned buffer reference is an error that names the member") {
  Fixture fixture(device);
  for (const uint64_t off : {4, 8, 15}) {
    Block block = fixture.block;
    block.vectors += off;
    fixture.check_refused({"vectors", "16"}, fixture.right().push(bytes_of(block)));
  }
  fixture.check_right();
}

DEVICE_TEST("a missing binding is an error that names it") {
  Fixture fixture(device);
  fixture.check_refused({"target", "0.1"}, Arguments(fixture.block).bind(1, 2, fixture.numbers));
  fixture.check_refused({"numbers", "1.2"}, Arguments(fixture.block).bind(0, 1, fixture.target));
  fixture.check_right();
}

DEVICE_TEST("a binding that the kernel does not have is an error that names it") {
  Fixture fixture(device);
  fixture.check_refused({"3.7", "0.1", "1.2"}, fixture.right().bind(3, 7, fixture.target));
  fixture.check_refused({"target", "element 1"}, fixture.right().bind(0, 1, fixture.target, 1));
  fixture.check_right();
}

DEVICE_TEST("a binding that is too small is an error with both sizes") {
  Fixture fixture(device);
  fixture.check_refused({"target", "16", "12"}, fixture.right().bind(0, 1, fixture.target.part(0, 3)));
  fixture.check_refused({"target", "16", "0"}, fixture.right().bind(0, 1, fixture.target.part(0, 0)));
  fixture.check_refused({"target"}, fixture.right().bind(0, 1, Buffer<uint32_t>()));
  fixture.check_refused({"numbers", "48", "44"}, fixture.right().bind(1, 2, fixture.numbers.part(0, 11)));
  fixture.check_right();
}

DEVICE_TEST("a misaligned binding is an error with the alignment") {
  Fixture fixture(device);
  const DeviceLimits& limits = device.info().limits;
  const View<uint8_t> target = fixture.target.view().as<uint8_t>(), numbers = fixture.numbers.view().as<uint8_t>();
  if (limits.storage_binding_alignment > 1) {
    const uint64_t off = limits.storage_binding_alignment / 2;
    fixture.check_refused({"target", std::to_string(limits.storage_binding_alignment)},
                          fixture.right().bind(0, 1, target.part(off, 64)));
  }
  if (limits.uniform_binding_alignment > 1) {
    const uint64_t off = limits.uniform_binding_alignment / 2;
    fixture.check_refused({"numbers", std::to_string(limits.uniform_binding_alignment)},
                          fixture.right().bind(1, 2, numbers.part(off, 64)));
  }
  fixture.check_right();
}

DEVICE_TEST("a binding beyond the device's largest range is an error with the limit") {
  const DeviceLimits& limits = device.info().limits;
  if (limits.max_uniform_binding_bytes > (uint64_t(1) << 28)) unsupported("takes uniform bindings of any size");
  Fixture fixture(device);
  const Buffer<uint32_t> large = device.buffer<uint32_t>(limits.max_uniform_binding_bytes / 4 + 1);
  fixture.check_refused({"numbers", std::to_string(limits.max_uniform_binding_bytes)},
                        fixture.right().bind(1, 2, large));
  fixture.check_right();
}

DEVICE_TEST("memory and kernels of another device are errors") {
  Fixture fixture(device);
  const Device other = open_device(selector_of(device));
  const Buffer<uint32_t> foreign = other.buffer<uint32_t>(1024);
  fixture.check_refused({"target", "device"}, fixture.right().bind(0, 1, foreign));
  Stream& stream = fixture.stream;
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.fill(foreign, 1u); });
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.copy(foreign, fixture.target); });
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.copy(fixture.target, foreign); });
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.upload(foreign, std::vector<uint32_t>(4)); });
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.download(foreign); });
  check_error(ErrorCode::invalid_argument, {"device"},
              [&] { stream.dispatch_indirect(fixture.kernel, foreign.view(), fixture.right()); });
  const Kernel kernel = other.kernel_from_glsl(source_of_all);
  check_error(ErrorCode::invalid_argument, {"device"}, [&] { stream.dispatch(kernel, {}, fixture.right()); });
  fixture.check_right();
}

DEVICE_TEST("a dispatch of no kernel is an error") {
  Stream stream = device.stream();
  check_error(ErrorCode::invalid_argument, {"kernel"}, [&] { stream.dispatch(Kernel(), {}); });
}

DEVICE_TEST("several arguments may refer to the same memory") {
  Fixture fixture(device);
  fixture.stream.fill(fixture.target, 6u);
  const Block block{fixture.target.pointer().address, 3};
  fixture.stream.dispatch(fixture.kernel, {}, Arguments(block).bind(0, 1, fixture.target).bind(1, 2, fixture.target));
  CHECK_EQ(fixture.stream.download(fixture.target.part(0, 1)).at(0), 6 * 3 + 6);
}
