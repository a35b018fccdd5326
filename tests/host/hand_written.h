#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/host/executor.h"

namespace weft::host::test {

/// Compiles a hand-written kernel: `body` is that of `void weft_kernel(weft_host_invocation* self)`. Besides the ABI it
/// can use `binding<T>(self, i)`, `shared<T>(self)`, `all(self)` (the existing lanes) and sites 0 to 9, named "site 0"
/// to "site 9", on lines 100 to 109 of hand.comp. Each text is compiled once.
std::shared_ptr<const Code> compile_by_hand(const std::string& body, uint64_t workgroup_memory_bytes = 0);

/// A dispatch under construction, with buffers of words.
class Run {
 public:
  Run(std::shared_ptr<const Code> code, Groups groups, uint32_t workgroup, uint32_t subgroup = 32);

  Run& bind(std::vector<uint32_t>& words);
  Run& schedule(uint64_t seed);
  /// Turns on the checking mode. `pointer` is in the first eight bytes of the push constants.
  Run& check(std::shared_ptr<MemoryMap> memory, const void* pointer);
  /// Runs it on that many threads. Throws the kernel's error.
  void on_threads(uint32_t threads);

 private:
  Dispatch dispatch_;
};

/// Returns the text of the Error(kernel_failed) that the run must throw.
std::string failure_of(Run& run, uint32_t threads);

inline const uint32_t subgroup_sizes[] = {1, 2, 4, 8, 16, 32, 64, 128};

}  // namespace weft::host::test
