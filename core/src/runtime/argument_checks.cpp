#include "core/src/runtime/argument_checks.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/src/runtime/messages.h"

namespace weft::core {
namespace {

std::string text(uint64_t number) { return std::to_string(number); }

// "vulkan:1 (NVIDIA H200)"
std::string device_text(const backend::Device& device) {
  return device.info().selector + " (" + device.info().name + ")";
}

// "offset 0 values (buffer reference, 8 bytes), offset 8 count (uint, 4 bytes)"
std::string block_text(const Reflection& reflection) {
  std::string members;
  for (const Reflection::Member& member : reflection.push_constants) {
    members += (members.empty() ? "" : ", ") + ("offset " + text(member.offset)) + " " + member.name + " (" +
               member.type + ", " + text(member.bytes) + " bytes)";
  }
  return members;
}

// The largest alignment that a C++ struct of the same members can have, to which it is padded at its end: up to 16, for
// vectors and arrays that may have been declared with that alignment.
uint64_t struct_alignment(const Reflection& reflection) {
  uint32_t alignment = 4;
  for (const Reflection::Member& member : reflection.push_constants) {
    alignment = std::max(alignment, std::bit_ceil(std::min(member.bytes, 16u)));
  }
  return alignment;
}

[[noreturn]] void wrong_push_constants(const backend::Kernel& kernel, size_t given) {
  const Reflection& reflection = kernel.reflection();
  if (reflection.push_constants.empty()) {
    invalid("Kernel '" + kernel.name() + "' takes no push constants; " + text(given) + " bytes were given.");
  }
  std::string message = "Kernel '" + kernel.name() + "' takes " + text(reflection.push_constant_bytes) +
                        " bytes of push constants; " + text(given) + " were given";
  const auto beyond = std::ranges::find_if(reflection.push_constants, [&](const Reflection::Member& member) {
    return uint64_t{member.offset} + member.bytes > given;
  });
  if (beyond != reflection.push_constants.end()) message += ", which do not cover '" + beyond->name + "'";
  invalid(message + ". The block: " + block_text(reflection) + ".");
}

// Members of the kernel's that the C++ type of the block lacks, at whose offset it has padding.
void check_padding(const backend::Kernel& kernel, const Arguments::Bytes& padding) {
  if (padding.none()) return;
  for (const Reflection::Member& member : kernel.reflection().push_constants) {
    uint32_t at = member.offset;
    while (at < member.offset + member.bytes && padding[at]) ++at;
    if (at < member.offset + member.bytes || member.bytes == 0) continue;
    invalid("The struct of push constants for kernel '" + kernel.name() + "' lacks '" + member.name + "': at offset " +
            text(member.offset) + " it has padding. The block: " + block_text(kernel.reflection()) + ".");
  }
}

void check_push_constants(const backend::Kernel& kernel, const Arguments& arguments) {
  const Reflection& reflection = kernel.reflection();
  const std::span<const std::byte> block = arguments.push_constants();
  if (block.size() != reflection.push_constant_bytes) {
    const uint64_t alignment = struct_alignment(reflection);
    const uint64_t padded = (reflection.push_constant_bytes + alignment - 1) / alignment * alignment;
    if (block.size() < reflection.push_constant_bytes || block.size() > padded) {
      wrong_push_constants(kernel, block.size());
    }
  }
  check_padding(kernel, arguments.padding());
  for (const Reflection::Member& member : reflection.push_constants) {
    if (member.pointee_align <= 1) continue;
    uint64_t address = 0;
    std::memcpy(&address, block.data() + member.offset, sizeof(address));
    if (address % member.pointee_align != 0) {
      char digits[32];
      std::snprintf(digits, sizeof(digits), "0x%llx", static_cast<unsigned long long>(address));
      invalid("Push constant '" + member.name + "' of kernel '" + kernel.name() + "' points to " + digits +
              ", and the kernel needs a multiple of " + text(member.pointee_align) +
              ". Start the view at such an address, or declare the buffer reference with a smaller "
              "buffer_reference_align.");
    }
  }
}

std::string name_of_binding(const backend::Kernel& kernel, uint32_t set, uint32_t binding, const std::string& name) {
  return "Binding " + text(set) + "." + text(binding) + (name.empty() ? "" : " (" + name + ")") + " of kernel '" +
         kernel.name() + "'";
}

std::string bindings_text(const Reflection& reflection) {
  std::string all;
  for (const Reflection::Binding& binding : reflection.bindings) {
    all +=
        (all.empty() ? "it has: " : ", ") + text(binding.set) + "." + text(binding.binding) + " (" + binding.name + ")";
  }
  return all.empty() ? "it has none" : all;
}

void check_bound_region(const backend::Kernel& kernel, const Reflection::Binding& binding, const Region& region) {
  const DeviceLimits& limits = kernel.device().info().limits;
  const bool storage = binding.kind == Reflection::BindingKind::storage_buffer;
  const uint32_t alignment = storage ? limits.storage_binding_alignment : limits.uniform_binding_alignment;
  const uint64_t largest = storage ? limits.max_storage_binding_bytes : limits.max_uniform_binding_bytes;
  const auto where = [&] { return name_of_binding(kernel, binding.set, binding.binding, binding.name); };
  if (region.buffer && !kernel.device().shares_memory_with(region.buffer->device()))
    invalid(where() + " has a buffer of another device.");
  const uint64_t least = std::max<uint64_t>({binding.min_bytes, 1});
  if (!region.buffer || region.bytes < least) {
    invalid(where() + " has a view of " + text(region.bytes) + " bytes; it needs at least " +
            text(std::max<uint64_t>(least, binding.min_bytes == 0 ? binding.array_stride : 0)) + ".");
  }
  if (region.offset > region.buffer->bytes() || region.bytes > region.buffer->bytes() - region.offset) {
    invalid(where() + " has a view that reaches past the end of its buffer.");
  }
  const uint64_t offset = region.buffer->base_offset() + region.offset;
  if (alignment != 0 && offset % alignment != 0) {
    invalid(where() + " has a view that starts at byte " + text(offset) +
            " of its buffer; the device needs a multiple of " + text(alignment) + ".");
  }
  if (region.bytes > largest) {
    invalid(where() + " has a view of " + text(region.bytes) + " bytes; the device binds up to " + text(largest) +
            ". Pass the buffer as a buffer reference instead, which has no such limit.");
  }
}

void check_bindings(const backend::Kernel& kernel, std::span<const Arguments::Binding> given) {
  const Reflection& reflection = kernel.reflection();
  for (const Arguments::Binding& item : given) {
    const auto binding = std::ranges::find_if(reflection.bindings, [&](const Reflection::Binding& b) {
      return b.set == item.set && b.binding == item.binding;
    });
    if (binding == reflection.bindings.end()) {
      invalid("Kernel '" + kernel.name() + "' has no binding " + text(item.set) + "." + text(item.binding) + "; " +
              bindings_text(reflection) + ".");
    }
    if (binding->kind == Reflection::BindingKind::other) {
      invalid(name_of_binding(kernel, item.set, item.binding, binding->name) +
              " is not a buffer, and the kernel does not use it; leave it out.");
    }
    if (item.element >= binding->count) {
      invalid(name_of_binding(kernel, item.set, item.binding, binding->name) + " has " + text(binding->count) +
              " elements; a view was bound to element " + text(item.element) + ".");
    }
    check_bound_region(kernel, *binding, item.region);
  }
}

std::vector<Region> bound_regions(const backend::Kernel& kernel, std::span<const Arguments::Binding> given) {
  std::vector<Region> regions;
  for (const Reflection::Binding& binding : kernel.reflection().bindings) {
    for (uint32_t element = 0; element < binding.count; ++element) {
      const auto bound = std::ranges::find_if(given, [&](const Arguments::Binding& item) {
        return item.set == binding.set && item.binding == binding.binding && item.element == element;
      });
      if (bound == given.end() && binding.used) {
        invalid(name_of_binding(kernel, binding.set, binding.binding, binding.name) + " is missing" +
                (binding.count > 1 ? " at element " + text(element) : "") + ". Bind it with Arguments::bind(" +
                text(binding.set) + ", " + text(binding.binding) + ", view).");
      }
      regions.push_back(bound == given.end() ? Region{} : bound->region);
    }
  }
  return regions;
}

}  // namespace

std::string another_device(const backend::Device& other, const backend::Device& own) {
  const std::string text = device_text(other);
  return "another device, " + text +
         (text == device_text(own) ? ", which was opened or wrapped separately from this one" : "");
}

void check_kernel(const Kernel& kernel, const backend::Device& device) {
  if (!kernel) invalid("The kernel to dispatch is empty; Device::kernel() makes one.");
  if (&kernel.impl().device() != &device) {
    invalid("Kernel '" + kernel.name() + "' belongs to " + another_device(kernel.impl().device(), device) +
            "; compile it for the device that it is recorded on, " + device_text(device) + ".");
  }
}

void check_region(const Region& region, const backend::Device& device, const char* what) {
  if (region.bytes == 0) return;
  if (!region.buffer) invalid(std::string(what) + " has " + text(region.bytes) + " bytes but no buffer.");
  if (!device.shares_memory_with(region.buffer->device())) {
    invalid(std::string(what) + " is memory of " + another_device(region.buffer->device(), device) + ".");
  }
  if (region.offset > region.buffer->bytes() || region.bytes > region.buffer->bytes() - region.offset) {
    invalid(std::string(what) + " reaches past the end of its buffer: " + text(region.bytes) + " bytes at offset " +
            text(region.offset) + " of " + text(region.buffer->bytes()) + ".");
  }
}

void check_groups(const Kernel& kernel, Groups groups) {
  const std::array<uint32_t, 3>& most = kernel.impl().device().info().limits.max_workgroup_count;
  if (groups.x <= most[0] && groups.y <= most[1] && groups.z <= most[2]) return;
  invalid("Kernel '" + kernel.name() + "' was dispatched on " + text(groups.x) + "x" + text(groups.y) + "x" +
          text(groups.z) + " workgroups; the device takes up to " + text(most[0]) + "x" + text(most[1]) + "x" +
          text(most[2]) + ".");
}

backend::BoundArguments checked_arguments(const backend::Kernel& kernel, const Arguments& arguments) {
  check_push_constants(kernel, arguments);
  check_bindings(kernel, arguments.bindings());
  return {arguments.push_constants(), bound_regions(kernel, arguments.bindings())};
}

}  // namespace weft::core
