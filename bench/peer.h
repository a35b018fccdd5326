#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace weft::bench {

/// A peer's runs of a case's work, in one of the peer's forms.
class PeerRuns : public Runs {
 public:
  /// Distinguishes the form from others; empty if there is only one.
  virtual std::string form() const = 0;

  /// Runs every set, and verifies the first and the last: their outputs are copied to the case's outputs of set 0.
  /// Throws std::runtime_error if they are wrong.
  virtual void verify() = 0;
};

/// A library that does the same work, opened at run time: bench/peer/interface.h.
class Peer {
 public:
  /// `name` is a peer built by a target of this build, "cub", whose library lies beside this program; or a file name
  /// with a slash. Throws unsupported if the library cannot be opened or has another version of the interface.
  explicit Peer(const std::string& name);

  /// The library's own name and version.
  const std::string& title() const;

  /// Prepares the same work in every form, on data copied from the case, which must outlive the runs. Throws
  /// unsupported if the peer has no such work. On failure, this and the runs throw std::runtime_error with the peer's
  /// message.
  std::vector<std::unique_ptr<PeerRuns>> prepare(const Device& device, const Case& benchmark_case, uint64_t count,
                                                 uint32_t sets) const;

 private:
  struct Library;
  std::shared_ptr<const Library> library_;
};

}  // namespace weft::bench
