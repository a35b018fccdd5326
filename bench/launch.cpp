#include "bench/launch.h"

#include <vector>

#include "bench/seconds.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

class EmptyKernel {
 public:
  explicit EmptyKernel(const Device& device) : kernel_(device.kernel(kernels::empty())), stream_(device.stream()) {}

  struct Times {
    double submitted = 0, done = 0;
  };

  Times run(uint32_t dispatches) {
    Times times;
    const auto start = Clock::now();
    for (uint32_t i = 0; i < dispatches; ++i) stream_.dispatch(kernel_, {1, 1, 1});
    stream_.submit();
    times.submitted = seconds_since(start);
    stream_.synchronize();
    times.done = seconds_since(start);
    return times;
  }

 private:
  Kernel kernel_;
  Stream stream_;
};

}  // namespace

LaunchCosts measure_launch(const Device& device, const MeasureOptions& options) {
  // Far below the driver's limit of queued launches (1024 in CUDA), at which the host would wait for the device.
  constexpr uint32_t batch = 200;
  EmptyKernel kernel(device);
  const auto warm_up = Clock::now();
  do kernel.run(batch);
  while (seconds_since(warm_up) < options.warm_up_seconds);
  std::vector<double> host, device_side, latency;
  const auto start = Clock::now();
  while (host.size() < options.min_runs || seconds_since(start) < options.seconds / 2) {
    const EmptyKernel::Times times = kernel.run(batch);
    host.push_back(times.submitted / batch);
    device_side.push_back(times.done / batch);
  }
  const auto alone = Clock::now();
  while (latency.size() < options.min_runs || seconds_since(alone) < options.seconds / 2) {
    latency.push_back(kernel.run(1).done);
  }
  return {median(host), median(device_side), median(latency)};
}

}  // namespace weft::bench
