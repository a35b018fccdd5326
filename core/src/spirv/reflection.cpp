#include "core/src/spirv/reflection.h"

#include <algorithm>
#include <map>
#include <spirv_cross/spirv_cross.hpp>
#include <unordered_set>

#include <weft/error.h>

#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/forms.h"
#include "core/src/spirv/module_scan.h"
#include "core/src/spirv/type_layout.h"

namespace weft {
namespace core {
namespace {

using spirv_cross::SPIRConstant;
using spirv_cross::SPIRType;

// SPIRV-Cross creates every element of a null array, and aborts if there are too many. Reflection does not need the
// elements, so this replaces null arrays and structs by undefined values, which SPIRV-Cross does not expand.
std::vector<uint32_t> without_null_composites(std::vector<uint32_t> words) {
  constexpr size_t first_word = 5;
  std::unordered_set<uint32_t> composites;
  for (size_t at = first_word; at + 1 < words.size() && (words[at] >> 16) != 0; at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (op == spv::OpTypeArray || op == spv::OpTypeStruct) composites.insert(words[at + 1]);
    if (op == spv::OpConstantNull && composites.contains(words[at + 1])) words[at] = 3u << 16 | uint32_t{spv::OpUndef};
  }
  return words;
}

class Reflector : public ModuleTypes {
 public:
  Reflector(const Spirv& module, const std::string& entry)
      : ModuleTypes(without_null_composites(tool_form(module.words))),
        module_(module),
        scan_(scan_module(module, entry)) {
    select_entry(entry);
    reflection_.entry = entry;
    reflection_.capabilities = declared_capabilities(driver_form(module.words));
    reflection_.divergent_subgroup_operations = scan_.divergent_subgroup_operations;
  }

  Reflection run(std::span<const SpecializationValue> values) {
    specialization_constants(values);
    fold_constants();
    if (!values.empty()) require_lengths();  // the defaults need not be usable
    workgroup_size();
    const spirv_cross::ShaderResources resources = get_shader_resources();
    using Kind = Reflection::BindingKind;
    for (const auto& resource : resources.storage_buffers) buffer_binding(resource, Kind::storage_buffer);
    for (const auto& resource : resources.uniform_buffers) buffer_binding(resource, Kind::uniform_buffer);
    for (const auto* others :
         {&resources.storage_images, &resources.sampled_images, &resources.separate_images,
          &resources.separate_samplers, &resources.acceleration_structures, &resources.subpass_inputs}) {
      for (const auto& resource : *others) add_binding(resource, {});
    }
    std::ranges::sort(reflection_.bindings, {}, [](const auto& b) { return std::pair(b.set, b.binding); });
    push_constants(resources.push_constant_buffers);
    workgroup_memory();
    return std::move(reflection_);
  }

 private:
  void select_entry(const std::string& entry) {
    std::string others;
    size_t count = 0;
    bool found = false;
    for (const spirv_cross::EntryPoint& point : get_entry_points_and_stages()) {
      if (point.execution_model != spv::ExecutionModelGLCompute) continue;
      found = found || point.name == entry;
      others += (count++ ? ", " : "") + point.name;
    }
    entry_points_ = count;
    if (!found) {
      throw Error(ErrorCode::invalid_argument, "'" + module_.name + "' has no compute entry point '" + entry + "'; " +
                                                   (count == 0 ? "it has none." : "it has: " + others + "."));
    }
    set_entry_point(entry, spv::ExecutionModelGLCompute);
  }

  bool used(uint32_t id) const { return scan_.used_variables.contains(id); }

