#include "core/src/spirv/type_layout.h"

#include <algorithm>

namespace weft::core {
namespace {

const char* scalar_name(spirv_cross::SPIRType::BaseType type) {
  using Type = spirv_cross::SPIRType;
  switch (type) {
    case Type::Boolean:
      return "bool";
    case Type::SByte:
      return "int8_t";
    case Type::UByte:
      return "uint8_t";
    case Type::Short:
      return "int16_t";
    case Type::UShort:
      return "uint16_t";
    case Type::Int:
      return "int";
    case Type::UInt:
      return "uint";
    case Type::Int64:
      return "int64_t";
    case Type::UInt64:
      return "uint64_t";
    case Type::Half:
      return "float16_t";
    case Type::Float:
      return "float";
    case Type::Double:
      return "double";
    case Type::Struct:
      return "struct";
    default:
      return "opaque";
  }
}

// GLSL's prefix of "vec" and "mat".
const char* vector_prefix(spirv_cross::SPIRType::BaseType type) {
  using Type = spirv_cross::SPIRType;
  switch (type) {
    case Type::Boolean:
      return "b";
    case Type::SByte:
      return "i8";
    case Type::UByte:
      return "u8";
    case Type::Short:
      return "i16";
    case Type::UShort:
      return "u16";
    case Type::Int:
      return "i";
    case Type::UInt:
      return "u";
    case Type::Int64:
      return "i64";
    case Type::UInt64:
      return "u64";
    case Type::Half:
      return "f16";
    case Type::Double:
      return "d";
    default:
      return "";
  }
}

}  // namespace

std::string ModuleTypes::type_name(const SPIRType& type) const {
  std::string name;
  if (is_buffer_reference(type) || type_is_array_of_pointers(type)) {
    name = "buffer reference";
  } else if (type.columns > 1) {
    name = vector_prefix(type.basetype) + std::string("mat") + std::to_string(type.columns);
    if (type.columns != type.vecsize) name += "x" + std::to_string(type.vecsize);
  } else if (type.vecsize > 1) {
    name = vector_prefix(type.basetype) + std::string("vec") + std::to_string(type.vecsize);
  } else {
    name = scalar_name(type.basetype);
  }
  if (is_buffer_reference(type)) return name;
  for (size_t i = type.array.size(); i-- > 0;) name += "[" + std::to_string(array_size(type, i)) + "]";
  return name;
}

uint32_t ModuleTypes::scalar_bytes(const SPIRType& type) const {
  if (type.basetype == SPIRType::Boolean) return 4;
  return type.width / 8;
}

uint32_t ModuleTypes::array_size(const SPIRType& type, size_t dimension) const {
  return type.array_size_literal[dimension] ? type.array[dimension] : evaluate_constant_u32(type.array[dimension]);
}

uint32_t ModuleTypes::type_without_elements() const {
  uint32_t found = 0;
  ir.for_each_typed_id<SPIRType>([&](uint32_t id, const SPIRType& type) {
    for (size_t i = 0; i < type.array.size(); ++i) {
      const auto* length = type.array_size_literal[i] ? nullptr : maybe_get<spirv_cross::SPIRConstant>(type.array[i]);
      if (!length) continue;  // an unknown length is left to the driver
      const bool wide = get_type(length->constant_type).width == 64;
      if ((wide ? length->scalar_u64() : length->scalar()) == 0) found = id;
    }
  });
  return found;
}

bool ModuleTypes::is_buffer_reference(const SPIRType& type) const {
  return type.pointer && type.storage == spv::StorageClassPhysicalStorageBuffer &&
         type.pointer_depth > get<SPIRType>(type.parent_type).pointer_depth;
}

uint64_t ModuleTypes::packed_bytes(const SPIRType& type) const {
  uint64_t bytes = 0;
  if (is_buffer_reference(type) || type_is_array_of_pointers(type)) {
    bytes = 8;
  } else if (type.basetype == SPIRType::Struct) {
    for (const uint32_t member : type.member_types) {
      if (__builtin_add_overflow(bytes, packed_bytes(get_type(member)), &bytes)) return ~uint64_t{0} / 2;
    }
  } else {
    bytes = uint64_t{scalar_bytes(type)} * type.vecsize * type.columns;
  }
  if (is_buffer_reference(type)) return bytes;
  for (size_t i = 0; i < type.array.size(); ++i) {
    if (__builtin_mul_overflow(bytes, uint64_t{array_size(type, i)}, &bytes)) return ~uint64_t{0} / 2;
  }
  return bytes;
}

uint64_t ModuleTypes::block_bytes(const SPIRType& block) const {
  uint64_t end = 0;
  for (uint32_t i = 0; i < block.member_types.size(); ++i) {
    end = std::max(end, type_struct_member_offset(block, i) + member_bytes(block, i));
  }
  return end;
}

uint64_t ModuleTypes::member_bytes(const SPIRType& block, uint32_t index) const {
  const SPIRType& type = get_type(block.member_types[index]);
  const bool is_block = type.basetype == SPIRType::Struct && type.array.empty() && !type.pointer;
  return is_block ? block_bytes(type) : get_declared_struct_member_size(block, index);
}

bool ModuleTypes::is_variable(uint32_t id) const {
  return id < ir.ids.size() && ir.ids[id].get_type() == spirv_cross::TypeVariable;
}

uint32_t ModuleTypes::largest_component(const SPIRType& type) const {
  if (is_buffer_reference(type) || type_is_array_of_pointers(type)) return 8;
  if (type.basetype != SPIRType::Struct) return std::max(1u, scalar_bytes(type));
  uint32_t largest = 1;
  for (const uint32_t member : type.member_types) largest = std::max(largest, largest_component(get_type(member)));
  return largest;
}

struct ModuleTypes::Flattening {
  const std::unordered_map<uint32_t, uint32_t>& pointer_align;
  std::vector<Reflection::Member> members;
};

std::vector<Reflection::Member> ModuleTypes::block_members(
    const SPIRType& block, const std::unordered_map<uint32_t, uint32_t>& pointer_align) const {
  Flattening into{pointer_align, {}};
  for (uint32_t i = 0; i < block.member_types.size(); ++i) {
    std::string name = get_member_name(block.self, i);
    if (name.empty()) name = "member " + std::to_string(i);
    flatten(name, block.member_types[i], type_struct_member_offset(block, i), member_bytes(block, i), into);
  }
  return std::move(into.members);
}

void ModuleTypes::flatten(const std::string& name, uint32_t type_id, uint64_t offset, uint64_t bytes,
                          Flattening& into) const {
  // No device supports such large blocks; the bound keeps a hostile module from exhausting memory.
  constexpr size_t most_members = 4096;
  if (into.members.size() >= most_members) return;
  const SPIRType& type = get_type(type_id);
  const bool reference = is_buffer_reference(type);
  const bool of_scalars = type.basetype != SPIRType::Struct && !type_is_array_of_pointers(type);
  if (!reference && !of_scalars && !type.array.empty()) {
    const uint64_t stride = get_decoration(type_id, spv::DecorationArrayStride);
    const uint32_t count = array_size(type, type.array.size() - 1);
    for (uint32_t i = 0; i < count && into.members.size() < most_members; ++i) {
      flatten(name + "[" + std::to_string(i) + "]", type.parent_type, offset + i * stride, stride, into);
    }
    return;
  }
  if (!reference && !of_scalars) {
    for (uint32_t i = 0; i < type.member_types.size(); ++i) {
      flatten(name + "." + get_member_name(type.self, i), type.member_types[i],
              offset + type_struct_member_offset(type, i), member_bytes(type, i), into);
    }
    return;
  }
  Reflection::Member member{name, static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes), type_name(type), 0};
  if (reference) {
    member.bytes = 8;
    const auto promised = into.pointer_align.find(type_id);
    member.pointee_align = std::max(largest_component(get_type(type.parent_type)),
                                    promised != into.pointer_align.end() ? promised->second : 1u);
  }
  into.members.push_back(std::move(member));
}

}  // namespace weft::core
