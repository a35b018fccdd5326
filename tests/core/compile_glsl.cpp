#include <algorithm>

#include <weft/glsl.h>
#include <weft/kernel.h>

#include "core/src/runtime/large_stack.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// GLSL to SPIR-V, without a device.

namespace {

std::string shader(const std::string& body, const std::string& before = "") {
  return "#version 460\nlayout(local_size_x = 1) in;\n" + before + "void main() {\n" + body + "\n}\n";
}

void check_log(const Error& error, const std::string& text) {
  INFO("log: ", error.log());
  CHECK(error.log().find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("GLSL compiles to valid SPIR-V with the given name") {
  const Spirv module = compile_glsl(shader("uint x = gl_GlobalInvocationID.x;"), {.name = "empty.comp"});
  CHECK_EQ(module.name, "empty.comp");
  REQUIRE_GT(module.words.size(), 5);
  CHECK_EQ(module.words[0], 0x07230203);
  CHECK_EQ(module.words[1], 0x00010500);
  validate_spirv(module);
}

TEST_CASE("an error in GLSL names file and line") {
  const GlslOptions options{.name = "folder/broken.comp"};
  const Error error = check_error(ErrorCode::compile_failed, {"folder/broken.comp", "missing_name"},
                                  [&] { compile_glsl(shader("uint x;\nx = missing_name;"), options); });
  check_log(error, "folder/broken.comp:5: ");
  check_log(error, "missing_name");
}

TEST_CASE("a syntax error shows tokens as the source has them") {
  for (const auto& [body, shown] : {std::pair{"uint x = 1 +;", "syntax error, unexpected ';'"},
                                    {"uint x = 1 ** 2;", "syntax error, unexpected '*'"},
                                    {"uint x = 1 y;", "syntax error, unexpected a name, expecting ',' or ';'"},
                                    {"uint x = 1 2.0;", "syntax error, unexpected a constant, expecting ',' or ';'"},
                                    {"uint x = 1 in;", "syntax error, unexpected 'in', expecting ',' or ';'"}}) {
    check_error(ErrorCode::compile_failed, {shown}, [&] { compile_glsl(shader(body)); });
  }
}

TEST_CASE("the log has every error of a source") {
  const Error error = check_error(ErrorCode::compile_failed, {},
                                  [] { compile_glsl(shader("first_unknown = 1;\nsecond_unknown = 2;")); });
  check_log(error, ":4: ");
  check_log(error, "first_unknown");
}

TEST_CASE("source that is not a shader is an error") {
  for (const char* const source :
       {"", "not a shader", "#version 460\n", "#version 460\nvoid main() {", "\xff\xfe\x01"}) {
    check_error(ErrorCode::compile_failed, {}, [&] { compile_glsl(source); });
  }
}

TEST_CASE("macros are defined before the first line and do not move line numbers") {
  GlslOptions options;
  options.defines = {{"VALUE", "17"}, {"EMPTY", ""}, {"ADD(a, b)", "((a) + (b))"}};
  compile_glsl(shader("uint x = ADD(VALUE, 1) EMPTY;"), options);
  const Error error =
      check_error(ErrorCode::compile_failed, {}, [&] { compile_glsl(shader("uint x = VALUE;\nbad;"), options); });
  check_log(error, ":5: ");
  check_error(ErrorCode::compile_failed, {}, [] { compile_glsl(shader("uint x = VALUE;")); });
}

TEST_CASE("includes are found beside the file, in folders, and in each other's folders") {
  const TemporaryFolder folder;
  folder.write("main/beside.glsl", "uint beside() { return 1; }\n#include \"sub/nested.glsl\"\n");
  folder.write("main/sub/nested.glsl", "uint nested() { return 2; }\n#include \"sibling.glsl\"\n");
  folder.write("main/sub/sibling.glsl", "uint sibling() { return 3; }\n");
  folder.write("library/far.glsl", "uint far() { return 4; }\n");
  GlslOptions options;
  options.name = (folder.path() / "main/main.comp").string();
  options.include_folders = {(folder.path() / "library").string()};
  compile_glsl(
      shader("uint x = beside() + nested() + sibling() + far();", "#include \"beside.glsl\"\n#include \"far.glsl\"\n"),
      options);
  // A change of an included file takes effect at once, even with the cache.
  folder.write("library/far.glsl", "uint near() { return 4; }\n");
  const Error error = check_error(ErrorCode::compile_failed, {},
                                  [&] { compile_glsl(shader("uint x = far();", "#include \"far.glsl\"\n"), options); });
  check_log(error, "far");
}

TEST_CASE("an error in an included file names that file and its line") {
  const TemporaryFolder folder;
  folder.write("broken.glsl", "\n\nuint broken() { return no_such_thing; }\n");
  GlslOptions options;
  options.include_folders = {folder.path().string()};
  const Error error = check_error(ErrorCode::compile_failed, {},
                                  [&] { compile_glsl(shader("", "#include \"broken.glsl\"\n"), options); });
  check_log(error, "broken.glsl:3: ");
}

TEST_CASE("a missing include is an error that names it") {
  const Error error = check_error(ErrorCode::compile_failed, {}, [] {
    compile_glsl(shader("", "#include \"nowhere/to_be_found.glsl\"\n"), {.name = "asking.comp"});
  });
  check_log(error, "nowhere/to_be_found.glsl");
  check_log(error, "asking.comp:3: ");
}

TEST_CASE("files that include each other endlessly are an error") {
  const TemporaryFolder folder;
  folder.write("a.glsl", "#include \"b.glsl\"\n");
  folder.write("b.glsl", "#include \"a.glsl\"\n");
  GlslOptions options;
  options.include_folders = {folder.path().string()};
  check_error(ErrorCode::compile_failed, {}, [&] { compile_glsl(shader("", "#include \"a.glsl\"\n"), options); });
}

TEST_CASE("the shader library is embedded, under weft/") {
  const std::vector<std::string> files = shader_library_files();
  CHECK_GT(files.size(), 5);
  for (const char* const layer : {"weft/thread/", "weft/subgroup/", "weft/workgroup/", "weft/device/"}) {
    CHECK(std::any_of(files.begin(), files.end(), [&](const std::string& f) { return f.rfind(layer, 0) == 0; }));
  }
  const Spirv module = compile_glsl(shader("barrier();", "#include \"weft/subgroup/lanes.glsl\"\n"));
  validate_spirv(module);
}

TEST_CASE("debug lines keep the source's name and lines") {
  GlslOptions options{.name = "lines.comp"};
  const std::string source = shader("uint x = gl_GlobalInvocationID.x;");
  CHECK(disassemble_spirv(compile_glsl(source, options)).find("OpLine") == std::string::npos);
  options.debug_lines = true;
  const std::string text = disassemble_spirv(compile_glsl(source, options));
  CHECK(text.find("OpLine") != std::string::npos);
  CHECK(text.find("lines.comp") != std::string::npos);
  // Nested scopes, for which glslang 12 would write invalid debug information.
  validate_spirv(compile_glsl(shader("while (gl_NumWorkGroups.x > 5u) { uint k = 1u; { uint l = k; } }"), options));
}

namespace {

std::string repeated(const std::string& part, size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) text += part;
  return text;
}

// Returns statements with `count` levels of nesting, of every kind that glslang processes recursively.
std::vector<std::string> nested(size_t count) {
  const std::string x = "uint x = gl_GlobalInvocationID.x;\n";
  return {x + "bool b = x > 3u" + repeated(" && x > 4u", count) + ";",
          x + "x = " + repeated("min(x, ", count) + "x" + repeated(")", count) + ";",
          x + "x = " + repeated("same(", count) + "x" + repeated(")", count) + ";",
          x + "x = " + repeated("~", count) + "x;",
          x + "x = " + repeated("x > 1u ? x : ", count) + "x;",
          x + "x = (x" + repeated(", x", count) + ");",
          x + "if (x > 2u) x = 1u;" + repeated(" else if (x > 3u) x = 2u;", count),
          x + "if (x > 2u) { x = 1u; }" + repeated(" else if (x > 3u) { x = 2u; }", count)};
}

std::string nested_shader(const std::string& body) { return shader(body, "uint same(uint x) { return x; }\n"); }

}  // namespace

TEST_CASE("nesting within glslang's limits compiles on a thread with a small stack") {
  // A thread with a stack of 512 KiB may have 256 KiB left.
  for (const std::string& body : nested(900)) {
    INFO(body.substr(0, 100));
    core::on_large_stack(256 * 1024, [&] { compile_glsl(nested_shader(body)); });
  }
}

TEST_CASE("nesting beyond glslang's limits is an error in words") {
  for (const std::string& body : nested(12'000)) {
    INFO(body.substr(0, 100));
    check_error(ErrorCode::compile_failed, {"kernel.comp", "deep", "4096"}, [&] { compile_glsl(nested_shader(body)); });
  }
  // Macros are expanded first.
  std::string doubled = "#define T0 x > 1u\n";
  for (int k = 1; k <= 14; ++k) {
    const std::string below = "T" + std::to_string(k - 1);
    doubled += "#define T" + std::to_string(k) + " " + below + " && " + below + "\n";
  }
  check_error(ErrorCode::compile_failed, {"deep", "4096"},
              [&] { compile_glsl(shader("uint x = 3u; bool b = T14;", doubled)); });
  check_error(ErrorCode::compile_failed, {"deep", "4096"}, [&] {
    compile_glsl(shader("", "#if " + repeated("(", 40'000) + "1" + repeated(")", 40'000) + "\n#endif\n"));
  });
}

TEST_CASE("long lists and many statements do not count as nesting") {
  const std::string body = "const uint table[8000] = uint[](" + repeated("7u + 1u, ", 7999) +
                           "7u);\nuint x = table[gl_GlobalInvocationID.x & 7u];\n" +
                           repeated("x += 3u * x; if (x > 9u) { x = 1u; }\n", 1000) + "switch (x) { " +
                           repeated("default: break;", 1) + " }";
  compile_glsl(shader(body));
}

TEST_CASE("the compiler may be used on many threads") {
  on_threads(6, [](int thread) {
    for (int i = 0; i < 10; ++i) {
      const std::string value = std::to_string(thread * 100 + i);
      const Spirv module = compile_glsl(shader("uint x = " + value + ";", "// " + value + "\n"));
      validate_spirv(module);
      check_error(ErrorCode::compile_failed, {}, [&] { compile_glsl(shader("unknown_" + value + "();")); });
    }
  });
}
