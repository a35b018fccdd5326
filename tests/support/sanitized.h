#pragma once

#include <cstddef>

// Of the runtime of AddressSanitizer. A quick run sanitizes the library and not the tests, which link it all the same.
extern "C" void* __asan_region_is_poisoned(void*, size_t) __attribute__((weak));

namespace weft::test {

/// Whether AddressSanitizer watches this program's memory, or the library's alone.
inline bool is_sanitized() { return __asan_region_is_poisoned != nullptr; }

}  // namespace weft::test
