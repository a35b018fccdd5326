#pragma once

#include <span>

#include <weft/kernel.h>

#include "backends/translate/module.h"

namespace weft::translate {

/// A constant's value: bits for a scalar, parts for what is made of several. Undefined values count as zero.
struct Constant {
  Id type = 0;
  uint64_t bits = 0;
  std::vector<Constant> parts;
};

/// Every constant of a module with its value, specialization applied and operations on constants worked out.
class Constants {
 public:
  /// Throws unsupported for an operation that cannot be worked out.
  Constants(const Module& module, std::span<const SpecializationValue> specialization);

  const Constant* find(Id id) const;
  /// The value of a scalar integer constant. Throws unsupported for any other id; `what` says whose it is.
  uint64_t integer(Id id, const char* what) const;
  /// The value of type `type` whose bits are all zero.
  Constant zero(Id type) const;

 private:
  void specialization_defaults();
  void define(const Instruction& instruction, std::span<const SpecializationValue> specialization);
  Constant scalar(const Instruction& instruction, std::span<const SpecializationValue> specialization) const;
  Constant operation(const Instruction& instruction) const;
  Constant componentwise(spv::Op op, Id type, std::span<const Id> operands) const;
  uint64_t fold(spv::Op op, const Type& result, std::span<const Constant> operands) const;
  [[noreturn]] void refuse(spv::Op op) const;

  const Module& module_;
  std::unordered_map<Id, Constant> values_;
  std::unordered_map<uint32_t, uint64_t> defaults_;  // by SpecId
};

}  // namespace weft::translate
