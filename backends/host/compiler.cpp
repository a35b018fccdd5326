#include "backends/host/compiler.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>

#include <weft/error.h>

#include "backends/host/architectures.h"
#include "backends/host/temporary_folder.h"
#include "core/src/platform/programs.h"
#include "core/src/platform/trust.h"
#include "core/src/platform/variables.h"
#include "core/src/runtime/environment.h"
#include "core/src/runtime/messages.h"

namespace weft::host {

namespace {

constexpr std::chrono::milliseconds usually_enough(20000);
constexpr const char* named_by = "name another in DeviceOptions::compiler, WEFT_CXX or CXX";

// Kernels cannot observe traps or errno, so disabling them changes no result. Exceptions pass through kernels when a
// dispatch is stopped. The prelude includes only C headers.
// Loops over 16 lanes become vector instructions, which they do not once GCC has unrolled them.
constexpr const char* flags[] = {"-std=c++20",
                                 "-O2",
                                 "-g1",
                                 "-fPIC",
                                 "-shared",
                                 "-fexceptions",
                                 "-w",
                                 "-nostdinc++",
                                 "-ffp-contract=off",
                                 "-fno-math-errno",
                                 "-fno-strict-aliasing",
                                 "-fwrapv",
                                 "-fno-trapping-math",
                                 "-fno-finite-loops",
                                 "--param=max-completely-peel-times=15",
                                 "-pipe"};

std::optional<std::filesystem::path> on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return core::is_program(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  }
  std::istringstream list(core::program_folders());
  for (std::string folder; std::getline(list, folder, core::path_separator);) {
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (core::is_program(file) && std::filesystem::is_regular_file(file)) return file;
  }
  return std::nullopt;
}

// Path, size and date: an update of the compiler changes the file behind its name.
std::string fingerprint(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  const auto bytes = std::filesystem::file_size(file, error);
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return file.string() + " " + std::to_string(bytes) + " " + std::to_string(written);
}

// A command is the path of a program, which may have spaces, or a program and its arguments.
std::vector<std::string> words_of(const std::string& command) {
  if (on_path(command)) return {command};
  std::istringstream text(command);
  return {std::istream_iterator<std::string>(text), {}};
}

// The compiler's first error message, or else its first message.
std::string first_message(const std::string& messages) {
  std::istringstream lines(messages);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error: ") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "it gives no reason" : first;
}

// The compiler and its output run as this user, so no other user may control it.
void require_trusted(const std::filesystem::path& path) {
  if (const auto reason = core::who_else_changes(path)) {
    throw Error(ErrorCode::unsupported, "The C++ compiler '" + path.string() + "' was refused: " + *reason +
                                            ". Make it this user's or root's alone (" + core::restricting_commands +
                                            "), or " + named_by + ".");
  }
}

// The words of `command`, the first of them the program's path.
std::vector<std::string> named(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  const auto path = words.empty() ? std::nullopt : on_path(words[0]);
  if (!path) {
    throw Error(ErrorCode::unsupported,
                "The C++ compiler '" + command + "' is not a program on the PATH. Install it, or " + named_by + ".");
  }
  for (const std::string& word : words) {  // of "ccache g++" both
    if (const auto program = on_path(word)) require_trusted(*program);
  }
  words[0] = path->string();
  return words;
}

// The first of a toolchain's compilers on the PATH. An error without one starts with `need`.
std::string first_of(const Toolchain& toolchain, const std::string& need, const std::string& otherwise) {
  std::string names;
  for (const char* name : toolchain.compilers) {
    if (const auto path = on_path(name)) return path->string();
    names += (names.empty() ? "" : name == toolchain.compilers.back() ? " or " : ", ") + std::string(name);
  }
  throw Error(ErrorCode::unsupported, need + ", and there is no " + names + " on the PATH. Install one (Debian: " +
                                          toolchain.package + ")" + otherwise + ".");
}

}  // namespace

Compiler::Compiler(std::vector<std::string> words) : path_(words[0]) {
  arguments_.assign(words.begin() + 1, words.end());
}

Compiler Compiler::find(const std::string& command, std::chrono::seconds timeout, MessageCallback messages) {
  Compiler compiler(command.empty()
                        ? std::vector{first_of(toolchain_for(base_architecture),
                                               "The host device needs a C++ compiler at run time to compile kernels",
                                               std::string(", or ") + named_by)}
                        : named(command));
  compiler.timeout_ = timeout;
  compiler.messages_ = std::move(messages);
  return compiler;
}

Compiler Compiler::find_for(const std::string& architecture, const std::string& command) {
  if (is_native(architecture)) return find(command);
  const Toolchain toolchain = toolchain_for(architecture);
  Compiler compiler({first_of(toolchain, "Kernels for " + architecture + " need a compiler for it", "")});
  compiler.options_.assign(toolchain.options.begin(), toolchain.options.end());
  compiler.reads_cxx_library_ = toolchain.reads_cxx_library;
  return compiler;
}

