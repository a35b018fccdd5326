#include "tests/tools/command.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace weft::test {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const char* command_path() {
  const char* path = std::getenv("WEFT_COMMAND");
  if (path == nullptr || *path == '\0') {
    throw std::runtime_error("WEFT_COMMAND must name the weft command, e.g. WEFT_COMMAND=build/tools/weft");
  }
  return path;
}

// A command's environment.
struct Surroundings {
  const char* path = nullptr;  // another value for PATH
  const char* out = ".out";    // file for standard output
  int in = -1;                 // another standard input
};

[[noreturn]] void become(const std::string& command, const std::filesystem::path& folder,
                         const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  if (surroundings.path != nullptr) ::setenv("PATH", surroundings.path, 1);
  const int out = ::open((folder / surroundings.out).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int error = ::open((folder / ".error").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (surroundings.in >= 0) ::dup2(surroundings.in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  std::vector<char*> argv{const_cast<char*>(command.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (::chdir(folder.c_str()) == 0) ::execv(command.c_str(), argv.data());
  ::_exit(127);
}

pid_t start(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
            const Surroundings& surroundings) {
  const std::string command = std::filesystem::absolute(command_path()).string();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(command, folder, arguments, surroundings);
  return child;
}

Outcome outcome_of(int status, const std::filesystem::path& folder) {
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(folder / ".out");
  outcome.error = read_file(folder / ".error");
  std::filesystem::remove(folder / ".out");
  std::filesystem::remove(folder / ".error");
  return outcome;
}

Outcome run(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
            const Surroundings& surroundings) {
  int status = 0;
  ::waitpid(start(folder, arguments, surroundings), &status, 0);
  return outcome_of(status, folder);
}

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "weft-command-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Outcome Folder::weft(const std::vector<std::string>& arguments) const { return run(path_, arguments, {}); }

Outcome Folder::weft_interrupted_after(const std::string& text, const std::vector<std::string>& arguments) const {
  return weft_signalled(SIGINT, [&] { return read_file(path_ / ".out").find(text) != std::string::npos; }, arguments);
}

Outcome Folder::weft_signalled(int signal, const std::function<bool()>& ready,
                               const std::vector<std::string>& arguments) const {
  const pid_t child = start(path_, arguments, {});
  int status = 0;
  bool sent = false;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (!sent && ready()) sent = ::kill(child, signal) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return outcome_of(status, path_);
}

Outcome Folder::weft_with_path(const std::string& path, const std::vector<std::string>& arguments) const {
  return run(path_, arguments, {.path = path.c_str()});
}

Outcome Folder::weft_reading(const std::string& bytes, const std::vector<std::string>& arguments) const {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const bool written = ::write(ends[1], bytes.data(), bytes.size()) == ssize_t(bytes.size());
  ::close(ends[1]);
  const Outcome outcome = run(path_, arguments, {.in = ends[0]});
  ::close(ends[0]);
  if (!written) throw std::runtime_error("cannot fill a pipe");
  return outcome;
}

Outcome Folder::weft_printing_to(const std::string& file, const std::vector<std::string>& arguments) const {
  return run(path_, arguments, {.out = file.c_str()});
}

void Folder::write(const std::string& name, const std::string& bytes) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << bytes;
}

std::string Folder::read(const std::string& name) const { return read_file(path_ / name); }

std::vector<std::string> Folder::names(const std::string& folder) const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_ / folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void check_failure(const Outcome& outcome, int status, const std::vector<std::string>& words) {
  INFO("standard error: " << outcome.error);
  CHECK(outcome.status == status);
  const std::string lines = "\n" + outcome.error;
  const size_t at = lines.find("\nweft: error: ");
  REQUIRE(at != std::string::npos);
  const std::string sentence = lines.substr(at + 1, lines.find('\n', at + 1) - at - 1);
  for (const std::string& word : words) {
    INFO("expected: " << word);
    CHECK(sentence.find(word) != std::string::npos);
  }
}

void check_success(const Outcome& outcome) {
  INFO("standard error: " << outcome.error);
  REQUIRE(outcome.status == 0);
}

std::string NpyFile::bytes() const {
  std::string dictionary =
      "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }";
  const size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  for (size_t i = 0; i < length_bytes; ++i) file += char(dictionary.size() >> (8 * i) & 255);
  return file + dictionary + data;
}

NpyContent parse_npy(const std::string& bytes) {
  REQUIRE(bytes.size() > 10);
  REQUIRE(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const size_t length = size_t(uint8_t(bytes[8])) | size_t(uint8_t(bytes[9])) << 8;
  REQUIRE(bytes.size() >= 10 + length);
  CHECK((10 + length) % 64 == 0);
  std::string dictionary = bytes.substr(10, length);
  CHECK(dictionary.ends_with('\n'));
  dictionary.erase(dictionary.find_last_not_of(" \n") + 1);
  return {dictionary, bytes.substr(10 + length)};
}

}  // namespace weft::test
