#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <weft/device.h>

/// A Vulkan loader whose devices run their commands on the host device in checking mode, which sees every access of a
/// kernel. So the tests know which bytes each command of a queue reads and writes, and which barriers are between them.
///
/// The driver below keeps its devices, semaphores, fences and command buffers. Memory, kernels and commands are the
/// loader's: a submission runs its commands in order, one after the other, before the driver gets it without them.
/// queue_steps() in hazards.h has the commands and barriers.
namespace weft::test {

PFN_vkVoidFunction VKAPI_CALL traced_get_proc_addr(VkInstance instance, const char* name);

/// Wraps a traced device of the tests, with every feature that Weft can use or with as few as its streams need.
Device open_traced_device(bool minimum);

}  // namespace weft::test
