#include <weft/error.h>

#include "tests/translate/vendors/device_compiler.h"

// Replaces the parts that need HIP's headers if there are none.
namespace weft::test {

const DeviceCompiler& hiprtc() { throw Error(ErrorCode::unsupported, "the tests were built without HIP's headers"); }
const DeviceCompiler& hip_on_cuda() { return hiprtc(); }

}  // namespace weft::test
