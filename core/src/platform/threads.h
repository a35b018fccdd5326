#pragma once

#include <cstddef>
#include <functional>

namespace weft::core {

/// Runs `work`, which must not throw, on a new thread with a stack of `stack_bytes` bytes, and waits for it. Returns
/// false if the system cannot create such a thread.
bool run_on_thread(size_t stack_bytes, std::function<void()> work);

}  // namespace weft::core
