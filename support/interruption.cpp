#include "support/interruption.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace weft::support {
namespace {

volatile sig_atomic_t interrupted = 0;

// Read by signal handlers, which may neither lock nor allocate. Outputs are opened and closed on the main thread, the
// first choice for signals. If a command has more outputs than this, the rest stay behind.
std::array<std::atomic<const UnfinishedFile*>, 64> unfinished;

void end(int number) {
  for (auto& slot : unfinished) {
    if (const UnfinishedFile* file = slot.exchange(nullptr)) file->remove();
  }
  ::signal(number, SIG_DFL);
  ::raise(number);  // delivered when the handler returns
}

void ask(int number) {
  interrupted = 1;
  ::signal(number, end);
}

}  // namespace

Interruption::Interruption() {
  interrupted = 0;
  ::signal(SIGINT, ask);
  ::signal(SIGTERM, ask);
}

Interruption::~Interruption() {
  ::signal(SIGINT, end);
  ::signal(SIGTERM, end);
}

bool Interruption::asked() const { return interrupted != 0; }

UnfinishedFile::UnfinishedFile(int folder, const char* name) : folder_(folder), name_(name) {
  for (auto& slot : unfinished) {
    const UnfinishedFile* none = nullptr;
    if (slot.compare_exchange_strong(none, this)) return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  for (auto& slot : unfinished) {
    const UnfinishedFile* own = this;
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

void UnfinishedFile::remove() const { ::unlinkat(folder_, name_, 0); }

void remove_unfinished_files_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU}) {
    if (::signal(number, end) == SIG_IGN) ::signal(number, SIG_IGN);
  }
}

}  // namespace weft::support
