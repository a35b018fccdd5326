#pragma once

#include <string>
#include <unordered_map>

#include "backends/translate/constants.h"
#include "backends/translate/module.h"
#include "backends/translate/names.h"

namespace weft::translate {

/// The layout of a type in memory: by its decorations or, for workgroup variables without any, chosen by Weft.
enum class Layout { decorated, chosen };

/// The layout of a matrix in memory. Ignored for other types.
struct MatrixLayout {
  uint32_t stride = 0;
  bool row_major = false;
};

/// The C++ types of a module: their names, the declarations of its structs, and their layout in memory.
class Types {
 public:
  Types(const Module& module, const Constants& constants, Names& names)
      : module_(module), constants_(constants), names_(names) {}

  /// "uint32_t", "weft_vec<float, 4>", the name of a struct.
  const std::string& name(Id type);
  /// Declarations of structs, in order of dependency.
  const std::string& declarations() const { return declarations_; }
  /// The C++ name of a struct's member.
  std::string member_name(Id structure, uint32_t index) const;
  /// Of the lanes' values of a type, in vectors (prelude/host_wide.h): of numbers, bools, and composites of them.
  std::string wide_name(Id type);
  uint64_t array_length(Id array) const;
  /// A constant as a C++ expression.
  std::string literal(const Constant& constant);

  /// Whether pointers of this class are byte addresses. Others are C++ pointers to variables.
  static bool is_byte_addressed(spv::StorageClass storage);

  // Layout in memory, in bytes.
  uint64_t size(Id type, Layout layout, MatrixLayout matrix = {}) const;
  uint32_t alignment(Id type, Layout layout) const;
  uint64_t member_offset(Id structure, uint32_t index, Layout layout) const;
  uint64_t array_stride(Id array, Layout layout, MatrixLayout matrix = {}) const;
  MatrixLayout member_matrix(Id structure, uint32_t index) const;
  /// The alignment of the largest scalar inside: the least alignment of an address.
  uint32_t scalar_alignment(Id type) const;
  /// The distance between the columns of a matrix, or the rows of a row-major one.
  uint64_t matrix_stride(Id matrix, MatrixLayout layout) const;

 private:
  uint64_t product(uint64_t count, uint64_t bytes, Id type) const;
  std::string make_name(const Type& type);
  std::string declare(const Type& structure);
  [[noreturn]] void refuse(const Type& type) const;
  std::string scalar_literal(const Type& type, uint64_t bits) const;

  const Module& module_;
  const Constants& constants_;
  Names& names_;
  std::unordered_map<Id, std::string> cpp_names_;
  std::string declarations_;
};

}  // namespace weft::translate
