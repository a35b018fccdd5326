#include <algorithm>
#include <bit>

#include <weft/error.h>

#include "backends/translate/types.h"

// The layout of types in memory.
namespace weft::translate {
namespace {

uint64_t rounded_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

uint32_t scalar_bytes(const Type& type) {
  if (type.kind == Kind::pointer) return 8;
  return type.kind == Kind::boolean ? 1 : type.width / 8;
}

}  // namespace

uint64_t Types::product(uint64_t count, uint64_t bytes, Id type) const {
  constexpr uint64_t most = uint64_t{1} << 48;  // more than any address space
  if (bytes != 0 && count > most / bytes) {
    throw Error(ErrorCode::unsupported, "'" + module_.name + "' cannot be translated: " + names_.in_source(type) +
                                            " takes more memory than can be addressed.");
  }
  return count * bytes;
}

uint64_t Types::size(Id id, Layout layout, MatrixLayout matrix) const {
  const Type& type = module_.type(id);
  switch (type.kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
    case Kind::pointer:
      return scalar_bytes(type);
    case Kind::vector:
      return uint64_t{type.count} * size(type.element, layout);
    case Kind::matrix: {
      const uint64_t lines = matrix.row_major ? module_.type(type.element).count : type.count;
      return lines * matrix_stride(id, matrix);
    }
    case Kind::array:
      return product(array_length(id), array_stride(id, layout, matrix), id);
    case Kind::runtime_array:
      return 0;
    case Kind::structure: {
      uint64_t end = 0;
      for (uint32_t m = 0; m < type.members.size(); ++m) {
        end = std::max(
            end, member_offset(id, m, layout) +
                     size(type.members[m], layout, layout == Layout::chosen ? MatrixLayout{} : member_matrix(id, m)));
      }
      return layout == Layout::chosen ? rounded_up(end, alignment(id, layout)) : end;
    }
    default:
      refuse(type);
  }
}

uint32_t Types::alignment(Id id, Layout layout) const {
  const Type& type = module_.type(id);
  switch (type.kind) {
    case Kind::vector: {
      const uint32_t component = alignment(type.element, layout);
      // Vectors of two and four are read in one access.
      return layout == Layout::chosen && type.count != 3 ? std::min(16u, component * std::bit_ceil(type.count))
                                                         : component;
    }
    case Kind::matrix:
    case Kind::array:
    case Kind::runtime_array:
      return alignment(type.element, layout);
    case Kind::structure: {
      uint32_t largest = 1;
      for (const Id member : type.members) largest = std::max(largest, alignment(member, layout));
      return largest;
    }
    default:
      return std::max(1u, scalar_bytes(type));
  }
}

uint32_t Types::scalar_alignment(Id type) const { return alignment(type, Layout::decorated); }

uint64_t Types::member_offset(Id structure, uint32_t index, Layout layout) const {
  const Type& type = module_.type(structure);
  if (layout == Layout::decorated) {
    const Decorations* decorations = module_.member(structure, index);
    const auto offset = decorations ? decorations->find(spv::DecorationOffset) : Decorations::const_iterator();
    if (!decorations || offset == decorations->end()) {
      throw Error(ErrorCode::unsupported, "'" + module_.name + "' cannot be translated: member " +
                                              std::to_string(index) + " of " + names_.in_source(structure) +
                                              " has no Offset.");
    }
    return offset->second.at(0);
  }
  uint64_t at = 0;
  for (uint32_t m = 0;; ++m) {
    at = rounded_up(at, alignment(type.members.at(m), layout));
    if (m == index) return at;
    at += size(type.members[m], layout);
  }
}

uint64_t Types::array_stride(Id array, Layout layout, MatrixLayout matrix) const {
  const Type& type = module_.type(array);
  if (layout == Layout::decorated) {
    const auto stride = module_.decoration(array, spv::DecorationArrayStride);
    if (!stride) {
      throw Error(ErrorCode::unsupported, "'" + module_.name + "' cannot be translated: the array " +
                                              names_.in_source(array) + " in memory has no ArrayStride.");
    }
    return *stride;
  }
  return rounded_up(size(type.element, layout, matrix), alignment(type.element, layout));
}

MatrixLayout Types::member_matrix(Id structure, uint32_t index) const {
  MatrixLayout result;
  if (const Decorations* decorations = module_.member(structure, index)) {
    const auto stride = decorations->find(spv::DecorationMatrixStride);
    if (stride != decorations->end()) result.stride = stride->second.at(0);
    result.row_major = decorations->contains(spv::DecorationRowMajor);
  }
  return result;
}

uint64_t Types::matrix_stride(Id matrix, MatrixLayout layout) const {
  if (layout.stride != 0) return layout.stride;
  const Type& column = module_.type(module_.type(matrix).element);
  return rounded_up(size(column.id, Layout::chosen), alignment(column.id, Layout::chosen));
}

}  // namespace weft::translate
