#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/glsl.h>
#include <weft/stream.h>

using namespace weft;

// The prelude's own functions of floats: their errors, and that fibers and lanes agree.
namespace {

std::vector<uint32_t> floats_of_all_sizes() {
  std::vector<uint32_t> bits = {0,          0x80000000, 1,          0x80000001, 0x7f800000,
                                0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000};
  for (uint64_t i = 0; i < 1 << 20; ++i) bits.push_back(uint32_t(i * 4099));
  for (uint32_t i = 0; i < 1 << 16; ++i) bits.push_back(0x3f400000 + i * 128);  // about 1
  return bits;
}

std::vector<uint32_t> results_of(const std::string& function, const std::string& selector,
                                 const std::vector<uint32_t>& inputs) {
  const Device device = open_device(selector);
  const Kernel kernel =
      device.kernel(compile_glsl("#version 450\nlayout(local_size_x = 64) in;\n"
                                 "layout(set = 0, binding = 0) buffer B { uint x[]; } data;\n"
                                 "layout(push_constant) uniform C { uint count; };\n"
                                 "void main() { uint i = gl_GlobalInvocationID.x; if (i < count) "
                                 "data.x[i] = floatBitsToUint(" +
                                 function + "(uintBitsToFloat(data.x[i]))); }"));
  Stream stream = device.stream();
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(inputs.size());
  stream.upload(buffer, inputs);
  stream.dispatch(kernel, {uint32_t((inputs.size() + 63) / 64)}, Arguments(uint32_t(inputs.size())).bind(0, 0, buffer));
  return stream.download(buffer);
}

// The distance of a float from the exact value, in units of the last bit of the exact value.
double error_in_ulps(float got, double exact) {
  const auto nearest = float(exact);
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : INFINITY;
  const int exponent = std::max(exact == 0 ? -126 : std::ilogb(exact), -126);
  return std::fabs(double(got) - exact) / std::ldexp(1.0, exponent - 23);
}

void check_function(const std::string& name, double (*exact)(double), double most_ulps) {
  const std::vector<uint32_t> inputs = floats_of_all_sizes();
  const std::vector<uint32_t> lanes = results_of(name, "host", inputs);
  CHECK(lanes == results_of(name, "host:form=fibers", inputs));
  CHECK(lanes == results_of(name, "host:subgroup=2", inputs));  // in loops over the lanes
  double most = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto x = std::bit_cast<float>(inputs[i]);
    const double error = error_in_ulps(std::bit_cast<float>(lanes[i]), exact(double(x)));
    if (error > most_ulps && most <= most_ulps) {
      MESSAGE(name << "(" << x << ") is wrong by " << error << " ulp: " << std::bit_cast<float>(lanes[i]));
    }
    most = std::max(most, error);
  }
  CAPTURE(name);
  CHECK(most <= most_ulps);
  CHECK(most > 0.3);  // of as many numbers, a rounded result is sometimes half a unit off
}

}  // namespace

TEST_CASE("exp() and log() of floats are as exact as SPIR-V asks, and the same in lanes and in fibers") {
  check_function("exp", [](double x) { return std::exp(x); }, 2.0);
  check_function("log", [](double x) { return std::log(x); }, 2.0);
}
