#include "support/interruption.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <utility>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/system.h"

namespace weft::support {
namespace {

std::atomic<bool> asking = false, interrupted = false;

// The system calls handlers on a thread of their own. One that ends the process keeps this lock for good, so that no
// file is created after it has removed the others.
SRWLOCK lock = SRWLOCK_INIT;
std::array<const UnfinishedFile*, 64> unfinished{};  // if a command has more outputs than this, the rest stay behind

class Locked {
 public:
  Locked() { AcquireSRWLockExclusive(&lock); }
  ~Locked() { ReleaseSRWLockExclusive(&lock); }
  Locked(const Locked&) = delete;
};

BOOL WINAPI on_event(DWORD event) {
  const bool can_wait = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  if (can_wait && asking.exchange(false)) {
    interrupted = true;
    return TRUE;
  }
  AcquireSRWLockExclusive(&lock);
  for (const UnfinishedFile* file : unfinished) {
    if (file) file->remove();
  }
  return FALSE;  // the next handler is the system's, which ends the process
}

}  // namespace

Interruption::Interruption() {
  interrupted = false;
  asking = true;
}

Interruption::~Interruption() { asking = false; }

bool Interruption::asked() const { return interrupted; }

UnfinishedFile::UnfinishedFile(core::Folder folder) : folder_(folder.handle().number()) {
  const Locked locked;
  file_.emplace(std::move(folder), name_);
  if (auto slot = std::ranges::find(unfinished, nullptr); slot != unfinished.end()) *slot = this;
}

UnfinishedFile::~UnfinishedFile() {
  const Locked locked;
  file_.reset();
  std::ranges::replace(unfinished, this, nullptr);
}

void UnfinishedFile::remove() const {
  core::Handle folder(folder_);  // which is the file's
  try {
    DeleteFileW((core::path_of(folder) / core::utf8_path(name_)).c_str());
  } catch (const std::exception&) {  // its folder is gone, or there is no memory for the path
  }
  folder.release();
}

void remove_unfinished_files_on_signals() { SetConsoleCtrlHandler(on_event, TRUE); }

}  // namespace weft::support
