#include "c/src/objects.h"

#include <array>

namespace weft::c {
namespace {

constexpr std::array names{"weft_device", "weft_device_list", "weft_buffer",      "weft_recorder",
                           "weft_stream", "weft_event",       "weft_timestamp",   "weft_kernel",
                           "weft_plan",   "weft_pack",        "weft_cache_entry", "weft_vulkan_arena"};
static_assert(names.size() == size_t(Kind::vulkan_arena) + 1);

}  // namespace

const char* Tag::name() const {
  for (size_t i = 0; i < names.size(); ++i) {
    if (is(Kind(i))) return names[i];
  }
  return nullptr;
}

void refuse_handle(const Tag* tag, Kind kind, const char* parameter) {
  const std::string wanted = names[size_t(kind)], what = std::string("'") + parameter + "' ";
  if (!tag) refuse(what + "is null; it takes a " + wanted + ".");
  if (const char* name = tag->name()) refuse(what + "takes a " + wanted + "; this is a " + name + ".");
  refuse(what + "takes a " + wanted + "; this is no handle of Weft's, or it was destroyed.");
}

}  // namespace weft::c