std::string Compiler::identity(const core::Cache& cache, const std::string& kernel) const {
  if (!cache) return {};
  std::string identity = std::filesystem::path(path_).filename().string();
  for (const std::string& word : arguments_) {  // of "ccache g++" the compiler itself is one
    identity += " " + (on_path(word) ? std::filesystem::path(word).filename().string() : word);
  }
  identity += ", " + version(cache, kernel) + ",";
  for (const char* flag : flags) identity += std::string(" ") + flag;
  for (const std::string& option : options_) identity += " " + option;
  return identity + " " WEFT_HOST_KERNEL_FLAGS;
}

// To ask takes as long as to load ten kernels from the cache, so the answer is kept there, for these very files.
std::string Compiler::version(const core::Cache& cache, const std::string& kernel) const {
  const std::lock_guard lock(answers_->mutex);
  if (answers_->version) return *answers_->version;
  std::string files = fingerprint(path_);
  for (const std::string& word : arguments_) {
    const auto path = on_path(word);
    files += " " + (path ? fingerprint(*path) : word);
  }
  constexpr const char* kind = "compiler";
  const core::CacheKey key = core::CacheKey().add(files);
  if (const auto known = cache.find(kind, key)) {
    return answers_->version.emplace(reinterpret_cast<const char*>(known->data()), known->size());
  }
  const TemporaryFolder folder;
  const Outcome name = run({"--version"}, folder, kernel);
  const Outcome macros = run({"-dM", "-E", "-x", "c++", "/dev/null"}, folder, kernel);
  std::string version = name.messages.substr(0, name.messages.find('\n'));
  if (name.status == 0 && macros.status == 0 && !version.empty()) {
    version += ", macros " + core::CacheKey().add(macros.messages).hex();
  } else {
    version = files;  // A compiler that does not answer is known by its files.
  }
  cache.put(kind, key, std::as_bytes(std::span(version)));
  return answers_->version.emplace(std::move(version));
}

Compiler::Outcome Compiler::run(const std::vector<std::string>& arguments, const TemporaryFolder& folder,
                                const std::string& kernel) const {
  std::vector<std::string> command{path_};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto log = folder.path() / "log";
  const std::chrono::milliseconds slow = std::min(usually_enough, std::chrono::milliseconds(timeout_) / 2);
  const std::optional<int> status =
      core::run_program("The C++ compiler '" + path_ + "'", command, folder.path(), log, timeout_, slow, [&] {
        std::ostringstream text;
        text << "the C++ compiler " << path_ << " still works on kernel '" << kernel << "' after "
             << double(slow.count()) / 1000 << " s; it is ended after " << timeout_.count()
             << " s (the host device's setting compile_seconds)";
        core::report(messages_, MessageSeverity::warning, text.str());
      });
  const std::string messages = read_text(log);
  if (!status) {
    throw Error(ErrorCode::compile_failed,
                "The C++ compiler " + path_ + " did not finish kernel '" + kernel + "' within " +
                    std::to_string(timeout_.count()) +
                    " s and was ended. Raise the limit with the host device's setting compile_seconds=N.",
                messages);
  }
  return {*status, messages};
}

// A kernel needs the compiler's own functions, such as __popcountdi2, and the C library. To read the C++ library, which
// has nothing for it, would take the linker a fifth of a small kernel's compile.
const std::vector<std::string>& Compiler::libraries(const TemporaryFolder& folder, const std::string& kernel) const {
  const std::lock_guard lock(answers_->mutex);
  auto& known = answers_->libraries;
  if (!known && reads_cxx_library_) known.emplace();
  if (!known) {
    const Outcome outcome = run({"-print-libgcc-file-name"}, folder, kernel);
    const std::string file = outcome.messages.substr(0, outcome.messages.find('\n'));
    std::error_code ignored;
    known.emplace();  // The compiler's default, if it does not say.
    if (outcome.status == 0 && std::filesystem::is_regular_file(file, ignored)) {
      known = {"-nodefaultlibs", file, "-lm", "-lc"};
    }
  }
  return *known;
}

std::vector<std::byte> Compiler::compile(const std::string& code, const std::string& kernel) const {
  TemporaryFolder folder;
  const auto source = folder.path() / "kernel.cpp", object = folder.path() / "kernel.so";
  folder.write(source, std::as_bytes(std::span(code)));
  std::vector<std::string> arguments(std::begin(flags), std::end(flags));
  arguments.insert(arguments.end(), options_.begin(), options_.end());
  arguments.insert(arguments.end(), {"-o", object.string(), source.string()});
  if (constexpr std::string_view more = WEFT_HOST_KERNEL_FLAGS; more.empty()) {
    std::ranges::copy(libraries(folder, kernel), std::back_inserter(arguments));
  } else {
    std::istringstream words{std::string(more)};
    arguments.insert(arguments.end(), std::istream_iterator<std::string>(words), {});
  }
  const Outcome outcome = run(arguments, folder, kernel);
  if (outcome.status != 0) {
    throw Error(ErrorCode::compile_failed,
                "The C++ compiler " + path_ + " failed on the translation of kernel '" + kernel + "' (exit status " +
                    std::to_string(outcome.status) + "): " + first_message(outcome.messages),
                outcome.messages);
  }
  const std::string bytes = read_text(object);
  const auto view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

}  // namespace weft::host
