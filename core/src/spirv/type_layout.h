#pragma once

#include <cstdint>
#include <spirv_cross/spirv_cross.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include <weft/kernel.h>

namespace weft::core {

/// The types of a module: their GLSL names, sizes and members. Sizes may depend on specialization constants: set these,
/// then call fold_constants(), then query.
class ModuleTypes : public spirv_cross::Compiler {
 public:
  using SPIRType = spirv_cross::SPIRType;

  explicit ModuleTypes(std::vector<uint32_t> words) : Compiler(std::move(words)) {}

 protected:
  /// "uint", "vec3", "f64mat2x3", "float[4]"; "buffer reference" for pointers to buffers.
  std::string type_name(const SPIRType& type) const;
  /// Size of a component in bytes; booleans have 4.
  uint32_t scalar_bytes(const SPIRType& type) const;
  /// Number of elements in a dimension of an array (the last one is outermost); 0 for an array without a size.
  uint32_t array_size(const SPIRType& type, size_t dimension) const;
  /// Size of a value in bytes, without padding.
  uint64_t packed_bytes(const SPIRType& type) const;
  /// Size of a block in bytes up to the end of its last member, from its decorations. 0 for a block without members,
  /// for which SPIRV-Cross's own function throws.
  uint64_t block_bytes(const SPIRType& block) const;
  bool is_variable(uint32_t id) const;
  /// Id of an array type whose length comes from specialization constants and is 0; 0 if there is none.
  uint32_t type_without_elements() const;
  /// Whether the type is a pointer to a buffer, not an array of pointers. SPIRV-Cross changes its name for this.
  bool is_buffer_reference(const SPIRType& type) const;
  /// Replaces operations on specialization constants (OpSpecConstantOp) by their current values.
  void fold_constants();

  /// The members of a block; members of inner structs are named "a.b" and "a[1].b". `pointer_align`: the alignment that
  /// the code promises for each pointer type.
  std::vector<Reflection::Member> block_members(const SPIRType& block,
                                                const std::unordered_map<uint32_t, uint32_t>& pointer_align) const;

 private:
  struct Flattening;
  uint64_t member_bytes(const SPIRType& block, uint32_t index) const;
  void flatten(const std::string& name, uint32_t type_id, uint64_t offset, uint64_t bytes, Flattening& into) const;
  /// Size of the largest component in the buffer that a pointer points to: the least alignment of its address.
  uint32_t largest_component(const SPIRType& type) const;
};

}  // namespace weft::core
