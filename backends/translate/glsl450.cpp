#include <spirv/unified1/GLSL.std.450.h>

#include "backends/translate/rules.h"

// The instructions of GLSL.std.450.
namespace weft::translate {
namespace {

using F = ExpressionEmitter;

Rule rule(GLSLstd450 number, RuleFunction emit, const char* text, const char* name) {
  constexpr const char* group = "GLSL.std.450";
  return {static_cast<spv::Op>(number), group, emit, text, "", false, std::string(group) + " " + name};
}

}  // namespace

const std::vector<Rule>& glsl_rules() {
  static const std::vector<Rule> rules{
      rule(GLSLstd450Round, &F::call, "weft_round_even", "Round"),
      rule(GLSLstd450RoundEven, &F::call, "weft_round_even", "RoundEven"),
      rule(GLSLstd450Trunc, &F::call, "weft_trunc", "Trunc"),
      rule(GLSLstd450FAbs, &F::call, "weft_fabs", "FAbs"),
      rule(GLSLstd450SAbs, &F::call, "weft_sabs", "SAbs"),
      rule(GLSLstd450FSign, &F::call, "weft_fsign", "FSign"),
      rule(GLSLstd450SSign, &F::call, "weft_ssign", "SSign"),
      rule(GLSLstd450Floor, &F::call, "weft_floor", "Floor"),
      rule(GLSLstd450Ceil, &F::call, "weft_ceil", "Ceil"),
      rule(GLSLstd450Fract, &F::call, "weft_fract", "Fract"),
      rule(GLSLstd450Radians, &F::call, "weft_radians", "Radians"),
      rule(GLSLstd450Degrees, &F::call, "weft_degrees", "Degrees"),
      rule(GLSLstd450Sin, &F::call, "weft_sin", "Sin"),
      rule(GLSLstd450Cos, &F::call, "weft_cos", "Cos"),
      rule(GLSLstd450Tan, &F::call, "weft_tan", "Tan"),
      rule(GLSLstd450Asin, &F::call, "weft_asin", "Asin"),
      rule(GLSLstd450Acos, &F::call, "weft_acos", "Acos"),
      rule(GLSLstd450Atan, &F::call, "weft_atan", "Atan"),
      rule(GLSLstd450Sinh, &F::call, "weft_sinh", "Sinh"),
      rule(GLSLstd450Cosh, &F::call, "weft_cosh", "Cosh"),
      rule(GLSLstd450Tanh, &F::call, "weft_tanh", "Tanh"),
      rule(GLSLstd450Asinh, &F::call, "weft_asinh", "Asinh"),
      rule(GLSLstd450Acosh, &F::call, "weft_acosh", "Acosh"),
      rule(GLSLstd450Atanh, &F::call, "weft_atanh", "Atanh"),
      rule(GLSLstd450Atan2, &F::call, "weft_atan2", "Atan2"),
      rule(GLSLstd450Pow, &F::call, "weft_pow", "Pow"),
      rule(GLSLstd450Exp, &F::call, "weft_exp", "Exp"),
      rule(GLSLstd450Log, &F::call, "weft_log", "Log"),
      rule(GLSLstd450Exp2, &F::call, "weft_exp2", "Exp2"),
      rule(GLSLstd450Log2, &F::call, "weft_log2", "Log2"),
      rule(GLSLstd450Sqrt, &F::call, "weft_sqrt", "Sqrt"),
      rule(GLSLstd450InverseSqrt, &F::call, "weft_inverse_sqrt", "InverseSqrt"),
      rule(GLSLstd450Determinant, &F::call, "weft_determinant", "Determinant"),
      rule(GLSLstd450MatrixInverse, &F::call, "weft_matrix_inverse", "MatrixInverse"),
      rule(GLSLstd450Modf, &F::glsl_out, "weft_modf", "Modf"),
      rule(GLSLstd450ModfStruct, &F::extended_arithmetic, "weft_modf_struct", "ModfStruct"),
      rule(GLSLstd450FMin, &F::call, "weft_fmin", "FMin"),
      rule(GLSLstd450UMin, &F::call, "weft_umin", "UMin"),
      rule(GLSLstd450SMin, &F::call, "weft_smin", "SMin"),
      rule(GLSLstd450FMax, &F::call, "weft_fmax", "FMax"),
      rule(GLSLstd450UMax, &F::call, "weft_umax", "UMax"),
      rule(GLSLstd450SMax, &F::call, "weft_smax", "SMax"),
      rule(GLSLstd450FClamp, &F::call, "weft_fclamp", "FClamp"),
      rule(GLSLstd450UClamp, &F::call, "weft_uclamp", "UClamp"),
      rule(GLSLstd450SClamp, &F::call, "weft_sclamp", "SClamp"),
      rule(GLSLstd450FMix, &F::call, "weft_mix", "FMix"),
      rule(GLSLstd450Step, &F::call, "weft_step", "Step"),
      rule(GLSLstd450SmoothStep, &F::call, "weft_smooth_step", "SmoothStep"),
      rule(GLSLstd450Fma, &F::call, "weft_fma", "Fma"),
      rule(GLSLstd450Frexp, &F::glsl_out, "weft_frexp", "Frexp"),
      rule(GLSLstd450FrexpStruct, &F::extended_arithmetic, "weft_frexp_struct", "FrexpStruct"),
      rule(GLSLstd450Ldexp, &F::glsl_ldexp, "weft_ldexp", "Ldexp"),
      rule(GLSLstd450PackSnorm4x8, &F::call, "weft_pack_snorm_4x8", "PackSnorm4x8"),
      rule(GLSLstd450PackUnorm4x8, &F::call, "weft_pack_unorm_4x8", "PackUnorm4x8"),
      rule(GLSLstd450PackSnorm2x16, &F::call, "weft_pack_snorm_2x16", "PackSnorm2x16"),
      rule(GLSLstd450PackUnorm2x16, &F::call, "weft_pack_unorm_2x16", "PackUnorm2x16"),
      rule(GLSLstd450PackHalf2x16, &F::call, "weft_pack_half_2x16", "PackHalf2x16"),
      rule(GLSLstd450PackDouble2x32, &F::bitcast, "", "PackDouble2x32"),
      rule(GLSLstd450UnpackSnorm2x16, &F::call, "weft_unpack_snorm_2x16", "UnpackSnorm2x16"),
      rule(GLSLstd450UnpackUnorm2x16, &F::call, "weft_unpack_unorm_2x16", "UnpackUnorm2x16"),
      rule(GLSLstd450UnpackHalf2x16, &F::call, "weft_unpack_half_2x16", "UnpackHalf2x16"),
      rule(GLSLstd450UnpackSnorm4x8, &F::call, "weft_unpack_snorm_4x8", "UnpackSnorm4x8"),
      rule(GLSLstd450UnpackUnorm4x8, &F::call, "weft_unpack_unorm_4x8", "UnpackUnorm4x8"),
      rule(GLSLstd450UnpackDouble2x32, &F::bitcast, "", "UnpackDouble2x32"),
      rule(GLSLstd450Length, &F::call, "weft_length", "Length"),
      rule(GLSLstd450Distance, &F::call, "weft_distance", "Distance"),
      rule(GLSLstd450Cross, &F::call, "weft_cross", "Cross"),
      rule(GLSLstd450Normalize, &F::call, "weft_normalize", "Normalize"),
      rule(GLSLstd450FaceForward, &F::call, "weft_face_forward", "FaceForward"),
      rule(GLSLstd450Reflect, &F::call, "weft_reflect", "Reflect"),
      rule(GLSLstd450Refract, &F::call, "weft_refract", "Refract"),
      rule(GLSLstd450FindILsb, &F::typed_call, "weft_find_lsb", "FindILsb"),
      rule(GLSLstd450FindSMsb, &F::typed_call, "weft_find_smsb", "FindSMsb"),
      rule(GLSLstd450FindUMsb, &F::typed_call, "weft_find_umsb", "FindUMsb"),
      rule(GLSLstd450NMin, &F::call, "weft_nmin", "NMin"),
      rule(GLSLstd450NMax, &F::call, "weft_nmax", "NMax"),
      rule(GLSLstd450NClamp, &F::call, "weft_nclamp", "NClamp"),
  };
  return rules;
}

const Rule* find_glsl_rule(uint32_t wanted) {
  for (const Rule& rule : glsl_rules()) {
    if (static_cast<uint32_t>(rule.op) == wanted) return &rule;
  }
  return nullptr;
}

// Operands: the set, the instruction's number, and the instruction's operands.
void ExpressionEmitter::extended(const Instruction& i, const Rule&) {
  const std::string& set = parent_.module.instruction_sets.at(i.arg(0));
  if (set != "GLSL.std.450") parent_.refuse(i, "of the instruction set " + set + " is not supported");
  const Rule* rule = find_glsl_rule(i.arg(1));
  if (!rule) parent_.refuse(i, "number " + std::to_string(i.arg(1)) + " of GLSL.std.450 is not supported");
  Instruction inner = i;
  inner.args.erase(inner.args.begin(), inner.args.begin() + 2);
  (this->*rule->emit)(inner, *rule);
}

// Stores the second result through the second operand, a pointer.
void ExpressionEmitter::glsl_out(const Instruction& i, const Rule& rule) {
  Lvalue lvalue = lvalue_of(i.arg(1), i);
  lvalue.site = parent_.site(i);
  const std::string second = body_.temporary("second");
  body_.declare(parent_.types.name(lvalue.type), second);
  define(i, std::string(rule.text) + "(" + value(i.arg(0)) + ", " + second + ")");
  if (lvalue.bytes)
    write(lvalue, second);
  else
    line(lvalue.text + " = " + second + ";");
}

// The exponent may have any width. A 64-bit one is clamped to 32 bits, which gives the same result.
void ExpressionEmitter::glsl_ldexp(const Instruction& i, const Rule& rule) {
  const std::string converted =
      scalar_of(type_of(i.arg(1))).width == 64 ? "weft_saturated_exponent<uint32_t>(" : "weft_s_convert<uint32_t>(";
  define(i, std::string(rule.text) + "(" + value(i.arg(0)) + ", " + converted + value(i.arg(1)) + "))");
}

}  // namespace weft::translate
