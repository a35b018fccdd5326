#include "canvas.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

Color mix(Color a, Color b, float t) { return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t}; }
Color scale(Color c, float by) { return {c.r * by, c.g * by, c.b * by}; }
Color hex(unsigned rgb) { return {float(rgb >> 16 & 255) / 255, float(rgb >> 8 & 255) / 255, float(rgb & 255) / 255}; }

Canvas::Canvas(int width, int height, Color background)
    : width_(width * samples), height_(height * samples), pixels_(size_t(width_) * size_t(height_), background) {}

void Canvas::blend(int column, int row, Color color, float opacity) {
  if (column < 0 || row < 0 || column >= width_ || row >= height_) return;
  Color& pixel = pixels_[size_t(row) * size_t(width_) + size_t(column)];
  pixel = mix(pixel, color, opacity);
}

void Canvas::rectangle(Spot corner, float width, float height, Color color, float opacity) {
  const int left = int(std::lround(corner.x * samples)), top = int(std::lround(corner.y * samples));
  const int right = int(std::lround((corner.x + width) * samples));
  const int bottom = int(std::lround((corner.y + height) * samples));
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) blend(column, row, color, opacity);
  }
}

void Canvas::line(Spot from, Spot to, float thickness, Color color, float opacity) {
  const float reach = thickness / 2 + 1;
  const float dx = to.x - from.x, dy = to.y - from.y, length2 = std::max(dx * dx + dy * dy, 1e-6f);
  const int top = int((std::min(from.y, to.y) - reach) * samples),
            left = int((std::min(from.x, to.x) - reach) * samples);
  const int bottom = int((std::max(from.y, to.y) + reach) * samples);
  const int right = int((std::max(from.x, to.x) + reach) * samples);
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      const float x = (float(column) + 0.5f) / samples, y = (float(row) + 0.5f) / samples;
      const float t = std::clamp(((x - from.x) * dx + (y - from.y) * dy) / length2, 0.f, 1.f);
      const float distance = std::hypot(x - from.x - t * dx, y - from.y - t * dy);
      const float coverage = std::clamp((thickness / 2 - distance) * samples + 0.5f, 0.f, 1.f);
      if (coverage > 0) blend(column, row, color, opacity * coverage);
    }
  }
}

void Canvas::disc(Spot centre, float radius, Color color, float opacity) {
  line(centre, centre, 2 * radius, color, opacity);
}

namespace {

class Font {
 public:
  explicit Font(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (bytes_.empty() || !stbtt_InitFont(&info_, bytes_.data(), 0)) {
      throw std::runtime_error("cannot read the font " + file + "; install Debian's fonts-dejavu-core");
    }
  }
  const stbtt_fontinfo* info() const { return &info_; }

 private:
  std::vector<unsigned char> bytes_;
  stbtt_fontinfo info_{};
};

const Font& font(bool bold) {
  static const Font regular("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
  static const Font strong("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf");
  return bold ? strong : regular;
}

float text_width(const stbtt_fontinfo* info, float scale, const std::string& words) {
  float width = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(info, words[i], &advance, &bearing);
    width += scale * float(advance);
    if (i + 1 < words.size()) width += scale * float(stbtt_GetCodepointKernAdvance(info, words[i], words[i + 1]));
  }
  return width;
}

}  // namespace

void Canvas::text(Spot at, float size, const std::string& words, Color color, Align align, bool bold) {
  const stbtt_fontinfo* info = font(bold).info();
  const float scale = stbtt_ScaleForMappingEmToPixels(info, size * samples);
  const float width = text_width(info, scale, words);
  float x = at.x * samples - (align == Align::left ? 0 : align == Align::middle ? width / 2 : width);
  for (size_t i = 0; i < words.size(); ++i) {
    int w = 0, h = 0, dx = 0, dy = 0;
    const float whole = std::floor(x);
    unsigned char* glyph =
        stbtt_GetCodepointBitmapSubpixel(info, scale, scale, x - whole, 0, words[i], &w, &h, &dx, &dy);
    for (int row = 0; row < h; ++row) {
      for (int column = 0; column < w; ++column) {
        blend(int(whole) + dx + column, int(std::lround(at.y * samples)) + dy + row, color,
              float(glyph[row * w + column]) / 255);
      }
    }
    stbtt_FreeBitmap(glyph, nullptr);
    x += text_width(info, scale, words.substr(i, 1));
    if (i + 1 < words.size()) x += scale * float(stbtt_GetCodepointKernAdvance(info, words[i], words[i + 1]));
  }
}

void Canvas::write_png(const std::string& file) const {
  const int width = width_ / samples, height = height_ / samples;
  std::vector<unsigned char> bytes(size_t(width) * size_t(height) * 3);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      Color sum;
      for (int k = 0; k < samples * samples; ++k) {
        const size_t at = size_t(row * samples + k / samples) * size_t(width_) + size_t(column * samples + k % samples);
        sum = {sum.r + pixels_[at].r, sum.g + pixels_[at].g, sum.b + pixels_[at].b};
      }
      unsigned char* out = &bytes[(size_t(row) * size_t(width) + size_t(column)) * 3];
      const float parts[] = {sum.r, sum.g, sum.b};
      for (int c = 0; c < 3; ++c) {
        out[c] =
            static_cast<unsigned char>(std::lround(std::clamp(parts[c] / float(samples * samples), 0.f, 1.f) * 255));
      }
    }
  }
  if (!stbi_write_png(file.c_str(), width, height, 3, bytes.data(), width * 3)) {
    throw std::runtime_error("cannot write the picture " + file);
  }
}
