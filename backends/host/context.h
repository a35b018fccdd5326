#pragma once

// FiberThread, a thread that runs fibers; Context, a flow of control; StackPool, where new ones get their stacks.
#if defined(_WIN32)
#include "backends/host/windows/context.h"
#else
#include "backends/host/linux/context.h"
#endif
