#include "picture.h"

#include <algorithm>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace {

/// `heat` is from 0 to 1.
uint32_t heat_color(float heat) {
  constexpr float stops[][3] = {{0, 0, 0}, {20, 20, 150}, {190, 30, 60}, {250, 190, 40}, {255, 255, 255}};
  constexpr size_t steps = std::size(stops) - 1;
  const float at = heat * float(steps);
  const size_t first = std::min(size_t(at), steps - 1);
  uint32_t color = 0xff000000;
  for (size_t channel = 0; channel < 3; ++channel) {
    const float a = stops[first][channel], b = stops[first + 1][channel];
    color |= uint32_t(a + (at - float(first)) * (b - a)) << 8 * channel;
  }
  return color;
}

}  // namespace

void write_picture(const std::string& file, const View& view, const std::vector<Pixel>& pixels) {
  const uint32_t most = std::ranges::max_element(pixels, {}, &Pixel::nodes)->nodes;
  std::vector<uint32_t> colors(2 * pixels.size());
  for (size_t i = 0; i < pixels.size(); ++i) {
    uint32_t* const row = &colors[i / view.width * 2 * view.width];
    row[i % view.width] = pixels[i].color;
    row[view.width + i % view.width] = heat_color(float(pixels[i].nodes) / float(std::max(most, 1u)));
  }
  const int width = 2 * int(view.width);
  if (stbi_write_png(file.c_str(), width, int(view.height), 4, colors.data(), 4 * width) == 0) {
    throw std::runtime_error("cannot write the picture " + file);
  }
}
