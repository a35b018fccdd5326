#include <weft/faults.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/host/hand_written.h"

using namespace weft;
using namespace weft::host;
using namespace weft::host::test;

/// The messages of explain_kernel_faults() about kernels that end the process, each in a separate process.

namespace {

struct End {
  int status = 0;
  std::string error;

  bool says(const char* part) const { return error.find(part) != std::string::npos; }
  bool is_normal() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

End in_a_child(const std::function<void()>& work) {
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  const pid_t child = fork();
  REQUIRE_GE(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    for (const int fault : {SIGSEGV, SIGBUS}) signal(fault, SIG_DFL);  // doctest handles these
    work();
    _exit(0);
  }
  close(ends[1]);
  End end;
  char text[4096];
  for (ssize_t got; (got = read(ends[0], text, sizeof(text))) > 0;) end.error.append(text, size_t(got));
  close(ends[0]);
  REQUIRE_EQ(waitpid(child, &end.status, 0), child);
  return end;
}

// Code is compiled here, not in each child.
const auto out_of_bounds = [] { return compile_by_hand("*(volatile int*)(0x1000 + 4 * self->local_index) = 1;"); };

void run(const std::shared_ptr<const Code>& code) { Run(code, {1}, 1).on_threads(1); }

constexpr int own_status = 42;
void own_handler(int) { _exit(own_status); }
void own_handler_with_more(int, siginfo_t* info, void*) { _exit(info->si_addr == (void*)0x1000 ? own_status : 1); }

}  // namespace

TEST_CASE("a fault in a kernel is reported with its name, and then ends the process as before") {
  const auto code = out_of_bounds();
  const End plain = in_a_child([&] { run(code); });
  CHECK_FALSE(plain.says("weft:"));
  CHECK_FALSE(plain.is_normal());
  const End told = in_a_child([&] {
    explain_kernel_faults();
    explain_kernel_faults();
    run(code);
  });
  INFO(told.error);
  CHECK(told.says("weft: kernel 'by hand' accessed unmapped memory"));
  CHECK_FALSE(told.says("null"));
  CHECK(told.says("check=on"));
  CHECK_EQ(told.error.find("weft:"), told.error.rfind("weft:"));
  CHECK_EQ(told.status, plain.status);
}

TEST_CASE("an access by a null pointer is reported as such") {
  const auto code = compile_by_hand("*(volatile int*)(4 * (self->local_index + 1)) = 1;");
  const End end = in_a_child([&] {
    explain_kernel_faults();
    run(code);
  });
  INFO(end.error);
  CHECK(end.says("weft: kernel 'by hand' accessed memory by a null pointer"));
  CHECK(end.says("check=on"));
  CHECK_FALSE(end.is_normal());
}

TEST_CASE("the program's own handler runs after a kernel's fault was reported") {
  const auto code = out_of_bounds();
  for (const bool with_more : {false, true}) {
    const End end = in_a_child([&] {
      struct sigaction own{};
      if (with_more) {
        own.sa_flags = SA_SIGINFO;
        own.sa_sigaction = own_handler_with_more;
      } else {
        own.sa_handler = own_handler;
      }
      sigaction(SIGSEGV, &own, nullptr);
      explain_kernel_faults();
      run(code);
    });
    INFO(end.error);
    CHECK(end.says("'by hand'"));
    CHECK((WIFEXITED(end.status) && WEXITSTATUS(end.status) == own_status));
  }
}

TEST_CASE("a stack overflow is reported on a separate stack") {
  const auto code = compile_by_hand(R"(
    volatile char deep[4000000];
    for (int k = 3999999; k >= 0; --k) deep[k] = 1;)");
  const End end = in_a_child([&] {
    explain_kernel_faults();
    run(code);
  });
  CHECK(end.says("'by hand'"));
  CHECK_FALSE(end.is_normal());
}

TEST_CASE("faults outside kernels, and kernels without faults, are not reported") {
  const auto code = compile_by_hand("(void)self;");
  const End fine = in_a_child([&] {
    explain_kernel_faults();
    run(code);
  });
  CHECK(fine.is_normal());
  CHECK_EQ(fine.error, "");
  const End elsewhere = in_a_child([&] {
    explain_kernel_faults();
    run(code);
    raise(SIGSEGV);
  });
  CHECK_FALSE(elsewhere.is_normal());
  CHECK_FALSE(elsewhere.says("weft:"));
}
