#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>

#include <weft/weft.h>

#include "backends/host/memory.h"

using namespace weft;

namespace {

std::set<std::string> threads_of_this_process() {
  std::set<std::string> threads;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    threads.insert(task.path().filename());
  return threads;
}

class Counting {
 public:
  Counting() : device_(open_device("host:threads=4")), stream_(device_.stream()), count_(device_.buffer<uint32_t>(1)) {
    stream_.fill_region(count_, std::array<std::byte, 4>{});
    kernel_ = device_.kernel_from_glsl(R"(#version 450
      layout(local_size_x = 8) in;
      layout(set = 0, binding = 0) buffer Count { uint n; } count;
      void main() { atomicAdd(count.n, 1u); })");
  }
  /// Dispatches that many workgroups and returns the number of all invocations so far.
  uint32_t run(uint32_t groups) {
    stream_.dispatch(kernel_, {groups, 1, 1}, Arguments().bind(0, 0, count_));
    return stream_.download(count_).front();
  }

 private:
  weft::Device device_;
  Stream stream_;
  Buffer<uint32_t> count_;
  Kernel kernel_;
};

}  // namespace

TEST_CASE("the threads of a stream stay from one dispatch to the next") {
  const size_t before = threads_of_this_process().size();
  Counting counting;
  uint32_t expected = 8;
  CHECK_EQ(counting.run(1), expected);
  CHECK_EQ(threads_of_this_process().size(), before + 1);  // the stream's own; no helper for one workgroup
  expected += 8 * 64;
  CHECK_EQ(counting.run(64), expected);
  const auto team = threads_of_this_process();
  CHECK_EQ(team.size(), before + 4);
  for (uint32_t groups : {2u, 3u, 4u, 5u, 1u, 100u, 2u, 1000u}) {
    for (int i = 0; i < 20; ++i) CHECK_EQ(counting.run(groups), expected += 8 * groups);
  }
  CHECK_EQ(threads_of_this_process(), team);
}

TEST_CASE("a large buffer starts at a huge page, a small one at 256 bytes") {
  const auto start = [](const host::Memory& memory) { return reinterpret_cast<uintptr_t>(memory.data()); };
  CHECK_EQ(start(host::Memory(1000)) % 256, 0);
  for (const uint64_t bytes : {uint64_t(4) << 20, (uint64_t(9) << 20) + 1}) {
    const host::Memory memory(bytes);
    CHECK_EQ(start(memory) % (2u << 20), 0);
    memory.data()[bytes - 1] = 1;
  }
  for (const uint64_t bytes : {~uint64_t(0), ~uint64_t(0) - (1u << 20), uint64_t(1) << 62}) {
    CHECK_THROWS_AS(host::Memory{bytes}, Error);
  }
}
