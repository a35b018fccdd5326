// The command's outputs on Windows. With a file's name, ends itself by Ctrl-C while it writes that.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <weft/error.h>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/system.h"
#include "support/array_file.h"
#include "support/interruption.h"
#include "support/standard_streams.h"

using namespace weft;
using namespace weft::support;

namespace {

void press_ctrl_c() {
  FreeConsole();  // Wine without a terminal has one that takes no keys
  AllocConsole();
  if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) core::fail();
}

int end_by_ctrl_c(const std::string& name) {
  remove_unfinished_files_on_signals();
  OutputFile file(name);
  file.write(std::as_bytes(std::span(name)));
  press_ctrl_c();
  Sleep(20'000);
  std::fputs("Ctrl-C has not ended this\n", stderr);
  return 0;
}

class TemporaryFolder {
 public:
  TemporaryFolder() { std::filesystem::create_directory(path_); }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return core::utf8_text(path_ / core::utf8_path(name)); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(core::utf8_text(entry.path().filename()));
    }
    return names;
  }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / core::utf8_path(core::unguessable_name());
};

void write(const std::string& name, const std::string& text) {
  OutputFile file(name);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

std::string text_in(const std::string& name) {
  const std::vector<std::byte> bytes = read_bytes(name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string error_of(const std::string& name) {
  try {
    const OutputFile file(name);
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an output appears whole, under a name in three scripts, and replaces another") {
  const TemporaryFolder folder;
  const std::string name = folder / "größe Ω 織.bin";
  {
    OutputFile file(name);
    file.write(std::as_bytes(std::span(name)));
    CHECK_EQ(folder.names().size(), 1);
    CHECK_NE(folder.names().front(), "größe Ω 織.bin");
  }
  CHECK_EQ(folder.names(), Names{});
  write(name, "first");
  write(name, "second");
  CHECK_EQ(folder.names(), Names{"größe Ω 織.bin"});
  CHECK_EQ(text_in(name), "second");
}

TEST_CASE("one file takes one output, by whatever name") {
  const TemporaryFolder folder;
  write(folder / "old", "");
  for (const std::string name : {"new", "old"}) {
    const OutputFile file(folder / name);
    std::string capitals = name;
    for (char& c : capitals) c = char(c - 'a' + 'A');
    CHECK_NE(error_of(folder / capitals).find("another output goes to the same file"), std::string::npos);
    CHECK_EQ(error_of(folder / "other"), "none");
  }
}

TEST_CASE("what cannot be written is refused before the work") {
  const TemporaryFolder folder;
  CHECK_NE(error_of(folder / "").find("cannot write"), std::string::npos);
  CHECK_NE(error_of(folder / "missing/file").find("cannot write"), std::string::npos);
  std::filesystem::create_directory(core::utf8_path(folder / "inner"));
  CHECK_NE(error_of(folder / "inner").find("it is a folder"), std::string::npos);
  const std::filesystem::path fixed = core::utf8_path(folder / "fixed");
  write(folder / "fixed", "precious");
  SetFileAttributesW(fixed.c_str(), FILE_ATTRIBUTE_READONLY);
  CHECK_NE(error_of(folder / "fixed").find("cannot write"), std::string::npos);
  CHECK_EQ(text_in(folder / "fixed"), "precious");
  SetFileAttributesW(fixed.c_str(), FILE_ATTRIBUTE_NORMAL);
}

TEST_CASE("a device takes an output, and a folder is no input") {
  write("NUL", "gone");
  const TemporaryFolder folder;
  CHECK_THROWS_AS(read_bytes(folder / ""), Error);
  CHECK_THROWS_AS(read_bytes(folder / "missing"), Error);
}

TEST_CASE("Ctrl-C asks a command to stop") {
  remove_unfinished_files_on_signals();
  const Interruption interruption;
  CHECK_FALSE(interruption.asked());
  press_ctrl_c();
  for (int i = 0; i < 1000 && !interruption.asked(); ++i) Sleep(10);
  CHECK(interruption.asked());
}

int main(int argc, char** argv) {
  const std::vector<std::string> arguments = arguments_of(argc, argv);
  if (arguments.size() == 2) return end_by_ctrl_c(arguments[1]);
  return doctest::Context(argc, argv).run();
}
