#include <spirv/unified1/GLSL.std.450.h>

#include "backends/translate/rules.h"

// The instructions of GLSL.std.450. A rule's `op` is their number and its `symbol` their name.
namespace weft::translate {
namespace {

using F = FunctionEmitter;

constexpr const char* group = "GLSL.std.450";

spv::Op number(GLSLstd450 n) { return static_cast<spv::Op>(n); }

}  // namespace

const std::vector<Rule>& glsl_rules() {
  static const std::vector<Rule> rules{
      {number(GLSLstd450Round), group, &F::call, "weft_round_even", "Round"},
      {number(GLSLstd450RoundEven), group, &F::call, "weft_round_even", "RoundEven"},
      {number(GLSLstd450Trunc), group, &F::call, "weft_trunc", "Trunc"},
      {number(GLSLstd450FAbs), group, &F::call, "weft_fabs", "FAbs"},
      {number(GLSLstd450SAbs), group, &F::call, "weft_sabs", "SAbs"},
      {number(GLSLstd450FSign), group, &F::call, "weft_fsign", "FSign"},
      {number(GLSLstd450SSign), group, &F::call, "weft_ssign", "SSign"},
      {number(GLSLstd450Floor), group, &F::call, "weft_floor", "Floor"},
      {number(GLSLstd450Ceil), group, &F::call, "weft_ceil", "Ceil"},
      {number(GLSLstd450Fract), group, &F::call, "weft_fract", "Fract"},
      {number(GLSLstd450Radians), group, &F::call, "weft_radians", "Radians"},
      {number(GLSLstd450Degrees), group, &F::call, "weft_degrees", "Degrees"},
      {number(GLSLstd450Sin), group, &F::call, "weft_sin", "Sin"},
      {number(GLSLstd450Cos), group, &F::call, "weft_cos", "Cos"},
      {number(GLSLstd450Tan), group, &F::call, "weft_tan", "Tan"},
      {number(GLSLstd450Asin), group, &F::call, "weft_asin", "Asin"},
      {number(GLSLstd450Acos), group, &F::call, "weft_acos", "Acos"},
      {number(GLSLstd450Atan), group, &F::call, "weft_atan", "Atan"},
      {number(GLSLstd450Sinh), group, &F::call, "weft_sinh", "Sinh"},
      {number(GLSLstd450Cosh), group, &F::call, "weft_cosh", "Cosh"},
      {number(GLSLstd450Tanh), group, &F::call, "weft_tanh", "Tanh"},
      {number(GLSLstd450Asinh), group, &F::call, "weft_asinh", "Asinh"},
      {number(GLSLstd450Acosh), group, &F::call, "weft_acosh", "Acosh"},
      {number(GLSLstd450Atanh), group, &F::call, "weft_atanh", "Atanh"},
      {number(GLSLstd450Atan2), group, &F::call, "weft_atan2", "Atan2"},
      {number(GLSLstd450Pow), group, &F::call, "weft_pow", "Pow"},
      {number(GLSLstd450Exp), group, &F::call, "weft_exp", "Exp"},
      {number(GLSLstd450Log), group, &F::call, "weft_log", "Log"},
      {number(GLSLstd450Exp2), group, &F::call, "weft_exp2", "Exp2"},
      {number(GLSLstd450Log2), group, &F::call, "weft_log2", "Log2"},
      {number(GLSLstd450Sqrt), group, &F::call, "weft_sqrt", "Sqrt"},
      {number(GLSLstd450InverseSqrt), group, &F::call, "weft_inverse_sqrt", "InverseSqrt"},
      {number(GLSLstd450Determinant), group, &F::call, "weft_determinant", "Determinant"},
      {number(GLSLstd450MatrixInverse), group, &F::call, "weft_matrix_inverse", "MatrixInverse"},
      {number(GLSLstd450Modf), group, &F::glsl_out, "weft_modf", "Modf"},
      {number(GLSLstd450ModfStruct), group, &F::extended_arithmetic, "weft_modf_struct", "ModfStruct"},
      {number(GLSLstd450FMin), group, &F::call, "weft_fmin", "FMin"},
      {number(GLSLstd450UMin), group, &F::call, "weft_umin", "UMin"},
      {number(GLSLstd450SMin), group, &F::call, "weft_smin", "SMin"},
      {number(GLSLstd450FMax), group, &F::call, "weft_fmax", "FMax"},
      {number(GLSLstd450UMax), group, &F::call, "weft_umax", "UMax"},
      {number(GLSLstd450SMax), group, &F::call, "weft_smax", "SMax"},
      {number(GLSLstd450FClamp), group, &F::call, "weft_fclamp", "FClamp"},
      {number(GLSLstd450UClamp), group, &F::call, "weft_uclamp", "UClamp"},
      {number(GLSLstd450SClamp), group, &F::call, "weft_sclamp", "SClamp"},
      {number(GLSLstd450FMix), group, &F::call, "weft_mix", "FMix"},
      {number(GLSLstd450Step), group, &F::call, "weft_step", "Step"},
      {number(GLSLstd450SmoothStep), group, &F::call, "weft_smooth_step", "SmoothStep"},
      {number(GLSLstd450Fma), group, &F::call, "weft_fma", "Fma"},
      {number(GLSLstd450Frexp), group, &F::glsl_out, "weft_frexp", "Frexp"},
      {number(GLSLstd450FrexpStruct), group, &F::extended_arithmetic, "weft_frexp_struct", "FrexpStruct"},
      {number(GLSLstd450Ldexp), group, &F::glsl_ldexp, "weft_ldexp", "Ldexp"},
      {number(GLSLstd450PackSnorm4x8), group, &F::call, "weft_pack_snorm_4x8", "PackSnorm4x8"},
      {number(GLSLstd450PackUnorm4x8), group, &F::call, "weft_pack_unorm_4x8", "PackUnorm4x8"},
      {number(GLSLstd450PackSnorm2x16), group, &F::call, "weft_pack_snorm_2x16", "PackSnorm2x16"},
      {number(GLSLstd450PackUnorm2x16), group, &F::call, "weft_pack_unorm_2x16", "PackUnorm2x16"},
      {number(GLSLstd450PackHalf2x16), group, &F::call, "weft_pack_half_2x16", "PackHalf2x16"},
      {number(GLSLstd450PackDouble2x32), group, &F::bitcast, "", "PackDouble2x32"},
      {number(GLSLstd450UnpackSnorm2x16), group, &F::call, "weft_unpack_snorm_2x16", "UnpackSnorm2x16"},
      {number(GLSLstd450UnpackUnorm2x16), group, &F::call, "weft_unpack_unorm_2x16", "UnpackUnorm2x16"},
      {number(GLSLstd450UnpackHalf2x16), group, &F::call, "weft_unpack_half_2x16", "UnpackHalf2x16"},
      {number(GLSLstd450UnpackSnorm4x8), group, &F::call, "weft_unpack_snorm_4x8", "UnpackSnorm4x8"},
      {number(GLSLstd450UnpackUnorm4x8), group, &F::call, "weft_unpack_unorm_4x8", "UnpackUnorm4x8"},
      {number(GLSLstd450UnpackDouble2x32), group, &F::bitcast, "", "UnpackDouble2x32"},
      {number(GLSLstd450Length), group, &F::call, "weft_length", "Length"},
      {number(GLSLstd450Distance), group, &F::call, "weft_distance", "Distance"},
      {number(GLSLstd450Cross), group, &F::call, "weft_cross", "Cross"},
      {number(GLSLstd450Normalize), group, &F::call, "weft_normalize", "Normalize"},
      {number(GLSLstd450FaceForward), group, &F::call, "weft_face_forward", "FaceForward"},
      {number(GLSLstd450Reflect), group, &F::call, "weft_reflect", "Reflect"},
      {number(GLSLstd450Refract), group, &F::call, "weft_refract", "Refract"},
      {number(GLSLstd450FindILsb), group, &F::typed_call, "weft_find_lsb", "FindILsb"},
      {number(GLSLstd450FindSMsb), group, &F::typed_call, "weft_find_smsb", "FindSMsb"},
      {number(GLSLstd450FindUMsb), group, &F::typed_call, "weft_find_umsb", "FindUMsb"},
      {number(GLSLstd450NMin), group, &F::call, "weft_nmin", "NMin"},
      {number(GLSLstd450NMax), group, &F::call, "weft_nmax", "NMax"},
      {number(GLSLstd450NClamp), group, &F::call, "weft_nclamp", "NClamp"},
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
void FunctionEmitter::extended(const Instruction& i, const Rule&) {
  const std::string& set = parent_.module.instruction_sets.at(i.arg(0));
  if (set != "GLSL.std.450") parent_.refuse(i, "of the instruction set " + set + " is not supported");
  const Rule* rule = find_glsl_rule(i.arg(1));
  if (!rule) parent_.refuse(i, "number " + std::to_string(i.arg(1)) + " of GLSL.std.450 is not supported");
  Instruction inner = i;
  inner.args.erase(inner.args.begin(), inner.args.begin() + 2);
  (this->*rule->emit)(inner, *rule);
}

// Stores the second result through the second operand, a pointer.
void FunctionEmitter::glsl_out(const Instruction& i, const Rule& rule) {
  Lvalue lvalue = lvalue_of(i.arg(1), i);
  lvalue.site = parent_.site(i);
  const std::string second = "second_" + std::to_string(temporaries_++);
  variable_lines_.push_back(parent_.types.name(lvalue.type) + " " + second + ";");
  define(i, std::string(rule.text) + "(" + value(i.arg(0)) + ", " + second + ")");
  if (!lvalue.bytes) {
    line(lvalue.text + " = " + second + ";");
    return;
  }
  std::vector<std::string> lines;
  parent_.store(lvalue, second, lines);
  for (const std::string& one : lines) line(one);
}

// The exponent may have any width. A 64-bit one is clamped to 32 bits, which gives the same result.
void FunctionEmitter::glsl_ldexp(const Instruction& i, const Rule& rule) {
  const std::string converted =
      scalar_of(type_of(i.arg(1))).width == 64 ? "weft_saturated_exponent<uint32_t>(" : "weft_s_convert<uint32_t>(";
  define(i, std::string(rule.text) + "(" + value(i.arg(0)) + ", " + converted + value(i.arg(1)) + "))");
}

}  // namespace weft::translate
