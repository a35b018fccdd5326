#pragma once

#include <memory>
#include <string>
#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "tools/pack/listed_plan.h"

namespace weft::tools {

/// A kernel of the program's own.
struct ListedKernel {
  Spirv module;
  KernelOptions options;
};

/// A list of plans and kernels, as a person or weft::PlanRecorder writes it: one on each line. Lines that are empty or
/// start with # are skipped.
///
///     Sort key=uint max_count=1000000
///     kernel file=blur.spv 0=8 1=16
///
/// The module of a kernel is beside the list. Its fields are `entry`, `contraction` (allowed or forbidden),
/// `subgroup_size`, `workgroups_per_multiprocessor`, and values of specialization constants by their numbers, with
/// their bytes after a colon if these are not four.
struct PlanList {
  std::vector<std::unique_ptr<ListedPlan>> plans;
  std::vector<ListedKernel> kernels;
  std::vector<std::string> lines;  ///< Those of plans, then those of kernels.

  /// Throws invalid_argument, with file and line, for a line that is wrong or names no plan; io_failed if a file cannot
  /// be read.
  static PlanList read(const std::string& file);
};

}  // namespace weft::tools
