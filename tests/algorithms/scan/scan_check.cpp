#include "tests/algorithms/scan/scan_check.h"

namespace weft::test {

void need_path(const Device& device, TilePath path) {
  if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) {
    unsupported("no forward progress between workgroups, which look_back needs");
  }
}

}  // namespace weft::test
