#include <weft/progress.h>

#include <weft/error.h>

namespace weft {

void require_forward_progress(const Device& device, const std::string& what) {
  const DeviceInfo& info = device.info();
  if (info.features.workgroup_forward_progress) return;
  throw Error(ErrorCode::unsupported,
              what + " cannot run on " + info.selector + " (" + info.name +
                  "): workgroups wait for one another, and the device does not promise that one which has started "
                  "keeps running. See the progress classes in docs/devices.md.");
}

}  // namespace weft
