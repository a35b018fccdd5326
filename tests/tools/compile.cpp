#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/tools/command.h"

// Tests the output of weft compile, and that compilers accept it.
using namespace weft::test;

namespace {

const char* const blur = R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint SIZE = 64;
layout(constant_id = 1) const float WEIGHT = 0.25;
layout(constant_id = 2) const bool MIRROR = false;
#ifndef RADIUS
#define RADIUS 2
#endif
layout(set = 0, binding = 0) readonly buffer Source { float pixel[]; } source;
layout(set = 0, binding = 1) writeonly buffer Target { float pixel[]; } target;
layout(push_constant) uniform Push { uint width; } push;
float sample_at(int column) {
  int last = int(push.width) - 1;
  return source.pixel[MIRROR ? abs(column) % (last + 1) : clamp(column, 0, last)];
}
void main() {
  uint column = gl_GlobalInvocationID.x;
  float blurred = 0;
  for (int offset = -RADIUS; offset <= RADIUS; ++offset) {
    if (offset == 0) continue;
    blurred += WEIGHT * sample_at(int(column) + offset);
  }
  float brightest = subgroupMax(blurred);
  if (column < push.width) target.pixel[column] = blurred / brightest;
})";

const char* const matrices = R"(#version 450
layout(local_size_x = 8, local_size_y = 8) in;
struct Body { vec3 position; float mass; mat3x2 shear; };
layout(std140, set = 0, binding = 0) uniform Scene { layout(row_major) mat4 view; Body bodies[4]; };
layout(std430, set = 1, binding = 3) buffer Moved { vec4 moved[]; };
layout(std430, set = 1, binding = 4) buffer Count { uint counts[16]; uint total; };
shared vec4 tile[8][8];
void main() {
  uvec2 at = gl_LocalInvocationID.xy;
  tile[at.y][at.x] = view * vec4(bodies[at.x & 3].position, bodies[at.y & 3].mass);
  barrier();
  vec4 sum = tile[at.x][at.y];
  switch (at.x & 3u) {
    case 0: sum.x += 1; break;
    case 1: sum.yz *= bodies[0].shear[1]; // falls through
    default: sum = abs(sum);
  }
  atomicAdd(counts[at.x], 1u);
  if (atomicAdd(total, 1u) < 100u) moved[gl_GlobalInvocationID.y * 64u + gl_GlobalInvocationID.x] = sum;
})";

const char* const references = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { Node next; uint16_t small; float16_t value; uint64_t big; };
layout(push_constant) uniform Push { Node first; uint steps; } push;
void main() {
  Node node = push.first;
  for (uint step = 0; step < push.steps && node.big != 0ul; ++step) {
    node.value = node.value * 0.5hf + float16_t(node.small);
    node = node.next;
  }
})";

/// Returns the exit status and output of WEFT_TEST_COMPILER with these arguments.
Outcome compiler(const Folder& folder, const std::string& arguments) {
  const char* const program = std::getenv("WEFT_TEST_COMPILER");
  REQUIRE(program != nullptr);
  const std::string command =
      "cd '" + folder.path().string() + "' && '" + program + "' " + arguments + " > compiler.log 2>&1";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", folder.read("compiler.log")};
}

void check_compiles(const std::string& target, const std::string& suffix, const std::string& flags) {
  const Folder folder;
  for (const char* source : {blur, matrices, references}) {
    folder.write("s.comp", source);
    check_success(folder.weft({"compile", "s.comp", "--target", target, "-o", "s" + suffix}));
    const Outcome compiled = compiler(folder, flags + " -c s" + suffix + " -o s.o");
    INFO(compiled.error);
    CHECK(compiled.status == 0);
    CHECK(compiled.error.empty());
  }
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the C++ compiler accepts the file for host as it is, without a warning") {
  check_compiles("host", ".cpp", "-std=c++20 -Wall");
}

TEST_CASE("nvcc accepts the file for cuda as it is, without a warning") { check_compiles("cuda", ".cu", "-std=c++20"); }

