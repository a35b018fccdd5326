#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("each dispatch sees the writes of those before it") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  std::mt19937_64 generator = random_generator("chain");
  std::vector<uint32_t> expected = random_values<uint32_t>(5000, generator);
  const Buffer<uint32_t> data = device.buffer<uint32_t>(expected.size());
  stream.upload(data, expected);
  for (int i = 0; i < 1000; ++i) {
    const uint32_t factor = uint32_t(generator()) | 1, addend = uint32_t(generator());
    record_affine(stream, affine, data, factor, addend);
    apply_affine(expected, factor, addend);
    if (i % 300 == 299) stream.submit();
  }
  check_same(stream.download(data), expected);
}

DEVICE_TEST("invocations see the writes of others in the previous dispatch") {
  Stream stream = device.stream();
  const Kernel gather = device.kernel(kernels::gather());
  std::mt19937_64 generator = random_generator("gather");
  std::vector<uint32_t> expected = random_values<uint32_t>(100003, generator);
  const Buffer<uint32_t> a = device.buffer<uint32_t>(expected.size()), b = device.buffer<uint32_t>(expected.size());
  stream.upload(a, expected);
  for (int i = 0; i < 50; ++i) {
    record_gather(stream, gather, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, uint32_t(i));
    std::reverse(expected.begin(), expected.end());
    for (uint32_t& x : expected) x += uint32_t(i);
  }
  check_same(stream.download(a), expected);
}

DEVICE_TEST("dispatches, copies, fills, uploads and downloads keep their order") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  std::mt19937_64 generator = random_generator("mixed order");
  constexpr size_t count = 3000;
  std::vector<std::vector<uint32_t>> expected(3, std::vector<uint32_t>(count));
  std::vector<Buffer<uint32_t>> buffers;
  for (size_t b = 0; b < expected.size(); ++b) {
    buffers.push_back(device.buffer<uint32_t>(count));
    stream.fill(buffers[b], uint32_t(b));
    expected[b].assign(count, uint32_t(b));
  }
  for (int i = 0; i < 400; ++i) {
    const size_t b = generator() % 3, other = (b + 1) % 3;
    const uint32_t value = uint32_t(generator());
    switch (generator() % 6) {
      case 0:
        record_affine(stream, affine, buffers[b], 3, value);
        apply_affine(expected[b], 3, value);
        break;
      case 1:
        stream.copy(buffers[b], buffers[other]);
        expected[other] = expected[b];
        break;
      case 2: {
        const size_t first = generator() % count, some = generator() % (count - first);
        stream.fill(buffers[b].part(first, some), value);
        std::fill_n(expected[b].begin() + std::ptrdiff_t(first), some, value);
        break;
      }
      case 3: {
        const size_t first = generator() % count;
        const std::vector<uint32_t> data = random_values<uint32_t>(generator() % (count - first), generator);
        stream.upload(buffers[b].part(first, data.size()), std::span<const uint32_t>(data));
        std::copy(data.begin(), data.end(), expected[b].begin() + std::ptrdiff_t(first));
        break;
      }
      case 4:
        stream.submit();
        break;
      default:
        INFO("step ", i);
        check_same(stream.download(buffers[b]), expected[b]);
    }
  }
  for (size_t b = 0; b < expected.size(); ++b) check_same(stream.download(buffers[b]), expected[b]);
}

DEVICE_TEST("independent dispatches are ordered as one command") {
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine());
  const Kernel gather = device.kernel(kernels::gather());
  std::mt19937_64 generator = random_generator("independent");
  constexpr size_t parts = 16, part = 1000;
  std::vector<uint32_t> expected = random_values<uint32_t>(parts * part, generator);
  const Buffer<uint32_t> a = device.buffer<uint32_t>(expected.size()), b = device.buffer<uint32_t>(expected.size());
  stream.upload(a, expected);
  for (int round = 0; round < 20; ++round) {
    {
      const auto scope = stream.independent();
      for (size_t p = 0; p < parts; ++p) record_affine(stream, affine, a.part(p * part, part), 5, uint32_t(p));
    }
    record_gather(stream, gather, a, b);
    {
      const auto scope = stream.independent();
      for (size_t p = 0; p < parts; ++p) stream.copy<uint32_t>(b.part(p * part, part), a.part(p * part, part));
    }
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] * 5 + uint32_t(i / part);
    std::reverse(expected.begin(), expected.end());
  }
  check_same(stream.download(a), expected);
}

