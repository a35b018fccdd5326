// Packing into 32-bit words, the first component in the lowest bits.
WEFT_FN uint32_t weft_pack_snorm_4x8(const weft_vec<float, 4>& v) {
  uint32_t r = 0;
  WEFT_UNROLL for (uint32_t i = 0; i < 4; ++i) {
    r |= (uint32_t(int32_t(rintf(weft_nclamp(v.v[i], -1.0f, 1.0f) * 127.0f))) & 0xffu) << (8 * i);
  }
  return r;
}
WEFT_FN uint32_t weft_pack_unorm_4x8(const weft_vec<float, 4>& v) {
  uint32_t r = 0;
  WEFT_UNROLL for (uint32_t i = 0; i < 4; ++i) r |= uint32_t(rintf(weft_nclamp(v.v[i], 0.0f, 1.0f) * 255.0f))
                                                    << (8 * i);
  return r;
}
WEFT_FN uint32_t weft_pack_snorm_2x16(const weft_vec<float, 2>& v) {
  uint32_t r = 0;
  WEFT_UNROLL for (uint32_t i = 0; i < 2; ++i) {
    r |= (uint32_t(int32_t(rintf(weft_nclamp(v.v[i], -1.0f, 1.0f) * 32767.0f))) & 0xffffu) << (16 * i);
  }
  return r;
}
WEFT_FN uint32_t weft_pack_unorm_2x16(const weft_vec<float, 2>& v) {
  return uint32_t(rintf(weft_nclamp(v.v[0], 0.0f, 1.0f) * 65535.0f)) |
         (uint32_t(rintf(weft_nclamp(v.v[1], 0.0f, 1.0f) * 65535.0f)) << 16);
}
WEFT_FN uint32_t weft_pack_half_2x16(const weft_vec<float, 2>& v) {
  return uint32_t(weft_float_to_half_bits(v.v[0])) | (uint32_t(weft_float_to_half_bits(v.v[1])) << 16);
}
WEFT_FN weft_vec<float, 4> weft_unpack_snorm_4x8(uint32_t x) {
  weft_vec<float, 4> r;
  WEFT_UNROLL for (uint32_t i = 0; i < 4; ++i) {
    r.v[i] = weft_fclamp(float(int32_t(int8_t(x >> (8 * i)))) / 127.0f, -1.0f, 1.0f);
  }
  return r;
}
WEFT_FN weft_vec<float, 4> weft_unpack_unorm_4x8(uint32_t x) {
  weft_vec<float, 4> r;
  WEFT_UNROLL for (uint32_t i = 0; i < 4; ++i) r.v[i] = float((x >> (8 * i)) & 0xffu) / 255.0f;
  return r;
}
WEFT_FN weft_vec<float, 2> weft_unpack_snorm_2x16(uint32_t x) {
  return weft_vec<float, 2>{{weft_fclamp(float(int32_t(int16_t(x))) / 32767.0f, -1.0f, 1.0f),
                             weft_fclamp(float(int32_t(int16_t(x >> 16))) / 32767.0f, -1.0f, 1.0f)}};
}
WEFT_FN weft_vec<float, 2> weft_unpack_unorm_2x16(uint32_t x) {
  return weft_vec<float, 2>{{float(x & 0xffffu) / 65535.0f, float(x >> 16) / 65535.0f}};
}
WEFT_FN weft_vec<float, 2> weft_unpack_half_2x16(uint32_t x) {
  return weft_vec<float, 2>{{weft_half_bits_to_float(uint16_t(x)), weft_half_bits_to_float(uint16_t(x >> 16))}};
}
