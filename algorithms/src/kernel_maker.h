#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weft/compact.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/kernel.h>
#include <weft/operator.h>

#include "algorithms/src/tiling.h"
#include "algorithms/src/tuning.h"

namespace weft::algorithms {

/// Makes Weft's kernels for one element type, operator or selection, and tiling: collects the macros that the templates
/// in shaders/kernels take, and compiles. A plain value; copy it to make kernels that differ in a macro.
class KernelMaker {
 public:
  /// `primitive` names the caller in messages: "Reduce".
  KernelMaker(const Device& device, std::string primitive);

  /// The element type T. Throws unsupported when the device lacks it.
  KernelMaker& element(const Element& element);
  /// The operator on T. Throws invalid_argument when it has no identity for that type.
  KernelMaker& op(const Element& element, const Operator& op);
  /// In place of both: positions among all elements and their sum; `wide` when they reach 2^32.
  KernelMaker& place_sum(bool wide);
  KernelMaker& selection(const Selection& selection);
  KernelMaker& tiling(const Tiling& tiling);
  KernelMaker& tuning(const Tuning& tuning);
  KernelMaker& define(std::string name, std::string value = "1");

  /// Compiles shaders/kernels/<name>.comp. Throws compile_failed naming the operator or the selection when those do not
  /// compile, and what Device::kernel() throws.
  Kernel make(const std::string& name) const;

 private:
  Device device_;
  std::string primitive_;
  std::string user_code_;  // For messages: what of the kernel is the user's, "the operator 'x' (...)".
  std::vector<std::pair<std::string, std::string>> macros_;
  uint32_t workgroup_ = 0;
  uint32_t resident_workgroups_ = 0;
};

}  // namespace weft::algorithms
