#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Variables: their initial values, and indices of every width into them.

using namespace weft;
using namespace weft::test;

namespace {

// Pointers as initial values, of a variable of the module and of one of the function.
KernelCase starting_with_addresses() {
  KernelCase result = assembly("variables that start with the address of another", R"(
      OpCapability VariablePointers
      OpDecorate %scratch DescriptorSet 0
      OpDecorate %scratch Binding 5
      %semantics = OpConstant %uint 264
      %ptr_shared_private = OpTypePointer Private %ptr_uint_workgroup
      %ptr_shared_function = OpTypePointer Function %ptr_uint_workgroup
      %ptr_buffer_private = OpTypePointer Private %ptr_words
      %scratch = OpVariable %ptr_words StorageBuffer
      %room = OpVariable %ptr_uint_workgroup Workgroup
      %word = OpVariable %ptr_uint_workgroup Workgroup
      %at_word = OpVariable %ptr_shared_private Private %word
      %at_scratch = OpVariable %ptr_buffer_private Private %scratch
      %at_word_too = OpVariable %ptr_shared_function Function %word
      OpStore %room %c9
      %a_at = OpLoad %ptr_uint_workgroup %at_word
      OpStore %a_at %c7
      OpControlBarrier %c2 %c2 %semantics
      %b_at = OpLoad %ptr_uint_workgroup %at_word_too
      %b = OpLoad %uint %b_at
      %c_at = OpLoad %ptr_words %at_scratch
      %c_word = OpAccessChain %ptr_uint_buffer %c_at %c0 %id
      OpStore %c_word %u0
      %direct = OpAccessChain %ptr_uint_buffer %scratch %c0 %id
      %c = OpLoad %uint %direct
      put %b
      put %c)");
  result.wrong_on = "llvmpipe";  // its private variable does not point to the buffer
  return result.judged_by([](const Invocation& i) { return std::vector<uint32_t>{7, i.u(0)}; });
}

}  // namespace

