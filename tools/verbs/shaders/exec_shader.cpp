#include <algorithm>

#include "support/text.h"
#include "tools/verbs/shaders/exec.h"

namespace weft::tools {

using namespace support;

namespace {

const char* kind_name(Reflection::BindingKind kind) {
  switch (kind) {
    case Reflection::BindingKind::storage_buffer:
      return "storage buffer";
    case Reflection::BindingKind::uniform_buffer:
      return "uniform buffer";
    case Reflection::BindingKind::conflicting:
      return "several variables that cannot be one buffer";
    default:
      return "not a buffer (images and samplers cannot be bound)";
  }
}

ScalarType scalar_of(const Reflection::Specialization& constant) {
  return find_scalar_type(constant.type).value_or(constant.bytes == 8 ? ScalarType::u64 : ScalarType::u32);
}

std::string describe_binding(const Reflection::Binding& b) {
  std::string text = kind_name(b.kind);
  if (b.count == 0) text += ", an array of any size";
  if (b.count > 1) text += ", an array of " + std::to_string(b.count);
  if (b.kind == Reflection::BindingKind::other || b.kind == Reflection::BindingKind::conflicting) return text;
  if (b.min_bytes > 0) text += ", " + format_count(b.min_bytes) + " bytes";
  if (b.array_stride > 0)
    text += std::string(b.min_bytes > 0 ? " and" : ",") + " elements of " + std::to_string(b.array_stride) + " bytes";
  return text;
}

}  // namespace

std::string slot_text(const Reflection::Binding& binding, uint32_t element) {
  return std::to_string(binding.set) + "." + std::to_string(binding.binding) +
         (binding.count > 1 ? "[" + std::to_string(element) + "]" : "");
}

std::string describe(const Reflection& reflection, const std::string& shader) {
  const auto& size = reflection.workgroup_size;
  std::string text = shader + ", entry point " + reflection.entry + ":\n";
  text += format("  workgroups     of %u x %u x %u invocations\n", size[0], size[1], size[2]);
  for (const auto& member : reflection.push_constants) {
    const std::string align = member.pointee_align ? format(" to %u-byte aligned data", member.pointee_align) : "";
    text += format("  push constant  %s %s%s, %u bytes at offset %u\n", member.type.c_str(), member.name.c_str(),
                   align.c_str(), member.bytes, member.offset);
  }
  for (const auto& binding : reflection.bindings) {
    text += format("  binding %u.%-5u %s: %s\n", binding.set, binding.binding, binding.name.c_str(),
                   describe_binding(binding).c_str());
  }
  for (const auto& constant : reflection.specializations) {
    const ScalarType type = scalar_of(constant);
    const std::string value = constant.type == "bool" ? (constant.default_bits ? "true" : "false")
                                                      : format_value(type, &constant.default_bits);
    text += format("  constant %-5u %s %s = %s\n", constant.id, constant.type.c_str(), constant.name.c_str(),
                   value.c_str());
  }
  text += "  capabilities  ";
  for (const std::string& name : missing_capabilities(reflection, {})) text += " " + name;
  text += "\nFor example:\n  weft exec " + shader + " --groups 1";
  for (const auto& binding : reflection.bindings) {
    if (!binding.used) continue;
    constexpr uint32_t most_shown = 8;
    const uint32_t count = std::max(binding.count, 1u);
    for (uint32_t element = 0; element < std::min(count, most_shown); ++element) {
      text += " --bind " + slot_text(binding, element) + "=FILE";
    }
    if (count > most_shown) text += " ... --bind " + slot_text(binding, count - 1) + "=FILE";
  }
  for (const auto& member : reflection.push_constants) {
    if (member.type == "buffer reference") text += " --buffer " + member.name + "=FILE";
  }
  if (reflection.push_constant_bytes > 0) text += " --push " + push_example(reflection);
  return text + "\n";
}

}  // namespace weft::tools
