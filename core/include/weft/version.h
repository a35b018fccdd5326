#pragma once

/// Weft's version as major.minor.patch; CMake reads it from here.
#define WEFT_VERSION "0.1.0"
