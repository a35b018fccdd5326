#pragma once

/// All of Weft's device interface. Separate headers have the primitives (weft/reduce.h, weft/scan.h, ...), translation
/// (weft/translate.h) and interoperation (weft/interop/).
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