  // glslang declares one constant for local_size_x_id and another one for a declaration with the same id in the source,
  // with different defaults. The one from the source, which has a name, counts.
  void specialization_constants(std::span<const SpecializationValue> values) {
    const auto constants = get_specialization_constants();
    for (const spirv_cross::SpecializationConstant& constant : constants) {
      const SPIRConstant& value = get_constant(constant.id);
      const SPIRType& type = get_type(value.constant_type);
      Reflection::Specialization item{constant.constant_id, get_name(constant.id), type_name(type), scalar_bytes(type),
                                      0};
      item.default_bits = item.bytes == 8 ? value.scalar_u64() : value.scalar() & low_bits(item.bytes);
      const auto same = std::ranges::find(reflection_.specializations, item.id, &Reflection::Specialization::id);
      if (same == reflection_.specializations.end()) {
        reflection_.specializations.push_back(std::move(item));
      } else if (same->name.empty()) {
        *same = std::move(item);
      }
    }
    std::ranges::sort(reflection_.specializations, {}, &Reflection::Specialization::id);
    for (const spirv_cross::SpecializationConstant& constant : constants) {
      uint64_t bits =
          std::ranges::find(reflection_.specializations, constant.constant_id, &Reflection::Specialization::id)
              ->default_bits;
      for (const SpecializationValue& value : values) {
        if (value.id == constant.constant_id) bits = value.bits;
      }
      get_constant(constant.id).m.c[0].r[0].u64 = bits;
    }
  }

  void require_lengths() {
    const uint32_t type = type_without_elements();
    if (type == 0) return;
    throw Error(ErrorCode::invalid_argument,
                "An array of '" + module_.name + "'" +
                    (get_name(type).empty() ? std::string() : " (" + get_name(type) + ")") +
                    " has length 0, from specialization constants; arrays need at least one element.");
  }

  static uint64_t low_bits(uint32_t bytes) { return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1; }

  // A constant decorated with WorkgroupSize overrides the execution modes LocalSizeId and LocalSize.
  void workgroup_size() {
    spirv_cross::SpecializationConstant unused[3];
    const uint32_t composite = get_work_group_size_specialization_constants(unused[0], unused[1], unused[2]);
    const auto& mode = get_entry_point(reflection_.entry, spv::ExecutionModelGLCompute).workgroup_size;
    const uint32_t literals[3] = {mode.x, mode.y, mode.z};
    const uint32_t mode_ids[3] = {mode.id_x, mode.id_y, mode.id_z};
    for (uint32_t d = 0; d < 3; ++d) {
      uint32_t id = mode_ids[d];
      reflection_.workgroup_size[d] = literals[d];
      if (composite != 0) {
        id = get_constant(composite).m.c[0].id[d];
        if (id == 0) reflection_.workgroup_size[d] = get_constant(composite).scalar(0, d);
      }
      if (id == 0) continue;
      reflection_.workgroup_size[d] = evaluate_constant_u32(id);
      if (has_decoration(id, spv::DecorationSpecId)) {
        reflection_.workgroup_size_ids[d] = get_decoration(id, spv::DecorationSpecId);
      }
    }
  }

  void buffer_binding(const spirv_cross::Resource& resource, Reflection::BindingKind kind) {
    const SPIRType& block = get_type(resource.base_type_id);
    Reflection::Binding binding;
    binding.kind = kind;
    binding.min_bytes = block_bytes(block);
    if (!block.member_types.empty()) {
      const auto last = static_cast<uint32_t>(block.member_types.size() - 1);
      const SPIRType& type = get_type(block.member_types[last]);
      if (!type.array.empty() && type.array.back() == 0)
        binding.array_stride = type_struct_member_array_stride(block, last);
    }
    add_binding(resource, binding);
  }

  void add_binding(const spirv_cross::Resource& resource, Reflection::Binding binding) {
    binding.set = get_decoration(resource.id, spv::DecorationDescriptorSet);
    binding.binding = get_decoration(resource.id, spv::DecorationBinding);
    binding.name = get_name(resource.id).empty() ? resource.name : get_name(resource.id);
    binding.used = used(resource.id);
    const bool read_only = is_buffer(binding) && get_buffer_block_flags(resource.id).get(spv::DecorationNonWritable);
    const SPIRType& type = get_type(resource.type_id);
    for (size_t i = 0; i < type.array.size(); ++i) {
      const uint64_t count = uint64_t{binding.count} * array_size(type, i);
      binding.count = static_cast<uint32_t>(std::min<uint64_t>(count, ~uint32_t{0}));
    }
    // Several variables may share a binding, as different views of one buffer, which must suit every used one.
    const auto same = std::ranges::find_if(reflection_.bindings, [&](const Reflection::Binding& b) {
      return b.set == binding.set && b.binding == binding.binding;
    });
    if (same == reflection_.bindings.end()) {
      read_only_[{binding.set, binding.binding}] = read_only;
      reflection_.bindings.push_back(std::move(binding));
    } else if (binding.used == same->used) {
      merge(binding, read_only, *same);
    } else if (binding.used) {
      read_only_[{binding.set, binding.binding}] = read_only;
      *same = std::move(binding);
    }
  }

