#pragma once

namespace weft::core {

/// Marks this thread as running a kernel, to which faults are attributed; see weft/faults.h.
class RunningKernel {
 public:
  /// `name` must outlive the object. `checked`: the kernel checks its accesses itself.
  RunningKernel(const char* name, bool checked);
  ~RunningKernel();
  RunningKernel(const RunningKernel&) = delete;
};

}  // namespace weft::core
