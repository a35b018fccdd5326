#include <weft/tuning.h>

#include <sys/stat.h>
#include <unistd.h>

#include <weft/device_options.h>

#include "core/src/runtime/environment.h"
#include "tests/support/environment.h"
#include "tests/support/errors.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using core::tuning_file;

TEST_CASE("a tuning reads back as it was written") {
  const Tuning tuning({{.backend = "cuda",
                        .device = "NVIDIA H200",
                        .primitive = "scan",
                        .element_bytes = 4,
                        .count = 1 << 20,
                        .values = {{"workgroup", 128}, {"look_back_pause", 150}}},
                       {.backend = "vulkan",
                        .device = "a device = with, signs",
                        .primitive = "reduce",
                        .element_bytes = 16,
                        .count = uint64_t(1) << 33},
                       {.primitive = "sort", .element_bytes = 8, .values = {{"groups", 7}}}});
  const TemporaryFolder folder;
  folder.write("tuning", tuning.text() + "\n# a comment\n");
  const Tuning read = Tuning::read(folder.path() / "tuning");
  REQUIRE_EQ(read.entries().size(), tuning.entries().size());
  for (size_t i = 0; i < read.entries().size(); ++i) {
    const Tuning::Entry &got = read.entries()[i], &expected = tuning.entries()[i];
    CHECK_EQ(got.backend, expected.backend);
    CHECK_EQ(got.device, expected.device);
    CHECK_EQ(got.primitive, expected.primitive);
    CHECK_EQ(got.element_bytes, expected.element_bytes);
    CHECK_EQ(got.count, expected.count);
    CHECK(got.values == expected.values);
    CHECK_EQ(got.location, (folder.path() / "tuning").string() + ", line " + std::to_string(i + 2));
  }
}

// As weft tune wrote it until 2026-11, with one struct of values for all primitives.
TEST_CASE("a tuning file of an earlier version is read") {
  const Tuning read = Tuning::parse(
      "# Measured by weft tune; plans read it when they are made.\n"
      "primitive=sort_pairs element_bytes=8 count=1048576 workgroup=512 bytes_per_invocation=88 staged_bytes=160 "
      "match_by_atomics=1 backend=vulkan device=NVIDIA H200\n");
  REQUIRE_EQ(read.entries().size(), 1);
  CHECK_EQ(read.entries()[0].device, "NVIDIA H200");
  CHECK(
      read.entries()[0].values ==
      Tuning::Values{{"workgroup", 512}, {"bytes_per_invocation", 88}, {"staged_bytes", 160}, {"match_by_atomics", 1}});
}

TEST_CASE("errors of a tuning name the line") {
  const auto refused = [&](const std::string& line, std::vector<std::string> words) {
    words.push_back("some file, line 2");
    check_error(ErrorCode::invalid_argument, words, [&] { Tuning::parse("# comment\n" + line + "\n", "some file"); });
  };
  const std::string start = "primitive=scan element_bytes=4 count=1024 ";
  refused("primitive=scan", {"element_bytes="});
  refused("primitive=scan element_bytes=4", {"count="});
  refused("element_bytes=4 count=1024 backend=cuda device=x", {"primitive="});
  refused("device=x " + start, {"device=", "last"});
  refused(start + "look_back_pause=1e3 device=x", {"look_back_pause=1e3"});
  refused(start + "look_back_pause=4294967296 device=x", {"look_back_pause=4294967296"});
  refused(start + "fast device=x", {"fast", "name=value"});
  refused("primitive=scan element_bytes=4 count=1000 backend=cuda device=x", {"count=1000", "power of two"});
  check_error(ErrorCode::invalid_argument, {"'scan'", "count=3"},
              [] { Tuning({{.primitive = "scan", .element_bytes = 4, .count = 3}}); });
  check_error(ErrorCode::io_failed, {"missing", "WEFT_TUNING"}, [] { Tuning::read("/missing"); });
}

TEST_CASE("the tuning file is the one that the environment names, else one beside the kernel cache") {
  const TemporaryFolder folder;
  const Environment cache("WEFT_CACHE_DIR", folder.path().c_str());
  const auto entries = [] { return DeviceOptions::from_environment().tuning.entries().size(); };
  {
    const Environment unset("WEFT_TUNING", nullptr);
    CHECK_EQ(tuning_file().value(), folder.path() / "tuning");
    CHECK_EQ(entries(), 0);
    folder.write("tuning", "primitive=scan element_bytes=4 count=1\n");
    CHECK_EQ(entries(), 1);
    const Environment no_cache("WEFT_CACHE_DIR", "");
    CHECK_FALSE(tuning_file().has_value());
    CHECK_EQ(entries(), 0);
  }
  {
    const Environment off("WEFT_TUNING", "");
    CHECK_FALSE(tuning_file().has_value());
    CHECK_EQ(entries(), 0);
  }
  const Environment named("WEFT_TUNING", "/elsewhere/fast");
  CHECK_EQ(tuning_file().value(), "/elsewhere/fast");
  check_error(ErrorCode::io_failed, {"/elsewhere/fast", "WEFT_TUNING"}, entries);
}

TEST_CASE("a tuning file that others can change is an error where it is named, and otherwise not read") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "tuning";
  folder.write("tuning", "primitive=scan element_bytes=4 count=1\n");
  const Environment cache("WEFT_CACHE_DIR", folder.path().c_str());
  const auto entries = [] { return DeviceOptions::from_environment().tuning.entries().size(); };
  const auto check_refused = [&](const std::string& reason) {
    {
      const Environment unset("WEFT_TUNING", nullptr);
      CHECK_EQ(entries(), 0);
    }
    const Environment named("WEFT_TUNING", file.c_str());
    check_error(ErrorCode::io_failed, {file.string(), reason, "chmod"}, entries);
  };
  REQUIRE_EQ(chmod(file.c_str(), 0646), 0);
  check_refused("every user can write it");
  REQUIRE_EQ(chmod(file.c_str(), 0644), 0);
  CHECK_EQ(Tuning::read(file).entries().size(), 1);
  if (geteuid() != 0) return;  // who cannot give files away
  REQUIRE_EQ(chown(file.c_str(), 12345, 0), 0);
  check_refused("it belongs to user 12345");
}
