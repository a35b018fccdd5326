#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/context.h"
#include "tests/stand_ins/emulated_gpu/abi.h"

namespace weft::test {

/// Runs the workgroups of one launch, one after the other. Each waiting lane occupies its own fiber; a kernel whose
/// lanes never wait runs on one.
class EmulatedWorkgroup {
 public:
  /// The referenced objects must outlive this.
  EmulatedWorkgroup(const emulated::Entry& entry, const void* const* parameters);
  ~EmulatedWorkgroup();
  EmulatedWorkgroup(const EmulatedWorkgroup&) = delete;

  /// Returns an error message, or nothing.
  std::string run(emulated::Dim3 block, emulated::Dim3 grid, void* dynamic_memory);

 private:
  struct Fiber;
  /// One operation of a warp: its lanes' words, which they read once all have arrived.
  struct Meeting {
    uint64_t mask = 0, arrived = 0, left = 0;
    int operation = 0;
    uint32_t words[64];

    bool open() const { return arrived != mask; }
    bool over() const { return left == mask; }
  };
  struct Lane {
    emulated::Dim3 thread = {};
    bool done = false, at_barrier = false;
    Fiber* fiber = nullptr;
    Meeting* meeting = nullptr;  ///< The last one that it reached in this workgroup.
  };
  struct Fiber {
    host::Context context;
    uint32_t lane = 0;
  };
  struct Stopped {};

  const uint32_t* meet(uint64_t mask, int operation, uint32_t word);
  void barrier();
  [[noreturn]] void stop(const char* why);

  void run_lanes();
  void start_lanes(Fiber& fiber);
  void go_on(Fiber& fiber);
  void suspend();
  Meeting& meeting(uint32_t warp, uint64_t mask, int operation);
  void release_barrier();
  void unwind();

  const emulated::Entry& entry_;
  const void* const* parameters_;
  uint32_t lane_count_, started_ = 0, done_ = 0, at_barrier_ = 0;
  bool ending_ = false;
  std::string problem_;
  std::vector<Lane> lanes_;
  std::vector<std::deque<Meeting>> meetings_;  ///< For each warp.
  std::deque<Fiber*> ready_;
  std::vector<Fiber*> idle_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Fiber* running_ = nullptr;
  host::Context scheduler_;
};

}  // namespace weft::test
