#pragma once

#include <cstdint>
#include <map>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "tests/support/recording_device.h"

/// What kernels do that has to be ordered, or that orders it, as their SPIR-V has it.
namespace weft::test {

/// An access to workgroup memory, an atomic operation, a barrier, or a call.
struct Step {
  spv::Op op;
  std::string name;                   ///< Of the variable of workgroup memory, or of the function that is called.
  uint32_t called = 0;                ///< A call's function.
  spv::StorageClass memory{};         ///< Of what is accessed.
  uint32_t execution = 0, scope = 0;  ///< Of a control barrier; of barriers and atomic operations.
  uint32_t semantics = 0;

  bool is_barrier() const { return op == spv::OpControlBarrier || op == spv::OpMemoryBarrier; }
  bool is_atomic() const;
};

struct Block {
  std::vector<Step> steps;
  std::vector<size_t> next;  ///< Blocks of the function that may follow.
};

struct Function {
  std::string name;           ///< Without parameters.
  std::vector<Block> blocks;  ///< In the module's order; the first one is where it starts.
};

struct KernelCode {
  std::map<uint32_t, Function> functions;
  uint32_t entry = 0;
};

KernelCode read_code(const Spirv& module);

/// Every kernel of shaders/kernels, of words: with counts below 2^32 and above, on both paths; those that look back
/// also for a device without 64-bit atomics; sorts also as GPUs of NVIDIA get them.
const std::vector<RequestedKernel>& every_kernel();

}  // namespace weft::test