  static bool is_buffer(const Reflection::Binding& binding) {
    return binding.kind == Reflection::BindingKind::storage_buffer ||
           binding.kind == Reflection::BindingKind::uniform_buffer;
  }

  // HLSL numbers read-only and writable buffers separately (t0 and u0), so these two are never the same buffer.
  void merge(const Reflection::Binding& binding, bool read_only, Reflection::Binding& into) {
    const bool parted = ir.source.hlsl && read_only_.at({into.set, into.binding}) != read_only;
    using Kind = Reflection::BindingKind;
    if (into.kind != binding.kind || parted) into.kind = into.used ? Kind::conflicting : Kind::other;
    if (into.used) into.name += ", " + binding.name;
    into.count = into.count == 0 || binding.count == 0 ? 0 : std::max(into.count, binding.count);
    into.min_bytes = std::max(into.min_bytes, binding.min_bytes);
    into.array_stride = std::max(into.array_stride, binding.array_stride);
  }

  // A module with several entry points may have a block for each; an entry point uses at most one.
  void push_constants(const spirv_cross::SmallVector<spirv_cross::Resource>& blocks) {
    for (const spirv_cross::Resource& resource : blocks) {
      if (!used(resource.id) && entry_points_ > 1) continue;
      const SPIRType& block = get_type(resource.base_type_id);
      reflection_.push_constant_bytes = static_cast<uint32_t>(block_bytes(block));
      reflection_.push_constants = block_members(block, scan_.pointer_align);
    }
  }

  // Blocks with explicit layout share the same memory; other variables each have their own.
  void workgroup_memory() {
    uint64_t sum = 0, overlaid = 0;
    for (const uint32_t id : scan_.used_variables) {
      if (!is_variable(id) || get_storage_class(id) != spv::StorageClassWorkgroup) continue;
      const SPIRType& type = get_type_from_variable(id);
      try {
        if (has_decoration(type.self, spv::DecorationBlock)) {
          overlaid = std::max(overlaid, block_bytes(type));
        } else {
          if (__builtin_add_overflow(sum, packed_bytes(type), &sum)) sum = ~uint64_t{0} / 2;
        }
      } catch (const spirv_cross::CompilerError&) {
        continue;  // an unknown size, such as from floating-point arithmetic, is left to the driver
      }
    }
    reflection_.workgroup_memory_bytes = static_cast<uint32_t>(std::min<uint64_t>(sum + overlaid, ~uint32_t{0}));
  }

  const Spirv& module_;
  const ModuleScan scan_;
  size_t entry_points_ = 0;
  std::map<std::pair<uint32_t, uint32_t>, bool> read_only_;  // by set and binding
  Reflection reflection_;
};

}  // namespace

Reflection reflect_specialized(const Spirv& module, const std::string& entry,
                               std::span<const SpecializationValue> specialization) {
  try {
    return Reflector(module, entry).run(specialization);
  } catch (const spirv_cross::CompilerError& error) {
    std::string reason = error.what();
    reason.erase(reason.find_last_not_of(" .\n") + 1);
    throw Error(ErrorCode::compile_failed, "The interface of '" + module.name + "' cannot be read: " + reason + ".");
  }
}

}  // namespace core

Reflection reflect(const Spirv& module, const std::string& entry) {
  validate_spirv(module);  // SPIRV-Cross requires a valid module
  return core::reflect_specialized(module, entry, {});
}

}  // namespace weft
