#pragma once

#include <cstdint>
#include <spirv_cross/spirv_cross.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include <weft/kernel.h>

namespace weft::core {

/// The types of a module: their names in GLSL, sizes and members.
///
/// Sizes may depend on specialization constants: set these, then fold_constants(), then ask.
class ModuleTypes : public spirv_cross::Compiler {
 public:
  using SPIRType = spirv_cross::SPIRType;

  explicit ModuleTypes(std::vector<uint32_t> words) : Compiler(std::move(words)) {}

 protected:
  /// "uint", "vec3", "f64mat2x3", "float[4]"; "buffer reference" for pointers to buffers.
  std::string type_name(const SPIRType& type) const;
  /// Bytes of one component; booleans take four.
  uint32_t scalar_bytes(const SPIRType& type) const;
  /// Elements of array dimension `dimension` (the last is the outermost); 0 for an array without a size.
  uint32_t array_size(const SPIRType& type, size_t dimension) const;
  /// Bytes of a value without any padding.
  uint64_t packed_bytes(const SPIRType& type) const;
  /// Bytes of a block up to the end of its last member, as its decorations say; 0 for one without members, of which
  /// SPIRV-Cross's own function makes an error.
  uint64_t block_bytes(const SPIRType& block) const;
  bool is_variable(uint32_t id) const;
  /// An array type whose length comes from specialization constants and is 0, or 0 when there is none.
  uint32_t type_without_elements() const;
  /// A pointer to a buffer, and no array of them. SPIRV-Cross has the like under names that change.
  bool is_buffer_reference(const SPIRType& type) const;
  /// Replaces operations on specialization constants (OpSpecConstantOp) by the values that they now have.
  void fold_constants();

  /// The members of a block, members of structs in it as "a.b" and "a[1].b". `pointer_align` tells for each pointer
  /// type what alignment its code promises.
  std::vector<Reflection::Member> block_members(const SPIRType& block,
                                                const std::unordered_map<uint32_t, uint32_t>& pointer_align) const;

 private:
  struct Flattening;
  uint64_t member_bytes(const SPIRType& block, uint32_t index) const;
  void flatten(const std::string& name, uint32_t type_id, uint64_t offset, uint64_t bytes, Flattening& into) const;
  /// The largest component in a buffer that a pointer points to: an address needs this alignment at least.
  uint32_t largest_component(const SPIRType& type) const;
};

}  // namespace weft::core
