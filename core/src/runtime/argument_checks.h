#pragma once

#include <weft/arguments.h>
#include <weft/kernel.h>

namespace weft::backend {
class Device;
class Kernel;
}  // namespace weft::backend

namespace weft::core {

/// Checks before a command is recorded. They throw Error(invalid_argument) naming what is wrong, and allocate nothing
/// when all is right.

/// `kernel` is not empty and of `device`.
void check_kernel(const Kernel& kernel, const backend::Device& device);
/// `region` is empty, or within a buffer of `device`. `what` starts the error's sentence: "The source of the copy".
void check_region(const Region& region, const backend::Device& device, const char* what);
/// No count is beyond the device's limits.
void check_groups(const Kernel& kernel, Groups groups);
/// The push-constant block and the bindings are what the kernel takes.
void check_arguments(const backend::Kernel& kernel, const Arguments& arguments);

}  // namespace weft::core
