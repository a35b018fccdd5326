#include <weft/glsl.h>
#include <weft/translate.h>

#include "tests/support/errors.h"
#include "tests/support/test.h"

// weft/translate.h: what becomes of its options, and the errors that it documents.

using namespace weft;
using namespace weft::test;

namespace {

Spirv specialized_module() {
  return compile_glsl(R"(#version 450
layout(local_size_x_id = 3) in;
layout(constant_id = 7) const uint factor = 5;
layout(set = 0, binding = 0) buffer Data { float words[]; };
layout(push_constant) uniform Push { float scale, bias; };
shared float tile[1 << 4];
void main() {
  tile[gl_LocalInvocationIndex & 15u] = words[factor * 1000u];
  barrier();
  words[0] = tile[3] * scale + bias;
})",
                      {.name = "specialized.comp"});
}

size_t count_of(const std::string& text, const std::string& code) {
  size_t count = 0;
  for (size_t at = 0; (at = code.find(text, at)) != std::string::npos; at += text.size()) ++count;
  return count;
}

std::string functions_of(const Translation& translation) {
  return translation.code.substr(translation.code.find("\nnamespace kernel {"));
}

}  // namespace

TEST_CASE("a translation says what a launch needs") {
  for (const auto target :
       {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip, TranslationTarget::lanes}) {
    const Translation translation = translate_spirv(specialized_module(), target, KernelOptions().specialize(3, 96u));
    CHECK(translation.workgroup_size == std::array<uint32_t, 3>{96, 1, 1});
    CHECK_EQ(translation.workgroup_memory_bytes, 64);
    CHECK_EQ(translation.dynamic_workgroup_memory_bytes, 0);
    CHECK_EQ(translation.push_constant_bytes, 8);
    CHECK_EQ(translation.binding_count, 1);
    CHECK(translation.uses_barriers);
    CHECK_FALSE(translation.uses_subgroup_operations);
    CHECK_NE(translation.code.find("weft_kernel"), std::string::npos);
  }
}

TEST_CASE("specialization constants become constants of the code") {
  const Spirv module = specialized_module();
  const std::string given = functions_of(
      translate_spirv(module, TranslationTarget::cuda, KernelOptions().specialize(7, 23u).specialize(3, 32u)));
  const std::string defaults = functions_of(translate_spirv(module, TranslationTarget::cuda));
  CHECK_NE(given.find("92000"), std::string::npos);
  CHECK_EQ(given.find("20000"), std::string::npos);
  CHECK_NE(defaults.find("20000"), std::string::npos);
}

TEST_CASE("contraction is forbidden on request") {
  const Spirv module = specialized_module();
  KernelOptions options;
  const std::string allowed = functions_of(translate_spirv(module, TranslationTarget::cuda, options));
  options.contraction = Contraction::forbidden;
  const std::string forbidden = functions_of(translate_spirv(module, TranslationTarget::cuda, options));
  CHECK_EQ(count_of("precise", allowed), 0);
  CHECK_GT(count_of("precise", forbidden), 0);
}

TEST_CASE("each error of a translation is as documented") {
  const Spirv module = specialized_module();
  const auto translated = [](const Spirv& spirv, const KernelOptions& options) {
    return translate_spirv(spirv, TranslationTarget::host, options);
  };
  Spirv broken = module;
  broken.words.pop_back();
  check_error(ErrorCode::compile_failed, {"specialized.comp"}, [&] { translated(broken, {}); });
  KernelOptions elsewhere;
  elsewhere.entry = "elsewhere";
  check_error(ErrorCode::invalid_argument, {"elsewhere", "main"}, [&] { translated(module, elsewhere); });
  check_error(ErrorCode::invalid_argument, {"4", "factor"},
              [&] { translated(module, KernelOptions().specialize(4, 1u)); });
  check_error(ErrorCode::invalid_argument, {"factor"}, [&] { translated(module, KernelOptions().specialize(7, 1.0)); });
  check_error(ErrorCode::invalid_argument, {"workgroup"},
              [&] { translated(module, KernelOptions().specialize(3, 0u)); });
}
