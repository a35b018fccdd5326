#include "core/src/platform/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

#include <weft/error.h>

#include "core/src/platform/files.h"
#include "core/src/platform/linux/descriptor.h"

extern char** environ;

namespace weft::core {

namespace {

// A shell leads the process group and waits for the program. A watcher in the group reads a pipe whose only write end
// is in this process, so it learns when this process ends, for whatever reason. (PR_SET_PDEATHSIG would reach the
// program but not its children, which do most of a compiler's work.)
constexpr const char* script = R"(
TMPDIR=$0; export TMPDIR
"$@" 3<&- &
program=$!
(read end <&3; trap '' TERM; kill -TERM -$$; rm -rf "$0"; kill -KILL -$$) >/dev/null 2>&1 &
watcher=$!
wait $program
status=$?
kill -KILL $watcher
wait $watcher 2>/dev/null
exit $status
)";

// How a shell reports a program that it could not start.
constexpr int cannot_execute = 126, not_found = 127;

Error not_started(const std::string& what, const std::string& reason) {
  return {ErrorCode::unsupported, what + " cannot be started: " + reason};
}

std::string read_text(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = OpenedFile(file).read_rest();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class Spawned {
 public:
  Spawned(const std::string& what, const std::vector<std::string>& command, const std::filesystem::path& folder,
          const std::filesystem::path& log) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw not_started(what, std::generic_category().message(errno));
    // The read end must not have the number of a standard file, and not 3, or dup2() would not clear its flag.
    const Handle read_end(fcntl(ends[0], F_DUPFD_CLOEXEC, 4));
    const Handle low_end(ends[0]);
    life_ = Handle(ends[1]);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, descriptor(read_end),
                                     3);  // first: low_end may have a standard file's number
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t ends_of_children;  // reset for the shell, since the host program may ignore it
    sigemptyset(&ends_of_children);
    sigaddset(&ends_of_children, SIGCHLD);
    posix_spawnattr_setsigdefault(&attributes, &ends_of_children);
    const std::string folder_name = folder.string();
    std::vector<char*> arguments;
    for (const char* word : {"sh", "-c", script, folder_name.c_str()}) arguments.push_back(const_cast<char*>(word));
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int error = posix_spawn(&leader_, "/bin/sh", &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw not_started(what, std::generic_category().message(error));
  }
  Spawned(const Spawned&) = delete;

  // Until the leader is reaped, no other group can have its number.
  ~Spawned() {
    if (reaped_) return;
    kill(-leader_, SIGKILL);
    while (waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  /// Returns the exit status, or nothing while the program runs.
  std::optional<int> status() {
    siginfo_t info{};
    if (waitid(P_PID, id_t(leader_), &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
      if (info.si_pid == 0) return std::nullopt;
      return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    }
    if (errno == EINTR) return std::nullopt;
    // If the host program ignores SIGCHLD there is no status. Then the existence of the object file decides.
    reaped_ = true;
    return 0;
  }

 private:
  Handle life_;
  pid_t leader_ = 0;
  bool reaped_ = false;
};

}  // namespace

bool is_program(const std::filesystem::path& file) { return access(file.c_str(), X_OK) == 0; }

std::optional<int> run_program(const std::string& what, const std::vector<std::string>& command,
                               const std::filesystem::path& folder, const std::filesystem::path& log,
                               std::chrono::nanoseconds timeout, std::chrono::nanoseconds slow,
                               const std::function<void()>& when_slow) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  Spawned spawned(what, command, folder, log);
  const auto start = Clock::now();
  bool is_slow = false;
  for (std::chrono::nanoseconds pause = 1ms;; pause = std::min<std::chrono::nanoseconds>(2 * pause, 2ms)) {
    if (const auto status = spawned.status()) {
      if (*status == cannot_execute || *status == not_found) throw not_started(what, read_text(log));
      return status;
    }
    const auto elapsed = Clock::now() - start;
    if (elapsed >= timeout) return std::nullopt;
    if (elapsed >= slow && !std::exchange(is_slow, true)) when_slow();
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace weft::core
