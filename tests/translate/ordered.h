#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include <weft/spirv.h>

/// Every atomic operation on integers and every memory barrier, in every order and scope, to test that translation
/// keeps them.
namespace weft::test {

struct Ordered {
  spv::Op op;
  spv::StorageClass
      memory;  ///< The memory that an operation acts on, StorageBuffer or Workgroup, or that a barrier orders.
  spv::Scope scope;
  uint32_t order;  ///< spv::MemorySemanticsAcquireMask or the like; 0 is relaxed.

  bool acquires() const;
  bool releases() const;
  /// "acquire", "release", "acquire_release" or "relaxed".
  std::string order_name() const;
  /// "device", "workgroup" or "subgroup": the target's scope for it.
  std::string scope_name() const;
};

/// Returns those that Vulkan's memory model allows, or the sequentially consistent ones, which only GLSL's allows.
std::vector<Ordered> all_ordered(spv::MemoryModel model);

/// Returns a kernel that performs them one after the other.
Spirv ordered_kernel(const std::vector<Ordered>& all, spv::MemoryModel model);
/// Returns a kernel with one barrier of the workgroup or the subgroup, in Vulkan's memory model.
Spirv control_barrier(spv::Scope execution, spv::Scope memory, uint32_t semantics);

}  // namespace weft::test
