#include <cmath>
#include <sstream>

#include <weft/glsl.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Tests a * b + c, rounded after each operation or only once. See KernelOptions::contraction.

namespace {

/// Numbers with full mantissas: near 1, so that no product is denormal, and of both signs, so that sums cancel.
template <typename T>
std::vector<T> random_reals(size_t count, std::mt19937_64& generator) {
  std::uniform_real_distribution<T> size(T(0.5), T(2));
  std::vector<T> values(count);
  for (T& value : values) value = generator() % 2 ? size(generator) : -size(generator);
  return values;
}

/// Each operation goes through memory, so that this test's compiler does not contract it either.
template <typename T>
T product(T a, T b) {
  volatile T result = a * b;
  return result;
}
template <typename T>
T sum(T a, T b) {
  volatile T result = a + b;
  return result;
}

/// The output of the kernel below for one invocation.
constexpr size_t results = 11;

std::string source_of(const std::string& type) {
  std::string text = R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) readonly buffer a_block { T v[]; } a;
    layout(set = 0, binding = 1, std430) readonly buffer b_block { T v[]; } b;
    layout(set = 0, binding = 2, std430) readonly buffer c_block { T v[]; } c;
    layout(set = 0, binding = 3, std430) writeonly buffer r_block { T v[]; } r;
    layout(push_constant) uniform Push { uint count; } push;
    T through_a_function(T x, T y, T z) { return x * y + z; }
    void main() {
      uint i = gl_GlobalInvocationID.x, n = push.count;
      if (i >= n) return;
      T x = a.v[i], y = b.v[i], z = c.v[i];
      r.v[i] = x * y + z;
      r.v[n + i] = x * y - z;
      r.v[2 * n + i] = z - x * y;
      r.v[3 * n + i] = through_a_function(x, y, z);
      r.v[4 * n + i] = (V2(x, z) * y + V2(z, x)).x;
      r.v[5 * n + i] = (M2(x, z, z, x) * y + M2(z, x, x, z))[0].x;
      r.v[6 * n + i] = (outerProduct(V2(x, z), V2(y, x)) + M2(z, x, x, z))[0].x;
      r.v[7 * n + i] = dot(V2(x, z), V2(y, 1));
      r.v[8 * n + i] = (M2(x, y, z, x) * V2(y, 1)).x;
      r.v[9 * n + i] = (V2(x, z) * M2(y, 1, x, z)).x;
      r.v[10 * n + i] = (M2(x, y, z, x) * M2(y, 1, x, z))[0].x;
    })";
  const std::string d = type == "float" ? "" : "d";
  for (const auto& [word, with] : {std::pair<std::string, std::string>{"V2(", d + "vec2("},
                                   {"M2(", d + "mat2("},
                                   {"T x", type + " x"},
                                   {"T y", type + " y"},
                                   {"T z", type + " z"},
                                   {"T v", type + " v"},
                                   {"T through", type + " through"}}) {
    for (size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), with);
  }
  return text;
}

template <typename T>
struct Run {
  std::vector<T> a, b, c, separate, fused, result;

  Run(const Device& device, size_t count, Contraction contraction, std::mt19937_64& generator)
      : a(random_reals<T>(count, generator)),
        b(random_reals<T>(count, generator)),
        c(random_reals<T>(count, generator)) {
    const auto for_all = [&](const auto& calculate) {
      for (size_t i = 0; i < count; ++i) calculate(a[i], b[i], c[i]);
    };
    for_all([&](T x, T y, T z) { separate.push_back(sum(product(x, y), z)), fused.push_back(std::fma(x, y, z)); });
    for_all([&](T x, T y, T z) { separate.push_back(sum(product(x, y), -z)), fused.push_back(std::fma(x, y, -z)); });
    for_all([&](T x, T y, T z) { separate.push_back(sum(z, -product(x, y))), fused.push_back(std::fma(-x, y, z)); });
    for (size_t k = 0; k < (results - 3) * count; ++k)
      separate.push_back(separate[k % count]), fused.push_back(fused[k % count]);

    Stream stream = device.stream();
    const Guarded<T> guarded(device, stream, results * count, generator);
    KernelOptions options;
    options.contraction = contraction;
    const Kernel kernel = device.kernel_from_glsl(source_of(TypeName<T>::value), options);
    const auto on_device = [&](const std::vector<T>& values) {
      Buffer<T> buffer = device.buffer<T>(values.size());
      stream.upload(buffer, values);
      return buffer;
    };
    const Buffer<T> first = on_device(a), second = on_device(b), third = on_device(c);
    Arguments arguments{uint32_t(count)};
    arguments.bind(0, 0, first).bind(0, 1, second).bind(0, 2, third).bind(0, 3, guarded.view());
    stream.dispatch(kernel, {uint32_t((count + 63) / 64), 1, 1}, arguments);
    result = guarded.read(stream);
  }
};

template <typename T>
void require_type(const Device& device) {
  if (std::is_same_v<T, double> && !device.info().features.float64) unsupported("no 64-bit floats");
}

}  // namespace

DEVICE_TEST_OF_TYPES("with contraction forbidden, products and sums are rounded separately, as on the CPU", float,
                     double) {
  require_type<T>(device);
  std::mt19937_64 generator = random_generator("contraction forbidden");
  for (const size_t count : {1, 63, 10007}) {
    const Run<T> run(device, count, Contraction::forbidden, generator);
    check_same(run.result, run.separate, "results for " + std::to_string(count) + " numbers");
    if (count > 1000) CHECK(run.separate != run.fused);  // otherwise the test proves nothing
  }
}

DEVICE_TEST_OF_TYPES("with contraction allowed, each result is rounded once or twice, and not otherwise", float,
                     double) {
  require_type<T>(device);
  std::mt19937_64 generator = random_generator("contraction allowed");
  const Run<T> run(device, 10007, Contraction::allowed, generator);
  size_t wrong = 0, only_fused = 0;
  for (size_t i = 0; i < run.result.size(); ++i) {
    const bool separate = run.result[i] == run.separate[i], fused = run.result[i] == run.fused[i];
    wrong += !separate && !fused;
    only_fused += fused && !separate;
  }
  CHECK_EQ(wrong, 0);
  MESSAGE(device.info().selector, " visibly contracted ", only_fused, " of ", run.result.size(), " results");
}
