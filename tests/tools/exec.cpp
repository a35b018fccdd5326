#include <weft/glsl.h>
#include <weft/spirv.h>

#include "tests/support/test.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

namespace {

const char* const affine = R"(#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint SIZE = 32;
layout(constant_id = 1) const bool NEGATE = false;
layout(constant_id = 2) const float SCALE = 2;
#ifndef ADDEND
#define ADDEND 0
#endif
layout(set = 0, binding = 0) readonly buffer Input { float v[]; } source;
layout(set = 1, binding = 2) buffer Output { float v[]; } target;
layout(push_constant) uniform Push { uint count; vec3 offset; ivec2 unused; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) target.v[i] = (NEGATE ? -SCALE : SCALE) * source.v[i] + push.offset.y + ADDEND;
})";

const char* const by_reference = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push { Words source; Words target; uint count; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) push.target.v[i] += push.source.v[i] * 3u;
})";

std::string as_bytes(const Spirv& module) { return bytes_of(module.words); }

Outcome exec(const Device& device, const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "exec");
  arguments.insert(arguments.end(), {"--device", selector_of(device)});
  return folder.weft(arguments);
}

}  // namespace

DEVICE_TEST("exec runs GLSL, SPIR-V and SPIR-V text with the same results") {
  std::mt19937_64 generator = random_generator("exec");
  const Folder folder;
  const std::vector<uint32_t> source = random_values<uint32_t>(1000, generator),
                              target = random_values<uint32_t>(1000, generator);
  std::vector<uint32_t> once, thrice;
  for (size_t i = 0; i < source.size(); ++i) {
    once.push_back(target[i] + 3 * source[i]);
    thrice.push_back(target[i] + 9 * source[i]);
  }
  const Spirv module = compile_glsl(by_reference, {});
  folder.write("s.comp", by_reference);
  folder.write("s.glsl", by_reference);
  folder.write("s.spv", as_bytes(module));
  folder.write("s.spvasm", disassemble_spirv(module));
  folder.write("source.npy", npy("<u4", source));
  folder.write("target.bin", bytes_of(target));
  for (const char* shader : {"s.comp", "s.glsl", "s.spv", "s.spvasm"}) {
    const std::vector<std::string> common = {shader,          "--buffer", "from=source.npy",      "--buffer",
                                             "to=target.bin", "--push",   "ref:from,to,u32:1000", "--out",
                                             "to=out.bin"};
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), {"--groups", "16"});
    check_success(exec(device, folder, arguments));
    CHECK(values_of<uint32_t>(folder.read("out.bin")) == once);
    arguments = common;
    arguments.insert(arguments.end(), {"--invocations", "1000", "--repeat", "3"});
    const Outcome repeated = exec(device, folder, arguments);
    check_success(repeated);
    CHECK(repeated.error.find("3 runs, median") != std::string::npos);
    CHECK(values_of<uint32_t>(folder.read("out.bin")) == thrice);
  }
}

DEVICE_TEST("exec binds buffers, and sets push constants, constants and macros") {
  const Folder folder;
  folder.write("s.comp", affine);
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3, 4, 5, 6}, "(2, 3)"));
  const std::vector<std::string> common = {"s.comp",     "--invocations", "6",           "--bind",
                                           "0.0=in.npy", "--bind",        "1.2=zeros:24"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    const Outcome outcome = exec(device, folder, more);
    check_success(outcome);
    return outcome.out;
  };
  const std::string push = "u32:6,f32:0,0.5,0,i32:0,-1";
  CHECK(run({"--push", push, "--out", "1.2=f32:-"}) == "[2.5, 4.5, 6.5, 8.5, 10.5, 12.5]\n");
  CHECK(run({"--push", push, "--out", "1.2=f32:-", "--spec", "1=bool:true", "--spec", "2=f32:10", "--spec", "0=u32:2",
             "--define", "ADDEND=100"}) == "[90.5, 80.5, 70.5, 60.5, 50.5, 40.5]\n");
  // The block as a file: the vectors start at offsets 16 and 32.
  std::string block(40, '\0');
  block[0] = 4;
  folder.write("push.bin", block);
  CHECK(run({"--push", "push.bin", "--out", "1.2=f32:-"}) == "[2, 4, 6, 8, 0, 0]\n");
  // A .npy output has the type and shape of the buffer's input, or the given type.
  run({"--push", push, "--out", "0.0=in2.npy", "--out", "1.2=f32:out.npy", "--out", "1.2=raw.bin"});
  CHECK(folder.read("in2.npy") == folder.read("in.npy"));
  CHECK(parse_npy(folder.read("out.npy")).dictionary == "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }");
  CHECK(folder.read("raw.bin") == parse_npy(folder.read("out.npy")).data);
}

DEVICE_TEST("exec takes push constants that are no multiple of four bytes, as values and as a file") {
  if (!device.info().features.int8) unsupported("has no 8-bit integers");
  const Folder folder;
  folder.write("s.comp", R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { int a; int8_t b, c; } push;
layout(binding = 0) buffer Output { int v[]; } target;
void main() { target.v[0] = push.a; target.v[1] = push.b; target.v[2] = push.c; })");
  folder.write("push.bin", std::string("\x07\0\0\0\xfb\x09", 6));
  for (const char* const push : {"i32:7,i8:-5,9", "push.bin"}) {
    const Outcome outcome = exec(
        device, folder, {"s.comp", "--groups", "1", "--bind", "0.0=zeros:12", "--push", push, "--out", "0.0=i32:-"});
    check_success(outcome);
    CHECK(outcome.out == "[7, -5, 9]\n");
  }
}

