#include "algorithms/src/base/in_parallel.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/src/runtime/backend.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::algorithms;

DEVICE_TEST("kernels of a plan compile side by side where the device can, and else in order on the caller's thread") {
  if (!device.impl().compiles_side_by_side() || std::thread::hardware_concurrency() < 2) {
    std::vector<int> order;
    const auto caller = std::this_thread::get_id();
    const auto part = [&](int number) {
      return [&order, number, caller] {
        CHECK(std::this_thread::get_id() == caller);
        order.push_back(number);
      };
    };
    in_parallel(device, {part(1), part(2), part(3)});
    CHECK(order == std::vector{1, 2, 3});
    return;
  }
  std::atomic<int> started = 0;
  const auto meet = [&] {
    ++started;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (started < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    CHECK(started >= 2);
  };
  in_parallel(device, {meet, meet});
}

DEVICE_TEST("the error of the first part that failed is thrown once all parts have ended") {
  std::atomic<int> ended = 0;
  const auto fail = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
  const auto work = [&] { ++ended; };
  try {
    in_parallel(device, {work, fail("first"), work, fail("second"), work});
    FAIL_CHECK("nothing was thrown");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) == "first");
  }
  CHECK(ended == 3);
  in_parallel(device, {});
}
