#include <algorithm>
#include <bit>

#include "backends/translate/rules.h"

// Variables, pointers to their parts, and loads and stores through them.
namespace weft::translate {
namespace {

// What is known of an address after a multiple of `step` was added.
uint64_t aligned_after(uint64_t alignment, uint64_t step) {
  return step == 0 ? alignment : std::min(alignment, uint64_t{1} << std::countr_zero(step));
}

// What arrays are of, in the end.
const Type& innermost(const Module& module, Id type) {
  const Type* t = &module.type(type);
  while (t->kind == Kind::array || t->kind == Kind::runtime_array) t = &module.type(t->element);
  return *t;
}

}  // namespace

void FunctionEmitter::local_variable(const Instruction& i, const Rule&) {
  Place place;
  place.text = parent_.names.of(i.result);
  place.type = type_of(i.result).element;
  places_[i.result] = place;
  // Declared at the top, because a loop's body may see what an earlier iteration left.
  variable_lines_.push_back(parent_.types.name(place.type) + " " + place.text + ";");
  if (i.args.size() > 1) line(place.text + " = " + value(i.arg(1)) + ";");
}

Place FunctionEmitter::place_of(Id pointer, const Instruction& user) {
  const std::string fetched = put_off_.contains(pointer) ? fetch(pointer) : "";
  if (const auto place = places_.find(pointer); place != places_.end()) return place->second;
  const auto is_it = [&](const Instruction& parameter) { return parameter.result == pointer; };
  if (block_of_.contains(pointer) || parent_.constants.find(pointer) ||
      std::ranges::any_of(function_.parameters, is_it)) {
    return value_place(pointer, fetched.empty() ? value(pointer) : fetched, user);
  }
  return parent_.variable(pointer, user);
}

// The place that a pointer held in a C++ variable points to.
Place FunctionEmitter::value_place(Id pointer, const std::string& text, const Instruction& user) {
  const Type& type = type_of(pointer);
  Place place;
  place.type = type.element;
  place.bytes = Types::is_byte_addressed(type.storage);
  place.text = place.bytes ? text : "(*" + text + ")";
  place.is_shared = type.storage == spv::StorageClassWorkgroup;
  place.layout = parent_.layout_in(type.storage);
  if (place.bytes) place.alignment = parent_.types.scalar_alignment(place.type);
  place.is_volatile =
      parent_.module.has(pointer, spv::DecorationVolatile) || parent_.module.has(pointer, spv::DecorationCoherent);
  const auto found = parent_.origins.find(pointer);
  if (!place.bytes || found == parent_.origins.end()) return place;
  const PointerOrigin& origin = found->second;
  const Kind kind = innermost(parent_.module, type.element).kind;
  if (kind == Kind::matrix && !origin.is_told) {
    parent_.refuse(user, "reaches a matrix by a pointer that does not tell how the matrix is laid out");
  }
  if ((kind == Kind::matrix || kind == Kind::vector) && !origin.agrees) {
    parent_.refuse(user, "reaches matrices that are laid out differently by one pointer, which is not supported");
  }
  place.matrix = origin.matrix;
  place.component_stride = kind == Kind::vector ? origin.component_stride : 0;
  place.is_volatile = place.is_volatile || origin.is_volatile;
  if (origin.variable != 0) {
    const Place buffer = parent_.variable(origin.variable, user);
    place.binding = buffer.binding;
    place.binding_index = buffer.binding_index;
  }
  return place;
}

// A pointer that becomes a number, or is kept in memory, must not need what it would not tell any more.
void FunctionEmitter::check_escape(Id pointer, const Instruction& user) {
  const auto found = parent_.origins.find(pointer);
  if (found == parent_.origins.end() || type_of(pointer).kind != Kind::pointer) return;
  const Kind kind = innermost(parent_.module, type_of(pointer).element).kind;
  if (kind == Kind::matrix || (kind == Kind::vector && found->second.component_stride != 0)) {
    parent_.refuse(user, "of a pointer to a matrix, or to a column of a row-major one, is not supported");
  }
}

std::string FunctionEmitter::pointer_value(const Place& place) const {
  if (place.bytes) return place.offset == 0 ? place.text : "(" + place.address() + ")";
  return place.text.starts_with("(*") && place.text.find(')') == place.text.size() - 1
             ? place.text.substr(2, place.text.size() - 3)
             : "&" + place.text;
}

void FunctionEmitter::access_chain(const Instruction& i, const Rule&) {
  Place place = place_of(i.arg(0), i);
  size_t first = 1;
  if (i.op == spv::OpPtrAccessChain || i.op == spv::OpInBoundsPtrAccessChain) {
    step_over(place, i.arg(1), i);
    first = 2;
  }
  for (size_t k = first; k < i.args.size(); ++k) step_into(place, i.args[k], i);
  places_[i.result] = place;
}

std::string FunctionEmitter::index_text(Id index, uint64_t stride) {
  const Type& type = type_of(index);
  const std::string text = value(index), by = std::to_string(stride);
  if (type.width == 64) return "weft_scaled(" + by + "ull, " + without_parentheses(text) + ")";  // may wrap
  if (!type.is_signed) return by + "ull * " + text;
  return by + "ll * int" + std::to_string(type.width) + "_t(" + without_parentheses(text) + ")";
}

// Moves on by whole elements, as PtrAccessChain does first.
void FunctionEmitter::step_over(Place& place, Id index, const Instruction& user) {
  if (!place.bytes) {
    place.text = "(&" + place.text + ")[" + without_parentheses(value(index)) + "]";
    return;
  }
  const Id pointer = parent_.module.type_of.at(user.arg(0));
  uint64_t stride = parent_.types.size(place.type, place.layout, place.matrix);
  if (const auto decorated = parent_.module.decoration(pointer, spv::DecorationArrayStride)) stride = *decorated;
  place.text = place.address() + " + " + index_text(index, stride);
  place.offset = 0;
  place.alignment = aligned_after(place.alignment, stride);
}

void FunctionEmitter::step_into(Place& place, Id index, const Instruction& user) {
  const Type& type = parent_.module.type(place.type);
  if (place.bytes && place.text.empty()) {  // one of several descriptors
    place.binding_index = "weft_descriptor(self, " + place.binding_index + ", " +
                          std::to_string(parent_.types.array_length(type.id)) + "u, " +
                          without_parentheses(value(index)) + ", " + std::to_string(parent_.site(user)) + ")";
    place.text = "weft_buffer(self, " + place.binding_index + ")";
    place.type = type.element;
    return;
  }
  const Constant* constant = parent_.constants.find(index);
  if (type.kind == Kind::structure) {
    if (!constant) parent_.refuse(user, "has a member index that is no constant");
    const auto member = static_cast<uint32_t>(constant->bits);
    if (!place.bytes) {
      place.text += "." + parent_.types.member_name(type.id, member);
    } else {
      const uint64_t offset = parent_.types.member_offset(type.id, member, place.layout);
      place.offset += offset;
      place.alignment = aligned_after(place.alignment, offset);
      if (place.layout == Layout::decorated) place.matrix = parent_.types.member_matrix(type.id, member);
      if (const Decorations* decorations = parent_.module.member(type.id, member)) {
        place.is_volatile = place.is_volatile || decorations->contains(spv::DecorationVolatile) ||
                            decorations->contains(spv::DecorationCoherent);
      }
    }
    place.type = type.members.at(member);
    return;
  }
  if (!place.bytes) {
    place.text += "[" + without_parentheses(value(index)) + "]";
    place.type = type.element;
    return;
  }
  uint64_t stride = 0;
  if (type.kind == Kind::array || type.kind == Kind::runtime_array) {
    stride = parent_.types.array_stride(type.id, place.layout, place.matrix);
  } else if (type.kind == Kind::matrix) {
    const uint64_t lines = parent_.types.matrix_stride(type.id, place.matrix);
    stride = place.matrix.row_major ? parent_.types.scalar_alignment(type.id) : lines;
    place.component_stride = place.matrix.row_major ? lines : 0;
  } else {
    stride = place.component_stride ? place.component_stride : parent_.types.scalar_alignment(type.id);
    place.component_stride = 0;
  }
  if (constant && constant->bits <= ~uint32_t{0}) {
    place.offset += constant->bits * stride;
    place.alignment = aligned_after(place.alignment, constant->bits * stride);
  } else {
    place.text += " + " + index_text(index, stride);
    place.alignment = aligned_after(place.alignment, stride);
  }
  place.type = type.element;
}

// Reads the memory operands of a load or store; returns where they end.
size_t FunctionEmitter::memory_access(Place& place, const Instruction& i, size_t first) {
  place.site = parent_.site(i);
  if (first >= i.args.size()) return first;
  const uint32_t access = i.args[first++];
  if (access & spv::MemoryAccessVolatileMask) place.is_volatile = true;
  if (access & spv::MemoryAccessAlignedMask) place.alignment = std::max<uint64_t>(place.alignment, i.arg(first++));
  for (const uint32_t bit : {spv::MemoryAccessMakePointerAvailableMask, spv::MemoryAccessMakePointerVisibleMask}) {
    if (!(access & bit)) continue;
    // Within a workgroup, all see one memory anyway.
    const uint32_t scope = constant_word(i.arg(first++), i, "scope");
    if (scope != spv::ScopeWorkgroup && scope != spv::ScopeSubgroup && scope != spv::ScopeInvocation) {
      place.is_volatile = true;
    }
  }
  return first;
}

void FunctionEmitter::load(const Instruction& i, const Rule&) {
  Place place = place_of(i.arg(0), i);
  memory_access(place, i, 1);
  define(i, place.bytes ? parent_.load(place) : place.text);
}

void FunctionEmitter::store(const Instruction& i, const Rule&) {
  Place place = place_of(i.arg(0), i);
  memory_access(place, i, 2);
  check_escape(i.arg(1), i);
  const std::string text = value(i.arg(1));
  if (!place.bytes) {
    line(place.text + " = " + without_parentheses(text) + ";");
    return;
  }
  std::vector<std::string> lines;
  parent_.store(place, lies_in_one_piece(type_of(i.arg(1))) ? without_parentheses(text) : text, lines);
  for (const std::string& one : lines) line(one);
}

void FunctionEmitter::copy_memory(const Instruction& i, const Rule&) {
  Place to = place_of(i.arg(0), i), from = place_of(i.arg(1), i);
  // From SPIR-V 1.4 on the source may have memory operands of its own.
  const size_t second = memory_access(to, i, 2);
  memory_access(from, i, second < i.args.size() ? second : 2);
  const std::string copy = "copy_" + std::to_string(temporaries_++);
  line("{");
  line("const " + parent_.types.name(from.type) + " " + copy + " = " + (from.bytes ? parent_.load(from) : from.text) +
       ";");
  if (to.bytes) {
    std::vector<std::string> lines;
    parent_.store(to, copy, lines);
    for (const std::string& one : lines) line(one);
  } else {
    line(to.text + " = " + copy + ";");
  }
  line("}");
}

void FunctionEmitter::array_length(const Instruction& i, const Rule&) {
  const Place place = place_of(i.arg(0), i);
  if (place.binding == 0) parent_.refuse(i, "on a pointer that may point to several buffers is not supported");
  const Type& block = parent_.module.type(place.type);
  const uint32_t member = i.arg(1);
  const uint64_t stride = parent_.types.array_stride(block.members.at(member), place.layout);
  const uint64_t offset = parent_.types.member_offset(block.id, member, place.layout);
  define(i, "weft_array_length(self, " + place.binding_index + ", " + std::to_string(offset) + "u, " +
                std::to_string(stride) + "u)");
}

void FunctionEmitter::pointer_comparison(const Instruction& i, const Rule& rule) {
  const Place a = place_of(i.arg(0), i), b = place_of(i.arg(1), i);
  std::string text = "(" + pointer_value(a) + ") " + rule.text + " (" + pointer_value(b) + ")";
  if (i.op == spv::OpPtrDiff) {
    if (a.bytes) {
      uint64_t stride = parent_.types.size(a.type, a.layout, a.matrix);
      const Id pointer = parent_.module.type_of.at(i.arg(0));
      if (const auto decorated = parent_.module.decoration(pointer, spv::DecorationArrayStride)) stride = *decorated;
      text = "(" + text + ") / " + std::to_string(stride);
    }
    text = parent_.types.name(i.type) + "(" + text + ")";
  }
  define(i, text);
}

void FunctionEmitter::function_call(const Instruction& i, const Rule&) {
  const std::string call =
      parent_.names.of(i.arg(0)) + "(self" + (parent_.acts(i.arg(0)) ? ", mask" : "") + arguments(i, 1) + ")";
  if (type_of(i.result).kind == Kind::void_type)
    line(call + ";");
  else
    define(i, call);
}

}  // namespace weft::translate
