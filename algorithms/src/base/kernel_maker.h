#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weft/compact.h>
#include <weft/comparison.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/kernel.h>
#include <weft/operator.h>
#include <weft/transform.h>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Makes Weft's kernels for one element type, operator or selection, and tiling: collects the macros that the templates
/// in shaders/kernels take, and compiles. A plain value; copy it to make kernels that differ in a macro.
class KernelMaker {
 public:
  /// `primitive` names the caller in messages: "Reduce".
  KernelMaker(const Device& device, std::string primitive);

  /// The element type T. Throws unsupported when the device lacks it.
  KernelMaker& element(const Element& element);
  /// In its place: such elements are only moved, as their bits. Throws unsupported when memory has none of that size.
  KernelMaker& bits_of(const Element& element);
  /// The operator on T. Throws invalid_argument when it has no identity for that type.
  KernelMaker& op(const Element& element, const Operator& op);
  /// In place of both: positions among all elements and their sum; `wide` when they reach 2^32.
  KernelMaker& place_sum(bool wide);
  /// Likewise pairs of them.
  KernelMaker& place_pair_sum(bool wide);
  /// The operator then works on pairs of a count of heads and a value of that many words: shaders/thread/segment.glsl.
  KernelMaker& segmented(uint32_t value_words, bool wide);
  KernelMaker& selection(const Element& element, const Selection& selection);
  /// Flags that select, of 8 or 32 bits. Throws invalid_argument for others, unsupported when memory has none of 8.
  KernelMaker& flags(uint32_t bits);
  /// A selection by an expression beside that one: WEFT_WHERE_SECOND.
  KernelMaker& second_selection(const std::string& where);
  /// The type K of the keys that lie beside the elements. Throws unsupported when the device lacks it.
  KernelMaker& key(const Element& key);
  /// Values that elements carry along, which are only moved. Throws unsupported when the device cannot move them.
  KernelMaker& carried(const Element& value);
  /// Which neighbours among those elements or keys are of one run.
  KernelMaker& equality(const Element& element, const Equality& equality);
  /// An element that comes before all others.
  KernelMaker& initial(const std::string& element);
  /// What elements are computed from; sources take the place of keys.
  KernelMaker& transform(const Transform& transform);
  KernelMaker& comparison(const Element& element, const Comparison& comparison);
  KernelMaker& tiling(const Tiling& tiling);
  KernelMaker& tuning(const Tuning& tuning);
  KernelMaker& define(std::string name, std::string value = "1");

  /// Compiles shaders/kernels/<name>.comp. Throws compile_failed naming the operator, selection or comparison when
  /// those do not compile, and what Device::kernel() throws.
  Kernel make(const std::string& name) const;

 private:
  /// Defines a macro as what a user gives. Throws compile_failed for what is not one expression.
  KernelMaker& expression(const char* macro, const char* what, const std::string& given);
  void need_type(const Element& element);
  void add_user_code(const std::string& text);
  void refuse(const std::string& type, const std::string& missing) const;

  Device device_;
  std::string primitive_;
  std::string user_code_;  // For messages: what of the kernel is the user's, "the operator 'x' (...)".
  std::vector<std::pair<std::string, std::string>> macros_;
  uint32_t workgroup_ = 0;
  uint32_t resident_workgroups_ = 0;
};

}  // namespace weft::algorithms
