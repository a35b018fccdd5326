#pragma once

namespace weft::core {

/// While it lives, this thread runs a kernel within the process, and faults are the kernel's; see weft/faults.h.
class RunningKernel {
 public:
  /// `name` lives as long. `checked`: in a mode that finds accesses out of bounds itself.
  RunningKernel(const char* name, bool checked);
  ~RunningKernel();
  RunningKernel(const RunningKernel&) = delete;
};

}  // namespace weft::core
