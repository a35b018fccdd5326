#pragma once

#include <string>

#include <weft/arguments.h>
#include <weft/kernel.h>

#include "core/src/runtime/backend.h"

namespace weft::core {

/// Checks before a command is recorded. They throw Error(invalid_argument), naming the wrong argument, and allocate
/// nothing if all are right but the list of bound regions.

/// "another device, vulkan:1 (NVIDIA H200)", and how it differs from `own` if that reads the same.
std::string another_device(const backend::Device& other, const backend::Device& own);
/// Requires `kernel` to be a kernel of `device`, not empty.
void check_kernel(const Kernel& kernel, const backend::Device& device);
/// Requires `region` to be empty or inside a buffer of `device`. `what` starts the message: "The source of the copy".
void check_region(const Region& region, const backend::Device& device, const char* what);
/// Requires the counts to be within the device's limits.
void check_groups(const Kernel& kernel, Groups groups);
/// Requires the push-constant block and the bindings to match the kernel, and returns them as backends take them: valid
/// as long as `arguments`.
backend::BoundArguments checked_arguments(const backend::Kernel& kernel, const Arguments& arguments);

}  // namespace weft::core
