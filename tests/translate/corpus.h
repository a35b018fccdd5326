#pragma once

#include <string>
#include <vector>

#include <weft/weft.h>

/// Kernels whose results on the host device, which runs translated code, are compared with those of a Vulkan driver.
namespace weft::test {

/// One kernel. `body` is GLSL within a function of which each invocation runs one call: u(k) gives it random words,
/// f(k) random numbers between -8 and 8 (both for k < 16), put(uint) and putf(float) take up to 16 results. `id` is the
/// invocation's number.
struct KernelCase {
  std::string name;
  std::string declarations;  ///< Extensions, functions, shared variables.
  std::string body;
  /// How far apart floats may be, in units in the last place; results are words that must be equal where it is 0.
  uint32_t ulps = 0;
  /// The results depend on the size of subgroups, so the host device takes the driver's.
  bool depends_on_subgroups = false;
  /// A driver that computes this wrongly (its name, or a part of it), and is not asked.
  std::string wrong_on = "";
};

/// Runs the cases on `reference` and on host devices, as they are and optimised.
void compare_with_host(const Device& reference, const std::vector<KernelCase>& cases);

}  // namespace weft::test
