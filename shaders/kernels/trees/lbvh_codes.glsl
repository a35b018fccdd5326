// Sorted Morton codes of leaves, of WEFT_CODE_WORDS words each.
//
// Gives:    int weft_common_bits(codes, i, j)   length of the common prefix of two leaves' codes and, if these are
//                                               equal, of their indices
#ifndef WEFT_KERNELS_TREES_LBVH_CODES
#define WEFT_KERNELS_TREES_LBVH_CODES

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer WeftCodes { uint word[]; };

int weft_leading_zeros(uint x) { return 31 - findMSB(x); }

int weft_common_bits(WeftCodes codes, uint i, uint j) {
#if WEFT_CODE_WORDS == 2
  uint high = codes.word[2u * i + 1u] ^ codes.word[2u * j + 1u];
  if (high != 0u) return weft_leading_zeros(high);
#endif
  uint low = codes.word[WEFT_CODE_WORDS * i] ^ codes.word[WEFT_CODE_WORDS * j];
  if (low != 0u) return 32 * (WEFT_CODE_WORDS - 1) + weft_leading_zeros(low);
  return 32 * WEFT_CODE_WORDS + weft_leading_zeros(i ^ j);
}

#endif
