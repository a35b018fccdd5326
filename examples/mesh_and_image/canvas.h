#pragma once

#include <string>
#include <vector>

struct Color {
  float r = 0, g = 0, b = 0;
};
Color mix(Color a, Color b, float t);
Color scale(Color c, float by);
/// 0xRRGGBB
Color hex(unsigned rgb);

struct Spot {
  float x = 0, y = 0;
};

enum class Align { left, middle, right };

/// A picture in memory. Coordinates are in points from the top left; each point is `samples` x `samples` pixels that
/// write_png() averages, so edges come out smooth.
class Canvas {
 public:
  static constexpr int samples = 2;

  Canvas(int width, int height, Color background);

  int width() const { return width_; }
  int height() const { return height_; }

  /// One sample, in sample coordinates. Outside is ignored.
  void blend(int column, int row, Color color, float opacity);
  void rectangle(Spot corner, float width, float height, Color color, float opacity = 1);
  void line(Spot from, Spot to, float thickness, Color color, float opacity = 1);
  void disc(Spot centre, float radius, Color color, float opacity = 1);
  /// Text with its baseline at `at`.y. Throws std::runtime_error when the font is not installed.
  void text(Spot at, float size, const std::string& words, Color color, Align align = Align::left, bool bold = false);

  /// Writes the picture, or throws std::runtime_error.
  void write_png(const std::string& file) const;

 private:
  int width_, height_;
  std::vector<Color> pixels_;
};
