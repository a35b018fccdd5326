#include "support/interruption.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace weft::support {
namespace {

volatile sig_atomic_t interrupted = 0;

// Read by signal handlers, which may neither lock nor allocate. Outputs are opened and closed on the main thread, the
// first choice for signals. If a command has more outputs than this, the rest stay behind.
std::array<std::atomic<const UnfinishedFile*>, 64> unfinished;

void forget(const UnfinishedFile* file) {
  for (auto& slot : unfinished) {
    const UnfinishedFile* own = file;
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

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

// The handler knows the name before the file is created and until it is gone, so no signal leaves it behind.
UnfinishedFile::UnfinishedFile(core::Folder folder) : folder_(folder.handle().number()) {
  for (auto& slot : unfinished) {
    const UnfinishedFile* none = nullptr;
    if (slot.compare_exchange_strong(none, this)) break;
  }
  try {
    file_.emplace(std::move(folder), name_);
  } catch (...) {
    forget(this);
    throw;
  }
}

UnfinishedFile::~UnfinishedFile() {
  file_.reset();
  forget(this);
}

void UnfinishedFile::remove() const { ::unlinkat(int(folder_), name_.c_str(), 0); }

void remove_unfinished_files_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU}) {
    if (::signal(number, end) == SIG_IGN) ::signal(number, SIG_IGN);
  }
}

}  // namespace weft::support
