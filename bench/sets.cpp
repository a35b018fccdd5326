#include "bench/sets.h"

#include <cmath>
#include <numeric>

namespace weft::bench {
namespace {

constexpr uint64_t set_alignment = 256;

template <typename T>
void upload_random(Stream& stream, const Region& region, const RandomSource& seed) {
  const View<T> view(region);
  constexpr uint64_t chunk = (uint64_t(64) << 20) / sizeof(T);
  std::vector<T> piece;
  for (uint64_t first = 0; first < view.size(); first += chunk) {
    piece.resize(size_t(std::min(chunk, view.size() - first)));
    for (size_t i = 0; i < piece.size(); ++i) piece[i] = random_element<T>(seed, first + i);
    stream.upload(view.part(first, piece.size()), std::span<const T>(piece));
  }
}

}  // namespace

std::string kept_expression(support::ScalarType type) {
  if (support::is_float(type)) return "x < T(0.5)";
  if (support::is_signed_integer(type)) return "x < T(0)";
  return "x >> " + std::to_string(8 * support::bytes(type) - 1) + " == T(0)";
}

double kept_limit(support::ScalarType type) {
  if (support::is_float(type)) return 0.5;
  return support::is_signed_integer(type) ? 0 : std::ldexp(1.0, int(8 * support::bytes(type)) - 1);
}

uint64_t count_kept(const Problem& problem) {
  return support::visit_element_type(problem.type, [&](auto t) {
    using T = typename decltype(t)::type;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < problem.count; ++i) kept += is_kept(random_element<T>(problem.seed, i));
    return kept;
  });
}

Sets::Sets(const Device& device, uint64_t bytes, uint32_t sets)
    : bytes_(bytes),
      stride_((bytes + set_alignment - 1) / set_alignment * set_alignment),
      sets_(sets),
      buffer_(device.buffer<std::byte>(stride_ * sets)) {}

Sets random_inputs(const Problem& problem) {
  Sets inputs(problem.device, problem.count * support::bytes(problem.type), problem.sets);
  Stream stream = problem.device.stream();
  support::visit_sample_type(
      problem.type, [&](auto t) { upload_random<typename decltype(t)::type>(stream, inputs[0], problem.seed); });
  for (uint32_t set = 1; set < problem.sets; ++set) stream.copy_region(inputs[0], inputs[set]);
  stream.synchronize();
  return inputs;
}

Sets index_inputs(const Problem& problem) {
  Sets inputs(problem.device, problem.count * sizeof(uint32_t), problem.sets);
  std::vector<uint32_t> indices(problem.count);
  std::iota(indices.begin(), indices.end(), 0u);
  Stream stream = problem.device.stream();
  upload_to_sets(stream, inputs, indices);
  return inputs;
}

Groups grid_of(uint64_t count) {
  constexpr uint64_t row = 32768;
  const uint64_t groups = (count + 255) / 256;
  return {uint32_t(std::min(groups, row)), uint32_t((groups + row - 1) / row)};
}

void check_invocations(const Problem& problem) {
  if (problem.type == support::ScalarType::u32 && problem.count <= UINT32_MAX) return;
  throw Error(ErrorCode::unsupported, "elements are invocations: u32, fewer than 2^32");
}

void poison_region(Stream& stream, const Region& region) { stream.fill(View<uint32_t>(region), 0xa5a5a5a5u); }

}  // namespace weft::bench
