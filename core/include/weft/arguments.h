#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <weft/buffer.h>

namespace weft {

/// How many workgroups a dispatch starts in each dimension.
struct Groups {
  uint32_t x = 1, y = 1, z = 1;
};

/// The arguments of one dispatch: a push-constant block and buffer bindings. A plain value; reuse it freely.
class Arguments {
 public:
  static constexpr size_t max_push_constant_bytes = 256;

  struct Binding {
    uint32_t set = 0, binding = 0, element = 0;
    Region region;
  };

  Arguments() = default;
  /// `block` is copied byte for byte, so its layout must be the shader's: scalars and Pointer<T> at the block's
  /// offsets.
  template <typename Block>
  requires std::is_trivially_copyable_v<Block> Arguments(
      const Block& block) {  // implicit: a dispatch takes the block itself
    static_assert(sizeof(Block) <= max_push_constant_bytes, "push constants hold at most 256 bytes");
    push(std::as_bytes(std::span(&block, 1)));
  }

  /// Replaces the push-constant block. Throws invalid_argument above 256 bytes.
  Arguments& push(std::span<const std::byte> block);

  /// Binds a view at layout(set, binding), element `element` of a descriptor array.
  template <DeviceCopyable T>
  Arguments& bind(uint32_t set, uint32_t binding, View<T> view, uint32_t element = 0) {
    return bind_region(set, binding, view.region(), element);
  }
  template <DeviceCopyable T>
  Arguments& bind(uint32_t set, uint32_t binding, const Buffer<T>& buffer, uint32_t element = 0) {
    return bind_region(set, binding, buffer.view().region(), element);
  }
  Arguments& bind_region(uint32_t set, uint32_t binding, const Region& region, uint32_t element = 0);

  std::span<const std::byte> push_constants() const { return {block_.data(), block_bytes_}; }
  std::span<const Binding> bindings() const { return bindings_; }

 private:
  std::array<std::byte, max_push_constant_bytes> block_{};
  size_t block_bytes_ = 0;
  std::vector<Binding> bindings_;
};

}  // namespace weft
