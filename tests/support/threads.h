#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::test {

/// Runs body(0) ... body(count - 1), each on its own thread, and waits for all. Rethrows the first exception.
template <typename Body>
void on_threads(int count, Body&& body) {
  std::exception_ptr failure;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft::test
