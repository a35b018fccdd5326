#include "core/src/platform/shared_descriptor.h"

#include <string>

#include <weft/error.h>

namespace weft::core {

Handle duplicate_descriptor(const char* what, int) {
  throw Error(ErrorCode::unsupported, std::string(what) +
                                          ": file descriptors share memory and semaphores on Linux. Windows shares "
                                          "them by handles, which this version of Weft does not take");
}

}  // namespace weft::core
