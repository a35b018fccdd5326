#pragma once

#include <cstdint>
#include <string>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// Names objects and labels commands for debuggers if the instance has VK_EXT_debug_utils enabled; otherwise does
/// nothing. Thread-safe.
class DebugUtils {
 public:
  DebugUtils(const FindFunction& find, VkDevice device) : functions_(find), device_(device) {}

  template <typename Handle>
  void name(VkObjectType type, Handle handle, const std::string& name) const {
    if (functions_.vkSetDebugUtilsObjectNameEXT) set_name(type, reinterpret_cast<uint64_t>(handle), name);
  }
  /// Called in pairs, around commands.
  void begin_label(VkCommandBuffer commands, const char* name) const;
  void end_label(VkCommandBuffer commands) const;
  /// Called before one command.
  void label(VkCommandBuffer commands, const std::string& name) const;

 private:
  void set_name(VkObjectType type, uint64_t handle, const std::string& name) const;

  DebugFunctions functions_;
  VkDevice device_;
};

}  // namespace weft::vulkan