DEVICE_TEST("an independent scope may be submitted, and may hold fills and copies") {
  Stream stream = device.stream();
  const Buffer<uint32_t> a = device.buffer<uint32_t>(100), b = device.buffer<uint32_t>(100);
  stream.fill(a, 0xa5a5a5a5);
  {
    const auto scope = stream.independent();
    stream.fill(a.part(0, 50), 1u);
    stream.fill(a.part(50, 50), 2u);
  }
  stream.submit();
  {
    const auto scope = stream.independent();
    stream.copy<uint32_t>(a.part(0, 50), b.part(50, 50));
    stream.copy<uint32_t>(a.part(50, 50), b.part(0, 50));
  }
  std::vector<uint32_t> expected(100, 2);
  std::fill(expected.begin() + 50, expected.end(), 1);
  check_same(stream.download(b), expected);
}

DEVICE_TEST("independent scopes do not nest") {
  Stream stream = device.stream();
  const auto scope = stream.independent();
  check_error(ErrorCode::invalid_argument, {"independent"}, [&] { const auto inner = stream.independent(); });
}

DEVICE_TEST("small uploads keep their order between dispatches") {
  Stream stream = device.stream();
  const Kernel gather = device.kernel(kernels::gather());
  const Buffer<uint32_t> one = device.buffer<uint32_t>(1), all = device.buffer<uint32_t>(500);
  stream.fill(all, 0xa5a5a5a5);
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 500; ++i) {
    stream.upload(one, std::vector<uint32_t>{i * i});
    record_gather(stream, gather, one, all.part(i, 1), 1);
    expected.push_back(i * i + 1);
  }
  check_same(stream.download(all), expected);
}

DEVICE_TEST("uniforms, group counts and copies see the writes of a kernel before the last one") {
  struct Uniforms {
    uint32_t addend, unused[3];
  };
  Stream stream = device.stream();
  const Kernel affine = device.kernel(kernels::affine()), write_groups = device.kernel(kernels::groups());
  const Kernel adds = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) buffer values_block { uint v[]; } values;
    layout(set = 0, binding = 1, std140) uniform numbers_block { uint addend; } numbers;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < values.v.length()) values.v[i] += numbers.addend;
    })");
  std::mt19937_64 generator = random_generator("readers of several kinds");
  std::vector<uint32_t> expected = random_values<uint32_t>(64 * 20, generator);
  const Buffer<uint32_t> data = device.buffer<uint32_t>(expected.size()), copied = device.buffer<uint32_t>(3);
  const Buffer<uint32_t> words = device.buffer<uint32_t>(4);
  stream.upload(data, expected);
  stream.fill(words, 0u);
  for (uint32_t round = 1; round <= 20; ++round) {
    stream.dispatch(write_groups, {}, GroupsBlock{words.pointer(), round, 1, 1});
    record_affine(stream, affine, data, 3, round);
    stream.dispatch(adds, groups_of_64(uint32_t(expected.size())),
                    Arguments().bind(0, 0, data.view()).bind(0, 1, View<Uniforms>(words.view().region())));
    stream.dispatch_indirect(affine, words.part(0, 3), AffineBlock{data.pointer(), 64 * 20, 5, 7});
    stream.copy<uint32_t>(words.part(0, 3), copied.view());
    stream.fill(words, 0u);
    apply_affine(expected, 3, round);
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] += round;
      if (i < 64 * round) expected[i] = expected[i] * 5 + 7;
    }
    INFO("round ", round);
    check_same(stream.download(copied), {round, 1, 1});
  }
  check_same(stream.download(data), expected);
}
