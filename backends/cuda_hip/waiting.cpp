#include "backends/cuda_hip/waiting.h"

#include <algorithm>
#include <thread>

#include "core/src/runtime/messages.h"

namespace weft::cuda_hip {

void wait_until(const std::function<bool()>& done, std::chrono::nanoseconds timeout, const std::string& device,
                core::Patience& patience) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  while (!done()) {
    const auto waited = Clock::now() - start;
    if (waited >= timeout) {
      patience.lose(timeout);
      throw core::timed_out(device, timeout);
    }
    if (waited < 200us) continue;
    if (waited < 5ms) {
      std::this_thread::yield();
    } else {
      // Adds at most a twentieth to the time waited so far.
      std::this_thread::sleep_for(std::clamp<std::chrono::nanoseconds>(waited / 20, 50us, 1ms));
    }
  }
  patience.renew();
}

}  // namespace weft::cuda_hip
