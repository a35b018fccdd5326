#include "backends/host/compiler.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include <weft/error.h>

#include "backends/host/temporary_folder.h"
#include "tests/host/hand_written.h"
#include "tests/support/environment.h"
#include "tests/support/memory_cache.h"

using namespace weft;
using namespace weft::host;
using Environment = weft::test::Environment;

namespace {

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  FAIL("there was no error");
  throw 0;
}

core::Cache new_cache() { return {std::make_shared<weft::test::MemoryCache>(), {}}; }

std::string identity_of(const std::string& compiler) {
  return Compiler::find(compiler).identity(new_cache(), "kernel");
}

// The test's own compiler.
std::string write_script(const TemporaryFolder& folder, const std::string& text) {
  const std::string file = (folder.path() / "compiler").string();
  std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
  REQUIRE_EQ(chmod(file.c_str(), 0755), 0);
  return file;
}

// A compiler that starts another process and waits for it. TMPDIR is a separate folder.
class HangingCompiler {
 public:
  HangingCompiler()
      : script_(write_script(folder_, "echo it said something\nsleep 600 &\necho $$ $! >" +
                                          (folder_.path() / "processes").string() + "\nwait")),
        temporary_("TMPDIR", (folder_.path() / "tmp").c_str()) {
    std::filesystem::create_directory(folder_.path() / "tmp");
  }

  const std::string& command() const { return script_; }

  std::vector<pid_t> processes() const {
    std::ifstream file(folder_.path() / "processes");
    return {std::istream_iterator<pid_t>(file), {}};
  }

  void check_gone() const {
    REQUIRE_EQ(processes().size(), 2);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!is_gone() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (const pid_t process : processes()) CHECK_FALSE(runs(process));
    CHECK(std::filesystem::is_empty(folder_.path() / "tmp"));
  }

 private:
  // Ignores zombies.
  static bool runs(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    return !text.empty() && text.find(") Z") == std::string::npos;
  }

  bool is_gone() const {
    return std::ranges::none_of(processes(), runs) && std::filesystem::is_empty(folder_.path() / "tmp");
  }

  const TemporaryFolder folder_;
  const std::string script_;
  const Environment temporary_;
};

}  // namespace

TEST_CASE("without a compiler the error says what to install") {
  const Environment path("PATH", "/nonexistent");
  const Error error = error_of([] { Compiler::find(""); });
  CHECK_EQ(error.code(), ErrorCode::unsupported);
  CHECK(std::string(error.what()).find("g++") != std::string::npos);
  CHECK(std::string(error.what()).find("DeviceOptions::compiler, WEFT_CXX or CXX") != std::string::npos);
}

TEST_CASE("a missing named compiler is an error with its name") {
  const Error error = error_of([] { Compiler::find("no-such-compiler"); });
  CHECK_EQ(error.code(), ErrorCode::unsupported);
  CHECK(std::string(error.what()).find("no-such-compiler") != std::string::npos);
}

TEST_CASE("a compiler may be named with a launcher and with options") {
  const Compiler compiler = Compiler::find("env  c++ -DANSWER=42");
  CHECK(!compiler.compile("int answer() { return ANSWER; }", "answer").empty());
  CHECK(identity_of("env  c++ -DANSWER=42").find("-DANSWER=42") != std::string::npos);
  const Error error = error_of([] { Compiler::find("no-such-launcher c++"); });
  CHECK(std::string(error.what()).find("no-such-launcher c++") != std::string::npos);
}

TEST_CASE("a compiler's identity has its version, target and options, and neither paths nor dates") {
  const std::string identity = identity_of("c++");
  CHECK(identity.find(" -O2 ") != std::string::npos);
  CHECK_EQ(identity.find("/bin/"), std::string::npos);
  CHECK_EQ(identity_of("c++"), identity);
  CHECK_NE(identity_of("c++ -DANSWER=42"), identity);
#ifdef __x86_64__
  // Options that say something else on each machine count by what they select.
  const auto macros_of = [](const std::string& text) { return text.substr(text.find(", macros ")); };
  CHECK_NE(macros_of(identity_of("c++ -mavx2")), macros_of(identity_of("c++ -mno-avx2")));
#endif
  const TemporaryFolder here, there, newer, targeted;
  const std::string script = "case $1 in --version) echo 'cxx 1.0'; exit;; esac\nexec c++ \"$@\"";
  const std::string of_script = identity_of(write_script(here, script));
  CHECK(of_script.find("cxx 1.0") != std::string::npos);
  CHECK_EQ(identity_of(write_script(there, script + "\n# later, and longer")), of_script);
  CHECK_NE(identity_of(write_script(newer, "case $1 in --version) echo 'cxx 1.1'; exit;; esac\nexec c++ \"$@\"")),
           of_script);
  CHECK_NE(identity_of(write_script(targeted,
                                    "case $1 in --version) echo 'cxx 1.0'; exit;; esac\n"
                                    "exec c++ -DANOTHER_TARGET \"$@\"")),
           of_script);
}

