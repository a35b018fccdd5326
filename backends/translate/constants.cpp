#include "backends/translate/constants.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <weft/error.h>

#include "backends/translate/half.h"
#include "core/src/spirv/scalar_folding.h"

namespace weft::translate {
namespace {

uint64_t low_bits(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

uint64_t literal(const Instruction& instruction) {
  return instruction.arg(0) | (instruction.args.size() > 1 ? uint64_t{instruction.arg(1)} << 32 : 0);
}

double to_double(uint64_t bits, uint32_t width) {
  if (width == 64) return std::bit_cast<double>(bits);
  if (width == 32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return half_to_float(static_cast<uint16_t>(bits));
}

uint64_t from_double(double value, uint32_t width) {
  if (width == 64) return std::bit_cast<uint64_t>(value);
  if (width == 32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return half_from_float(static_cast<float>(value));
}

}  // namespace

Constants::Constants(const Module& module, std::span<const SpecializationValue> specialization) : module_(module) {
  specialization_defaults();
  for (const Instruction& instruction : module.constants) define(instruction, specialization);
}

const Constant* Constants::find(Id id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? nullptr : &found->second;
}

uint64_t Constants::integer(Id id, const char* what) const {
  const Constant* constant = find(id);
  if (!constant || module_.type(constant->type).kind != Kind::integer) {
    throw Error(ErrorCode::unsupported,
                "'" + module_.name + "' cannot be translated: " + what + " is no constant integer.");
  }
  return constant->bits;
}

// Nested composites grow fast: a tiny module must not exhaust the memory.
void Constants::keep(Id id, Constant value) {
  constexpr uint64_t most = 1 << 22;
  scalars_ += value.scalars;
  if (scalars_ > most) {
    throw Error(ErrorCode::unsupported,
                "'" + module_.name + "' cannot be translated: its constants hold more than 4 Mi numbers.");
  }
  values_[id] = std::move(value);
}

uint64_t Constants::part_count(const Type& whole) const {
  if (whole.kind == Kind::structure) return whole.members.size();
  return whole.kind == Kind::array ? integer(whole.length, "the length of an array") : whole.count;
}

Id Constants::part_type(const Type& whole, uint64_t index) const {
  return whole.kind == Kind::structure ? whole.members.at(index) : whole.element;
}

Constant Constants::part(const Constant& whole, uint64_t index) const {
  if (!whole.parts.empty()) return whole.parts.at(index);
  return {part_type(module_.type(whole.type), index), 0, {}};
}

Constant Constants::with_part(Constant whole, std::span<const uint32_t> indices, const Constant& part) const {
  if (indices.empty()) return part;
  const Type& type = module_.type(whole.type);
  if (whole.parts.empty()) {
    constexpr uint64_t most = 1 << 16;
    const uint64_t count = part_count(type);
    if (count > most) refuse(spv::OpCompositeInsert);
    for (uint64_t k = 0; k < count; ++k) whole.parts.push_back({part_type(type, k), 0, {}});
    whole.scalars = count;
  }
  Constant& old = whole.parts.at(indices[0]);
  whole.scalars -= old.scalars;
  old = with_part(std::move(old), indices.subspan(1), part);
  whole.scalars += old.scalars;
  return whole;
}

// Several constants may share a SpecId: glslang declares local_size_x_id separately. The one that the source declares,
// which has a name, gives the default of all.
void Constants::specialization_defaults() {
  std::unordered_map<uint32_t, bool> named;
  for (const Instruction& i : module_.constants) {
    const auto spec_id = module_.decoration(i.result, spv::DecorationSpecId);
    if (!spec_id) continue;
    const bool has_name = module_.names.contains(i.result) && !module_.names.at(i.result).empty();
    if (defaults_.contains(*spec_id) && (named[*spec_id] || !has_name)) continue;
    named[*spec_id] = has_name;
    defaults_[*spec_id] = i.op == spv::OpSpecConstant ? literal(i) : uint64_t{i.op == spv::OpSpecConstantTrue};
  }
}

void Constants::define(const Instruction& i, std::span<const SpecializationValue> specialization) {
  switch (i.op) {
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstant:
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
      keep(i.result, scalar(i, specialization));
      return;
    case spv::OpConstantNull:
    case spv::OpUndef:
      keep(i.result, {i.type, 0, {}});
      return;
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite: {
      Constant constant{i.type, 0, {}, 0};
      for (const Id id : i.args) constant.scalars += values_.at(id).scalars;
      keep(i.result, {i.type, 0, {}, constant.scalars});  // throws if it is too large, before it is made
      for (const Id id : i.args) constant.parts.push_back(values_.at(id));
      values_[i.result] = std::move(constant);
      return;
    }
    case spv::OpSpecConstantOp:
      keep(i.result, operation(i));
      return;
    default:
      refuse(i.op);
  }
}

Constant Constants::scalar(const Instruction& i, std::span<const SpecializationValue> specialization) const {
  const uint32_t width = module_.type(i.type).width;
  uint64_t bits = literal(i);
  if (i.op == spv::OpConstantTrue || i.op == spv::OpSpecConstantTrue) bits = 1;
  if (i.op == spv::OpConstantFalse || i.op == spv::OpSpecConstantFalse) bits = 0;
  if (const auto spec_id = module_.decoration(i.result, spv::DecorationSpecId)) {
    bits = defaults_.at(*spec_id);
    for (const SpecializationValue& value : specialization) {
      if (value.id == *spec_id) bits = width == 1 ? uint64_t{value.bits != 0} : value.bits;
    }
  }
  return {i.type, bits & low_bits(width), {}};
}

Constant Constants::operation(const Instruction& i) const {
  const auto op = spv::Op(i.arg(0));
  const std::vector<uint32_t> args(i.args.begin() + 1, i.args.end());
  switch (op) {
    case spv::OpCompositeExtract: {
      Constant whole = values_.at(args[0]);
      for (size_t k = 1; k < args.size(); ++k) whole = part(whole, args[k]);
      return whole;
    }
    case spv::OpCompositeInsert: {
      return with_part(values_.at(args[1]), std::span(args).subspan(2), values_.at(args[0]));
    }
    case spv::OpVectorShuffle: {
      const Constant &first = values_.at(args[0]), &second = values_.at(args[1]);
      const uint64_t count = part_count(module_.type(first.type));
      Constant result{i.type, 0, {}, args.size() - 2};
      for (size_t k = 2; k < args.size(); ++k) {
        const bool is_open = args[k] == ~0u;  // an undefined component
        result.parts.push_back(is_open           ? Constant{module_.type(i.type).element, 0, {}}
                               : args[k] < count ? part(first, args[k])
                                                 : part(second, args[k] - count));
      }
      return result;
    }
    case spv::OpSelect: {
      const Constant& condition = values_.at(args[0]);
      const bool is_scalar = module_.type(condition.type).kind == Kind::boolean;
      if (is_scalar) return values_.at(args[condition.bits ? 1 : 2]);
      return componentwise(op, i.type, args);
    }
    default:
      return componentwise(op, i.type, args);
  }
}

Constant Constants::componentwise(spv::Op op, Id type, std::span<const Id> operands) const {
  std::vector<Constant> values;
  for (const Id operand : operands) {
    const Constant* value = find(operand);
    if (!value) refuse(op);
    values.push_back(*value);
  }
  const Type& t = module_.type(type);
  if (t.kind != Kind::vector) return {type, fold(op, t, values), {}};
  Constant result{type, 0, {}, t.count};
  for (uint32_t k = 0; k < t.count; ++k) {
    std::vector<Constant> components;
    for (const Constant& value : values) components.push_back(part(value, k));
    result.parts.push_back({t.element, fold(op, module_.type(t.element), components), {}});
  }
  return result;
}

uint64_t Constants::fold(spv::Op op, const Type& result, std::span<const Constant> operands) const {
  const auto scalar_of = [&](size_t k) { return core::Scalar{operands[k].bits, module_.type(operands[k].type).width}; };
  if (operands.empty()) refuse(op);
  const core::Scalar a = scalar_of(0);
  if (op == spv::OpSelect && operands.size() == 3) return operands[a.bits ? 1 : 2].bits;
  if (op == spv::OpFConvert) return from_double(to_double(a.bits, a.width), result.width);
  if (op == spv::OpQuantizeToF16) {
    return std::bit_cast<uint32_t>(quantize_to_half(std::bit_cast<float>(static_cast<uint32_t>(a.bits))));
  }
  std::optional<uint64_t> bits;
  if (operands.size() == 1) bits = core::fold_unary(op, a);
  if (operands.size() == 2) {
    bits = core::fold_binary(op, a, scalar_of(1));
    // Undefined, but not refused since the code may never run. Evaluates like the prelude at run time.
    const bool divides = op == spv::OpUDiv || op == spv::OpSDiv;
    const bool takes_rest = op == spv::OpUMod || op == spv::OpSRem || op == spv::OpSMod;
    if ((divides || takes_rest) && scalar_of(1).bits == 0) bits = divides ? ~uint64_t{0} : a.bits;
  }
  if (!bits) refuse(op);
  return *bits & low_bits(result.width);
}

void Constants::refuse(spv::Op op) const {
  throw Error(ErrorCode::unsupported, "'" + module_.name + "' cannot be translated: " + instruction_name(op) +
                                          " on constants is not supported.");
}

}  // namespace weft::translate