TEST_CASE("compile prints C++ with the source's names and lines, for each target") {
  const Folder folder;
  folder.write("blur.comp", blur);
  for (const std::string target : {"host", "cuda", "hip"}) {
    const Outcome printed = folder.weft({"compile", "blur.comp", "-t", target, "--spec", "1=f32:0.75"});
    check_success(printed);
    for (const std::string& part :
         {"main of blur.comp, translated by Weft from SPIR-V for " + target,
          std::string("#define WEFT_WORKGROUP_SIZE_X 64\n"), std::string("float sample_at("),
          std::string("// blur.comp:22\n"), std::string("0.75f"), std::string("brightest = ")}) {
      INFO(target << ": " << part);
      CHECK(holds(printed.out, part));
    }
    CHECK_FALSE(holds(printed.out, "0.25f"));
    // The file has the same contents.
    check_success(folder.weft({"compile", "blur.comp", "-t", target, "--spec", "1=f32:0.75", "-o", "out.txt"}));
    CHECK(folder.read("out.txt") == printed.out);
  }
}

TEST_CASE("macros, entry points and the workgroup size reach the C++") {
  const Folder folder;
  folder.write("blur.comp", blur);
  const Outcome wide = folder.weft({"compile", "blur.comp", "-t", "host", "-D", "RADIUS=77", "--spec", "0=u32:256"});
  check_success(wide);
  CHECK(holds(wide.out, "77"));
  CHECK(holds(wide.out, "#define WEFT_WORKGROUP_SIZE_X 256\n"));
  check_failure(folder.weft({"compile", "blur.comp", "-t", "host", "--entry", "start"}), 1, {"start", "main"});
}

TEST_CASE("SPIR-V is written as a binary or as text, with constants set and lines kept on request") {
  const Folder folder;
  folder.write("blur.comp", blur);
  const Outcome text = folder.weft({"compile", "blur.comp", "--target", "spirv"});
  check_success(text);
  CHECK(holds(text.out, "OpEntryPoint GLCompute %main"));
  CHECK_FALSE(holds(text.out, "OpLine"));
  check_success(folder.weft({"compile", "blur.comp", "--target", "spirv", "-o", "blur.spvasm"}));
  CHECK(folder.read("blur.spvasm") == text.out);
  check_success(folder.weft({"compile", "blur.comp", "--target", "spirv", "-o", "blur.spv"}));
  CHECK(folder.read("blur.spv").substr(0, 4) == std::string("\x03\x02\x23\x07", 4));
  CHECK(folder.weft({"compile", "blur.comp", "--target", "spirv", "-o", "-"}).out == folder.read("blur.spv"));
  const Outcome lines = folder.weft({"compile", "blur.comp", "--target", "spirv", "--debug"});
  check_success(lines);
  CHECK(holds(lines.out, "OpLine"));

  check_success(folder.weft({"compile", "blur.spv", "--target", "spirv", "-o", "set.spv", "--spec", "0=u32:128",
                             "--spec", "1=f32:0.5", "--spec", "2=bool:true"}));
  const Outcome list = folder.weft({"exec", "set.spv", "--list"});
  check_success(list);
  for (const char* part : {"SIZE = 128", "WEIGHT = 0.5", "MIRROR = true", "of 128 x 1 x 1 invocations"}) {
    INFO(list.out);
    CHECK(holds(list.out, part));
  }
  // Translated from the binary, the C++ is the same as from GLSL, except for lines.
  const Outcome from_binary = folder.weft({"compile", "set.spv", "--target", "cuda"});
  check_success(from_binary);
  CHECK(holds(from_binary.out, "#define WEFT_WORKGROUP_SIZE_X 128\n"));
  CHECK(holds(from_binary.out, "0.5f"));
}