TEST_CASE("a compiler that does not say its version is known by its file") {
  const TemporaryFolder here, there;
  for (const char* silent : {"exit 1", "case $1 in --version) exit 1;; esac\nexec c++ \"$@\"",
                             "case $1 in --version) exit 0;; esac\nexec c++ \"$@\""}) {
    INFO(silent);
    const std::string file = write_script(here, silent);
    CHECK(identity_of(file).find(file) != std::string::npos);
    CHECK_NE(identity_of(file), identity_of(write_script(there, silent)));
  }
}

TEST_CASE("a cache keeps what a compiler said of itself, for as long as its file stays the same") {
  const TemporaryFolder folder;
  const std::string count = "case $1 in --version) echo asked >>'" + (folder.path() / "asked").string() +
                            "'; echo 'cxx 1.0'; exit;; esac\nexec c++ \"$@\"";
  const std::string file = write_script(folder, count);
  const core::Cache cache = new_cache();
  const auto asked = [&] {
    std::ifstream lines(folder.path() / "asked");
    return std::distance(std::istream_iterator<std::string>(lines), {});
  };
  const Compiler compiler = Compiler::find(file);
  const std::string identity = compiler.identity(cache, "kernel");
  CHECK_EQ(asked(), 1);
  CHECK_EQ(compiler.identity(cache, "kernel"), identity);
  CHECK_EQ(Compiler::find(file).identity(cache, "kernel"), identity);
  CHECK_EQ(asked(), 1);
  write_script(folder, count + "\n# an update");
  CHECK_EQ(Compiler::find(file).identity(cache, "kernel"), identity);
  CHECK_EQ(asked(), 2);
  CHECK(Compiler::find(file).identity({}, "kernel").empty());
  CHECK_EQ(asked(), 2);
}

TEST_CASE("code that does not compile is an error with the compiler's messages, the first in its sentence") {
  const Error error = error_of([] { Compiler::find("").compile("int main() { return undeclared_thing; }", "broken"); });
  CHECK_EQ(error.code(), ErrorCode::compile_failed);
  CHECK(std::string(error.what()).find("broken") != std::string::npos);
  CHECK(std::string(error.what()).find("undeclared_thing") != std::string::npos);
  CHECK(error.log().find("undeclared_thing") != std::string::npos);
}

TEST_CASE("a compiler that others can change is not started") {
  const TemporaryFolder folder;
  const std::string file = write_script(folder, "exec c++ \"$@\"");
  const auto check_refused = [&](const std::string& reason) {
    const Error error = error_of([&] { Compiler::find(file); });
    INFO(error.what());
    CHECK_EQ(error.code(), ErrorCode::unsupported);
    for (const std::string& part : {file, reason, std::string("chmod")}) {
      CHECK(std::string(error.what()).find(part) != std::string::npos);
    }
  };
  REQUIRE_EQ(chmod(file.c_str(), 0707), 0);
  check_refused("every user can write it");
  REQUIRE_EQ(chmod(file.c_str(), 0755), 0);
  CHECK_FALSE(Compiler::find(file).compile("int x;", "small").empty());
  if (geteuid() != 0) return;  // only root can give files away
  REQUIRE_EQ(chown(file.c_str(), 12345, 0), 0);
  check_refused("it belongs to user 12345");
}

TEST_CASE("a compiler that cannot be started is an error with the reason") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "compiler") << "#!/no/such/interpreter\n";
  const std::string file = (folder.path() / "compiler").string();
  REQUIRE_EQ(chmod(file.c_str(), 0755), 0);
  const Error error = error_of([&] { Compiler::find(file).compile("", "any"); });
  CHECK_EQ(error.code(), ErrorCode::unsupported);
  CHECK(std::string(error.what()).find("'" + file + "' cannot be started") != std::string::npos);
}

