#pragma once

#include <cstddef>
#include <functional>

namespace weft::core {

/// Runs `work` on a new thread with a stack of `bytes` bytes, and waits for it. Throws what `work` throws, and
/// out_of_memory if the system cannot create such a thread.
void on_large_stack(size_t bytes, const std::function<void()>& work);

}  // namespace weft::core
