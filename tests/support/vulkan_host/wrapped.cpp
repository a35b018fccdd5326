#include "tests/support/vulkan_host/wrapped.h"

#include "tests/support/vulkan_host/host.h"

namespace weft::test {

Device open_wrapped_device() {
  static Host* const host = new Host({.minimum = true});
  return vulkan::wrap_device(host->description());
}

}  // namespace weft::test
