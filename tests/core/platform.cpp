// What a system gives, behind core/src/platform/. Also built for Windows by itself (tests/windows/), so it uses nothing
// else of the tests.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "core/src/platform/files.h"
#include "core/src/platform/library.h"
#include "core/src/platform/machine.h"
#include "core/src/platform/memory.h"
#include "core/src/platform/process.h"
#include "core/src/platform/threads.h"
#include "core/src/platform/utf8.h"
#include "core/src/platform/variables.h"

using namespace weft::core;

namespace {

constexpr std::filesystem::perms for_everybody{0644};

// A new folder with a name in three scripts, removed with its contents.
class PrivateFolder {
 public:
  PrivateFolder() : path_(std::filesystem::temp_directory_path() / unguessable_name() / utf8_path("größe Ω 織")) {
    make_private_folder(path_);
  }
  ~PrivateFolder() { std::filesystem::remove_all(path_.parent_path()); }
  PrivateFolder(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text_of(const OpenedFile& file) {
  const std::vector<std::byte> bytes = file.read_rest();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void put(const PrivateFolder& folder, const std::string& name, const std::string& text) {
  NewFile file{Folder(folder.path())};
  file.write(bytes_of(text));
  file.move_to(name, for_everybody);
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(utf8_text(entry.path().filename()));
  }
  return names;
}

}  // namespace

TEST_CASE("paths keep their text in UTF-8") {
  const std::string text = "größe/Ω/織/\xF0\x9F\xA7\xB5";
  CHECK_EQ(utf8_text(utf8_path(text)), text);
}

TEST_CASE("a private folder is made once, with its parents, and is this user's alone") {
  const PrivateFolder folder;
  CHECK_FALSE(create_private_folder(folder.path()));
  make_private_folder(folder.path());
  CHECK(create_private_folder(folder.path() / "inner"));
  CHECK_EQ(Folder(folder.path()).who_else_changes().value_or("nobody"), "nobody");
  CHECK_EQ(who_else_changes(folder.path()).value_or("nobody"), "nobody");
  CHECK_EQ(who_else_changes(folder.path() / "missing").value_or("nobody"), "nobody");
}

TEST_CASE("a new file has no name until it is whole") {
  const PrivateFolder folder;
  {
    NewFile file{Folder(folder.path())};
    file.write(bytes_of("half"));
    CHECK_EQ(names_in(folder.path()), std::vector<std::string>{file.name()});
  }
  CHECK(names_in(folder.path()).empty());
  put(folder, "whole", "first");
  put(folder, "whole", "second");
  CHECK_EQ(names_in(folder.path()), std::vector<std::string>{"whole"});
  CHECK_EQ(text_of(Folder(folder.path()).open("whole")), "second");
  CHECK_THROWS_AS((NewFile{Folder(folder.path()), "whole"}), std::system_error);
  CHECK_EQ(text_of(OpenedFile(folder.path() / "whole")), "second");
}

TEST_CASE("a new file can be removed while it is written") {
  const PrivateFolder folder;
  {
    NewFile file{Folder(folder.path())};
    CHECK(remove_at_once(folder.path() / file.name()));
    file.write(bytes_of("nobody reads this"));
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a reader keeps the file that it opened, and a writer gets its name") {
  const PrivateFolder folder;
  put(folder, "entry", "old");
  auto reader = std::make_unique<OpenedFile>(Folder(folder.path()).open("entry"));
  std::thread closing([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_EQ(text_of(*reader), "old");
    reader.reset();
  });
  put(folder, "entry", "new");
  closing.join();
  CHECK_EQ(text_of(OpenedFile(folder.path() / "entry")), "new");
}

TEST_CASE("an opened file knows what it is") {
  const PrivateFolder folder;
  put(folder, "entry", "12345");
  const OpenedFile file = OpenedFile::at_once(folder.path() / "entry");
  CHECK(file.is_plain());
  CHECK_EQ(file.bytes(), 5);
  CHECK_EQ(file.who_else_changes().value_or("nobody"), "nobody");
  std::array<std::byte, 3> three{};
  CHECK_EQ(file.read_up_to(three), 3);
  CHECK_EQ(file.read_up_to(three), 2);
  CHECK_EQ(file.read_up_to(three), 0);
  CHECK_THROWS_AS(OpenedFile(folder.path() / "entry").read_rest({}, 4), std::system_error);
  CHECK_EQ(OpenedFile(folder.path() / "entry").read_rest({}, 5).size(), 5);
}

TEST_CASE("errors of files are the portable ones") {
  const PrivateFolder folder;
  put(folder, "entry", "");
  const auto code_of = [](const auto& work) {
    try {
      work();
    } catch (const std::system_error& error) {
      return error.code().default_error_condition();
    }
    return std::error_condition();
  };
  CHECK(code_of([&] { OpenedFile(folder.path() / "missing"); }) == std::errc::no_such_file_or_directory);
  CHECK(code_of([&] { Folder(folder.path() / "missing"); }) == std::errc::no_such_file_or_directory);
  CHECK(code_of([&] { Folder(folder.path() / "entry"); }) == std::errc::not_a_directory);
}

TEST_CASE("lines that threads append stay whole") {
  const PrivateFolder folder;
  const std::filesystem::path list = folder.path() / "list";
  append_to_file(list, {});
  std::vector<std::thread> threads;
  for (const char letter : std::string("abcd")) {
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 100; ++i) append_to_file(list, bytes_of(std::string(63, letter) + "\n"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = text_of(OpenedFile(list));
  REQUIRE_EQ(text.size(), 4 * 100 * 64);
  for (size_t line = 0; line < text.size(); line += 64) {
    CHECK_EQ(text.substr(line, 64), std::string(63, text[line]) + "\n");
  }
}

TEST_CASE("a library that is missing says so, and others say why they do not open") {
  const DynamicLibrary missing("weft-has-no-such-library");
  CHECK_FALSE(missing);
  CHECK(missing.is_missing());
  CHECK_NE(missing.failure().find("weft-has-no-such-library"), std::string::npos);
  const PrivateFolder folder;
  put(folder, "broken.dll", "no library");
  const DynamicLibrary broken(utf8_text(folder.path() / "broken.dll"));
  CHECK_FALSE(broken);
  CHECK_FALSE(broken.is_missing());
}

TEST_CASE("a thread with a large stack") {
  constexpr size_t bytes = size_t{64} << 20;
  bool ran = false;
  CHECK(run_on_thread(bytes, [&] {
    std::array<volatile char, bytes * 3 / 4> large;
    for (size_t i = 0; i < large.size(); i += 4096) large[large.size() - 1 - i] = 1;
    ran = true;
  }));
  CHECK(ran);
  CHECK_FALSE(run_on_thread(size_t{1} << 60, [] {}));
}

TEST_CASE("memory") {
  constexpr size_t alignment = 256, page = 4096;
  for (const size_t bytes : {size_t{1}, size_t{1000}, size_t{5} << 20}) {
    auto* const memory = static_cast<char*>(allocate_aligned(alignment, bytes));
    REQUIRE(memory);
    CHECK_EQ(reinterpret_cast<uintptr_t>(memory) % alignment, 0);
    memory[0] = memory[bytes - 1] = 1;
    free_aligned(memory);
  }
  auto* const pages = static_cast<char*>(reserve_pages(64 * page));
  REQUIRE(pages);
  CHECK(guard_pages(pages, page));
  CHECK_EQ(pages[page], 0);
  pages[64 * page - 1] = 1;
  release_pages(pages, 64 * page);
}

TEST_CASE("the machine, the process and its environment") {
  CHECK_FALSE(processor_name().empty());
  CHECK_GT(memory_bytes(), uint64_t{1} << 20);
  CHECK_EQ(process_number(), process_number());
  CHECK(OpenedFile(program_file()).is_plain());
  CHECK(utf8_text(program_file().stem()).ends_with("_tests"));
  CHECK(environment_variable("PATH"));
  CHECK_FALSE(environment_variable("WEFT_HAS_NO_SUCH_VARIABLE"));
  std::set<uint64_t> numbers;
  for (int i = 0; i < 100; ++i) numbers.insert(unguessable_number());
  CHECK_EQ(numbers.size(), 100);
}