CORPUS("variables") {
  return {
      starting_with_addresses(),
      assembly("variables start with what their declarations say", R"(
      %list = OpTypeArray %uint %c3
      %pair = OpTypeStruct %list %v2float
      %ptr_pair_private = OpTypePointer Private %pair
      %ptr_pair_function = OpTypePointer Function %pair
      %ptr_uint_private = OpTypePointer Private %uint
      %ptr_float_function = OpTypePointer Function %float
      %numbers = OpConstantComposite %list %c5 %c6 %c7
      %two_floats = OpConstantComposite %v2float %f1 %f2
      %start = OpConstantComposite %pair %numbers %two_floats
      %nothing = OpConstantNull %pair
      %mine = OpVariable %ptr_pair_private Private %start
      %empty = OpVariable %ptr_pair_private Private %nothing
      %local_pair = OpVariable %ptr_pair_function Function %start
      %k = OpUMod %uint %u0 %c3
      %a_at = OpAccessChain %ptr_uint_private %mine %c0 %k
      %a = OpLoad %uint %a_at
      OpStore %a_at %u1
      %whole = OpLoad %pair %mine
      %a2 = OpCompositeExtract %uint %whole 0 2
      %b_at = OpAccessChain %ptr_uint_private %empty %c0 %k
      %b = OpLoad %uint %b_at
      %c_at = OpAccessChain %ptr_float_function %local_pair %c1 %c1
      %c = OpLoad %float %c_at
      OpCopyMemory %local_pair %mine
      %d_at = OpAccessChain %ptr_uint_function %local_pair %c0 %k
      %d = OpLoad %uint %d_at
      put %a
      put %a2
      put %b
      putf %c
      put %d)")
          .judged_by([](const Invocation& i) {
            const uint32_t k = i.u(0) % 3;
            return std::vector<uint32_t>{5 + k, k == 2 ? i.u(1) : 7, 0, std::bit_cast<uint32_t>(2.0f), i.u(1)};
          }),
      assembly("workgroup memory that starts at zero", R"(
      %list = OpTypeArray %uint %c64
      %pair = OpTypeStruct %list %v2uint
      %nothing = OpConstantNull %pair
      %ptr_pair = OpTypePointer Workgroup %pair
      %tile = OpVariable %ptr_pair Workgroup %nothing
      %semantics = OpConstant %uint 264
      %at = OpAccessChain %ptr_uint_workgroup %tile %c0 %local
      %before = OpLoad %uint %at
      %y_at = OpAccessChain %ptr_uint_workgroup %tile %c1 %c1
      %y = OpLoad %uint %y_at
      OpControlBarrier %c2 %c2 %semantics
      %old = OpAtomicIAdd %uint %y_at %c2 %c0 %c1
      OpControlBarrier %c2 %c2 %semantics
      %after = OpLoad %uint %y_at
      put %before
      put %y
      put %after)")
          .version(6)
          .judged_by([](const Invocation&) { return std::vector<uint32_t>{0, 0, 64}; }),
      assembly("the zeros of a workgroup block that only another name of it is read by", R"(
      OpCapability WorkgroupMemoryExplicitLayoutKHR
      OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %zeros Aliased
      OpDecorate %tile Aliased
      %semantics = OpConstant %uint 264
      %block = OpTypeStruct %uint
      %ptr_block = OpTypePointer Workgroup %block
      %nothing = OpConstantNull %block
      %zeros = OpVariable %ptr_block Workgroup %nothing
      %tile = OpVariable %ptr_block Workgroup
      %at = OpAccessChain %ptr_uint_workgroup %tile %c0
      %x = OpLoad %uint %at
      OpControlBarrier %c2 %c2 %semantics
      OpStore %at %c7
      put %x)")
          .version(4)
          .judged_by([](const Invocation&) { return std::vector<uint32_t>{0}; }),
      assembly("indices of every width", R"(
      OpCapability Int8
      OpCapability Int16
      OpCapability Int64
      OpCapability VariablePointersStorageBuffer
      OpDecorate %ptr_step ArrayStride 4
      %int8 = OpTypeInt 8 1
      %uint8 = OpTypeInt 8 0
      %int16 = OpTypeInt 16 1
      %uint16 = OpTypeInt 16 0
      %int64 = OpTypeInt 64 1
      %list = OpTypeArray %uint %c16
      %ptr_list = OpTypePointer Function %list
      %ptr_step = OpTypePointer StorageBuffer %uint
      %large = OpConstant %uint8 100
      %five = OpConstant %int64 5
      %less = OpConstant %int8 -3
      %short_less = OpConstant %int16 -100
      %values = OpVariable %ptr_list Function
      %k = OpBitwiseAnd %uint %u0 %c15
      %k8 = OpUConvert %uint8 %k
      %k16 = OpUConvert %uint16 %k
      %ks = OpBitcast %int %k
      %k64 = OpSConvert %int64 %ks
      %p0 = OpAccessChain %ptr_uint_function %values %k8
      OpStore %p0 %u1
      %p1 = OpAccessChain %ptr_uint_function %values %k16
      %a = OpLoad %uint %p1
      %p2 = OpAccessChain %ptr_uint_function %values %k64
      %b = OpLoad %uint %p2
      %p3 = OpAccessChain %ptr_step %given %c0 %large
      %c = OpLoad %uint %p3
      %p4 = OpPtrAccessChain %ptr_step %p3 %less
      %d = OpLoad %uint %p4
      %p5 = OpPtrAccessChain %ptr_step %p3 %short_less
      %e = OpLoad %uint %p5
      %p6 = OpPtrAccessChain %ptr_step %p5 %five
      %f = OpLoad %uint %p6
      %p7 = OpAccessChain %ptr_step %given %c0 %k64
      %g = OpLoad %uint %p7
      %v = OpCompositeConstruct %v4uint %u2 %u3 %u4 %u5
      %n = OpBitwiseAnd %uint %u6 %c3
      %n8 = OpUConvert %uint8 %n
      %h = OpVectorExtractDynamic %uint %v %n8
      put %a
      put %b
      put %c
      put %d
      put %e
      put %f
      put %g
      put %h)")
          .version(5)
          .judged_by([](const Invocation& i) {
            return std::vector<uint32_t>{i.u(1),     i.u(1),     i.input[100],         i.input[97],
                                         i.input[0], i.input[5], i.input[i.u(0) & 15], i.u(2 + (i.u(6) & 3))};
          }),
      assembly("copies with operands of their own", R"(
      OpDecorate %scratch DescriptorSet 0
      OpDecorate %scratch Binding 5
      %scratch = OpVariable %ptr_words StorageBuffer
      %to = OpAccessChain %ptr_uint_buffer %scratch %c0 %id
      %from = OpAccessChain %ptr_uint_buffer %given %c0 %id
      OpCopyMemory %to %from Volatile Aligned 4
      %x = OpLoad %uint %to Volatile
      OpStore %to %c9 Volatile|Aligned 4
      OpCopyMemory %to %from None Volatile
      %y = OpLoad %uint %to Nontemporal
      put %x
      put %y)")
          .version(4)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.input[i.id], i.input[i.id]}; }),
  };
}
