#pragma once

namespace weft::tools {

/// While one lives, SIGINT (Ctrl-C) and SIGTERM do not end the process: they ask it to come to an end by itself, so
/// that what it has so far can be kept. A second signal ends it at once. One at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  bool asked() const;
};

/// A file that is half written, and goes when a signal ends the process.
class UnfinishedFile {
 public:
  /// In the folder of that descriptor. Both live as long as this does.
  UnfinishedFile(int folder, const char* name);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  /// The file is done, or gone.
  ~UnfinishedFile();

  void remove() const;

 private:
  const int folder_;
  const char* const name_;
};

/// From now on SIGINT, SIGTERM and SIGHUP remove unfinished files before they end the process; those that it was
/// started to ignore stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace weft::tools
