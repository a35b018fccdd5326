#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <weft/device_options.h>
#include <weft/plan_recorder.h>

namespace weft::test {

/// Keeps the lines of plans.
class Recorded final : public PlanRecorder {
 public:
  void plan(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    lines.push_back(line);
  }
  void kernel(const Spirv&, const KernelOptions&) override { ++kernels; }

  std::vector<std::string> lines;
  size_t kernels = 0;

 private:
  std::mutex mutex_;
};

inline DeviceOptions with_recorder(DeviceOptions options, std::shared_ptr<PlanRecorder> recorder) {
  options.recorder = std::move(recorder);
  return options;
}

}  // namespace weft::test
