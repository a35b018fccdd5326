#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <weft/api.h>
#include <weft/buffer.h>

namespace weft {

/// Number of workgroups of a dispatch in each dimension.
struct Groups {
  uint32_t x = 1, y = 1, z = 1;
};

/// The arguments of a dispatch: a push-constant block and buffer bindings. A plain value; reuse it freely.
class WEFT_API Arguments {
 public:
  static constexpr size_t max_push_constant_bytes = 256;
  using Bytes = std::bitset<max_push_constant_bytes>;

  struct Binding {
    uint32_t set = 0, binding = 0, element = 0;
    Region region;
  };

  Arguments() = default;
  /// Copies `block` byte for byte, so its members must have the offsets of the shader's push-constant block. Members
  /// are scalars and Pointer<T>. Compiled by GCC, a dispatch also finds members of the shader's that Block lacks, where
  /// its padding would be read instead.
  template <typename Block>
    requires std::is_trivially_copyable_v<Block>
  Arguments(const Block& block) {  // implicit, so that dispatch() takes a block directly
    static_assert(sizeof(Block) <= max_push_constant_bytes, "push constants hold at most 256 bytes");
    push(std::as_bytes(std::span(&block, 1)));
    static const Bytes padding = padding_of<Block>();
    padding_ = padding;
  }

  /// Replaces the push-constant block. Throws invalid_argument above 256 bytes.
  Arguments& push(std::span<const std::byte> block);

  /// Binds a view to layout(set, binding). `element` is the index in a descriptor array. A view must hold
  /// the whole block but for a runtime array at its end, whatever the kernel reads of it: dispatch() throws otherwise.
  template <DeviceCopyable T>
  Arguments& bind(uint32_t set, uint32_t binding, View<T> view, uint32_t element = 0) {
    return bind(set, binding, view.region(), element);
  }
  template <DeviceCopyable T>
  Arguments& bind(uint32_t set, uint32_t binding, const Buffer<T>& buffer, uint32_t element = 0) {
    return bind(set, binding, buffer.view().region(), element);
  }
  Arguments& bind(uint32_t set, uint32_t binding, const Region& region, uint32_t element = 0);

  /// The block. Zeros follow it in memory, up to max_push_constant_bytes.
  std::span<const std::byte> push_constants() const { return {block_.data(), block_bytes_}; }
  /// The bytes of the block that belong to no member of its C++ type; none where that is unknown.
  const Bytes& padding() const { return padding_; }
  std::span<const Binding> bindings() const { return bindings_; }

 private:
  template <typename Block>
  static Bytes padding_of() {
    Bytes padding;
#if __has_builtin(__builtin_clear_padding)
    alignas(Block) std::array<std::byte, sizeof(Block)> bytes;
    bytes.fill(std::byte{0xff});
    __builtin_clear_padding(reinterpret_cast<Block*>(bytes.data()));
    for (size_t i = 0; i < bytes.size(); ++i) padding[i] = bytes[i] == std::byte{};
#endif
    return padding;
  }

  std::array<std::byte, max_push_constant_bytes> block_{};
  size_t block_bytes_ = 0;
  Bytes padding_;
  std::vector<Binding> bindings_;
};

}  // namespace weft
