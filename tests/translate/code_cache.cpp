#include "backends/translate/code_cache.h"

#include <weft/glsl.h>

#include "tests/support/memory_cache.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using namespace weft::translate;

// Keys of cached code: values that mean the same on every machine.
namespace {

using Code = CodeCache::Code;

const Code code(100, std::byte{7}), other_code(100, std::byte{8});

Spirv module_of(const std::string& result) {
  return compile_glsl(
      "#version 460\nlayout(local_size_x = 1) in;\nlayout(constant_id = 3) const uint c = 1;\n"
      "layout(set = 0, binding = 0) buffer b { uint v; };\nvoid main() { v = " +
      result + "; }\n");
}

std::string key_of(const Spirv& module, Target target = Target::host, const KernelOptions& options = {},
                   const std::string& preamble = "") {
  return translation_key(module, target, options, preamble).hex();
}

}  // namespace

TEST_CASE("the key of a translation depends on all that shapes it, and on nothing else") {
  const Spirv module = module_of("c");
  const std::string key = key_of(module);
  Spirv renamed = module;
  renamed.name = "/home/somebody/else.comp";
  CHECK_EQ(key_of(renamed), key);
  CHECK_NE(key_of(module_of("c + 1")), key);
  CHECK_NE(key_of(module, Target::host, {.entry = "other"}), key);
  CHECK_NE(key_of(module, Target::host, KernelOptions().specialize(3, 2u)), key);
  CHECK_NE(key_of(module, Target::host, KernelOptions().specialize(3, 2u)),
           key_of(module, Target::host, KernelOptions().specialize(3, 3u)));
  CHECK_NE(key_of(module, Target::host, {}, "#define WEFT_HOST_CHECK 1\n"), key);
  for (const Target target : {Target::cuda, Target::hip, Target::lanes}) CHECK_NE(key_of(module, target), key);
}

TEST_CASE("the key of a translation has the options of its target alone") {
  const Spirv module = module_of("c");
  const auto differs = [&](Target target, const KernelOptions& options) {
    return key_of(module, target, options) != key_of(module, target);
  };
  KernelOptions subgroups, resident;
  subgroups.subgroup_size = 8;
  resident.workgroups_per_multiprocessor = 2;
  for (const Target target : {Target::host, Target::lanes, Target::cuda, Target::hip}) {
    INFO(int(target));
    CHECK_EQ(differs(target, subgroups), target == Target::lanes);
    CHECK_EQ(differs(target, resident), target == Target::cuda);
  }
}

TEST_CASE("cached code is found for its C++, architecture and compiler") {
  const auto entries = std::make_shared<MemoryCache>();
  const CodeTarget target{"cuda", "sm_90", "NVRTC 13.0 --std=c++17"};
  const auto cache_for = [&](const CodeTarget& its) { return CodeCache({entries, {}}, its); };
  cache_for(target).put("the source", code);
  CHECK_EQ(cache_for(target).find("the source"), code);
  CHECK_FALSE(cache_for(target).find("another source"));
  CHECK_FALSE(cache_for({"hip", target.architecture, target.compiler}).find("the source"));
  CHECK_FALSE(cache_for({"cuda", "sm_100", target.compiler}).find("the source"));
  CHECK_FALSE(cache_for({"cuda", target.architecture, "NVRTC 13.1 --std=c++17"}).find("the source"));
  CHECK_FALSE(cache_for({"cuda", target.architecture, "NVRTC 13.0 --std=c++20"}).find("the source"));
}

TEST_CASE("a kernel's code is found without its C++ once its translation is known, by every target") {
  const auto entries = std::make_shared<MemoryCache>();
  const CodeCache cache({entries, {}}, {"cuda", "sm_90", "NVRTC 13.0"}),
      newer({entries, {}}, {"cuda", "sm_100", "NVRTC 13.0"});
  const core::CacheKey kernel = translation_key(module_of("c"), Target::cuda, {}, "");
  const core::CacheKey same_source = translation_key(module_of("c + 0"), Target::cuda, {}, "");
  cache.put("the source", code);
  CHECK_FALSE(cache.find(kernel));
  cache.put(kernel, "the source");
  CHECK_EQ(cache.find(kernel), code);
  CHECK_FALSE(cache.find(same_source));
  cache.put(same_source, "the source");
  CHECK_EQ(cache.find(same_source), code);
  CHECK_FALSE(newer.find(kernel));
  newer.put("the source", other_code);
  CHECK_EQ(newer.find(kernel), other_code);
  CHECK_EQ(cache.find(kernel), code);
}

TEST_CASE("without a cache nothing is found") {
  const CodeCache cache({}, {"cuda", "sm_90", "NVRTC 13.0"});
  const core::CacheKey kernel = translation_key(module_of("c"), Target::cuda, {}, "");
  cache.put(kernel, "the source");
  cache.put("the source", code);
  CHECK_FALSE(cache.find(kernel));
  CHECK_FALSE(cache.find("the source"));
}

TEST_CASE("the translator's version is a hash") {
  const std::string text = version();
  CHECK_EQ(text.size(), 64);
  CHECK_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
}