DEVICE_TEST("exec rounds every operation separately if contraction is forbidden") {
  const Folder folder;
  folder.write("s.comp", affine);
  // The square of 1 + 2^-12 rounds to 1 + 2^-11. The difference is 0, or 2^-24 if the square was not rounded.
  folder.write("in.npy", npy("<f4", std::vector<float>{1.000244140625f}, "(1,)"));
  const Outcome outcome =
      exec(device, folder,
           {"s.comp", "--no-contraction", "--groups", "1", "--bind", "0.0=in.npy", "--bind", "1.2=zeros:4", "--spec",
            "2=f32:1.000244140625", "--push", "u32:1,f32:0,-1.00048828125,0,i32:0,0", "--out", "1.2=f32:-"});
  check_success(outcome);
  CHECK(outcome.out == "[0]\n");
}

DEVICE_TEST("exec starts workgroups in three dimensions, and binds named buffers and array elements") {
  const Folder folder;
  folder.write("s.comp", R"(#version 450
    layout(local_size_x = 2, local_size_y = 1, local_size_z = 3) in;
    layout(set = 0, binding = 0) buffer Count { uint v; } counts[2];
    void main() {
      atomicAdd(counts[0].v, 1u);
      atomicMax(counts[1].v, gl_WorkGroupID.x * 100u + gl_WorkGroupID.y * 10u + gl_WorkGroupID.z);
    })");
  const Outcome outcome = exec(device, folder,
                               {"s.comp", "--groups", "2,3,4", "--buffer", "count=zeros:4", "--bind", "0.0=ref:count",
                                "--bind", "0.0[1]=zeros:4", "--out", "count=-", "--out", "0.0[1]=-"});
  check_success(outcome);
  CHECK(outcome.out == "[144]\n[123]\n");
  // The list and the messages name buffers of arrays as --bind takes them.
  const Outcome list = folder.weft({"exec", "s.comp", "--list"});
  CHECK(list.out.find("weft exec s.comp --groups 1 --bind 0.0[0]=FILE --bind 0.0[1]=FILE\n") != std::string::npos);
  check_failure(folder.weft({"exec", "s.comp", "--groups", "1", "--bind", "0.0=zeros:4"}), 1,
                {"counts has no buffer 1", "--bind 0.0[1]=FILE"});
  check_failure(folder.weft({"exec", "s.comp", "--groups", "1", "--bind", "0.0[1]=zeros:4"}), 1,
                {"counts has no buffer 0", "--bind 0.0[0]=FILE"});
}

DEVICE_TEST("a shader that does not compile, or is not one, is reported with its line") {
  const Folder folder;
  folder.write("out.bin", "precious");
  folder.write("bad.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {\n  undeclared = 3;\n}\n");
  check_failure(exec(device, folder, {"bad.comp", "--groups", "1"}), 1, {"bad.comp:4", "undeclared"});
  folder.write("bad.spvasm", "OpCapability Shader\nOpNonsense\n");
  check_failure(exec(device, folder, {"bad.spvasm", "--groups", "1"}), 1, {"bad.spvasm"});
  folder.write("bad.spv", "this is no module at all");
  check_failure(exec(device, folder, {"bad.spv", "--groups", "1"}), 1, {"bad.spv"});
  folder.write("cut.spv", as_bytes(compile_glsl(by_reference, {})).substr(0, 100));
  check_failure(exec(device, folder, {"cut.spv", "--groups", "1"}), 1, {"cut.spv"});
  folder.write("good.comp", by_reference);
  check_failure(exec(device, folder, {"good.comp", "--groups", "1", "--define", "main"}), 1, {"good.comp"});
  CHECK(folder.read("out.bin") == "precious");
}

DEVICE_TEST("status 2 says what the device lacks") {
  const Folder folder;
  folder.write("wide.comp", R"(#version 450
    layout(local_size_x_id = 0) in;
    layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
    void main() { data.v[gl_GlobalInvocationID.x] = 1u; })");
  const std::string size = std::to_string(device.info().limits.max_workgroup_invocations * 2);
  folder.write("out.bin", "precious");
  check_failure(exec(device, folder,
                     {"wide.comp", "--groups", "1", "--spec", "0=u32:" + size, "--bind", "0.0=zeros:64K", "--out",
                      "0.0=out.bin"}),
                2, {size, std::to_string(device.info().limits.max_workgroup_invocations)});
  CHECK(folder.read("out.bin") == "precious");
  folder.write("double.comp", R"(#version 450
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0) buffer Data { double v[]; } data;
    void main() { data.v[0] *= 2; })");
  folder.write("in.npy", npy("<f8", std::vector<double>{1.25}));
  const Outcome outcome =
      exec(device, folder, {"double.comp", "--groups", "1", "--bind", "0.0=in.npy", "--out", "0.0=-"});
  if (device.info().features.float64) {
    check_success(outcome);
    CHECK(outcome.out == "[2.5]\n");
  } else {
    check_failure(outcome, 2, {"Float64"});
  }
}

DEVICE_TEST("more workgroups than the device can start are refused") {
  const Folder folder;
  folder.write("s.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  const uint64_t most = device.info().limits.max_workgroup_count[1];
  const Outcome outcome = exec(device, folder, {"s.comp", "--groups", "1," + std::to_string(most + 1)});
  check_failure(outcome, 1, {std::to_string(most)});
}
