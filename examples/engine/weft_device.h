#pragma once

#include <weft/interop/vulkan.h>

#include "memory.h"

/// The engine's device as a weft::Device. `gpu` and `memory` must outlive it and all that is made from it.
weft::Device wrap(const Gpu& gpu, Memory& memory);
