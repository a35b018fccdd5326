#include "core/src/runtime/large_stack.h"

#include <pthread.h>

#include <exception>
#include <string>

#include <weft/error.h>

namespace weft::core {
namespace {

struct Work {
  const std::function<void()>& run;
  std::exception_ptr error;
};

void* run_work(void* given) {
  Work& work = *static_cast<Work*>(given);
  try {
    work.run();
  } catch (...) {
    work.error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_large_stack(size_t bytes, const std::function<void()>& work) {
  Work given{work, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  const bool started =
      pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_create(&thread, &attributes, run_work, &given) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) {
    throw Error(ErrorCode::out_of_memory,
                "The system cannot create a thread with a stack of " + std::to_string(bytes) + " bytes.");
  }
  pthread_join(thread, nullptr);
  if (given.error) std::rethrow_exception(given.error);
}

}  // namespace weft::core
