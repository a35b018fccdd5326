#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weft/device.h>
#include <weft/element.h>
#include <weft/kernel.h>
#include <weft/operator.h>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning_values.h"

namespace weft::algorithms {

/// Makes the kernels of one plan: collects the macros that shaders/kernels take, and compiles. Here are the macros that
/// most families share. A family defines its own with define() and, where users write GLSL, with expression().
///
/// A plain value: copy it to make kernels that differ in a macro.
class KernelMaker {
 public:
  /// `primitive` names the caller in messages: "Reduce".
  KernelMaker(const Device& device, std::string primitive);

  const Device& device() const { return device_; }
  const std::string& primitive() const { return primitive_; }

  /// The element type T. Throws unsupported if the device lacks it.
  KernelMaker& element(const Element& element);
  /// The type K of what an invocation holds beside elements: keys, or what a transform reads. Throws unsupported if the
  /// device lacks it.
  KernelMaker& key(const Element& key);
  /// Elements that the kernel moves as bits and never computes with. Throws unsupported if buffers cannot have members
  /// of that size.
  KernelMaker& bits_of(const Element& element);
  /// The operator on T. Throws invalid_argument if it has no identity for that type.
  KernelMaker& op(const Element& element, const Operator& op);
  /// A GLSL expression of a user's. Compile errors name it: the `what` "`glsl`" `suffix`. Throws compile_failed for
  /// anything but one expression.
  KernelMaker& expression(const char* macro, const std::string& what, const std::string& glsl,
                          const std::string& suffix = {});
  KernelMaker& tiling(const Tiling& tiling);
  KernelMaker& workgroups_per_multiprocessor(uint32_t groups);
  KernelMaker& look_back(const LookBackTuning& tuning);
  KernelMaker& define(std::string name, std::string value = "1");

  /// Throws unsupported, saying that `what` cannot run because the device has no `missing`, unless that is empty.
  void refuse(const std::string& what, const std::string& missing) const;

  /// Compiles shaders/kernels/<name>.comp. Throws compile_failed naming the user's expressions if they do not compile,
  /// and what Device::kernel() throws.
  Kernel make(const std::string& name) const;

 private:
  void define_expression(const char* macro, const std::string& what, const std::string& glsl);
  void need_type(const Element& element);
  void add_user_code(const std::string& text);

  Device device_;
  std::string primitive_;
  std::vector<std::string> user_expressions_;
  std::string user_code_;  // The user's part of the kernel, for messages: "operator 'x' (...) or the transform ...".
  std::vector<std::pair<std::string, std::string>> macros_;
  uint32_t workgroup_ = 0;
  uint32_t workgroups_per_multiprocessor_ = 0;
};

}  // namespace weft::algorithms
