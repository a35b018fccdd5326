#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Piece {
  uint64_t source, target, bytes;
};

/// Copies pieces between two buffers, one after the other, and checks all of both.
void check_copies(const Device& device, Stream& stream, const std::vector<Piece>& pieces, std::mt19937_64& generator) {
  uint64_t size = 0;
  for (const Piece& p : pieces) size = std::max(size, std::max(p.source, p.target) + p.bytes);
  const GuardedBytes source(device, stream, size, 0, generator), target(device, stream, size, 0, generator);
  std::vector<std::byte> expected(target.poison().begin(), target.poison().end());
  for (const Piece& p : pieces) {
    stream.copy_region(source.region().part(p.source, p.bytes), target.region().part(p.target, p.bytes));
    std::copy_n(source.poison().begin() + std::ptrdiff_t(p.source), p.bytes,
                expected.begin() + std::ptrdiff_t(p.target));
  }
  check_same(target.read(stream), expected, "the copies");
  check_same(source.read(stream), std::vector<std::byte>(source.poison().begin(), source.poison().end()), "the source");
}

}  // namespace

DEVICE_TEST("small copies work at any alignment of source and target, and touch nothing else") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("small copies");
  for (const uint64_t bytes : {0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 64}) {
    std::vector<Piece> pieces;
    for (uint64_t source = 0; source < 8; ++source) {
      for (uint64_t target = 0; target < 8; ++target) {
        // The offsets within blocks of 16 bytes matter too; they are random.
        const uint64_t at = 128 * pieces.size();
        pieces.push_back({at + source + 8 * (generator() % 2), at + target + 8 * (generator() % 2), bytes});
      }
    }
    INFO("bytes: ", bytes);
    check_copies(device, stream, pieces, generator);
  }
}

// The Vulkan backend copies these in tiles of 16 KiB, and word-aligned ones from 512 KiB on with two commands.
DEVICE_TEST("large copies work at any alignment of source and target, and touch nothing else") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large copies");
  constexpr uint64_t tile = 16384, large = 1 << 19;
  for (const uint64_t bytes : {tile - 4, tile - 1, tile, tile + 4, 3 * tile + 20, uint64_t{100003}, large - 4,
                               large - 1, large, large + 1, large + 12, large + 5 * tile + 7}) {
    const uint64_t slot = (bytes / 16 + 2) * 16;
    std::vector<Piece> pieces;
    for (const uint64_t target : {0, 1, 2, 3, 4, 8, 12}) {
      const uint64_t at = slot * pieces.size(), next = at + slot;
      pieces.push_back({at + generator() % 16, at + target, bytes});
      pieces.push_back({next + target, next + (target + generator() % 4 * 4) % 16, bytes});  // whole words
    }
    INFO("bytes: ", bytes);
    check_copies(device, stream, pieces, generator);
  }
}

DEVICE_TEST("each copy sees those before it, whatever their sizes and offsets") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("copies in order");
  constexpr uint64_t half = 600 << 10;
  const GuardedBytes memory(device, stream, 2 * half, 0, generator);
  std::vector<std::byte> expected(memory.poison().begin(), memory.poison().end());
  for (int i = 0; i < 200; ++i) {
    uint64_t bytes = generator() % (i % 3 == 0 ? half : i % 3 == 1 ? 100000 : 100) + 1;
    uint64_t source = generator() % (half - bytes + 1), target = half + generator() % (half - bytes + 1);
    if (generator() % 2) std::swap(source, target);
    if (generator() % 2) source &= ~uint64_t{3}, target &= ~uint64_t{3}, bytes = (bytes + 3) & ~uint64_t{3};
    stream.copy_region(memory.region().part(source, bytes), memory.region().part(target, bytes));
    std::copy_n(expected.begin() + std::ptrdiff_t(source), bytes, expected.begin() + std::ptrdiff_t(target));
    if (i % 50 == 49) stream.submit();
  }
  check_same(memory.read(stream), expected);
}

DEVICE_TEST("a large copy is whole") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large copy");
  const std::vector<uint32_t> data = random_values<uint32_t>((9 << 20) + 1, generator);
  const Buffer<uint32_t> source = device.buffer<uint32_t>(data.size());
  const Buffer<uint32_t> target = device.buffer<uint32_t>(data.size());
  stream.fill(target, 0xa5a5a5a5);
  stream.upload(source, data);
  stream.copy(source, target);
  stream.fill(source, 0u);  // must come after the copy
  check_same(stream.download(target), data);
}

