#include "core/src/platform/threads.h"

#include <pthread.h>

namespace weft::core {
namespace {

void* run(void* work) {
  (*static_cast<std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

bool run_on_thread(size_t stack_bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  const bool started =
      pthread_attr_setstacksize(&attributes, stack_bytes) == 0 && pthread_create(&thread, &attributes, run, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

}  // namespace weft::core
