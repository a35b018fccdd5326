#include "core/src/platform/faults.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>

namespace weft::core {
namespace {

constexpr int faults[] = {SIGSEGV, SIGBUS};
struct sigaction set_before[std::size(faults)];
void (*tell_of_fault)(bool is_null) = nullptr;

// A null pointer with a small index. Other addresses that processors report as 0 have another code.
bool is_null(int signal, const siginfo_t& info) {
  constexpr uintptr_t page = 4096;
  return signal == SIGSEGV && info.si_code == SEGV_MAPERR && reinterpret_cast<uintptr_t>(info.si_addr) < page;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  tell_of_fault(is_null(signal, *info));
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

void watch_memory_faults(void (*tell)(bool is_null)) {
  tell_of_fault = tell;
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t k = 0; k < std::size(faults); ++k) {
    ::sigaction(faults[k], nullptr, &set_before[k]);
    ::sigaction(faults[k], &action, nullptr);
  }
}

void prepare_thread_for_faults() { thread_local const SignalStack stack; }

void write_error(const char* text) {
  for (size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= size_t(written);
  }
}

}  // namespace weft::core
