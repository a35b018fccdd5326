#pragma once

/// Includes the parts of the support library that most tests need.
#include "compare.h"
#include "device_test.h"
#include "errors.h"
#include "guarded.h"
#include "random.h"
#include "threads.h"