#ifndef WEFT_TEST_SANITIZED  // sanitized, kernels link with what the compiler chooses
TEST_CASE("kernels need no C++ library if the compiler names the archive of its own functions") {
  const auto compiled = [](const std::string& command) {
    // A function of that archive, one of the C library, and one of its mathematical part.
    const std::vector<std::byte> bytes = Compiler::find(command).compile(
        "extern \"C\" double cos(double); extern \"C\" void* memmove(void*, const void*, unsigned long);\n"
        "extern \"C\" double of(double* x, unsigned long n) {\n"
        "  memmove(x + 1, x, n); return cos(x[0]) + __builtin_popcountl(n);\n}\n"
        "extern \"C\" const unsigned long weft_workgroup_memory_bytes = 0; extern \"C\" void weft_kernel(void*) {}\n",
        "linked");
    Code(bytes, "linked");
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  CHECK(compiled("g++").find("libm.so") != std::string::npos);
  CHECK_EQ(compiled("g++").find("libstdc++"), std::string::npos);
  const TemporaryFolder folder;
  for (const char* answer : {"exit 1", "echo libgcc.a; exit 0", "exit 0"}) {
    INFO(answer);
    const std::string file = write_script(
        folder, std::string("case \"$1\" in -print*) ") + answer + ";; esac\nexec g++ \"$@\" -Wl,--no-as-needed");
    CHECK(compiled(file).find("libstdc++") != std::string::npos);
  }
}
#endif

TEST_CASE("a compiler that hangs is ended with its child processes, and leaves no files") {
  const HangingCompiler compiler;
  const auto start = std::chrono::steady_clock::now();
  const Error error =
      error_of([&] { Compiler::find(compiler.command(), std::chrono::seconds(1)).compile("", "patient"); });
  INFO(error.what());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK_EQ(error.code(), ErrorCode::compile_failed);
  for (const char* part : {"'patient'", "1 s", "compile_seconds=N"}) {
    CHECK(std::string(error.what()).find(part) != std::string::npos);
  }
  CHECK_EQ(error.log(), "it said something\n");
  compiler.check_gone();
}

TEST_CASE("a compiler that takes long says so before it is done") {
  const TemporaryFolder folder;
  const std::string slow = write_script(folder, "sleep 2\nexec g++ \"$@\"");
  std::vector<std::string> messages;
  const auto note = [&](MessageSeverity, const std::string& text) { messages.push_back(text); };
  CHECK_FALSE(Compiler::find(slow, std::chrono::seconds(40), note).compile("int x;", "quick").empty());
  CHECK(messages.empty());
  const HangingCompiler hanging;
  error_of([&] { Compiler::find(hanging.command(), std::chrono::seconds(1), note).compile("", "patient"); });
  REQUIRE_EQ(messages.size(), 1);
  for (const char* part : {"'patient'", "after 0.5 s", "ended after 1 s", "compile_seconds"}) {
    CHECK(messages[0].find(part) != std::string::npos);
  }
}

TEST_CASE("a compiler ends with the process that waits for it, however that process ends") {
  for (const int number : {SIGINT, SIGTERM, SIGKILL}) {
    INFO(number);
    const HangingCompiler compiler;
    const pid_t child = fork();
    if (child == 0) {
      signal(number, SIG_DFL);
      Compiler::find(compiler.command()).compile("", "given up");
      _exit(0);
    }
    while (compiler.processes().size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(child, number);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    compiler.check_gone();
  }
}

TEST_CASE("kernels compile in a program that ignores the end of its children") {
  const auto before = signal(SIGCHLD, SIG_IGN);
  CHECK_FALSE(Compiler::find("").compile("int x;", "small").empty());
  CHECK_THROWS_AS(Compiler::find("").compile("int 3x;", "wrong"), Error);
  signal(SIGCHLD, before);
}

TEST_CASE("a file that is not a shared object is an error") {
  const std::vector<std::byte> junk(1000, std::byte{42});
  CHECK_EQ(error_of([&] { Code(junk, "junk"); }).code(), ErrorCode::unsupported);
}

TEST_CASE("the same name loads many kernels at once") {
  std::vector<std::shared_ptr<const Code>> codes;
  for (uint32_t i = 0; i < 4; ++i) {
    codes.push_back(host::test::compile_by_hand("binding<uint32_t>(self, 0)[0] = " + std::to_string(i + 7) + ";"));
  }
  for (uint32_t i = 0; i < 4; ++i) {
    std::vector<uint32_t> word(1, 0xa5a5a5a5);
    host::test::Run(codes[i], {1}, 1).bind(word).on_threads(1);
    CHECK_EQ(word[0], i + 7);
  }
}
