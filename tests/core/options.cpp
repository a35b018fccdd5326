#include "tests/support/environment.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// What DeviceOptions and GlslOptions take from the environment.

namespace {

class Cleared {
 private:
  const Environment validation_{"WEFT_VALIDATION", nullptr}, cache_{"WEFT_CACHE_DIR", nullptr},
      tuning_{"WEFT_TUNING", nullptr}, own_{"WEFT_CXX", nullptr}, compiler_{"CXX", nullptr},
      caches_{"XDG_CACHE_HOME", nullptr}, home_{"HOME", nullptr}, nvrtc_{"WEFT_NVRTC", nullptr};
};

bool stores_in(const std::shared_ptr<KernelCache>& cache, const std::filesystem::path& folder) {
  cache->store("kind", std::string(32, 'a'), std::as_bytes(std::span("bytes")));
  return std::filesystem::exists(folder / ("kind-" + std::string(32, 'a')));
}

}  // namespace

TEST_CASE("options that are not taken from the environment ask for nothing") {
  const Environment validation("WEFT_VALIDATION", "1"), cache("WEFT_CACHE_DIR", "/tmp"), tuning("WEFT_TUNING", "/file"),
      compiler("WEFT_CXX", "g++"), nvrtc("WEFT_NVRTC", "libm.so.6");
  const DeviceOptions options;
  CHECK_FALSE(options.validation);
  CHECK_EQ(options.cache, nullptr);
  CHECK(options.tuning.entries().empty());
  CHECK_EQ(options.compiler, "");
  CHECK_EQ(options.libraries.nvrtc, "");
  CHECK_EQ(GlslOptions{}.cache, nullptr);
}

TEST_CASE("each variable fills one default") {
  const TemporaryFolder folder;
  const Cleared cleared;
  const std::string one_entry = "primitive=scan element_bytes=4 count=1\n";
  folder.write("file", one_entry);
  {
    const Environment validation("WEFT_VALIDATION", "1"), tuning("WEFT_TUNING", (folder.path() / "file").c_str()),
        compiler("WEFT_CXX", "g++"), nvrtc("WEFT_NVRTC", "libm.so.6"),
        cache("WEFT_CACHE_DIR", (folder.path() / "own").c_str());
    const DeviceOptions options = DeviceOptions::from_environment();
    CHECK(options.validation);
    CHECK_EQ(options.tuning.entries().size(), 1);
    CHECK_EQ(options.compiler, "g++");
    CHECK_EQ(options.libraries.nvrtc, "libm.so.6");
    CHECK(stores_in(options.cache, folder.path() / "own"));
    CHECK(stores_in(GlslOptions::from_environment().cache, folder.path() / "own"));
  }
  const Environment compiler("CXX", "ccache g++"), validation("WEFT_VALIDATION", "0"),
      caches("XDG_CACHE_HOME", (folder.path() / "xdg").c_str());
  const DeviceOptions options = DeviceOptions::from_environment();
  CHECK_EQ(options.compiler, "ccache g++");
  CHECK_FALSE(options.validation);
  CHECK(stores_in(options.cache, folder.path() / "xdg" / "weft"));
  CHECK(options.tuning.entries().empty());
  folder.write("xdg/weft/tuning", one_entry);
  CHECK_EQ(DeviceOptions::from_environment().tuning.entries().size(), 1);
}

TEST_CASE("empty variables turn the cache and the tunings off") {
  const TemporaryFolder folder;
  const Cleared cleared;
  const Environment home("HOME", folder.path().c_str()), cache("WEFT_CACHE_DIR", "");
  CHECK_EQ(DeviceOptions::from_environment().cache, nullptr);
  CHECK(DeviceOptions::from_environment().tuning.entries().empty());
  const Environment named("WEFT_CACHE_DIR", (folder.path() / "own").c_str()), tuning("WEFT_TUNING", "");
  CHECK_NE(DeviceOptions::from_environment().cache, nullptr);
  CHECK(DeviceOptions::from_environment().tuning.entries().empty());
}

TEST_CASE("without a folder for the cache there is a warning when a kernel is compiled, and no tuning file") {
  const Cleared cleared;
  CHECK(DeviceOptions::from_environment().tuning.entries().empty());
  GlslOptions options = GlslOptions::from_environment();
  std::vector<std::string> texts;
  options.messages = [&](MessageSeverity severity, const std::string& text) {
    CHECK((severity == MessageSeverity::warning));
    texts.push_back(text);
  };
  for (int k = 0; k < 2; ++k) compile_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n", options);
  REQUIRE_EQ(texts.size(), 1);
  for (const char* part : {"WEFT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
    CHECK(texts[0].find(part) != std::string::npos);
  }
}

TEST_CASE("a module that the cache of GlslOptions holds is not compiled again") {
  const TemporaryFolder folder;
  GlslOptions options;
  options.cache = KernelCache::in_folder(folder.path() / "cache");
  const std::string source = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
  const Spirv module = compile_glsl(source, options);
  CHECK_EQ(std::distance(std::filesystem::directory_iterator(folder.path() / "cache"), {}), 1);
  CHECK((compile_glsl(source, options).words == module.words));
  CHECK((compile_glsl(source, {}).words == module.words));
  check_error(ErrorCode::invalid_argument, {"empty path"}, [] { KernelCache::in_folder(""); });
}
