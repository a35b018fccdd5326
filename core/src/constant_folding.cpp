#include <optional>

#include "core/src/type_layout.h"

// SPIRV-Cross evaluates only some of the instructions that OpSpecConstantOp may hold, and throws for the rest. So those
// on scalars are worked out here and put in their places as plain constants.
namespace weft::core {
namespace {

// A scalar as SPIR-V holds it: its bits, and how many of them count.
struct Scalar {
  uint64_t bits = 0;
  uint32_t width = 32;

  uint64_t mask() const { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
  int64_t as_signed() const {
    const uint64_t sign = uint64_t{1} << (width - 1);
    return static_cast<int64_t>(((bits & mask()) ^ sign) - sign);
  }
};

std::optional<uint64_t> unary(spv::Op op, Scalar a) {
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

std::optional<uint64_t> division(spv::Op op, Scalar a, Scalar b) {
  if (b.bits == 0) return std::nullopt;
  if (op == spv::OpUDiv) return a.bits / b.bits;
  if (op == spv::OpUMod) return a.bits % b.bits;
  const int64_t dividend = a.as_signed(), divisor = b.as_signed();
  if (divisor == -1) return op == spv::OpSDiv ? 0 - a.bits : 0;  // the one case that may overflow
  if (op == spv::OpSDiv) return static_cast<uint64_t>(dividend / divisor);
  const int64_t remainder = dividend % divisor;
  const bool other_sign = remainder != 0 && (remainder < 0) != (divisor < 0);
  return static_cast<uint64_t>(op == spv::OpSMod && other_sign ? remainder + divisor : remainder);
}

uint64_t shift(spv::Op op, Scalar a, Scalar b) {
  const uint64_t by = b.bits < a.width ? b.bits : a.width - 1;
  if (op == spv::OpShiftRightArithmetic) return static_cast<uint64_t>(a.as_signed() >> by);
  if (b.bits >= a.width) return 0;  // SPIR-V leaves it open
  return op == spv::OpShiftLeftLogical ? a.bits << by : a.bits >> by;
}

std::optional<uint64_t> binary(spv::Op op, Scalar a, Scalar b) {
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

bool is_plain_scalar(const spirv_cross::SPIRType& type) {
  return type.vecsize == 1 && type.columns == 1 && type.array.empty() &&
         (type.basetype == spirv_cross::SPIRType::Boolean || type.width >= 8);
}

}  // namespace

void ModuleTypes::fold_constants() {
  const auto scalar = [&](uint32_t id) -> std::optional<Scalar> {
    const auto* constant = maybe_get<spirv_cross::SPIRConstant>(id);
    if (!constant || !is_plain_scalar(get_type(constant->constant_type))) return std::nullopt;
    const uint32_t width = get_type(constant->constant_type).width;
    Scalar value{width == 64 ? constant->scalar_u64() : constant->scalar(), width};
    value.bits &= value.mask();
    return value;
  };
  // A component of a vector, which may itself be a specialization constant.
  const auto component = [&](uint32_t vector, uint32_t index) -> std::optional<Scalar> {
    const auto* constant = maybe_get<spirv_cross::SPIRConstant>(vector);
    if (!constant || index >= constant->vector_size() || !constant->subconstants.empty()) return std::nullopt;
    if (const uint32_t id = constant->m.c[0].id[index]) return scalar(id);
    const uint32_t width = get_type(constant->constant_type).width;
    return Scalar{width == 64 ? constant->scalar_u64(0, index) : constant->scalar(0, index), width};
  };
  const auto value = [&](const spirv_cross::SPIRConstantOp& op) -> std::optional<uint64_t> {
    const auto& arguments = op.arguments;
    if (op.opcode == spv::OpCompositeExtract && arguments.size() == 2) {
      const auto extracted = component(arguments[0], arguments[1]);
      return extracted ? std::optional(extracted->bits) : std::nullopt;
    }
    const auto a = !arguments.empty() ? scalar(arguments[0]) : std::nullopt;
    if (!a) return std::nullopt;
    if (arguments.size() == 1) return unary(op.opcode, *a);
    if (op.opcode == spv::OpSelect && arguments.size() == 3) {
      const auto chosen = scalar(arguments[a->bits != 0 ? 1 : 2]);
      return chosen ? std::optional(chosen->bits) : std::nullopt;
    }
    const auto b = arguments.size() == 2 ? scalar(arguments[1]) : std::nullopt;
    return b ? binary(op.opcode, *a, *b) : std::nullopt;
  };

  // In the order of the module, so operands are folded before what uses them.
  std::vector<uint32_t> operations;
  ir.for_each_typed_id<spirv_cross::SPIRConstantOp>([&](uint32_t id, const auto&) { operations.push_back(id); });
  for (const uint32_t id : operations) {
    const spirv_cross::SPIRConstantOp op = get<spirv_cross::SPIRConstantOp>(id);
    const SPIRType& type = get_type(op.basetype);
    if (!is_plain_scalar(type)) continue;
    if (const auto bits = value(op)) {
      const uint64_t kept = *bits & Scalar{0, type.width}.mask();
      ir.ids[id].set_allow_type_rewrite();
      set<spirv_cross::SPIRConstant>(id, op.basetype, kept, false);
    }
  }
}

}  // namespace weft::core
