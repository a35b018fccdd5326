#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

/// The kernels of `weft bench kernels` as plain C++ loops: what the kernels in bench/kernels/users/ compute. They are
/// the reference for all devices, and the peer `cpp` runs them.
namespace weft::bench::plain {

/// The arrays and sizes of a run, as the kernels have them.
struct Arrays {
  std::span<const void* const> inputs;
  std::span<void* const> outputs;
  uint32_t count = 0;

  const float* in(size_t i) const { return static_cast<const float*>(inputs[i]); }
  float* out() const { return static_cast<float*>(outputs[0]); }
};

/// The side of the largest square image of up to `count` texels.
inline uint32_t side_of(uint32_t count) {
  auto side = uint32_t(std::sqrt(double(count)));
  while (uint64_t{side} * side > count) --side;
  return side;
}

// Each function does the items from `first` to below `end`: elements, rows of an image, or matrices.

inline void saxpy(const Arrays& arrays, uint32_t first, uint32_t end) {
  const float *x = arrays.in(0), *y = arrays.in(1);
  float* z = arrays.out();
  for (uint32_t i = first; i < end; ++i) z[i] = 2.5f * x[i] + y[i];
}

inline void stencil(const Arrays& arrays, uint32_t first, uint32_t end) {
  const uint32_t side = side_of(arrays.count);
  const float* from = arrays.in(0);
  float* to = arrays.out();
  for (uint32_t y = first; y < end; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      const uint32_t i = y * side + x;
      const bool is_border = x == 0 || y == 0 || x == side - 1 || y == side - 1;
      to[i] =
          is_border ? from[i] : 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side]);
    }
  }
}

inline void mandelbrot(const Arrays& arrays, uint32_t first, uint32_t end) {
  const uint32_t side = side_of(arrays.count);
  auto* steps = static_cast<uint32_t*>(arrays.outputs[0]);
  const float texel = 3.0f / float(side);
  for (uint32_t row = first; row < end; ++row) {
    for (uint32_t column = 0; column < side; ++column) {
      const float cx = -2.0f + texel * float(column), cy = -1.5f + texel * float(row);
      float x = cx, y = cy;
      uint32_t i = 0;
      for (; i < 256; ++i) {
        if (x * x + y * y > 4.0f) break;
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
      }
      steps[row * side + column] = i;
    }
  }
}

inline void nbody(const Arrays& arrays, uint32_t first, uint32_t end) {
  const uint32_t sources = std::min(arrays.count, 256u);
  const float* bodies = arrays.in(0);
  float* accelerations = arrays.out();
  for (uint32_t i = first; i < end; ++i) {
    const float* body = bodies + 4 * size_t{i};
    float sum[3] = {};
    for (uint32_t k = 0; k < sources; ++k) {
      const float* other = bodies + 4 * size_t{k};
      const float x = other[0] - body[0], y = other[1] - body[1], z = other[2] - body[2];
      const float near = 1.0f / std::sqrt(x * x + y * y + z * z + 0.01f), by = other[3] * near * near * near;
      sum[0] += x * by;
      sum[1] += y * by;
      sum[2] += z * by;
    }
    float* acceleration = accelerations + 4 * size_t{i};
    for (int d = 0; d < 3; ++d) acceleration[d] = sum[d];
    acceleration[3] = 0;
  }
}

