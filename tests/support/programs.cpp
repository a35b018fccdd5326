#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "tests/support/files.h"

extern char** environ;

namespace weft::test {
namespace {

/// Returns this process's environment with changes: a variable is replaced, or omitted if the change has no '='.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](const std::string& variable) { return variable.substr(0, variable.find('=')); };
  std::vector<std::string> variables;
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) variables.push_back(change);
  }
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const auto replaces = [&](const std::string& change) { return name_of(change) == name_of(*variable); };
    if (std::none_of(changes.begin(), changes.end(), replaces)) variables.emplace_back(*variable);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& string : strings) all.push_back(string.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  const std::string log = (folder.path() / "output").string();
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers(command).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  int status = 0;
  waitpid(child, &status, 0);
  const std::vector<std::byte> output = read_file(log);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::string(reinterpret_cast<const char*>(output.data()), output.size())};
}

Outcome run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  return run_program(std::filesystem::read_symlink("/proc/self/exe").string(), arguments, environment);
}

}  // namespace weft::test
