#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <weft/messages.h>

#include "backends/host/settings.h"
#include "backends/host/temporary_folder.h"
#include "core/src/runtime/cache.h"

namespace weft::host {

/// The C++ compiler that DeviceOptions::compiler names, a program or a program and its arguments ("ccache g++"), else
/// the first of c++, g++ and clang++ on the PATH; or the one for another system. Immutable and thread-safe.
class Compiler {
 public:
  /// `command` is DeviceOptions::compiler, `timeout` the limit for one kernel. `messages` learns of a kernel that takes
  /// long, before it is done. Throws unsupported if there is no compiler, saying what to install, or if other users can
  /// modify the one that is named.
  static Compiler find(const std::string& command,
                       std::chrono::seconds timeout = std::chrono::seconds(Settings{}.compile_seconds),
                       MessageCallback messages = {});

  /// The compiler for an architecture (architectures.h): find(command) for this system's own; the cross compiler on the
  /// PATH for another. Throws unsupported as find() does.
  static Compiler find_for(const std::string& architecture, const std::string& command);

  /// For keys in `cache`: the names in its command, its version, the macros that tell its target, and its options,
  /// which are the same for this compiler on another machine. Asks the compiler, unless `cache` has what these files
  /// answered. Empty without a cache. `kernel` is for messages. Throws compile_failed if the compiler takes too long.
  std::string identity(const core::Cache& cache, const std::string& kernel) const;

  /// Compiles C++ to a shared object. Throws compile_failed, with the compiler's messages, if that fails or takes too
  /// long. The compiler ends with this process.
  std::vector<std::byte> compile(const std::string& code, const std::string& kernel) const;

 private:
  struct Outcome {
    int status;
    std::string messages;
  };
  /// What the compiler said, once it was asked.
  struct Answers {
    std::mutex mutex;
    std::optional<std::vector<std::string>> libraries;
    std::optional<std::string> version;
  };

  /// Runs the compiler with these arguments. Throws compile_failed if it takes too long.
  Outcome run(const std::vector<std::string>& arguments, const TemporaryFolder& folder,
              const std::string& kernel) const;
  /// The arguments of what kernels link with. Asks the compiler the first time.
  const std::vector<std::string>& libraries(const TemporaryFolder& folder, const std::string& kernel) const;

  /// Its version and target in one line.
  std::string version(const core::Cache& cache, const std::string& kernel) const;

  explicit Compiler(std::vector<std::string> words);

  std::string path_;
  std::vector<std::string> arguments_;  ///< The words after the path, such as the compiler in "ccache g++".
  std::vector<std::string> options_;    ///< Those of toolchain_for() its architecture.
  bool reads_cxx_library_ = false;      ///< Linked with what the compiler links by default.
  std::chrono::seconds timeout_{Settings{}.compile_seconds};
  MessageCallback messages_;
  std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
};

}  // namespace weft::host