TEST_CASE("contraction is forbidden in SPIR-V and in its C++") {
  const Folder folder;
  folder.write("blur.comp", blur);
  const auto compile = [&](const std::string& target, std::vector<std::string> more) {
    more.insert(more.begin(), {"compile", "blur.comp", "--target", target});
    const Outcome outcome = folder.weft(more);
    check_success(outcome);
    // The prelude has such functions even if the kernel does not call them.
    return outcome.out.substr(target == "spirv" ? 0 : outcome.out.rfind("float sample_at("));
  };
  CHECK_FALSE(holds(compile("spirv", {}), "NoContraction"));
  CHECK(holds(compile("spirv", {"--no-contraction"}), "NoContraction"));
  for (const char* target : {"cuda", "hip", "host"}) {
    CHECK_FALSE(holds(compile(target, {}), "weft_precise_"));
    CHECK(holds(compile(target, {"--no-contraction"}), "weft_precise_mul("));
    CHECK(holds(compile(target, {"--no-contraction"}), "weft_precise_add("));
  }
}

TEST_CASE("compile explains what is wrong with its arguments, and keeps older files in that case") {
  const Folder folder;
  folder.write("blur.comp", blur);
  folder.write("out.cu", "precious");
  check_failure(folder.weft({"compile", "blur.comp"}), 1, {"--target"});
  check_failure(folder.weft({"compile", "--target", "host"}), 1, {"SHADER"});
  check_failure(folder.weft({"compile", "blur.comp", "--target", "cdua"}), 1, {"'cdua'", "did you mean cuda?"});
  check_failure(folder.weft({"compile", "blur.txt", "--target", "cuda"}), 1, {".comp", ".spv", ".spvasm"});
  check_failure(folder.weft({"compile", "missing.comp", "--target", "cuda"}), 1, {"missing.comp"});
  check_failure(folder.weft({"compile", "blur.comp", "--target", "cuda", "--spec", "9=u32:1"}), 1,
                {"constant 9", "0 (uint SIZE)"});
  check_failure(folder.weft({"compile", "blur.comp", "--target", "cuda", "--spec", "1=f32:1", "--spec", "1=f32:2"}), 1,
                {"--spec 1 is given twice"});
  check_failure(folder.weft({"compile", "blur.comp", "--target", "cuda", "--spec", "1=u32:1"}), 1,
                {"--spec 1", "u32", "WEIGHT", "float"});
  check_failure(folder.weft({"compile", "blur.comp", "--target", "cuda", "-o", "nowhere/out.cu"}), 1, {"nowhere"});
  folder.write("bad.comp", "#version 450\nvoid main() {\n  undeclared = 1;\n}\n");
  check_failure(folder.weft({"compile", "bad.comp", "--target", "cuda", "-o", "out.cu"}), 1, {"bad.comp:3"});
  folder.write("bad.spv", "no module");
  check_failure(folder.weft({"compile", "bad.spv", "--target", "cuda", "-o", "out.cu"}), 1, {"bad.spv"});
  CHECK(folder.read("out.cu") == "precious");
}

TEST_CASE("status 2 names the instruction that has no translation, and its line") {
  const Folder folder;
  folder.write("picture.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform image2D picture;
void main() {
  imageStore(picture, ivec2(0), vec4(1));
})");
  check_failure(folder.weft({"compile", "picture.comp", "--target", "cuda"}), 2, {"picture.comp", "picture", "line 5"});
}

TEST_CASE("constants that leave an array without elements are refused for every target") {
  const Folder folder;
  folder.write("tile.comp", R"(#version 450
layout(local_size_x = 32) in;
layout(constant_id = 1) const uint N = 4;
layout(set = 0, binding = 0) buffer Target { uint target[]; };
shared uint tile[N];
void main() {
  tile[gl_LocalInvocationIndex & 3u] = 1u;
  barrier();
  target[gl_GlobalInvocationID.x] = tile[0];
})");
  for (const char* target : {"spirv", "host", "cuda", "hip"}) {
    check_success(folder.weft({"compile", "tile.comp", "--target", target, "--spec", "1=u32:5", "-o", "out"}));
    check_failure(folder.weft({"compile", "tile.comp", "--target", target, "--spec", "1=u32:0", "-o", "out"}), 1,
                  {"tile.comp", "specialization constants", "1 = 0"});
  }
}
