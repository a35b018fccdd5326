#include "backends/vulkan/debug_utils.h"

namespace weft::vulkan {

namespace {

VkDebugUtilsLabelEXT label_info(const char* name) {
  VkDebugUtilsLabelEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  info.pLabelName = name;
  return info;
}

}  // namespace

void DebugUtils::set_name(VkObjectType type, uint64_t handle, const std::string& name) const {
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = type;
  info.objectHandle = handle;
  info.pObjectName = name.c_str();
  functions_.vkSetDebugUtilsObjectNameEXT(device_, &info);  // A name that is not taken is no loss.
}

void DebugUtils::begin_label(VkCommandBuffer commands, const char* name) const {
  if (!functions_.vkCmdBeginDebugUtilsLabelEXT) return;
  const VkDebugUtilsLabelEXT info = label_info(name);
  functions_.vkCmdBeginDebugUtilsLabelEXT(commands, &info);
}

void DebugUtils::end_label(VkCommandBuffer commands) const {
  if (functions_.vkCmdEndDebugUtilsLabelEXT) functions_.vkCmdEndDebugUtilsLabelEXT(commands);
}

void DebugUtils::label(VkCommandBuffer commands, const std::string& name) const {
  if (!functions_.vkCmdInsertDebugUtilsLabelEXT) return;
  const VkDebugUtilsLabelEXT info = label_info(name.c_str());
  functions_.vkCmdInsertDebugUtilsLabelEXT(commands, &info);
}

}  // namespace weft::vulkan
