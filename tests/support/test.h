#pragma once

/// Includes the parts of the support library that most tests need.
#include "tests/support/compare.h"
#include "tests/support/device_test.h"
#include "tests/support/errors.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"
#include "tests/support/threads.h"
