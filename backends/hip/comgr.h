#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/driver/library.h"

namespace weft::hip {

/// AMD's code object library, which hipRTC compiles with: the one that is in the process once hipRTC is.
class Comgr {
 public:
  /// Throws Error(unsupported) where there is none.
  explicit Comgr(const driver::Library& hiprtc);

  /// The architectures that hipRTC compiles for, without features: "gfx90a".
  std::vector<std::string> architectures() const;
  /// "2.4"
  std::string version() const;

 private:
  template <class Function>
  Function* function(const char* name) const;

  const driver::Library& hiprtc_;
  std::unique_ptr<const driver::Library> library_;  // where hipRTC does not bring it
};

}  // namespace weft::hip
