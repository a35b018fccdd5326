#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Matrices and their columns, accessed by pointers that are parameters or selected. A pointer's type has neither
// strides nor the order of rows and columns, so its origin matters.

using namespace weft;
using namespace weft::test;

namespace {

// Three blocks of one matrix each, in the first extra buffer, and a function that reads matrices and columns through
// pointers.
std::string two_layouts(const std::string& second_layout) {
  return R"(
      OpCapability VariablePointers
      OpMemberDecorate %block 0 Offset 16
      OpMemberDecorate %block 0 MatrixStride 20
      OpMemberDecorate %block 0 RowMajor
      OpMemberDecorate %block 1 Offset 128
)" + second_layout +
         R"(
      OpDecorate %block Block
      OpDecorate %source DescriptorSet 0
      OpDecorate %source Binding 0
      OpDecorate %source NonWritable
      %matrix = OpTypeMatrix %v2float 3
      %block = OpTypeStruct %matrix %matrix
      %ptr_block = OpTypePointer StorageBuffer %block
      %ptr_matrix = OpTypePointer StorageBuffer %matrix
      %ptr_column = OpTypePointer StorageBuffer %v2float
      %ptr_float = OpTypePointer StorageBuffer %float
      %read_type = OpTypeFunction %float %ptr_matrix %uint
      %column_type = OpTypeFunction %v2float %ptr_column
      %source = OpVariable %ptr_block StorageBuffer
      %k = OpUMod %uint %u0 %c3
      %first_matrix = OpAccessChain %ptr_matrix %source %c0
      %second_matrix = OpAccessChain %ptr_matrix %source %c1
)";
}

const char* const read_functions = R"(
      %read = OpFunction %float None %read_type
      %m = OpFunctionParameter %ptr_matrix
      %at = OpFunctionParameter %uint
      %read_entry = OpLabel
      %p = OpAccessChain %ptr_float %m %at %c1
      %x = OpLoad %float %p
      OpReturnValue %x
      OpFunctionEnd
      %column = OpFunction %v2float None %column_type
      %c = OpFunctionParameter %ptr_column
      %column_entry = OpLabel
      %v = OpLoad %v2float %c
      OpReturnValue %v
      OpFunctionEnd)";

// Returns component `row` of column `column` of the matrix at a word of the input, in rows of 5 words.
uint32_t element(const Invocation& i, uint32_t column, uint32_t row) { return i.input[4 + row * 5 + column]; }

}  // namespace

