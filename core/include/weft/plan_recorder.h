#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <weft/kernel.h>
#include <weft/spirv.h>

namespace weft {

/// Is told of each plan and kernel that is made on a device (DeviceOptions::recorder), so that they can be compiled
/// ahead: see weft/pack.h. Implementations must be thread-safe; their exceptions reach who makes the plan.
class PlanRecorder {
 public:
  virtual ~PlanRecorder() = default;

  /// A plan, as a line of the list that `weft pack` reads: "Sort key=uint max_count=1000000". Not for plans that
  /// another plan makes for itself.
  virtual void plan(const std::string& line) = 0;
  /// A kernel that Device::kernel() compiles, and no plan's.
  virtual void kernel(const Spirv& module, const KernelOptions& options) = 0;

  /// Adds what is new to a list in a file, which it makes if it does not exist, and writes the modules of kernels
  /// beside it. Several processes may share a list. Throws io_failed if the file cannot be read or written.
  static std::shared_ptr<PlanRecorder> to_file(std::filesystem::path list);
};

}  // namespace weft