DEVICE_TEST("copies within one buffer work if the views do not overlap") {
  Stream stream = device.stream();
  const Buffer<uint8_t> buffer = device.buffer<uint8_t>(10);
  stream.upload(buffer, std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  stream.copy<uint8_t>(buffer.part(0, 5), buffer.part(5, 5));
  check_same(stream.download(buffer), {0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
  stream.copy<uint8_t>(buffer.part(7, 2), buffer.part(0, 2));
  check_same(stream.download(buffer), {2, 3, 2, 3, 4, 0, 1, 2, 3, 4});
  const std::vector<uint8_t> before = stream.download(buffer);
  for (const auto& [source, target] : {std::pair(0, 0), std::pair(0, 4), std::pair(4, 0), std::pair(2, 3)}) {
    check_error(ErrorCode::invalid_argument, {"overlap"},
                [&] { stream.copy<uint8_t>(buffer.part(uint64_t(source), 5), buffer.part(uint64_t(target), 5)); });
  }
  check_same(stream.download(buffer), before, "the buffer after the errors");
}

DEVICE_TEST("copies between views of different sizes are an error with both sizes") {
  Stream stream = device.stream();
  const Buffer<uint32_t> small = device.buffer<uint32_t>(3), large = device.buffer<uint32_t>(5);
  check_error(ErrorCode::invalid_argument, {"copy", "12", "20"}, [&] { stream.copy(small, large); });
  check_error(ErrorCode::invalid_argument, {"copy", "12", "20"}, [&] { stream.copy(large, small); });
}

namespace {

template <typename T>
void check_fill(const Device& device, Stream& stream, T value, std::mt19937_64& generator) {
  for (const uint64_t words : {0, 1, 2, 3, 17, 1024, 70001}) {
    const uint64_t count = (words * 4 + sizeof(T) - 1) / sizeof(T);
    const Guarded<T> memory(device, stream, count, generator, 4);
    stream.fill(memory.view(), value);
    INFO("elements: ", count, " of ", sizeof(T), " bytes");
    check_same(memory.read(stream), std::vector<T>(count, value));
  }
}

}  // namespace

DEVICE_TEST("fills set every element of every type whose value repeats every four bytes") {
  struct Same {
    uint32_t a, b, c;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("fills");
  check_fill<uint8_t>(device, stream, 0xa7, generator);
  check_fill<int8_t>(device, stream, -3, generator);
  check_fill<uint16_t>(device, stream, 0xbeef, generator);
  check_fill<uint32_t>(device, stream, uint32_t(generator()), generator);
  check_fill<int32_t>(device, stream, -123456789, generator);
  check_fill<float>(device, stream, -0.1f, generator);
  check_fill<uint64_t>(device, stream, 0x8123456781234567, generator);
  check_fill<double>(device, stream, 0.0, generator);
  check_fill<Same>(device, stream, {77, 77, 77}, generator);
}

DEVICE_TEST("impossible fills are errors with the reason") {
  Stream stream = device.stream();
  const Buffer<uint8_t> bytes = device.buffer<uint8_t>(64);
  stream.fill(bytes, uint8_t(1));
  const Buffer<uint64_t> wide = device.buffer<uint64_t>(4);
  check_error(ErrorCode::invalid_argument, {"fill", "4"}, [&] { stream.fill(bytes.part(1, 8), uint8_t(2)); });
  check_error(ErrorCode::invalid_argument, {"fill", "4"}, [&] { stream.fill(bytes.part(4, 7), uint8_t(2)); });
  check_error(ErrorCode::invalid_argument, {"fill", "4"}, [&] { stream.fill(wide, uint64_t(0x100000002)); });
  check_same(stream.download(bytes), std::vector<uint8_t>(64, 1), "the buffer after the errors");
}

DEVICE_TEST("a large fill is whole") {
  Stream stream = device.stream();
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>((17 << 20) + 3);
  stream.fill(buffer, 0xa5a5a5a5);
  stream.fill(buffer, 0x12345678u);
  check_same(stream.download(buffer), std::vector<uint32_t>(buffer.size(), 0x12345678));
}
