#define WEFT_TO_RETURN 0xffffffffu  // destination of lanes that left a function's constructs by a return

// Reading ballots, and the masks that follow from a lane's index.
WEFT_FN bool weft_inverse_ballot(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  return weft_ballot_bit(ballot, weft_lane(c));
}
template <class I>
WEFT_FN bool weft_ballot_bit_extract(const weft_context&, const weft_uvec4& ballot, I index, uint32_t) {
  return weft_ballot_bit(ballot, uint32_t(index) & 127u);
}
WEFT_FN uint32_t weft_ballot_bit_count(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  return weft_count_bits(weft_and(ballot, weft_first_bits(weft_subgroup_size(c))));
}
WEFT_FN uint32_t weft_ballot_bit_count_inclusive(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  return weft_count_bits(weft_and(ballot, weft_first_bits(weft_lane(c) + 1u)));
}
WEFT_FN uint32_t weft_ballot_bit_count_exclusive(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  return weft_count_bits(weft_and(ballot, weft_first_bits(weft_lane(c))));
}
WEFT_FN uint32_t weft_ballot_find_lsb(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  const weft_uvec4 bits = weft_and(ballot, weft_first_bits(weft_subgroup_size(c)));
  uint32_t at = ~0u;
  WEFT_UNROLL for (uint32_t w = 4; w-- > 0;) {
    if (bits.v[w]) at = 32 * w + weft_find_lsb<uint32_t>(bits.v[w]);
  }
  return at;
}
WEFT_FN uint32_t weft_ballot_find_msb(const weft_context& c, const weft_uvec4& ballot, uint32_t) {
  const weft_uvec4 bits = weft_and(ballot, weft_first_bits(weft_subgroup_size(c)));
  uint32_t at = ~0u;
  WEFT_UNROLL for (uint32_t w = 0; w < 4; ++w) {
    if (bits.v[w]) at = 32 * w + weft_find_umsb<uint32_t>(bits.v[w]);
  }
  return at;
}
WEFT_FN weft_uvec4 weft_lt_mask(const weft_context& c) { return weft_first_bits(weft_lane(c)); }
WEFT_FN weft_uvec4 weft_le_mask(const weft_context& c) { return weft_first_bits(weft_lane(c) + 1u); }
WEFT_FN weft_uvec4 weft_eq_mask(const weft_context& c) { return weft_xor(weft_le_mask(c), weft_lt_mask(c)); }
WEFT_FN weft_uvec4 weft_ge_mask(const weft_context& c) {
  return weft_xor(weft_first_bits(weft_subgroup_size(c)), weft_lt_mask(c));
}
WEFT_FN weft_uvec4 weft_gt_mask(const weft_context& c) {
  return weft_xor(weft_first_bits(weft_subgroup_size(c)), weft_le_mask(c));
}
