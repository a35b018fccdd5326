#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace weft::bench {

/// A peer's runs of a case's work, in one of the forms that the peer has for it.
class PeerRuns : public Runs {
 public:
  /// What sets the form apart; empty where there is only one.
  virtual std::string form() const = 0;

  /// Runs it on every set, and puts what it wrote where the case has the outputs of its set 0. Throws
  /// std::runtime_error unless that is what the case has to come to.
  virtual void verify() = 0;
};

/// A library that does the same work, opened at run time: bench/peer/interface.h.
class Peer {
 public:
  /// `name` is that of a target of the build, "cub", whose library is looked for beside this program; or a file, with a
  /// slash. Throws unsupported when it cannot be opened or is of another interface.
  explicit Peer(const std::string& name);

  /// As it calls itself.
  const std::string& title() const;

  /// The same work on data that is copied from the case, which stays alive as long, in every form. Throws unsupported
  /// where the peer has none of that, and std::runtime_error, with the peer's words, when it fails; so do its runs.
  std::vector<std::unique_ptr<PeerRuns>> prepare(const Device& device, const Case& benchmark_case, uint64_t count,
                                                 uint32_t sets) const;

 private:
  struct Library;
  std::shared_ptr<const Library> library_;
};

}  // namespace weft::bench
