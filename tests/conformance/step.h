#pragma once

#include <cstdint>
#include <vector>

#include "conformance_kernels.h"
#include "tests/support/test.h"

/// The small kernels that most conformance tests use, with their push-constant blocks.
namespace weft::test {

struct AffineBlock {
  Pointer<uint32_t> data;
  uint32_t count, factor, addend, unused = 0;
};
struct GatherBlock {
  Pointer<uint32_t> source, target;
  uint32_t count, addend;
};
struct SpinBlock {
  Pointer<uint32_t> result;
  uint32_t rounds, seed;
};
struct GroupsBlock {
  Pointer<uint32_t> groups;
  uint32_t x, y, z, unused = 0;
};

/// Returns the number of workgroups of 64 that cover `count` invocations.
inline Groups groups_of_64(uint64_t count) { return {uint32_t((count + 63) / 64), 1, 1}; }

/// data[i] = data[i] * factor + addend for all of `data`, on the device and on the host.
inline void record_affine(Recorder& recorder, const Kernel& affine, View<uint32_t> data, uint32_t factor,
                          uint32_t addend) {
  recorder.dispatch(affine, groups_of_64(data.size()),
                    AffineBlock{data.pointer(), uint32_t(data.size()), factor, addend});
}
inline void apply_affine(std::vector<uint32_t>& data, uint32_t factor, uint32_t addend) {
  for (uint32_t& x : data) x = x * factor + addend;
}

/// target[i] = source[count - 1 - i] + addend.
inline void record_gather(Recorder& recorder, const Kernel& gather, View<const uint32_t> source, View<uint32_t> target,
                          uint32_t addend = 0) {
  recorder.dispatch(gather, groups_of_64(target.size()),
                    GatherBlock{source.pointer(), target.pointer(), uint32_t(target.size()), addend});
}

/// Returns the result of spin.comp.
inline uint32_t spin_result(uint32_t rounds, uint32_t seed) {
  uint32_t x = seed;
  for (uint32_t i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  return x;
}

}  // namespace weft::test
