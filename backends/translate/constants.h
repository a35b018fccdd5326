#pragma once

#include <span>

#include <weft/kernel.h>

#include "backends/translate/module.h"

namespace weft::translate {

/// The value of a constant: `bits` of a scalar, `parts` of a composite. A composite without parts is all zero.
/// Undefined values are zero.
struct Constant {
  Id type = 0;
  uint64_t bits = 0;
  std::vector<Constant> parts;
  uint64_t scalars = 1;  ///< Number of scalars stored in it and its parts.
};

/// The values of all constants of a module, with specialization applied and operations on constants evaluated.
class Constants {
 public:
  /// Throws unsupported for an operation that cannot be evaluated.
  Constants(const Module& module, std::span<const SpecializationValue> specialization);

  const Constant* find(Id id) const;
  /// The value of a scalar integer constant. Throws unsupported for any other id; `what` describes it.
  uint64_t integer(Id id, const char* what) const;

 private:
  void specialization_defaults();
  void define(const Instruction& instruction, std::span<const SpecializationValue> specialization);
  Constant scalar(const Instruction& instruction, std::span<const SpecializationValue> specialization) const;
  Constant operation(const Instruction& instruction) const;
  Constant part(const Constant& whole, uint64_t index) const;
  Constant with_part(Constant whole, std::span<const uint32_t> indices, const Constant& part) const;
  Id part_type(const Type& whole, uint64_t index) const;
  uint64_t part_count(const Type& whole) const;
  void keep(Id id, Constant value);
  Constant componentwise(spv::Op op, Id type, std::span<const Id> operands) const;
  uint64_t fold(spv::Op op, const Type& result, std::span<const Constant> operands) const;
  [[noreturn]] void refuse(spv::Op op) const;

  const Module& module_;
  std::unordered_map<Id, Constant> values_;
  std::unordered_map<uint32_t, uint64_t> defaults_;  // by SpecId
  uint64_t scalars_ = 0;                             // in all values
};

}  // namespace weft::translate
