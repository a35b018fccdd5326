#include <array>

#include <weft/mipmaps.h>

#include "tests/algorithms/all_plans/overlap_parts.h"

namespace weft::test {
namespace {

// The largest byte of each channel in what a texel covers.
uint32_t largest(const uint32_t* above, uint32_t width, uint32_t height, uint32_t x, uint32_t y) {
  const auto end = [](uint32_t i, uint32_t size) { return std::min(2 * i + 2 + size % 2, size); };
  uint32_t all = 0;
  for (uint32_t v = 2 * y; v < end(y, height); ++v) {
    for (uint32_t u = 2 * x; u < end(x, width); ++u) {
      for (uint32_t channel = 0xFF; channel > 0; channel <<= 8) {
        all = std::max(all & channel, above[v * width + u] & channel) | (all & ~channel);
      }
    }
  }
  return all;
}

}  // namespace

void add_overlap_images(Cases& all, const Device& device) {
  const Mipmaps plan(device, {}, 70, 66, {.filter = MipFilter::max});
  all.push_back({"Mipmaps",
                 "",
                 {any("image", plan.image_bytes() / 4), written("levels", plan.level_bytes() / 4),
                  written("counters", plan.counter_bytes() / 4)},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   constexpr std::array<std::byte, 4> zero{};
                   recorder.fill_region(at.at("counters"), zero);
                   plan.record(recorder, {at.at("image"), at.at("levels"), at.at("counters")});
                 },
                 [=](const Contents& before, Contents& after) {
                   const uint32_t* above = before.at("image").data();
                   for (uint32_t level = 1; level < plan.levels(); ++level) {
                     const auto [width, height] = plan.size(level);
                     uint32_t* const texels = &after["levels"][plan.offset(level) / 4];
                     for (uint32_t i = 0; i < width * height; ++i) {
                       texels[i] =
                           largest(above, plan.size(level - 1)[0], plan.size(level - 1)[1], i % width, i / width);
                     }
                     above = texels;
                   }
                   after["counters"].assign(plan.counter_bytes() / 4, 0);
                 }});
}

}  // namespace weft::test
