#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/output_file.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

// Outputs: links, permissions and signals.
using namespace weft;
using namespace weft::test;

namespace {

constexpr uid_t other_user = 12345;

mode_t mode_of(const std::filesystem::path& file) {
  struct stat status{};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

pid_t next_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

// Writes to `file`, which may be a link.
void write_through(const std::filesystem::path& file, const std::string& text) {
  support::OutputFile output(file);
  output.write(std::as_bytes(std::span(text)));
  output.commit();
}

}  // namespace

TEST_CASE("links planted at possible names of temporary files are not followed") {
  const Folder folder;
  folder.write("s.comp", idle_shader);
  folder.write("victim", "precious");
  const pid_t first = next_process();
  for (pid_t process = first; process < first + 1000; ++process) {
    std::filesystem::create_symlink("victim", folder.path() / ("out.cpp." + std::to_string(process) + ".tmp"));
  }
  check_success(folder.weft({"compile", "s.comp", "--target", "host", "-o", "out.cpp"}));
  CHECK(folder.read("victim") == "precious");
  CHECK_FALSE(std::filesystem::is_symlink(folder.path() / "out.cpp"));
}

TEST_CASE("a file being written is private, and then gets the permissions of other files") {
  const Folder folder;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const auto written = [&](const std::string& name) {
    support::OutputFile output(folder.path() / name);
    CHECK(output.temporary().parent_path() == folder.path());
    CHECK(mode_of(output.temporary()) == 0600);
    output.commit();
    return mode_of(folder.path() / name);
  };
  CHECK(written("new") == (0666 & ~mask));
  folder.write("old", "");
  ::chmod((folder.path() / "old").c_str(), 0604);
  CHECK(written("old") == 0604);
  ::chmod((folder.path() / "old").c_str(), 06755);  // its contents ran as its owner before
  CHECK(written("old") == 0755);
  CHECK(folder.names() == std::vector<std::string>{"new", "old"});
}

TEST_CASE("a link is followed to its target, whether that exists or not") {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "a" / "b");
  std::filesystem::create_symlink("a/second", folder.path() / "first");
  std::filesystem::create_symlink("b/third", folder.path() / "a" / "second");
  for (const char* text : {"new", "newer"}) {
    write_through(folder.path() / "first", text);
    CHECK(folder.read("a/b/third") == text);
    CHECK(std::filesystem::is_symlink(folder.path() / "first"));
    CHECK(std::filesystem::is_symlink(folder.path() / "a" / "second"));
  }
  std::filesystem::create_symlink(folder.path() / "a" / "b" / "fourth", folder.path() / "absolute");
  write_through(folder.path() / "absolute", "x");
  CHECK(folder.read("a/b/fourth") == "x");
  std::filesystem::create_symlink("nowhere/file", folder.path() / "lost");
  CHECK_THROWS_AS(write_through(folder.path() / "lost", "x"), Error);
  CHECK(folder.names() == std::vector<std::string>{"a", "absolute", "first", "lost"});
}

TEST_CASE("a link of another user is refused, unless that user owns the folder" *
          doctest::skip(::geteuid() != 0)) {  // Only root can make one.
  const Folder folder;
  folder.write("victim", "precious");
  std::filesystem::create_directory(folder.path() / "theirs");
  for (const char* name : {"link", "theirs/link"}) {
    const std::filesystem::path link = folder.path() / name;
    std::filesystem::create_symlink(folder.path() / "victim", link);
    REQUIRE(::lchown(link.c_str(), other_user, other_user) == 0);
  }
  folder.write("s.comp", idle_shader);
  check_failure(folder.weft({"compile", "s.comp", "--target", "host", "-o", "link"}), 1,
                {"link that belongs to user 12345"});
  CHECK(folder.read("victim") == "precious");
  REQUIRE(::chown((folder.path() / "theirs").c_str(), other_user, other_user) == 0);
  write_through(folder.path() / "theirs/link", "x");
  CHECK(folder.read("victim") == "x");
}

TEST_CASE("two names of one file are one output") {
  const Folder folder;
  const auto refused = [&](const std::string& first, const std::string& second) {
    INFO(first << " and " << second);
    const support::OutputFile output(folder.path() / first);
    CHECK_THROWS_AS(support::OutputFile(folder.path() / second), Error);
    const support::OutputFile other(folder.path() / "other");
  };
  std::filesystem::create_directory(folder.path() / "a");
  std::filesystem::create_symlink("new", folder.path() / "link");
  std::filesystem::create_symlink(".", folder.path() / "here");
  refused("new", "new");
  refused("new", "a/../new");
  refused("new", "link");
  refused("link", "new");
  refused("new", "here/here/new");
  folder.write("old", "precious");
  std::filesystem::create_hard_link(folder.path() / "old", folder.path() / "hard");
  refused("old", "hard");
  CHECK(folder.read("old") == "precious");
}

TEST_CASE("standard output is written at its current offset, whatever it is redirected to") {
  const Folder folder;
  folder.write("s.comp", idle_shader);
  const std::vector<std::string> arguments{"compile", "s.comp", "--target", "host", "-o", "/dev/stdout"};
  const Outcome piped = folder.weft(arguments);  // to a file
  check_success(piped);
  CHECK(piped.out.find("weft_kernel") != std::string::npos);
  CHECK(piped.out == folder.weft({"compile", "s.comp", "--target", "host"}).out);
  std::filesystem::remove(folder.path() / "s.comp");
  CHECK(folder.names().empty());
}

DEVICE_TEST("a signal ends the command, and removes unfinished files") {
  const Folder folder;
  folder.write("s.comp",
               "#version 450\nlayout(set = 0, binding = 0) buffer Data { uint v[]; } data;\n"
               "void main() { while (atomicAdd(data.v[0], 0) == 0) { } }");
  folder.write("out.npy", "precious");
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const auto writing = [&] { return folder.names().size() > 4; };  // both files, .out, .error and the temporary file
    const Outcome outcome = folder.weft_signalled(number, writing,
                                                  {"exec", "s.comp", "--groups", "1", "--bind", "0.0=zeros:4", "--out",
                                                   "0.0=out.npy", "--device", selector_of(device)});
    INFO(outcome.error);
    CHECK(outcome.status == 128 + number);
    CHECK(folder.names() == std::vector<std::string>{"out.npy", "s.comp"});
    CHECK(folder.read("out.npy") == "precious");
  }
}
