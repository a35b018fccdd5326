#include "core/src/runtime/running_kernel.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>

#include <weft/faults.h>

namespace weft {
namespace {

constexpr int faults[] = {SIGSEGV, SIGBUS};
struct sigaction set_before[std::size(faults)];
std::atomic<bool> installed = false;
std::atomic_flag told;

struct Running {
  const char* name = nullptr;
  bool checked = false;
};
// Thread-local memory may be allocated on first use, which a signal handler cannot do; threads that run kernels have
// written it before.
thread_local Running running;

void write_text(const char* text) {
  for (size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= size_t(written);
  }
}

// A null pointer with a small index. Other addresses that processors report as 0 have another code.
bool is_null(int signal, const siginfo_t& info) {
  constexpr uintptr_t page = 4096;
  return signal == SIGSEGV && info.si_code == SEGV_MAPERR && reinterpret_cast<uintptr_t>(info.si_addr) < page;
}

// Calls only async-signal-safe functions.
void tell(bool null) {
  write_text("weft: kernel '");
  write_text(running.name);
  if (running.checked) {
    write_text("' accessed unmapped memory in spite of the checks: an array among its own variables, or its stack\n");
    return;
  }
  write_text(null ? "' accessed memory by a null pointer: a buffer reference in its push constants or in memory is null"
                  : "' accessed unmapped memory, most likely out of bounds");
  write_text("; run it on a device with check=on, such as host:check=on, to find the access\n");
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (running.name && !told.test_and_set()) tell(is_null(signal, *info));
  const struct sigaction& before = set_before[signal == faults[0] ? 0 : 1];
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {  // the access repeats, and ends the process; a signal that was sent has to be sent again
    ::signal(signal, SIG_DFL);
    if (info->si_code <= 0) ::raise(signal);
  }
  errno = error;
}

// The fault may be a full stack, so the handler needs its own. A thread that already has a signal stack keeps it.
class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (::sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    memory_ = std::make_unique<std::byte[]>(bytes);
    stack_t own{};
    own.ss_sp = memory_.get();
    own.ss_size = bytes;
    ::sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    none.ss_size = bytes;
    ::sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;

 private:
  static constexpr size_t bytes = 64 * 1024;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

namespace core {

RunningKernel::RunningKernel(const char* name, bool checked) {
  if (installed) {
    thread_local const SignalStack stack;
  }
  running = {name, checked};
}

RunningKernel::~RunningKernel() { running = {}; }

}  // namespace core

void explain_kernel_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < std::size(faults); ++k) {
      ::sigaction(faults[k], nullptr, &set_before[k]);
      ::sigaction(faults[k], &action, nullptr);
    }
    installed = true;
  });
}

}  // namespace weft