inline float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float tail =
      0.39894228f * std::exp(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

inline void black_scholes(const Arrays& arrays, uint32_t first, uint32_t end) {
  constexpr float rate = 0.02f, volatility = 0.3f;
  const float *stock = arrays.in(0), *strike = arrays.in(1), *years = arrays.in(2);
  float* prices = arrays.out();
  for (uint32_t i = first; i < end; ++i) {
    const float s = 5.0f + 25.0f * stock[i], x = 1.0f + 99.0f * strike[i], t = 0.25f + 9.75f * years[i];
    const float root = std::sqrt(t);
    const float d1 = (std::log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal(d1), n2 = normal(d2), discounted = x * std::exp(-rate * t);
    prices[2 * size_t{i}] = s * n1 - discounted * n2;
    prices[2 * size_t{i} + 1] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

inline float gradient(uint32_t cx, uint32_t cy, uint32_t cz, float x, float y, float z) {
  uint32_t h = cx * 0x8da6b343u ^ cy * 0xd8163841u ^ cz * 0xcb1ab31fu;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  h = (h ^ (h >> 15)) & 15u;
  const float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
  return ((h & 1) == 0 ? u : -u) + ((h & 2) == 0 ? v : -v);
}

inline float mix(float a, float b, float t) { return a * (1.0f - t) + b * t; }
inline float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

inline float perlin(float px, float py, float pz) {
  const float wx = std::floor(px), wy = std::floor(py), wz = std::floor(pz), x = px - wx, y = py - wy, z = pz - wz;
  const auto cx = uint32_t(int32_t(wx)), cy = uint32_t(int32_t(wy)), cz = uint32_t(int32_t(wz));
  const float sx = fade(x), sy = fade(y), sz = fade(z);
  const auto slice = [&](uint32_t corner, float to) {
    return mix(mix(gradient(cx, cy, corner, x, y, to), gradient(cx + 1, cy, corner, x - 1, y, to), sx),
               mix(gradient(cx, cy + 1, corner, x, y - 1, to), gradient(cx + 1, cy + 1, corner, x - 1, y - 1, to), sx),
               sy);
  };
  return mix(slice(cz, z), slice(cz + 1, z - 1), sz);
}

inline void noise(const Arrays& arrays, uint32_t first, uint32_t end) {
  const uint32_t side = side_of(arrays.count);
  float* noise = arrays.out();
  for (uint32_t row = first; row < end; ++row) {
    for (uint32_t column = 0; column < side; ++column) {
      float x = float(column) * 0.03125f, y = float(row) * 0.03125f, z = 0.625f, sum = 0, amplitude = 0.5f;
      for (int octave = 0; octave < 4; ++octave) {
        sum += amplitude * perlin(x, y, z);
        x *= 2, y *= 2, z *= 2;
        amplitude *= 0.5f;
      }
      noise[row * side + column] = sum;
    }
  }
}

/// An item is 512 keys: 256 pairs.
inline void bitonic(const Arrays& arrays, uint32_t first, uint32_t end) {
  const auto* from = static_cast<const uint32_t*>(arrays.inputs[0]);
  auto* to = static_cast<uint32_t*>(arrays.outputs[0]);
  for (uint32_t item = first; item < end; ++item) {
    const size_t begin = size_t{item} * 512;
    const bool ascending = (begin & 1024) == 0;
    for (size_t i = begin; i < begin + 256; ++i) {
      const uint32_t a = from[i], b = from[i + 256];
      const uint32_t least = std::min(a, b), most = std::max(a, b);
      to[i] = ascending ? least : most;
      to[i + 256] = ascending ? most : least;
    }
  }
}

/// An item is a matrix.
inline void matrix(const Arrays& arrays, uint32_t first, uint32_t end) {
  for (uint32_t item = first; item < end; ++item) {
    const float *a = arrays.in(0) + size_t{item} * 256, *b = arrays.in(1) + size_t{item} * 256;
    float* c = arrays.out() + size_t{item} * 256;
    for (uint32_t row = 0; row < 16; ++row) {
      for (uint32_t column = 0; column < 16; ++column) {
        float sum = 0;
        for (uint32_t k = 0; k < 16; ++k) sum += a[row * 16 + k] * b[k * 16 + column];
        c[row * 16 + column] = sum;
      }
    }
  }
}

/// A row of the table of kernels.
struct UserKernel {
  enum class Item { element, image_row, keys_512, matrix };

  const char* name;
  void (*run)(const Arrays& arrays, uint32_t first, uint32_t end);
  Item item;
  uint32_t input_words[3], output_words;  ///< Words of 32 bits for each element; 0 for no further input.

  uint32_t items(uint32_t count) const {
    switch (item) {
      case Item::element:
        return count;
      case Item::image_row:
        return side_of(count);
      case Item::keys_512:
        return count / 512;
      default:
        return count / 256;
    }
  }
};

inline constexpr UserKernel user_kernels[] = {
    {"saxpy", saxpy, UserKernel::Item::element, {1, 1, 0}, 1},
    {"stencil", stencil, UserKernel::Item::image_row, {1, 0, 0}, 1},
    {"mandelbrot", mandelbrot, UserKernel::Item::image_row, {0, 0, 0}, 1},
    {"n-body", nbody, UserKernel::Item::element, {4, 0, 0}, 4},
    {"black-scholes", black_scholes, UserKernel::Item::element, {1, 1, 1}, 2},
    {"noise", noise, UserKernel::Item::image_row, {0, 0, 0}, 1},
    {"bitonic", bitonic, UserKernel::Item::keys_512, {1, 0, 0}, 1},
    {"matrix", matrix, UserKernel::Item::matrix, {1, 1, 0}, 1},
};

}  // namespace weft::bench::plain
