#include "algorithms/src/base/tiling.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <weft/error.h>

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// At least 64, because tiles consist of 256-byte blocks, and at least a subgroup, because subgroups are full.
uint32_t least_workgroup(const DeviceInfo& device) { return std::max(64u, subgroup_sizes(device).most); }

uint32_t workgroup_size(const DeviceInfo& device, uint32_t wanted) {
  uint32_t size = wanted;
  while (size > 64 && size > device.limits.max_workgroup_invocations) size /= 2;
  return std::max(size, subgroup_sizes(device).most);
}

uint32_t pack_size(uint32_t element_words, uint32_t element_bytes) {
  const uint32_t filling = 16 / std::gcd(element_bytes, 16u);
  // Packs of large structs would fill the registers. They are whole words, read unit by unit.
  constexpr uint32_t most_words = 16;
  return filling * element_words <= most_words ? filling : 4 * element_words / element_bytes;
}

// Indices in a tile have 16 bits: shaders/workgroup/extent.glsl.
constexpr uint32_t most_elements = 65535;

// Rows that fit into `bytes` of an invocation's registers, with `words` for each element of a pack.
uint32_t rows_of(const Tiling& tiling, uint32_t words, uint32_t bytes) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): elements have words, and packs elements.
  const uint32_t rows = std::min(bytes / (4 * tiling.pack * words), most_elements / (tiling.workgroup * tiling.pack));
  return std::max(1u, rows);
}

Tiling tiling_of(const DeviceInfo& device, uint32_t element_words, uint32_t element_bytes, const TileTuning& tuning) {
  Tiling tiling;
  tiling.workgroup = workgroup_size(device, tuning.workgroup);
  tiling.element_words = element_words;
  tiling.element_bytes = element_bytes;
  tiling.pack = pack_size(element_words, element_bytes);
  tiling.rows = rows_of(tiling, element_words, tuning.bytes_per_invocation);
  return tiling;
}

// Whether `elements` of `shared_words` each fit into workgroup memory, beside scans over the workgroup (an element and
// a number for each subgroup) and a few more words.
bool fits(const DeviceInfo& device, const Tiling& tiling, uint64_t elements, uint32_t shared_words) {
  const uint64_t subgroups = tiling.workgroup / subgroup_sizes(device).least;
  const uint64_t beside = std::max<uint64_t>(2048, subgroups * (tiling.element_words + 1) * 4 + 1024);
  return elements * shared_words * 4 + beside <= device.limits.workgroup_memory_bytes;
}

// Takes away rows, `step` at a time, then invocations, until the tile fits into workgroup memory.
void shrink_to_fit(const char* primitive, const DeviceInfo& device, Tiling& tiling, uint32_t shared_words,
                   uint32_t step) {
  const uint32_t least = least_workgroup(device);
  const auto too_large = [&] { return !fits(device, tiling, tiling.elements(), shared_words); };
  while (too_large() && tiling.rows > step) tiling.rows -= step;
  while (too_large() && tiling.workgroup > least) tiling.workgroup /= 2;
  if (!too_large()) return;
  throw Error(ErrorCode::unsupported,
              std::string(primitive) + " of elements of " + std::to_string(tiling.element_bytes) +
                  " bytes does not fit into the " + std::to_string(device.limits.workgroup_memory_bytes) +
                  " bytes of workgroup memory that a workgroup has on " + device.selector + " (" + device.name + ").");
}

}  // namespace

Tiling make_tiling(const DeviceInfo& device, const Element& element, const TileTuning& tuning) {
  return tiling_of(device, element.words(), element.bytes(), tuning);
}

