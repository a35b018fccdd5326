#pragma once

namespace weft::peer {

/// The kernels of bench/kernels/users/ in OpenCL C, by the names in bench/user_kernels.h with '_' for '-'. Their
/// arguments are the inputs, the output, the number of elements and the side of an image.
extern const char* const kernels;

}  // namespace weft::peer
