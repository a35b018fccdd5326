#include "core/src/spirv/scalar_folding.h"

namespace weft::core {
namespace {

std::optional<uint64_t> division(spv::Op op, Scalar a, Scalar b) {
  if (b.bits == 0) return std::nullopt;
  if (op == spv::OpUDiv) return a.bits / b.bits;
  if (op == spv::OpUMod) return a.bits % b.bits;
  const int64_t dividend = a.as_signed(), divisor = b.as_signed();
  if (divisor == -1) return op == spv::OpSDiv ? 0 - a.bits : 0;  // the only case that can overflow
  if (op == spv::OpSDiv) return static_cast<uint64_t>(dividend / divisor);
  const int64_t remainder = dividend % divisor;
  const bool other_sign = remainder != 0 && (remainder < 0) != (divisor < 0);
  return static_cast<uint64_t>(op == spv::OpSMod && other_sign ? remainder + divisor : remainder);
}

uint64_t shift(spv::Op op, Scalar a, Scalar b) {
  const uint64_t by = b.bits & (a.width - 1);  // shifts by the width or more are undefined
  if (op == spv::OpShiftRightArithmetic) return static_cast<uint64_t>(a.as_signed() >> by);
  return op == spv::OpShiftLeftLogical ? a.bits << by : a.bits >> by;
}

}  // namespace

std::optional<uint64_t> fold_unary(spv::Op op, Scalar a) {
  switch (op) {
    case spv::OpSConvert:
      return static_cast<uint64_t>(a.as_signed());
    case spv::OpUConvert:
      return a.bits;
    case spv::OpSNegate:
      return 0 - a.bits;
    case spv::OpNot:
      return ~a.bits;
    case spv::OpLogicalNot:
      return a.bits == 0;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> fold_binary(spv::Op op, Scalar a, Scalar b) {
  switch (op) {
    case spv::OpIAdd:
      return a.bits + b.bits;
    case spv::OpISub:
      return a.bits - b.bits;
    case spv::OpIMul:
      return a.bits * b.bits;
    case spv::OpUDiv:
    case spv::OpUMod:
    case spv::OpSDiv:
    case spv::OpSRem:
    case spv::OpSMod:
      return division(op, a, b);
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
    case spv::OpShiftLeftLogical:
      return shift(op, a, b);
    case spv::OpBitwiseOr:
    case spv::OpLogicalOr:
      return a.bits | b.bits;
    case spv::OpBitwiseAnd:
    case spv::OpLogicalAnd:
      return a.bits & b.bits;
    case spv::OpBitwiseXor:
      return a.bits ^ b.bits;
    case spv::OpIEqual:
    case spv::OpLogicalEqual:
      return a.bits == b.bits;
    case spv::OpINotEqual:
    case spv::OpLogicalNotEqual:
      return a.bits != b.bits;
    case spv::OpULessThan:
      return a.bits < b.bits;
    case spv::OpULessThanEqual:
      return a.bits <= b.bits;
    case spv::OpUGreaterThan:
      return a.bits > b.bits;
    case spv::OpUGreaterThanEqual:
      return a.bits >= b.bits;
    case spv::OpSLessThan:
      return a.as_signed() < b.as_signed();
    case spv::OpSLessThanEqual:
      return a.as_signed() <= b.as_signed();
    case spv::OpSGreaterThan:
      return a.as_signed() > b.as_signed();
    case spv::OpSGreaterThanEqual:
      return a.as_signed() >= b.as_signed();
    default:
      return std::nullopt;
  }
}

}  // namespace weft::core
