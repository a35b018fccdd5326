#pragma once

/// All that a test needs of the support library.
#include "compare.h"
#include "device_test.h"
#include "errors.h"
#include "guarded.h"
#include "random.h"
#include "threads.h"
