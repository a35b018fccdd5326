#include "backends/cuda_hip/event.h"

#include "backends/cuda_hip/waiting.h"

namespace weft::cuda_hip {

bool Event::done() {
  return device_->call([&] { return mark_->done(); });
}

void Event::wait(std::chrono::nanoseconds timeout) {
  device_->call([&] { wait_until([&] { return mark_->done(); }, timeout, device_->info().name, *mark_->patience()); });
}

}  // namespace weft::cuda_hip
