#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <weft/api.h>
#include <weft/kernel.h>
#include <weft/spirv.h>

namespace weft {

/// Is told of each plan and kernel that a program makes on a device (DeviceOptions::recorder), so that they can be
/// compiled ahead of time: see weft/pack.h. It is told before they are made, so also of those that then fail.
/// Implementations must be thread-safe; their exceptions reach the caller who makes the plan or kernel.
class WEFT_API PlanRecorder {
 public:
  virtual ~PlanRecorder() = default;

  /// A plan, as a line of the list that `weft pack` reads: "Sort key=uint max_count=1000000". Not for plans that
  /// another plan makes for itself.
  virtual void plan(const std::string& line) = 0;
  /// A kernel that the program makes with Device::kernel(). Not for kernels of plans.
  virtual void kernel(const Spirv& module, const KernelOptions& options) = 0;

  /// Adds what is new to a list in a file, and writes the modules of kernels beside it. The file is created now if it
  /// does not exist. Several processes may share a list; a line may then be there twice. Throws io_failed if the file
  /// cannot be read or written; so do plan() and kernel().
  static std::shared_ptr<PlanRecorder> to_file(std::filesystem::path list);
};

}  // namespace weft
