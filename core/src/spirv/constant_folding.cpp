#include <optional>

#include "core/src/spirv/scalar_folding.h"
#include "core/src/spirv/type_layout.h"

// SPIRV-Cross evaluates only some of the instructions that OpSpecConstantOp allows, and throws for the others. So this
// evaluates those on scalars, and replaces them by plain constants.
namespace weft::core {
namespace {

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
    if (arguments.size() == 1) return fold_unary(op.opcode, *a);
    if (op.opcode == spv::OpSelect && arguments.size() == 3) {
      const auto chosen = scalar(arguments[a->bits != 0 ? 1 : 2]);
      return chosen ? std::optional(chosen->bits) : std::nullopt;
    }
    const auto b = arguments.size() == 2 ? scalar(arguments[1]) : std::nullopt;
    return b ? fold_binary(op.opcode, *a, *b) : std::nullopt;
  };

  // In module order, so that operands are folded first.
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
