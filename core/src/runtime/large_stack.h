#pragma once

#include <cstddef>
#include <functional>

namespace weft::core {

/// Runs `work` on a thread of its own with a stack of so many bytes, and waits for it. Throws what `work` throws, and
/// out_of_memory where the system gives no such thread.
void on_large_stack(size_t bytes, const std::function<void()>& work);

}  // namespace weft::core
