#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <weft/sort.h>
#include <weft/weft_c.h>

#include "bench/seconds.h"

// Measures the host's time to record a sort of 2^20 keys through C and through C++, in turns, into streams of one
// device. The count is on the device and 0, so that the work is quick; the dispatches are those of all keys.
//
//   recording_in_c [DEVICE [TURNS]]
namespace {

using namespace weft;

constexpr uint64_t keys = uint64_t{1} << 20;
constexpr int batch = 16;

void check(weft_result result) {
  if (result == WEFT_OK) return;
  std::fprintf(stderr, "%s\n", weft_error_message());
  std::exit(1);
}

/// Seconds to record a sort. The first one opens the command buffer and warms the caches up, and does not count.
template <typename RecordOne>
double seconds_of(const RecordOne& record_one) {
  record_one();
  const auto start = bench::Clock::now();
  for (int i = 0; i < batch; ++i) record_one();
  return bench::seconds_since(start) / batch;
}

/// A sort with its memory.
class InC {
 public:
  explicit InC(const char* selector) {
    check(weft_open_device(selector, nullptr, &device_));
    check(weft_create_plan(device_, "Sort key=uint max_count=1048576", &plan_));
    check(weft_create_stream(device_, &stream_));
    check(weft_get_stream_recorder(stream_, &recorder_));
    uint64_t bytes = 0;
    check(weft_get_temporary_bytes(plan_, &bytes));
    arguments_.size = sizeof(arguments_);
    arguments_.keys = arguments_.keys_out = region(keys * 4);
    arguments_.count.on_device = region(8);
    arguments_.temporary = region(bytes);
    check(weft_fill(recorder_, arguments_.count.on_device, 0));
  }

  double seconds() {
    const double seconds = seconds_of([&] { check(weft_record_sort(recorder_, plan_, &arguments_)); });
    check(weft_synchronize(stream_, WEFT_DEVICE_TIMEOUT));
    return seconds;
  }

 private:
  weft_region region(uint64_t bytes) {
    weft_region all{nullptr, 0, WEFT_REST};
    check(weft_create_buffer(device_, bytes, &all.buffer));
    return all;
  }

  weft_device* device_ = nullptr;
  weft_plan* plan_ = nullptr;
  weft_stream* stream_ = nullptr;
  weft_recorder* recorder_ = nullptr;
  weft_sort_arguments arguments_{};
};

class InCpp {
 public:
  explicit InCpp(const char* selector)
      : device_(open_device(selector)),
        plan_(device_, Element::of<uint32_t>(), keys),
        stream_(device_.stream()),
        keys_(device_.buffer<uint32_t>(keys)),
        count_(device_.buffer<uint64_t>(1)),
        temporary_(device_.buffer<std::byte>(plan_.temporary_bytes())) {
    stream_.fill(count_, uint64_t{0});
  }

  double seconds() {
    const double seconds = seconds_of(
        [&] { plan_.record(stream_, {.keys = keys_, .keys_out = keys_, .count = count_, .temporary = temporary_}); });
    stream_.synchronize();
    return seconds;
  }

 private:
  Device device_;
  Sort plan_;
  Stream stream_;
  Buffer<uint32_t> keys_;
  Buffer<uint64_t> count_;
  Buffer<std::byte> temporary_;
};

}  // namespace

int main(int argc, char** argv) try {
  const char* const selector = argc > 1 ? argv[1] : "";
  const int turns = argc > 2 ? std::atoi(argv[2]) : 200;
  InC in_c(selector);
  InCpp in_cpp(selector);
  std::vector<double> c, cpp;
  // Whoever comes first after a pause is slower, so they take turns at that too.
  for (int i = 0; i < turns; ++i) {
    if (i % 2 == 0) c.push_back(in_c.seconds());
    cpp.push_back(in_cpp.seconds());
    if (i % 2 != 0) c.push_back(in_c.seconds());
  }
  const double c_median = bench::median(c), cpp_median = bench::median(cpp);
  const double c_least = *std::ranges::min_element(c), cpp_least = *std::ranges::min_element(cpp);
  std::printf("recording a sort: C %.3f us, C++ %.3f us, %.3f times; at least %.3f and %.3f us, %.3f times\n",
              c_median * 1e6, cpp_median * 1e6, c_median / cpp_median, c_least * 1e6, cpp_least * 1e6,
              c_least / cpp_least);
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
