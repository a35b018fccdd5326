#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <weft/kernel.h>

namespace weft::backend {
class Device;
}

namespace weft::core {

/// What Device::kernel() knows of a module and its options before a backend compiles it. It is found with compilers'
/// libraries, which takes long, and no property of a device is in it, so caches and packs keep it.
struct PreparedKernel {
  std::vector<uint32_t> words;  ///< The module, valid, as drivers take it, obeying KernelOptions::contraction.
  std::vector<SpecializationValue> specialization;  ///< With the constants of the workgroup size.
  Reflection reflection;
  std::string layout_error;  ///< See core::layout_error(): devices without scalar layout refuse the kernel.

  /// `given` is the module that it was prepared from: if its words are the same, they are not written.
  std::vector<std::byte> encode(std::span<const uint32_t> given) const;
  /// Nullopt for bytes that encode() did not write.
  static std::optional<PreparedKernel> decode(std::span<const std::byte> bytes, std::span<const uint32_t> given);
};

/// A kernel of `device`, from a pack, from the cache or prepared now. Throws what prepare() throws.
PreparedKernel prepared_kernel(const Spirv& module, const KernelOptions& options, const backend::Device& device);

}  // namespace weft::core
