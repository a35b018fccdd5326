#include "backends/translate/rules.h"

#include <unordered_map>

// The table of all supported instructions and their translation. The list in the documentation is generated from it.
namespace weft::translate {

using F = ExpressionEmitter;

namespace {

Rule of_lanes(spv::Op op, RuleFunction emit, const char* text) { return {op, "subgroup", emit, text, "", true}; }

}  // namespace

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules{
      {spv::OpUndef, "miscellaneous", &F::undefined},
      {spv::OpExtInst, "miscellaneous", &F::extended},
      {spv::OpExpectKHR, "miscellaneous", &F::copy_object},
      {spv::OpAssumeTrueKHR, "miscellaneous", &F::nothing},
      {spv::OpFunctionCall, "function", &F::function_call},

      {spv::OpVariable, "memory", &F::local_variable},
      {spv::OpLoad, "memory", &F::load},
      {spv::OpStore, "memory", &F::store},
      {spv::OpCopyMemory, "memory", &F::copy_memory},
      {spv::OpAccessChain, "memory", &F::access_chain},
      {spv::OpInBoundsAccessChain, "memory", &F::access_chain},
      {spv::OpPtrAccessChain, "memory", &F::access_chain},
      {spv::OpInBoundsPtrAccessChain, "memory", &F::access_chain},
      {spv::OpArrayLength, "memory", &F::array_length},
      {spv::OpPtrEqual, "memory", &F::pointer_comparison, "=="},
      {spv::OpPtrNotEqual, "memory", &F::pointer_comparison, "!="},
      {spv::OpPtrDiff, "memory", &F::pointer_comparison, "-"},

      {spv::OpConvertFToU, "conversion", &F::convert, "weft_f_to_u"},
      {spv::OpConvertFToS, "conversion", &F::convert, "weft_f_to_s"},
      {spv::OpConvertSToF, "conversion", &F::convert, "weft_s_to_f"},
      {spv::OpConvertUToF, "conversion", &F::convert, "weft_u_to_f"},
      {spv::OpUConvert, "conversion", &F::convert, "weft_u_convert"},
      {spv::OpSConvert, "conversion", &F::convert, "weft_s_convert"},
      {spv::OpFConvert, "conversion", &F::convert, "weft_f_convert"},
      {spv::OpSatConvertSToU, "conversion", &F::convert, "weft_saturate_s_to_u"},
      {spv::OpSatConvertUToS, "conversion", &F::convert, "weft_saturate_u_to_s"},
      {spv::OpQuantizeToF16, "conversion", &F::call, "weft_quantize"},
      {spv::OpBitcast, "conversion", &F::bitcast},
      {spv::OpConvertPtrToU, "conversion", &F::pointer_to_integer},
      {spv::OpConvertUToPtr, "conversion", &F::integer_to_pointer},

      {spv::OpVectorExtractDynamic, "composite", &F::vector_extract_dynamic},
      {spv::OpVectorInsertDynamic, "composite", &F::vector_insert_dynamic},
      {spv::OpVectorShuffle, "composite", &F::vector_shuffle},
      {spv::OpCompositeConstruct, "composite", &F::composite_construct},
      {spv::OpCompositeExtract, "composite", &F::composite_extract},
      {spv::OpCompositeInsert, "composite", &F::composite_insert},
      {spv::OpCopyObject, "composite", &F::copy_object},
      {spv::OpCopyLogical, "composite", &F::copy_logical},
      {spv::OpTranspose, "composite", &F::call, "weft_transpose"},

      {spv::OpSNegate, "arithmetic", &F::unary, "weft_neg", "-"},
      {spv::OpFNegate, "arithmetic", &F::unary, "weft_neg", "-"},
      {spv::OpIAdd, "arithmetic", &F::binary, "weft_add", "+"},
      {spv::OpFAdd, "arithmetic", &F::binary, "weft_add", "+"},
      {spv::OpISub, "arithmetic", &F::binary, "weft_sub", "-"},
      {spv::OpFSub, "arithmetic", &F::binary, "weft_sub", "-"},
      {spv::OpIMul, "arithmetic", &F::binary, "weft_mul", "*"},
      {spv::OpFMul, "arithmetic", &F::binary, "weft_mul", "*"},
      {spv::OpFDiv, "arithmetic", &F::binary, "weft_div", "/"},
      {spv::OpUDiv, "arithmetic", &F::division, "weft_udiv", "/"},
      {spv::OpSDiv, "arithmetic", &F::call, "weft_sdiv"},
      {spv::OpUMod, "arithmetic", &F::division, "weft_umod", "%"},
      {spv::OpSRem, "arithmetic", &F::call, "weft_srem"},
      {spv::OpSMod, "arithmetic", &F::call, "weft_smod"},
      {spv::OpFRem, "arithmetic", &F::call, "weft_frem"},
      {spv::OpFMod, "arithmetic", &F::call, "weft_fmod"},
      {spv::OpVectorTimesScalar, "arithmetic", &F::product, "weft_vector_times_scalar"},
      {spv::OpMatrixTimesScalar, "arithmetic", &F::product, "weft_matrix_times_scalar"},
      {spv::OpVectorTimesMatrix, "arithmetic", &F::product, "weft_vector_times_matrix"},
      {spv::OpMatrixTimesVector, "arithmetic", &F::product, "weft_matrix_times_vector"},
      {spv::OpMatrixTimesMatrix, "arithmetic", &F::product, "weft_matrix_times_matrix"},
      {spv::OpOuterProduct, "arithmetic", &F::product, "weft_outer_product"},
      {spv::OpDot, "arithmetic", &F::product, "weft_dot"},
      {spv::OpIAddCarry, "arithmetic", &F::extended_arithmetic, "weft_add_carry"},
      {spv::OpISubBorrow, "arithmetic", &F::extended_arithmetic, "weft_sub_borrow"},
      {spv::OpUMulExtended, "arithmetic", &F::extended_arithmetic, "weft_umul_extended"},
      {spv::OpSMulExtended, "arithmetic", &F::extended_arithmetic, "weft_smul_extended"},
      {spv::OpSDot, "arithmetic", &F::integer_dot, "weft_integer_dot<true, true, "},
      {spv::OpUDot, "arithmetic", &F::integer_dot, "weft_integer_dot<false, false, "},
      {spv::OpSUDot, "arithmetic", &F::integer_dot, "weft_integer_dot<true, false, "},
      {spv::OpSDotAccSat, "arithmetic", &F::integer_dot, "weft_integer_dot_saturated<true, true, "},
      {spv::OpUDotAccSat, "arithmetic", &F::integer_dot, "weft_integer_dot_saturated<false, false, "},
      {spv::OpSUDotAccSat, "arithmetic", &F::integer_dot, "weft_integer_dot_saturated<true, false, "},

      {spv::OpShiftRightLogical, "bit", &F::shift, "weft_shr", ">>"},
      {spv::OpShiftRightArithmetic, "bit", &F::call, "weft_sar"},
      {spv::OpShiftLeftLogical, "bit", &F::shift, "weft_shl", "<<"},
      {spv::OpBitwiseOr, "bit", &F::binary, "weft_or", "|"},
      {spv::OpBitwiseXor, "bit", &F::binary, "weft_xor", "^"},
      {spv::OpBitwiseAnd, "bit", &F::binary, "weft_and", "&"},
      {spv::OpNot, "bit", &F::unary, "weft_not", "~"},
      {spv::OpBitFieldInsert, "bit", &F::call, "weft_bit_field_insert"},
      {spv::OpBitFieldSExtract, "bit", &F::call, "weft_bit_field_s_extract"},
      {spv::OpBitFieldUExtract, "bit", &F::call, "weft_bit_field_u_extract"},
      {spv::OpBitReverse, "bit", &F::call, "weft_bit_reverse"},
      {spv::OpBitCount, "bit", &F::typed_call, "weft_bit_count"},

      {spv::OpAny, "relational", &F::call, "weft_any"},
      {spv::OpAll, "relational", &F::call, "weft_all"},
      {spv::OpIsNan, "relational", &F::call, "weft_is_nan"},
      {spv::OpIsInf, "relational", &F::call, "weft_is_inf"},
      {spv::OpLogicalEqual, "relational", &F::binary, "weft_eq", "=="},
      {spv::OpLogicalNotEqual, "relational", &F::binary, "weft_ne", "!="},
      {spv::OpLogicalOr, "relational", &F::binary, "weft_or", "|"},
      {spv::OpLogicalAnd, "relational", &F::binary, "weft_and", "&"},
      {spv::OpLogicalNot, "relational", &F::unary, "weft_logical_not", "!"},
      {spv::OpSelect, "relational", &F::select},
      {spv::OpIEqual, "relational", &F::binary, "weft_eq", "=="},
      {spv::OpINotEqual, "relational", &F::binary, "weft_ne", "!="},
      {spv::OpUGreaterThan, "relational", &F::binary, "weft_gt", ">"},
      {spv::OpSGreaterThan, "relational", &F::call, "weft_sgt"},
      {spv::OpUGreaterThanEqual, "relational", &F::binary, "weft_ge", ">="},
      {spv::OpSGreaterThanEqual, "relational", &F::call, "weft_sge"},
      {spv::OpULessThan, "relational", &F::binary, "weft_lt", "<"},
      {spv::OpSLessThan, "relational", &F::call, "weft_slt"},
      {spv::OpULessThanEqual, "relational", &F::binary, "weft_le", "<="},
      {spv::OpSLessThanEqual, "relational", &F::call, "weft_sle"},
      {spv::OpFOrdEqual, "relational", &F::binary, "weft_eq", "=="},
      {spv::OpFUnordEqual, "relational", &F::call, "weft_unordered_eq"},
      {spv::OpFOrdNotEqual, "relational", &F::call, "weft_ordered_ne"},
      {spv::OpFUnordNotEqual, "relational", &F::binary, "weft_ne", "!="},
      {spv::OpFOrdLessThan, "relational", &F::binary, "weft_lt", "<"},
      {spv::OpFUnordLessThan, "relational", &F::call, "weft_unordered_lt"},
      {spv::OpFOrdGreaterThan, "relational", &F::binary, "weft_gt", ">"},
      {spv::OpFUnordGreaterThan, "relational", &F::call, "weft_unordered_gt"},
      {spv::OpFOrdLessThanEqual, "relational", &F::binary, "weft_le", "<="},
      {spv::OpFUnordLessThanEqual, "relational", &F::call, "weft_unordered_le"},
      {spv::OpFOrdGreaterThanEqual, "relational", &F::binary, "weft_ge", ">="},
      {spv::OpFUnordGreaterThanEqual, "relational", &F::call, "weft_unordered_ge"},

      {spv::OpAtomicLoad, "atomic", &F::atomic_load, "weft_atomic_load"},
      {spv::OpAtomicStore, "atomic", &F::atomic_store, "weft_atomic_store"},
      {spv::OpAtomicExchange, "atomic", &F::atomic, "weft_atomic_exchange"},
      {spv::OpAtomicCompareExchange, "atomic", &F::atomic_compare_exchange, "weft_atomic_compare_exchange"},
      {spv::OpAtomicIIncrement, "atomic", &F::atomic_step, "1"},
      {spv::OpAtomicIDecrement, "atomic", &F::atomic_step, "-1"},
      {spv::OpAtomicIAdd, "atomic", &F::atomic, "weft_atomic_add"},
      {spv::OpAtomicISub, "atomic", &F::atomic, "weft_atomic_sub"},
      {spv::OpAtomicSMin, "atomic", &F::atomic, "weft_atomic_smin"},
      {spv::OpAtomicUMin, "atomic", &F::atomic, "weft_atomic_umin"},
      {spv::OpAtomicSMax, "atomic", &F::atomic, "weft_atomic_smax"},
      {spv::OpAtomicUMax, "atomic", &F::atomic, "weft_atomic_umax"},
      {spv::OpAtomicAnd, "atomic", &F::atomic, "weft_atomic_and"},
      {spv::OpAtomicOr, "atomic", &F::atomic, "weft_atomic_or"},
      {spv::OpAtomicXor, "atomic", &F::atomic, "weft_atomic_xor"},
      {spv::OpAtomicFAddEXT, "atomic", &F::atomic, "weft_atomic_fadd"},
      {spv::OpAtomicFMinEXT, "atomic", &F::atomic, "weft_atomic_fmin"},
      {spv::OpAtomicFMaxEXT, "atomic", &F::atomic, "weft_atomic_fmax"},
      {spv::OpAtomicFlagTestAndSet, "atomic", &F::atomic_flag, "weft_atomic_exchange"},
      {spv::OpAtomicFlagClear, "atomic", &F::atomic_flag, "weft_atomic_store"},
      {spv::OpControlBarrier, "barrier", &F::control_barrier, "weft_barrier"},
      {spv::OpMemoryBarrier, "barrier", &F::memory_barrier, "weft_memory_barrier"},

      of_lanes(spv::OpGroupNonUniformElect, &F::subgroup_call, "weft_elect"),
      of_lanes(spv::OpGroupNonUniformAll, &F::subgroup_call, "weft_vote_all"),
      of_lanes(spv::OpGroupNonUniformAny, &F::subgroup_call, "weft_vote_any"),
      of_lanes(spv::OpGroupNonUniformAllEqual, &F::subgroup_call, "weft_vote_all_equal"),
      of_lanes(spv::OpGroupNonUniformBroadcast, &F::subgroup_call, "weft_shuffle"),
      of_lanes(spv::OpGroupNonUniformBroadcastFirst, &F::subgroup_call, "weft_broadcast_first"),
      of_lanes(spv::OpGroupNonUniformBallot, &F::subgroup_call, "weft_ballot"),
      {spv::OpGroupNonUniformInverseBallot, "subgroup", &F::subgroup_call, "weft_inverse_ballot"},
      {spv::OpGroupNonUniformBallotBitExtract, "subgroup", &F::subgroup_call, "weft_ballot_bit_extract"},
      {spv::OpGroupNonUniformBallotBitCount, "subgroup", &F::ballot_bit_count, "weft_ballot_bit_count"},
      {spv::OpGroupNonUniformBallotFindLSB, "subgroup", &F::subgroup_call, "weft_ballot_find_lsb"},
      {spv::OpGroupNonUniformBallotFindMSB, "subgroup", &F::subgroup_call, "weft_ballot_find_msb"},
      of_lanes(spv::OpGroupNonUniformShuffle, &F::subgroup_call, "weft_shuffle"),
      of_lanes(spv::OpGroupNonUniformShuffleXor, &F::subgroup_call, "weft_shuffle_xor"),
      of_lanes(spv::OpGroupNonUniformShuffleUp, &F::subgroup_call, "weft_shuffle_up"),
      of_lanes(spv::OpGroupNonUniformShuffleDown, &F::subgroup_call, "weft_shuffle_down"),
      of_lanes(spv::OpGroupNonUniformIAdd, &F::subgroup_arithmetic, "weft_op_add"),
      of_lanes(spv::OpGroupNonUniformFAdd, &F::subgroup_arithmetic, "weft_op_add"),
      of_lanes(spv::OpGroupNonUniformIMul, &F::subgroup_arithmetic, "weft_op_mul"),
      of_lanes(spv::OpGroupNonUniformFMul, &F::subgroup_arithmetic, "weft_op_mul"),
      of_lanes(spv::OpGroupNonUniformSMin, &F::subgroup_arithmetic, "weft_op_smin"),
      of_lanes(spv::OpGroupNonUniformUMin, &F::subgroup_arithmetic, "weft_op_umin"),
      of_lanes(spv::OpGroupNonUniformFMin, &F::subgroup_arithmetic, "weft_op_fmin"),
      of_lanes(spv::OpGroupNonUniformSMax, &F::subgroup_arithmetic, "weft_op_smax"),
      of_lanes(spv::OpGroupNonUniformUMax, &F::subgroup_arithmetic, "weft_op_umax"),
      of_lanes(spv::OpGroupNonUniformFMax, &F::subgroup_arithmetic, "weft_op_fmax"),
      of_lanes(spv::OpGroupNonUniformBitwiseAnd, &F::subgroup_arithmetic, "weft_op_and"),
      of_lanes(spv::OpGroupNonUniformBitwiseOr, &F::subgroup_arithmetic, "weft_op_or"),
      of_lanes(spv::OpGroupNonUniformBitwiseXor, &F::subgroup_arithmetic, "weft_op_xor"),
      of_lanes(spv::OpGroupNonUniformLogicalAnd, &F::subgroup_arithmetic, "weft_op_and"),
      of_lanes(spv::OpGroupNonUniformLogicalOr, &F::subgroup_arithmetic, "weft_op_or"),
      of_lanes(spv::OpGroupNonUniformLogicalXor, &F::subgroup_arithmetic, "weft_op_xor"),
      of_lanes(spv::OpGroupNonUniformQuadBroadcast, &F::subgroup_call, "weft_quad_broadcast"),
      of_lanes(spv::OpGroupNonUniformQuadSwap, &F::subgroup_call, "weft_quad_swap"),
      of_lanes(spv::OpGroupNonUniformRotateKHR, &F::subgroup_rotate, "weft_rotate"),
      of_lanes(spv::OpGroupNonUniformPartitionNV, &F::subgroup_old, "weft_partition"),
      of_lanes(spv::OpSubgroupBallotKHR, &F::subgroup_old, "weft_ballot"),
      of_lanes(spv::OpSubgroupFirstInvocationKHR, &F::subgroup_old, "weft_broadcast_first"),
      of_lanes(spv::OpSubgroupReadInvocationKHR, &F::subgroup_old, "weft_shuffle"),
      of_lanes(spv::OpSubgroupAllKHR, &F::subgroup_old, "weft_vote_all"),
      of_lanes(spv::OpSubgroupAnyKHR, &F::subgroup_old, "weft_vote_any"),
      of_lanes(spv::OpSubgroupAllEqualKHR, &F::subgroup_old, "weft_vote_all_equal"),
  };
  return rules;
}

