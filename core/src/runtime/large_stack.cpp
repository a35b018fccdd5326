#include "core/src/runtime/large_stack.h"

#include <exception>
#include <string>

#include <weft/error.h>

#include "core/src/platform/threads.h"

namespace weft::core {

void on_large_stack(size_t bytes, const std::function<void()>& work) {
  std::exception_ptr error;
  const bool started = run_on_thread(bytes, [&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (!started) {
    throw Error(ErrorCode::out_of_memory,
                "The system cannot create a thread with a stack of " + std::to_string(bytes) + " bytes.");
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace weft::core
