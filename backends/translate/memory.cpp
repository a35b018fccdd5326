#include <algorithm>
#include <bit>

#include "backends/translate/module_emitter.h"

// C++ that reads and writes memory at byte addresses: scalars and vectors by functions of the prelude, composites by
// functions emitted for them.
namespace weft::translate {
namespace {

bool is_scalar(const Type& type) {
  return type.kind == Kind::boolean || type.kind == Kind::integer || type.kind == Kind::floating ||
         type.kind == Kind::pointer;
}

// "weft_load_shared_volatile".
std::string access_kind(const char* what, const Lvalue& lvalue) {
  if (lvalue.is_wide) return what == std::string_view("weft_load") ? "weft_gather" : "weft_scatter";
  const char* where = lvalue.is_shared ? "_shared" : lvalue.is_argument ? "_argument" : "";
  return std::string(what) + where + (lvalue.is_volatile ? "_volatile" : "");
}

// Checks need the invocation, the site and the binding, so these accompany the address.
std::string access_arguments(const Lvalue& lvalue) {
  if (lvalue.is_wide) return "mask, weft_place(" + lvalue.address() + ")";
  return (lvalue.passes_at ? "at"
                           : "{self, " + std::to_string(lvalue.site) +
                                 (lvalue.binding_index.empty() ? "" : ", " + lvalue.binding_index) + "}") +
         ", " + lvalue.address();
}

}  // namespace

// The lvalue of part `index` of the object.
Lvalue ModuleEmitter::part_of(const Lvalue& lvalue, uint64_t index) const {
  const Type& type = module.type(lvalue.type);
  Lvalue part = lvalue;
  uint64_t offset = 0;
  if (type.kind == Kind::structure) {
    part.type = type.members.at(index);
    offset = types.member_offset(type.id, static_cast<uint32_t>(index), lvalue.layout);
    if (lvalue.layout == Layout::decorated) part.matrix = types.member_matrix(type.id, static_cast<uint32_t>(index));
  } else {
    part.type = type.element;
    if (type.kind == Kind::array) {
      offset = index * types.array_stride(type.id, lvalue.layout, lvalue.matrix);
    } else if (type.kind == Kind::matrix) {
      const uint64_t lines = types.matrix_stride(type.id, lvalue.matrix);
      offset = index * (lvalue.matrix.row_major ? types.scalar_alignment(type.id) : lines);
      part.component_stride = lvalue.matrix.row_major ? lines : 0;
    } else {
      offset = index * (lvalue.component_stride ? lvalue.component_stride : types.scalar_alignment(type.id));
      part.component_stride = 0;
    }
  }
  part.offset += offset;
  if (offset != 0) part.alignment = std::min(part.alignment, uint64_t{1} << std::countr_zero(offset));
  return part;
}

std::string ModuleEmitter::load(const Lvalue& lvalue) {
  const Type& type = module.type(lvalue.type);
  const std::string alignment = std::to_string(std::min<uint64_t>(lvalue.alignment, 16));
  const std::string kind = access_kind("weft_load", lvalue);
  if (is_scalar(type))
    return kind + "<" + types.name(type.id) + ", " + alignment + ">(" + access_arguments(lvalue) + ")";
  if (type.kind == Kind::vector && lvalue.component_stride == 0) {
    return kind + "_vec<" + types.name(type.element) + ", " + std::to_string(type.count) + ", " + alignment + ">(" +
           access_arguments(lvalue) + ")";
  }
  if (type.kind == Kind::vector || type.kind == Kind::matrix) {
    std::string parts;
    for (uint32_t k = 0; k < type.count; ++k) parts += (k ? ", " : "") + load(part_of(lvalue, k));
    return types.name(type.id) + "{{" + parts + "}}";
  }
  return load_function(lvalue) + "(" + access_arguments(lvalue) + ")";
}

void ModuleEmitter::store(const Lvalue& lvalue, const std::string& value, std::vector<std::string>& lines) {
  const Type& type = module.type(lvalue.type);
  const std::string alignment = std::to_string(std::min<uint64_t>(lvalue.alignment, 16));
  const std::string kind = access_kind("weft_store", lvalue);
  if (is_scalar(type)) {
    lines.push_back(kind + "<" + types.name(type.id) + ", " + alignment + ">(" + access_arguments(lvalue) + ", " +
                    value + ");");
  } else if (type.kind == Kind::vector && lvalue.component_stride == 0) {
    lines.push_back(kind + "_vec<" + types.name(type.element) + ", " + std::to_string(type.count) + ", " + alignment +
                    ">(" + access_arguments(lvalue) + ", " + value + ");");
  } else if (type.kind == Kind::vector || type.kind == Kind::matrix) {
    for (uint32_t k = 0; k < type.count; ++k) store(part_of(lvalue, k), value + "[" + std::to_string(k) + "]", lines);
  } else {
    lines.push_back(store_function(lvalue) + "(" + access_arguments(lvalue) + ", " + value + ");");
  }
}

std::string ModuleEmitter::memory_key(const Lvalue& lvalue, bool storing) {
  return std::to_string(lvalue.type) + "," + std::to_string(std::min<uint64_t>(lvalue.alignment, 16)) + "," +
         std::to_string(lvalue.layout == Layout::chosen) + "," + std::to_string(lvalue.matrix.stride) + "," +
         std::to_string(lvalue.matrix.row_major) + "," + std::to_string(lvalue.is_volatile) +
         std::to_string(lvalue.is_shared) + std::to_string(lvalue.is_argument) + std::to_string(storing);
}

std::string ModuleEmitter::load_function(const Lvalue& lvalue) {
  const std::string key = memory_key(lvalue, false);
  if (const auto found = memory_function_names_.find(key); found != memory_function_names_.end()) return found->second;
  const Type& type = module.type(lvalue.type);
  Lvalue from = lvalue;
  from.text = "from";
  from.offset = 0;
  from.passes_at = true;
  from.alignment = std::min<uint64_t>(lvalue.alignment, 16);
  std::string body = "  " + types.name(type.id) + " value;\n";
  if (type.kind == Kind::array) {
    const uint64_t stride = types.array_stride(type.id, lvalue.layout, lvalue.matrix);
    Lvalue element = part_of(from, 0);
    element.text = "from + " + std::to_string(stride) + "ull * k";
    if (stride) element.alignment = std::min(element.alignment, uint64_t{1} << std::countr_zero(stride));
    body += "  WEFT_UNROLL for (uint32_t k = 0; k < " + std::to_string(types.array_length(type.id)) +
            "u; ++k) value[k] = " + load(element) + ";\n";
  } else {
    for (uint32_t m = 0; m < type.members.size(); ++m) {
      body += "  value." + types.member_name(type.id, m) + " = " + load(part_of(from, m)) + ";\n";
    }
  }
  const std::string name = names.unique("load_" + memory_name(type.id));
  memory_functions_ += "WEFT_FN " + types.name(type.id) + " " + name + "(weft_at at, const weft_byte* from) {\n" +
                       body + "  return value;\n}\n\n";
  return memory_function_names_[key] = name;
}

std::string ModuleEmitter::store_function(const Lvalue& lvalue) {
  const std::string key = memory_key(lvalue, true);
  if (const auto found = memory_function_names_.find(key); found != memory_function_names_.end()) return found->second;
  const Type& type = module.type(lvalue.type);
  Lvalue to = lvalue;
  to.text = "to";
  to.offset = 0;
  to.passes_at = true;
  to.alignment = std::min<uint64_t>(lvalue.alignment, 16);
  std::string body;
  std::vector<std::string> lines;
  if (type.kind == Kind::array) {
    const uint64_t stride = types.array_stride(type.id, lvalue.layout, lvalue.matrix);
    Lvalue element = part_of(to, 0);
    element.text = "to + " + std::to_string(stride) + "ull * k";
    if (stride) element.alignment = std::min(element.alignment, uint64_t{1} << std::countr_zero(stride));
    store(element, "value[k]", lines);
    body += "  WEFT_UNROLL for (uint32_t k = 0; k < " + std::to_string(types.array_length(type.id)) + "u; ++k) {\n";
    for (const std::string& line : lines) body += "    " + line + "\n";
    body += "  }\n";
  } else {
    for (uint32_t m = 0; m < type.members.size(); ++m) {
      store(part_of(to, m), "value." + types.member_name(type.id, m), lines);
    }
    for (const std::string& line : lines) body += "  " + line + "\n";
  }
  const std::string name = names.unique("store_" + memory_name(type.id));
  memory_functions_ += "WEFT_FN void " + name + "(weft_at at, weft_byte* to, const " + types.name(type.id) +
                       "& value) {\n" + body + "}\n\n";
  return memory_function_names_[key] = name;
}

std::string ModuleEmitter::memory_name(Id type) {
  return module.type(type).kind == Kind::structure ? types.name(type) : "array";
}

}  // namespace weft::translate