Tiling make_tiling(const DeviceInfo& device, uint32_t element_words, const TileTuning& tuning) {
  return tiling_of(device, element_words, 4 * element_words, tuning);
}

Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                          const TileTuning& tuning) {
  Tiling tiling = make_tiling(device, element, tuning);
  shrink_to_fit(primitive, device, tiling, element.words(), 1);
  return tiling;
}

Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, uint32_t element_words,
                          const TileTuning& tuning) {
  Tiling tiling = make_tiling(device, element_words, tuning);
  shrink_to_fit(primitive, device, tiling, element_words, 1);
  return tiling;
}

Tiling make_item_tiling(const char* primitive, const DeviceInfo& device, const Element& element, uint32_t shared_words,
                        const TileTuning& tuning) {
  Tiling tiling = make_tiling(device, element, tuning);
  tiling.pack = 1;
  tiling.rows = (std::max(1u, tuning.bytes_per_invocation / (4 * element.words())) - 1) / 2 * 2 + 1;
  shrink_to_fit(primitive, device, tiling, shared_words, 2);
  return tiling;
}

Tiling widen_item_tiling(Tiling tiling, const DeviceInfo& device, uint32_t shared_words, uint32_t workgroup) {
  const uint32_t most = std::min(workgroup, device.limits.max_workgroup_invocations);
  while (2 * tiling.workgroup <= most && 2 * tiling.elements() <= most_elements &&
         fits(device, tiling, 2 * tiling.elements(), shared_words)) {
    tiling.workgroup *= 2;
  }
  return tiling;
}

Tiling make_keyed_tiling(const DeviceInfo& device, const Element& element, const Element* key,
                         const TileTuning& tuning) {
  Tiling tiling = make_tiling(device, element, tuning);
  if (key == nullptr) return tiling;
  tiling.pack = std::max(tiling.pack, pack_size(key->words(), key->bytes()));
  tiling.rows = rows_of(tiling, element.words() + key->words(), tuning.bytes_per_invocation);
  return tiling;
}

Tiling make_fixed_tiling(const DeviceInfo& device, const Element& element, const Element* key, uint32_t elements) {
  Tiling tiling = make_keyed_tiling(device, element, key, TileTuning{});
  const uint32_t least = least_workgroup(device);
  const auto row = [&] { return tiling.workgroup * tiling.pack; };
  while (row() > elements && tiling.workgroup > least) tiling.workgroup /= 2;
  while (row() > elements) tiling.pack /= 2;
  tiling.rows = elements / row();
  return tiling;
}

Tiling make_serial_tiling(const Element& element, const Element* key, uint32_t bytes) {
  constexpr uint32_t step = 256;  // Tiles consist of 256-byte blocks, whatever an element's bytes.
  const uint32_t larger = std::max(element.bytes(), key ? key->bytes() : 0u);
  Tiling tiling{.workgroup = 1, .element_words = element.words(), .element_bytes = element.bytes()};
  tiling.pack = pack_size(element.words(), element.bytes());
  const uint32_t elements = std::clamp(bytes / larger / step, 1u, most_elements / step) * step;
  tiling.rows = elements / tiling.pack;
  return tiling;
}

Tiling make_row_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                              const Element* key, uint32_t beside_words, const TileTuning& tuning,
                              uint32_t staged_bytes) {
  const TileTuning staging{tuning.workgroup, staged_bytes};
  Tiling staged = make_keyed_tiling(device, element, key, staging);
  shrink_to_fit(primitive, device, staged, element.words() + beside_words, 1);
  Tiling tiling = make_keyed_tiling(device, element, key, tuning);
  tiling.workgroup = staged.workgroup;
  tiling.staged_rows = std::min(staged.rows, tiling.rows);
  return tiling;
}

Groups spread(uint64_t groups, const DeviceLimits& limits) {
  const uint64_t rows = (groups + limits.max_workgroup_count[0] - 1) / limits.max_workgroup_count[0];
  if (rows == 0) return {0, 1, 1};
  return {static_cast<uint32_t>((groups + rows - 1) / rows), static_cast<uint32_t>(rows), 1};
}

}  // namespace weft::algorithms
