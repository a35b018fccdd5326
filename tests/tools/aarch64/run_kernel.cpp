#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "backends/translate/prelude/host_abi.h"

// Linked with a kernel that weft compile --target lanes has written, this runs it without Weft, so it needs no more
// than a cross compiler: a thread for each subgroup, workgroups one after the other. As on the host device, whose
// atomics of workgroup memory take that for granted, one subgroup of a workgroup runs at a time.
//
//   run_kernel <workgroups> <push constants> <file of the first binding>...
//
// WORKGROUP_SIZE is defined as the kernel's, in one dimension. The files are read, and written when it is done.
extern "C" void weft_kernel(weft_host_invocation*);
extern "C" const uint32_t weft_lanes_of_call;

namespace {

using Bytes = std::vector<char>;

Bytes read(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) std::exit((std::perror(file), 1));
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Workgroup {
 public:
  explicit Workgroup(uint32_t subgroups) : left_(subgroups) {}

  std::unique_lock<std::mutex> turn() { return std::unique_lock(mutex_); }
  void meet(std::unique_lock<std::mutex>& turn) {
    if (++arrived_ == left_) return release();
    all_arrived_.wait(turn, [this, round = round_] { return round_ != round; });
  }
  void leave() {
    if (arrived_ == --left_) release();
  }

 private:
  void release() {
    arrived_ = 0;
    ++round_;
    all_arrived_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable all_arrived_;
  uint32_t left_, arrived_ = 0, round_ = 0;
};

struct Subgroup {
  Workgroup& workgroup;
  std::unique_lock<std::mutex> turn = workgroup.turn();
};

Subgroup& subgroup_of(weft_host_invocation* invocation) { return *static_cast<Subgroup*>(invocation->fiber); }

void wait_for_workgroup(weft_host_invocation* invocation, uint32_t) {
  Subgroup& subgroup = subgroup_of(invocation);
  subgroup.workgroup.meet(subgroup.turn);
}
const unsigned char* exchange(weft_host_invocation*, weft_host_mask, const void*, uint32_t, uint32_t) {
  std::exit((std::fputs("a subgroup in one flow of control exchanges nothing\n", stderr), 1));
}
void yield(weft_host_invocation* invocation) {
  std::unique_lock<std::mutex>& turn = subgroup_of(invocation).turn;
  turn.unlock();
  std::this_thread::yield();
  turn.lock();
}
void fail(weft_host_invocation*, const char* message, uint32_t) {
  std::exit((std::fprintf(stderr, "the kernel failed: %s\n", message), 1));
}
constexpr weft_host_runtime runtime{wait_for_workgroup, exchange, yield, fail, nullptr};

void run_workgroup(weft_host_invocation first) {
  alignas(256) static unsigned char memory[64 * 1024];
  std::memset(memory, 0xA5, sizeof(memory));
  const uint32_t lanes = weft_lanes_of_call, subgroups = (WORKGROUP_SIZE + lanes - 1) / lanes;
  Workgroup workgroup(subgroups);
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < subgroups; ++k) {
    threads.emplace_back([=, &workgroup]() mutable {
      Subgroup subgroup{workgroup};
      first.fiber = &subgroup;
      first.workgroup_memory = memory;
      first.subgroup_id = k;
      first.subgroup_count = subgroups;
      first.subgroup_size = lanes;
      first.local_index = first.local_id[0] = k * lanes;
      weft_kernel(&first);
      workgroup.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return std::fputs("usage: run_kernel <workgroups> <push constants> <file>...\n", stderr), 1;
  Bytes push = read(arguments[2]);
  push.resize(std::max<size_t>(push.size(), 256));
  std::vector<Bytes> files;
  for (int i = 3; i < count; ++i) files.push_back(read(arguments[i]));
  std::vector<weft_host_binding> bindings;
  for (Bytes& file : files) bindings.push_back({reinterpret_cast<unsigned char*>(file.data()), file.size()});

  weft_host_invocation first{};
  first.runtime = &runtime;
  first.push_constants = reinterpret_cast<const unsigned char*>(push.data());
  first.bindings = bindings.data();
  const uint32_t workgroups = uint32_t(std::atoi(arguments[1]));
  std::ranges::copy((const uint32_t[]){workgroups, 1, 1}, first.workgroup_count);
  for (; first.workgroup_id[0] < workgroups; ++first.workgroup_id[0]) run_workgroup(first);
  for (size_t i = 0; i < files.size(); ++i) {
    std::ofstream(arguments[3 + i], std::ios::binary).write(files[i].data(), std::streamsize(files[i].size()));
  }
}
