#pragma once

/// All of Weft's device interface. The primitives have headers of their own: weft/reduce.h, weft/scan.h, ...
#include <weft/arguments.h>
#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/device_info.h>
#include <weft/device_options.h>
#include <weft/error.h>
#include <weft/faults.h>
#include <weft/glsl.h>
#include <weft/half.h>
#include <weft/kernel.h>
#include <weft/kernel_cache.h>
#include <weft/messages.h>
#include <weft/spirv.h>
#include <weft/stream.h>
#include <weft/tuning.h>
#include <weft/version.h>
