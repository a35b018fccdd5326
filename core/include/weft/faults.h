#pragma once

namespace weft {

/// Kernels on the host device run in the process, which an access far out of bounds ends with SIGSEGV or SIGBUS. After
/// this call a sentence on standard error comes first: which kernel it was, and that check=on finds the access. Then
/// goes on what was set for the signal before this call, such as the program's own handler, or the process's end.
///
/// For programs, which own their signals; a library leaves this to the program that it is in. Faults elsewhere pass
/// unchanged. A handler that is set afterwards takes this one's place. The second call and later ones do nothing.
/// Thread-safe.
void explain_kernel_faults();

}  // namespace weft