CORPUS("pointers to matrices") {
  const std::string same = "OpMemberDecorate %block 1 MatrixStride 20\nOpMemberDecorate %block 1 RowMajor\n";
  std::vector<KernelCase> cases{
      assembly("a function is given pointers to row-major matrices and columns", two_layouts(same) + R"(
      %a = OpFunctionCall %float %read %first_matrix %k
      %first_column = OpAccessChain %ptr_column %source %c0 %k
      %b = OpFunctionCall %v2float %column %first_column
      %b0 = OpCompositeExtract %float %b 0
      %b1 = OpCompositeExtract %float %b 1
      %odd_bit = OpBitwiseAnd %uint %u1 %c1
      %odd = OpIEqual %bool %odd_bit %c1
      %chosen = OpSelect %ptr_matrix %odd %first_matrix %second_matrix
      %d_at = OpAccessChain %ptr_float %chosen %k %c0
      %d = OpLoad %float %d_at
      %whole = OpLoad %matrix %chosen
      %e = OpCompositeExtract %float %whole 2 1
      putf %a
      putf %b0
      putf %b1
      putf %d
      putf %e)" + std::string(read_functions))
          .version(5)
          .judged_by([](const Invocation& i) {
            const uint32_t k = i.u(0) % 3, base = i.u(1) & 1 ? 0 : 28;
            return std::vector<uint32_t>{element(i, k, 1), element(i, k, 0), element(i, k, 1), i.input[4 + base + k],
                                         i.input[4 + base + 5 + 2]};
          }),
      assembly("physical pointers to matrices are passed on", R"(
      OpCapability PhysicalStorageBufferAddresses
      OpCapability Int64
      OpExtension "SPV_KHR_physical_storage_buffer"
      OpMemoryModel PhysicalStorageBuffer64 GLSL450
      OpDecorate %m Aliased
      OpDecorate %push_block Block
      OpMemberDecorate %push_block 0 Offset 0
      OpMemberDecorate %block 0 Offset 4
      OpMemberDecorate %block 0 MatrixStride 12
      OpMemberDecorate %block 0 RowMajor
      OpDecorate %matrices ArrayStride 40
      OpDecorate %block Block
      %uint64 = OpTypeInt 64 0
      %bytes_each = OpConstant %uint64 256
      %matrix = OpTypeMatrix %v3float 2
      %matrices = OpTypeArray %matrix %c4
      %block = OpTypeStruct %matrices
      %ptr_block = OpTypePointer PhysicalStorageBuffer %block
      %ptr_plain = OpTypePointer PhysicalStorageBuffer %words
      %ptr_word = OpTypePointer PhysicalStorageBuffer %uint
      %ptr_matrices = OpTypePointer PhysicalStorageBuffer %matrices
      %ptr_float = OpTypePointer PhysicalStorageBuffer %float
      %push_block = OpTypeStruct %uint64
      %ptr_push = OpTypePointer PushConstant %push_block
      %ptr_long = OpTypePointer PushConstant %uint64
      %push = OpVariable %ptr_push PushConstant
      %read_type = OpTypeFunction %float %ptr_matrices %uint %uint %uint
      %zeros_at = OpAccessChain %ptr_long %push %c0
      %zeros = OpLoad %uint64 %zeros_at
      %id64 = OpUConvert %uint64 %id
      %before = OpIMul %uint64 %id64 %bytes_each
      %mine = OpIAdd %uint64 %zeros %before
      %root = OpConvertUToPtr %ptr_block %mine
      %plain = OpConvertUToPtr %ptr_plain %mine
      %k = OpBitwiseAnd %uint %u0 %c3
      %k10 = OpIMul %uint %k %c10
      %from = OpIAdd %uint %k10 %c1
      %w0 = OpIAdd %uint %from %c0
      %t0 = OpAccessChain %ptr_word %plain %c0 %w0
      OpStore %t0 %u3 Aligned 4
      %w1 = OpIAdd %uint %from %c1
      %t1 = OpAccessChain %ptr_word %plain %c0 %w1
      OpStore %t1 %u4 Aligned 4
      %w3 = OpIAdd %uint %from %c3
      %t3 = OpAccessChain %ptr_word %plain %c0 %w3
      OpStore %t3 %u5 Aligned 4
      %w4 = OpIAdd %uint %from %c4
      %t4 = OpAccessChain %ptr_word %plain %c0 %w4
      OpStore %t4 %u6 Aligned 4
      %w6 = OpIAdd %uint %from %c6
      %t6 = OpAccessChain %ptr_word %plain %c0 %w6
      OpStore %t6 %u7 Aligned 4
      %w7 = OpIAdd %uint %from %c7
      %t7 = OpAccessChain %ptr_word %plain %c0 %w7
      OpStore %t7 %u8 Aligned 4
      %all = OpAccessChain %ptr_matrices %root %c0
      %c = OpBitwiseAnd %uint %u1 %c1
      %r = OpUMod %uint %u2 %c3
      %x = OpFunctionCall %float %read %all %k %c %r
      putf %x
      %read = OpFunction %float None %read_type
      %m = OpFunctionParameter %ptr_matrices
      %which = OpFunctionParameter %uint
      %column = OpFunctionParameter %uint
      %row = OpFunctionParameter %uint
      %read_entry = OpLabel
      %p = OpAccessChain %ptr_float %m %which %column %row
      %value = OpLoad %float %p Aligned 4
      OpReturnValue %value
      OpFunctionEnd)")
          .version(5)
          .of(8, 1)
          .judged_by(
              [](const Invocation& i) { return std::vector<uint32_t>{i.u(3 + 2 * (i.u(2) % 3) + (i.u(1) & 1))}; }),
  };
  for (KernelCase& one : cases) one.wrong_on = "llvmpipe";  // assumes column-major matrices
  return cases;
}
