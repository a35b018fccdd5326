#pragma once

namespace weft::support {

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

/// An unfinished file, which is removed if a signal ends the process.
class UnfinishedFile {
 public:
  /// `folder` is the descriptor of the file's folder. Folder and name must outlive this.
  UnfinishedFile(int folder, const char* name);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  /// The file is finished or removed.
  ~UnfinishedFile();

  void remove() const;

 private:
  const int folder_;
  const char* const name_;
};

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM and SIGXCPU remove unfinished files before they end
/// the process. Signals that the process inherited as ignored stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace weft::support
