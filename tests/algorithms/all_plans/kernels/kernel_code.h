#pragma once

#include <cstdint>
#include <map>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "tests/support/recording_device.h"

/// The memory accesses of kernels and what orders them, read from SPIR-V.
namespace weft::test {

/// What atomic operations order: nothing, what was written before it, what is read after it.
constexpr uint32_t relaxed = 0;
inline const uint32_t publishes =
    spv::MemorySemanticsReleaseMask | spv::MemorySemanticsMakeAvailableMask | spv::MemorySemanticsUniformMemoryMask;
inline const uint32_t sees =
    spv::MemorySemanticsAcquireMask | spv::MemorySemanticsMakeVisibleMask | spv::MemorySemanticsUniformMemoryMask;

/// An access to workgroup memory, an atomic operation, a barrier, or a call.
struct Step {
  spv::Op op;
  std::string name;                   ///< Name of the variable in workgroup memory, or of the called function.
  uint32_t called = 0;                ///< Function of a call.
  spv::StorageClass memory{};         ///< Storage class of an access.
  uint32_t execution = 0, scope = 0;  ///< Scopes of a control barrier; of barriers and atomic operations.
  uint32_t semantics = 0;

  bool is_barrier() const { return op == spv::OpControlBarrier || op == spv::OpMemoryBarrier; }
  bool is_atomic() const;
};

struct Block {
  std::vector<Step> steps;
  std::vector<size_t> next;  ///< Indices of the blocks that may follow.
};

struct Function {
  std::string name;           ///< Without parameters.
  std::vector<Block> blocks;  ///< In the module's order; the first is the entry.
};

struct KernelCode {
  std::map<uint32_t, Function> functions;
  uint32_t entry = 0;
};

KernelCode read_code(const Spirv& module);

/// Every kernel of shaders/kernels, for words: with counts below and above 2^32, on both paths. Look-back kernels also
/// for a device without 64-bit atomics, sorts also as for NVIDIA GPUs; and those whose tiles
/// have one invocation.
const std::vector<RequestedKernel>& every_kernel();

}  // namespace weft::test
