#pragma once

#include <string>
#include <vector>

namespace weft::core {

/// The architectures whose machine code a device of `architecture` (DeviceInfo::architecture) runs, best first: its
/// own, then the vendor's rule. On CUDA "sm_86" runs cubins of earlier GPUs of the same major version ("sm_80"), and
/// PTX of any earlier one ("compute_75"), which the driver compiles. On HIP "gfx90a:xnack-" runs code for "gfx90a",
/// which is for every setting of its features. On host "x86-64-v4" runs code for "x86-64-v3" and "x86-64".
std::vector<std::string> code_architectures(const std::string& architecture);

}  // namespace weft::core