const Rule* find_rule(spv::Op op) {
  static const auto table = [] {
    std::unordered_map<uint32_t, const Rule*> made;
    for (const Rule& rule : all_rules()) made[rule.op] = &rule;
    return made;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

bool needs_lanes(spv::Op op) {
  const Rule* rule = find_rule(op);
  return rule && rule->needs_lanes;
}

}  // namespace weft::translate

namespace weft {

std::vector<TranslatedInstruction> translated_instructions() {
  using namespace translate;
  std::vector<TranslatedInstruction> list;
  for (const DeclarationKind& kind : declarations()) {
    for (const spv::Op op : kind.instructions) list.push_back({instruction_name(op), kind.group});
  }
  for (const spv::Op op : {spv::OpFunction, spv::OpFunctionParameter, spv::OpFunctionEnd, spv::OpLabel, spv::OpPhi,
                           spv::OpSelectionMerge, spv::OpLoopMerge, spv::OpBranch, spv::OpBranchConditional,
                           spv::OpSwitch, spv::OpReturn, spv::OpReturnValue, spv::OpUnreachable}) {
    list.push_back({instruction_name(op), "control flow"});
  }
  for (const spv::Op op : {spv::OpConstantTrue, spv::OpConstantFalse, spv::OpConstant, spv::OpConstantComposite,
                           spv::OpConstantNull, spv::OpSpecConstantTrue, spv::OpSpecConstantFalse, spv::OpSpecConstant,
                           spv::OpSpecConstantComposite, spv::OpSpecConstantOp}) {
    list.push_back({instruction_name(op), "constant"});
  }
  for (const Rule& rule : all_rules()) list.push_back({rule.name, rule.group});
  for (const Rule& rule : glsl_rules()) list.push_back({rule.name, rule.group});
  return list;
}

}  // namespace weft
