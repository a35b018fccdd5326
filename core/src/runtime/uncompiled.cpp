#include "core/src/runtime/uncompiled.h"

#include "core/src/runtime/backend.h"
#include "core/src/runtime/making_plan.h"

namespace weft::core {

void refuse_uncompiled(const std::string& why, const std::string& what, const backend::Device& device) {
  const DeviceInfo& info = device.info();
  const std::string lacking = device.kernels.has_packs()
                                  ? "no pack holds "
                                  : "the device was given no pack (DeviceOptions::packs, WEFT_PACKS) that could hold ";
  const MakingPlan* plan = MakingPlan::current();
  const std::string listed =
      plan != nullptr ? "this line: " + plan->line() : "its kernels, as WEFT_RECORD_PLANS writes it.";
  throw Error(ErrorCode::unsupported,
              why + "; and " + lacking + what + " for " + info.selector + " (" + info.name +
                  "). Make a pack for a device like this one with `weft pack`, from a list with " + listed);
}

}  // namespace weft::core
