#pragma once

#include <algorithm>
#include <chrono>

#include "tests/conformance/step.h"

namespace weft::test {

/// Repeats what waits for a device until its time-out suffices: even short work may take longer, on a busy machine.
template <typename Action>
auto patiently(const Action& action) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    try {
      return action();
    } catch (const Error& error) {
      REQUIRE(error.code() == ErrorCode::timeout);
      REQUIRE(std::chrono::steady_clock::now() < deadline);
    }
  }
}

/// One dispatch that keeps the device busy for at least a given time, then ends with a known result.
class LongWork {
 public:
  /// Measures the device's speed, then chooses the number of rounds so that the dispatch takes `duration` or longer.
  LongWork(const Device& device, std::chrono::nanoseconds duration)
      : spin_(device.kernel(kernels::spin())), result_(device.buffer<uint32_t>(1)) {
    using clock = std::chrono::steady_clock;
    Stream stream = device.stream();
    const auto measure = [&] {
      const clock::time_point start = clock::now();
      record(stream);
      // The device under test may have a short time-out, which this must not hit.
      stream.record().wait(std::chrono::seconds(60));
      return clock::now() - start;
    };
    measure();  // drivers compile at the first dispatch
    // Takes the faster of two: a busy host makes a dispatch look longer than it is.
    while (std::min(measure(), measure()) < duration / 4) rounds_ *= 2;
    rounds_ *= 8;  // twice the requested time, since the clock may rise
  }

  void record(Recorder& recorder) {
    recorder.fill(result_, 0xa5a5a5a5u);
    recorder.dispatch(spin_, {}, SpinBlock{result_.pointer(), rounds_, seed});
  }
  uint32_t download(Stream& stream) const { return stream.download(result_).at(0); }
  void download(Stream& stream, std::chrono::nanoseconds timeout) const {
    uint32_t result = 0;
    stream.download_region(result_.view().region(), std::as_writable_bytes(std::span(&result, 1)), timeout);
  }
  void check(Stream& stream) const {
    const uint32_t result = patiently([&] { return download(stream); });
    CHECK_EQ(result, spin_result(rounds_, seed));
  }

 private:
  static constexpr uint32_t seed = 12345;

  Kernel spin_;
  Buffer<uint32_t> result_;
  uint32_t rounds_ = 1 << 16;
};

}  // namespace weft::test
