#pragma once

#include <weft/api.h>

namespace weft {

/// Installs handlers for SIGSEGV and SIGBUS that explain faults in kernels. Kernels on the host device run inside the
/// process, so an access far out of bounds raises one of these signals. The handler names the kernel on standard error,
/// says whether it used a null pointer, and that check=on finds the access. It then passes the signal to the handler
/// that was installed before, or lets it end the process.
///
/// For programs; libraries should leave signals to the program. Faults elsewhere are passed on without a message. A
/// handler installed later replaces this one. Calling this again has no effect. Thread-safe.
WEFT_API void explain_kernel_faults();

}  // namespace weft
