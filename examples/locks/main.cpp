// Updates of records of three words from many invocations: under locks, one lane for each subgroup, by atomics, and
// under the naive lock, which hangs where a subgroup runs in lockstep. Each result is checked on the CPU.
//
//   locks [DEVICE [INVOCATIONS [RECORDS]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <weft/progress.h>
#include <weft/weft.h>

#include "locks_kernels.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Record {
  uint32_t updates, sum, largest;
  bool operator==(const Record&) const = default;
};

// The push-constant block of records.glsl.
struct Block {
  weft::Pointer<uint32_t> locks;
  weft::Pointer<Record> records;
  uint32_t count, number, sharing, unused = 0;
};

struct Problem {
  uint32_t count, number, sharing;
};

std::vector<Record> on_cpu(const Problem& problem) {
  std::vector<Record> records(problem.number);
  for (uint32_t i = 0; i < problem.count; ++i) {
    Record& record = records[i / problem.sharing * 2654435761u % problem.number];
    record = {record.updates + 1, record.sum + i, std::max(record.largest, i)};
  }
  return records;
}

/// Runs the kernel, prints its time, and returns whether the records are right and all locks free.
bool run(const weft::Device& device, const char* title, const weft::Spirv& module, const Problem& problem) {
  const weft::Kernel kernel = device.kernel(module);
  weft::Stream stream = device.stream();
  const auto locks = device.buffer<uint32_t>(problem.number);
  const auto records = device.buffer<Record>(problem.number);
  stream.fill(locks, 0u);
  const Block block{locks.pointer(), records.pointer(), problem.count, problem.number, problem.sharing};
  double seconds = 1e9;
  for (int repeat = 0; repeat < 4; ++repeat) {  // drivers compile in the first
    stream.fill(records.view().as<uint32_t>(), 0u);
    stream.synchronize();
    const Clock::time_point start = Clock::now();
    stream.dispatch(kernel, {(problem.count + 63) / 64}, block);
    stream.synchronize();
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  const std::vector<uint32_t> taken = stream.download(locks);
  const bool right = stream.download(records) == on_cpu(problem) &&
                     std::ranges::all_of(taken, [](uint32_t word) { return word == 0; });
  std::printf("  %-34s %9.3f ms %9.2f M updates/s   %s\n", title, seconds * 1e3, problem.count / seconds / 1e6,
              right ? "right" : "WRONG");
  return right;
}

/// The naive lock, on a device of its own, which it may block for good.
bool run_naive(const std::string& selector, const Problem& problem) {
  weft::DeviceOptions options = weft::DeviceOptions::from_environment();
  options.timeout = std::chrono::seconds(2);
  const weft::Device device = weft::open_device(selector, options);
  try {
    return run(device, "naive lock", kernels::naive(), problem);
  } catch (const weft::Error& error) {
    if (error.code() != weft::ErrorCode::timeout && error.code() != weft::ErrorCode::device_lost) throw;
    std::printf("  %-34s hangs: %s\n", "naive lock", error.what());
    return true;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string selector = argc > 1 ? argv[1] : "";
  const auto count = uint32_t(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1 << 20);
  const auto number = uint32_t(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1024);
  if (count == 0 || number == 0) throw weft::Error(weft::ErrorCode::invalid_argument, "locks: the numbers start at 1");
  const weft::Device device = weft::open_device(selector);
  weft::require_forward_progress(device, "locks");

  std::printf("%s: %u updates of %u records\n", device.info().name.c_str(), count, number);
  const Problem own{count, number, 1}, shared{count, number, 64};
  bool right = run(device, "lock for each lane", kernels::each_lane(), own);
  right &= run(device, "atomics", kernels::atomics(), own);
  std::printf("64 invocations in a row update the same record\n");
  right &= run(device, "lock for each lane", kernels::each_lane(), shared);
  right &= run(device, "lock for one lane of each subgroup", kernels::one_lane(), shared);
  right &= run(device, "atomics", kernels::atomics(), shared);
  right &= run_naive(device.info().selector, shared);
  return right ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
