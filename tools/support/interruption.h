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

}  // namespace weft::tools
