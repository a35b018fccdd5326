#include <algorithm>
#include <bit>

#include "backends/translate/rules.h"

// Variables, pointers to their parts, and loads and stores through them.
namespace weft::translate {
namespace {

// The alignment of an address after adding a multiple of `step`.
uint64_t aligned_after(uint64_t alignment, uint64_t step) {
  return step == 0 ? alignment : std::min(alignment, uint64_t{1} << std::countr_zero(step));
}

// The innermost element type of nested arrays.
const Type& innermost(const Module& module, Id type) {
  const Type* t = &module.type(type);
  while (t->kind == Kind::array || t->kind == Kind::runtime_array) t = &module.type(t->element);
  return *t;
}

}  // namespace

void ExpressionEmitter::local_variable(const Instruction& i, const Rule&) {
  Lvalue lvalue;
  lvalue.text = parent_.names.of(i.result);
  lvalue.type = type_of(i.result).element;
  if (facts_.lanes.is_of_loop(i.result)) {
    lvalues_[i.result] = lvalue;
    return;
  }
  const bool of_lanes = facts_.lanes.is_per_lane(i.result);
  // Declared at the top, because an iteration may see the contents that an earlier one left.
  body_.declare(type_name(lvalue.type, of_lanes), lvalue.text);
  if (of_lanes && !parent_.in_vectors()) {
    lvalue.text += "[lane]";
    note_element(lvalue.text, i.result, lvalue.type);
  }
  lvalues_[i.result] = lvalue;
  if (i.args.size() > 1) line(assignment(lvalue.text, operand(i.arg(1), i.result), i.result));
}

Lvalue ExpressionEmitter::lvalue_of(Id pointer, const Instruction& user) {
  const std::string fetched = put_off_.contains(pointer) ? fetch(pointer) : "";
  if (const auto lvalue = lvalues_.find(pointer); lvalue != lvalues_.end()) return lvalue->second;
  const FunctionValues& values = facts_.values;
  if (values.definition(pointer) || values.is_parameter(pointer) || parent_.constants.find(pointer)) {
    return pointee(pointer, fetched.empty() ? value(pointer) : fetched, user);
  }
  Lvalue lvalue = parent_.variable(pointer, user);
  if (facts_.runs_once && lvalue.bytes && !lvalue.text.empty()) lvalue.text = kept_pointer(lvalue.text);
  return lvalue;
}

// The object of a pointer that is in a C++ variable.
Lvalue ExpressionEmitter::pointee(Id pointer, const std::string& text, const Instruction& user) {
  const Type& type = type_of(pointer);
  Lvalue lvalue;
  lvalue.type = type.element;
  lvalue.bytes = Types::is_byte_addressed(type.storage);
  const bool of_lanes = facts_.lanes.is_per_lane(pointer) && !parent_.in_vectors();
  lvalue.text = lvalue.bytes ? text : "(*" + text + ")" + (of_lanes ? "[lane]" : "");
  if (of_lanes && !lvalue.bytes) note_element(lvalue.text, pointer, lvalue.type);
  lvalue.is_shared = type.storage == spv::StorageClassWorkgroup;
  lvalue.layout = parent_.layout_in(type.storage);
  if (lvalue.bytes) lvalue.alignment = parent_.types.scalar_alignment(lvalue.type);
  lvalue.is_volatile =
      parent_.module.has(pointer, spv::DecorationVolatile) || parent_.module.has(pointer, spv::DecorationCoherent);
  const auto found = parent_.origins.find(pointer);
  if (!lvalue.bytes || found == parent_.origins.end()) return lvalue;
  const PointerOrigin& origin = found->second;
  const Kind kind = innermost(parent_.module, type.element).kind;
  if (kind == Kind::matrix && !origin.is_known) {
    parent_.refuse(user, "accesses a matrix through a pointer that does not tell how the matrix is laid out");
  }
  if ((kind == Kind::matrix || kind == Kind::vector) && !origin.agrees) {
    parent_.refuse(user, "accesses matrices that are laid out differently through one pointer, which is not supported");
  }
  lvalue.matrix = origin.matrix;
  lvalue.component_stride = kind == Kind::vector ? origin.component_stride : 0;
  lvalue.is_volatile = lvalue.is_volatile || origin.is_volatile;
  if (origin.variable != 0) {
    const Lvalue buffer = parent_.variable(origin.variable, user);
    lvalue.binding = buffer.binding;
    lvalue.binding_index = buffer.binding_index;
  }
  return lvalue;
}

// A pointer that becomes an integer, or is stored in memory, loses what is known about its object.
void ExpressionEmitter::check_escape(Id pointer, const Instruction& user) {
  const auto found = parent_.origins.find(pointer);
  if (found == parent_.origins.end() || type_of(pointer).kind != Kind::pointer) return;
  const Kind kind = innermost(parent_.module, type_of(pointer).element).kind;
  if (kind == Kind::matrix || (kind == Kind::vector && found->second.component_stride != 0)) {
    parent_.refuse(user, "of a pointer to a matrix, or to a column of a row-major one, is not supported");
  }
}

// Pointers that the invocation keeps are read once: a store of bytes could change them, for all that compilers know.
std::string ExpressionEmitter::kept_pointer(const std::string& pointer) {
  std::string& name = kept_pointers_[pointer];
  if (name.empty()) {
    name = parent_.names.unique(pointer.starts_with("weft_buffer") ? "buffer" : "memory");
    body_.declare("weft_byte* const", name + " = " + pointer);
  }
  return name;
}

// Notes an element that loops over the lanes may keep in a register: a number of 32 bits or more.
void ExpressionEmitter::note_element(const std::string& element, Id variable, Id type) {
  const Type& of = parent_.module.type(type);
  const bool is_number = of.kind == Kind::integer || of.kind == Kind::floating;
  if (is_number && of.width >= 32) body_.note_element(element, parent_.names.of(variable), parent_.types.name(type));
}

std::string ExpressionEmitter::pointer_value(const Lvalue& lvalue) const {
  if (lvalue.bytes) return lvalue.offset == 0 ? lvalue.text : "(" + lvalue.address() + ")";
  return lvalue.text.starts_with("(*") && lvalue.text.find(')') == lvalue.text.size() - 1
             ? lvalue.text.substr(2, lvalue.text.size() - 3)
             : "&" + lvalue.text;
}

void ExpressionEmitter::access_chain(const Instruction& i, const Rule&) {
  Lvalue lvalue = lvalue_of(i.arg(0), i);
  size_t first = 1;
  if (i.op == spv::OpPtrAccessChain || i.op == spv::OpInBoundsPtrAccessChain) {
    step_over(lvalue, i.arg(1), i);
    first = 2;
  }
  for (size_t k = first; k < i.args.size(); ++k) step_into(lvalue, i.args[k], i);
  lvalues_[i.result] = lvalue;
}

std::string ExpressionEmitter::index_text(Id index, uint64_t stride) {
  const Type& type = type_of(index);
  const std::string text = value(index), by = std::to_string(stride);
  if (parent_.in_vectors() && facts_.lanes.is_per_lane(index)) {
    return std::string(type.is_signed ? "weft_signed_steps_by<" : "weft_steps_by<") + by + ">(" +
           without_parentheses(text) + ")";
  }
  if (type.width == 64) return "weft_scaled(" + by + "ull, " + without_parentheses(text) + ")";  // may overflow
  if (!type.is_signed) return by + "ull * " + text;
  return by + "ll * int" + std::to_string(type.width) + "_t(" + without_parentheses(text) + ")";
}

// Advances by whole elements, the first step of PtrAccessChain.
void ExpressionEmitter::step_over(Lvalue& lvalue, Id index, const Instruction& user) {
  if (!lvalue.bytes) {
    lvalue.text = "(&" + lvalue.text + ")[" + bare_value(index) + "]";
    return;
  }
  const Id pointer = parent_.module.type_of.at(user.arg(0));
  uint64_t stride = parent_.types.size(lvalue.type, lvalue.layout, lvalue.matrix);
  if (const auto decorated = parent_.module.decoration(pointer, spv::DecorationArrayStride)) stride = *decorated;
  lvalue.text = lvalue.address() + " + " + index_text(index, stride);
  lvalue.is_wide = lvalue.is_wide || (parent_.in_vectors() && facts_.lanes.is_per_lane(index));
  lvalue.offset = 0;
  lvalue.alignment = aligned_after(lvalue.alignment, stride);
}

void ExpressionEmitter::step_into(Lvalue& lvalue, Id index, const Instruction& user) {
  const Type& type = parent_.module.type(lvalue.type);
  if (lvalue.bytes && lvalue.text.empty()) {  // one of several descriptors
    lvalue.binding_index = "weft_descriptor(self, " + lvalue.binding_index + ", " +
                           std::to_string(parent_.types.array_length(type.id)) + "u, " + bare_value(index) + ", " +
                           std::to_string(parent_.site(user)) + ")";
    lvalue.text = "weft_buffer(self, " + lvalue.binding_index + ")";
    lvalue.type = type.element;
    return;
  }
  const Constant* constant = parent_.constants.find(index);
  if (type.kind == Kind::structure) {
    if (!constant) parent_.refuse(user, "has a member index that is not a constant");
    const auto member = static_cast<uint32_t>(constant->bits);
    if (!lvalue.bytes) {
      lvalue.text += "." + parent_.types.member_name(type.id, member);
    } else {
      const uint64_t offset = parent_.types.member_offset(type.id, member, lvalue.layout);
      lvalue.offset += offset;
      lvalue.alignment = aligned_after(lvalue.alignment, offset);
      if (lvalue.layout == Layout::decorated) lvalue.matrix = parent_.types.member_matrix(type.id, member);
      if (const Decorations* decorations = parent_.module.member(type.id, member)) {
        lvalue.is_volatile = lvalue.is_volatile || decorations->contains(spv::DecorationVolatile) ||
                             decorations->contains(spv::DecorationCoherent);
      }
    }
    lvalue.type = type.members.at(member);
    return;
  }
  if (!lvalue.bytes) {
    lvalue.text += "[" + bare_value(index) + "]";
    lvalue.type = type.element;
    return;
  }
  uint64_t stride = 0;
  if (type.kind == Kind::array || type.kind == Kind::runtime_array) {
    stride = parent_.types.array_stride(type.id, lvalue.layout, lvalue.matrix);
  } else if (type.kind == Kind::matrix) {
    const uint64_t lines = parent_.types.matrix_stride(type.id, lvalue.matrix);
    stride = lvalue.matrix.row_major ? parent_.types.scalar_alignment(type.id) : lines;
    lvalue.component_stride = lvalue.matrix.row_major ? lines : 0;
  } else {
    stride = lvalue.component_stride ? lvalue.component_stride : parent_.types.scalar_alignment(type.id);
    lvalue.component_stride = 0;
  }
  if (constant && constant->bits <= ~uint32_t{0}) {
    lvalue.offset += constant->bits * stride;
    lvalue.alignment = aligned_after(lvalue.alignment, constant->bits * stride);
  } else {
    lvalue.text += " + " + index_text(index, stride);
    lvalue.alignment = aligned_after(lvalue.alignment, stride);
    lvalue.is_wide = lvalue.is_wide || (parent_.in_vectors() && facts_.lanes.is_per_lane(index));
  }
  lvalue.type = type.element;
}

// Reads the memory operands of a load or store. Returns the index after them.
size_t ExpressionEmitter::memory_access(Lvalue& lvalue, const Instruction& i, size_t first) {
  lvalue.site = parent_.site(i);
  if (first >= i.args.size()) return first;
  const uint32_t access = i.args[first++];
  if (access & spv::MemoryAccessVolatileMask) lvalue.is_volatile = true;
  if (access & spv::MemoryAccessAlignedMask) lvalue.alignment = std::max<uint64_t>(lvalue.alignment, i.arg(first++));
  for (const uint32_t bit : {spv::MemoryAccessMakePointerAvailableMask, spv::MemoryAccessMakePointerVisibleMask}) {
    if (!(access & bit)) continue;
    // The invocations of a workgroup share one view of memory anyway.
    const uint32_t scope = constant_word(i.arg(first++), i, "scope");
    if (scope != spv::ScopeWorkgroup && scope != spv::ScopeSubgroup && scope != spv::ScopeInvocation) {
      lvalue.is_volatile = true;
    }
  }
  return first;
}

void ExpressionEmitter::load(const Instruction& i, const Rule&) {
  Lvalue lvalue = lvalue_of(i.arg(0), i);
  memory_access(lvalue, i, 1);
  const std::string text = lvalue.bytes ? parent_.load(lvalue) : lvalue.text;
  const bool is_wide =
      lvalue.bytes ? lvalue.is_wide
                   : facts_.lanes.is_per_lane(facts_.values.base_of(i.arg(0))) || lvalue.text.starts_with("weft_wide_");
  const bool is_spread = parent_.in_vectors() && facts_.lanes.is_per_lane(i.result) && !is_wide;
  define(i, is_spread ? "weft_spread(" + text + ")" : text);
}

void ExpressionEmitter::store(const Instruction& i, const Rule&) {
  Lvalue lvalue = lvalue_of(i.arg(0), i);
  memory_access(lvalue, i, 2);
  check_escape(i.arg(1), i);
  if (parent_.in_vectors()) return store_of_lanes(i, lvalue);
  const std::string text = value(i.arg(1));
  if (!lvalue.bytes) {
    line(lvalue.text + " = " + without_parentheses(text) + ";");
    const bool is_first = facts_.lanes.is_of_loop(i.arg(0)) && declared_in_loops_.insert(i.arg(0)).second;
    if (is_first) body_.declare_in_loop(parent_.types.name(type_of(i.arg(0)).element), parent_.names.of(i.arg(0)));
    return;
  }
  write(lvalue, lies_in_one_piece(type_of(i.arg(1))) ? without_parentheses(text) : text);
}

void ExpressionEmitter::store_of_lanes(const Instruction& i, Lvalue& lvalue) {
  if (!lvalue.bytes) {
    const Id variable = facts_.values.base_of(i.arg(0));
    line(assignment(lvalue.text, operand(i.arg(1), variable), variable));
    return;
  }
  lvalue.is_wide = lvalue.is_wide || facts_.lanes.is_per_lane(i.arg(1));
  const std::string text = lvalue.is_wide ? spread_value(i.arg(1)) : value(i.arg(1));
  write(lvalue, lies_in_one_piece(type_of(i.arg(1))) ? without_parentheses(text) : text);
}

void ExpressionEmitter::write(const Lvalue& lvalue, const std::string& value) {
  std::vector<std::string> lines;
  parent_.store(lvalue, value, lines);
  for (const std::string& one : lines) line(one);
}

void ExpressionEmitter::copy_memory(const Instruction& i, const Rule&) {
  Lvalue to = lvalue_of(i.arg(0), i), from = lvalue_of(i.arg(1), i);
  // Since SPIR-V 1.4, the source may have its own memory operands.
  const size_t second = memory_access(to, i, 2);
  memory_access(from, i, second < i.args.size() ? second : 2);
  const std::string copy = body_.temporary("copy");
  line("{");
  line("const " + parent_.types.name(from.type) + " " + copy + " = " + (from.bytes ? parent_.load(from) : from.text) +
       ";");
  if (to.bytes) {
    write(to, copy);
  } else {
    line(to.text + " = " + copy + ";");
  }
  line("}");
}

void ExpressionEmitter::array_length(const Instruction& i, const Rule&) {
  const Lvalue lvalue = lvalue_of(i.arg(0), i);
  if (lvalue.binding == 0) parent_.refuse(i, "on a pointer that may point to several buffers is not supported");
  const Type& block = parent_.module.type(lvalue.type);
  const uint32_t member = i.arg(1);
  const uint64_t stride = parent_.types.array_stride(block.members.at(member), lvalue.layout);
  const uint64_t offset = parent_.types.member_offset(block.id, member, lvalue.layout);
  define(i, "weft_array_length(self, " + lvalue.binding_index + ", " + std::to_string(offset) + "u, " +
                std::to_string(stride) + "u)");
}

void ExpressionEmitter::pointer_comparison(const Instruction& i, const Rule& rule) {
  const Lvalue a = lvalue_of(i.arg(0), i), b = lvalue_of(i.arg(1), i);
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

}  // namespace weft::translate
