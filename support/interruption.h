#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/src/platform/files.h"

namespace weft::support {

// A system ends programs: by signals, or on Windows by Ctrl-C, Ctrl-Break, and a closed console.

/// While one exists, SIGINT (Ctrl-C) and SIGTERM do not end the process. They ask it to stop by itself, so that it can
/// keep its results so far. A second signal ends it at once. Only one may exist at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  bool asked() const;
};

/// A temporary file, which is also removed if a signal ends the process, whenever that comes.
class UnfinishedFile {
 public:
  /// Creates it.
  explicit UnfinishedFile(core::Folder folder);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  core::NewFile& file() { return *file_; }
  const core::NewFile& file() const { return *file_; }

  /// Removes its name, if it has one, and leaves the object as it is.
  void remove() const;

 private:
  const intptr_t folder_;
  const std::string name_ = core::unguessable_name();
  std::optional<core::NewFile> file_;
};

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM and SIGXCPU remove unfinished files before they end
/// the process. Signals that the process inherited as ignored stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace weft::support
