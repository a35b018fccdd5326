#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint64_t mib = uint64_t(1) << 20;

/// Uploads random bytes into poisoned memory and downloads them again, both at `misalignment` bytes past an aligned
/// address.
void check_round_trip(const Device& device, Stream& stream, uint64_t bytes, uint64_t misalignment,
                      std::mt19937_64& generator) {
  INFO("bytes: ", bytes, ", misalignment: ", misalignment);
  const GuardedBytes memory(device, stream, bytes, misalignment, generator);
  const std::vector<std::byte> data = random_bytes(bytes, generator);
  stream.upload_region(memory.region(), data);
  check_same(memory.read(stream), data);
}

}  // namespace

DEVICE_TEST("a download returns the uploaded data, whatever its size and alignment") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("transfer sizes");
  for (const uint64_t bytes : {0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 255, 257, 4095, 4096, 4097, 65535, 65537, 1000003}) {
    for (const uint64_t misalignment : {0, 1, 2, 3, 4, 13})
      check_round_trip(device, stream, bytes, misalignment, generator);
  }
}

DEVICE_TEST("transfers of many mebibytes go through staging in chunks") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large transfers");
  const std::vector<std::byte> data = random_bytes(70 * mib + 3, generator);
  const Buffer<std::byte> buffer = device.buffer<std::byte>(data.size());
  stream.upload(buffer, data);
  std::vector<std::byte> back = stream.download(buffer);
  check_same(back, data, "70 MiB + 3");
  // Sizes around every likely chunk size, at odd offsets.
  for (uint64_t chunk = mib; chunk <= 64 * mib; chunk *= 2) {
    for (const uint64_t bytes : {chunk - 1, chunk, chunk + 1}) {
      const uint64_t source = generator() % (data.size() - bytes + 1);
      const uint64_t target = generator() % (data.size() - bytes + 1);
      const auto slice = std::span<const std::byte>(data).subspan(source, bytes);
      stream.upload(buffer.part(target, bytes), slice);
      back.assign(bytes, std::byte(0xa5));
      stream.download(buffer.part(target, bytes), std::span(back));
      INFO("bytes: ", bytes, ", from ", source, " to ", target);
      CHECK(std::memcmp(back.data(), slice.data(), bytes) == 0);
    }
  }
}

DEVICE_TEST("the data of an upload may be changed at once") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reuse");
  for (const size_t count : {size_t(1), size_t(1000), size_t(9 * mib / 4)}) {
    const std::vector<uint32_t> data = random_values<uint32_t>(count, generator);
    const Buffer<uint32_t> buffer = device.buffer<uint32_t>(count);
    {
      std::vector<uint32_t> scratch = data;
      stream.upload(buffer, scratch);
      std::fill(scratch.begin(), scratch.end(), 0xa5a5a5a5);
    }
    check_same(stream.download(buffer), data);
  }
}

DEVICE_TEST("later uploads overwrite earlier ones where they overlap") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("overlapping uploads");
  std::vector<std::byte> expected = random_bytes(5000, generator);
  const Buffer<std::byte> buffer = device.buffer<std::byte>(expected.size());
  stream.upload(buffer, expected);
  for (int i = 0; i < 300; ++i) {
    const size_t first = generator() % expected.size();
    const size_t count = generator() % (expected.size() - first + 1);
    const std::vector<std::byte> data = random_bytes(count, generator);
    stream.upload(buffer.part(first, count), std::span<const std::byte>(data));
    std::copy(data.begin(), data.end(), expected.begin() + std::ptrdiff_t(first));
    if (i % 50 == 0) stream.submit();
  }
  check_same(stream.download(buffer), expected);
}

DEVICE_TEST("downloads take the first elements of a view, uploads fill them") {
  Stream stream = device.stream();
  const std::vector<uint32_t> ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(10);
  stream.upload(buffer, ten);
  stream.upload(buffer.part(3, 4), std::span<const uint32_t>(std::vector<uint32_t>{30, 40}));
  check_same(stream.download(buffer), {0, 1, 2, 30, 40, 5, 6, 7, 8, 9});
  std::vector<uint32_t> three(3, 0xa5a5a5a5);
  stream.download(buffer.part(2, 8), std::span(three));
  check_same(three, {2, 30, 40});
}

DEVICE_TEST("structs and doubles are transferred byte for byte") {
  struct Particle {
    double mass;
    float at[3];
    uint8_t tag;
  };
  Stream stream = device.stream();
  std::vector<Particle> particles(777);
  std::mt19937_64 generator = random_generator("particles");
  const std::vector<std::byte> bytes = random_bytes(particles.size() * sizeof(Particle), generator);
  std::memcpy(static_cast<void*>(particles.data()), bytes.data(), bytes.size());
  const Buffer<Particle> buffer = device.buffer<Particle>(particles.size());
  CHECK_EQ(buffer.bytes(), bytes.size());
  stream.upload(buffer, particles);
  check_same(stream.download(buffer), particles);
}

DEVICE_TEST("empty buffers are allowed, and transfers of nothing do nothing") {
  Stream stream = device.stream();
  const Buffer<uint32_t> empty = device.buffer<uint32_t>(0);
  CHECK(empty.empty());
  CHECK_EQ(empty.size(), 0);
  CHECK_EQ(empty.bytes(), 0);
  stream.upload(empty, std::vector<uint32_t>{});
  stream.fill(empty, 7u);
  stream.copy(empty, device.buffer<uint32_t>(0));
  CHECK(stream.download(empty).empty());
  CHECK(stream.download(View<uint32_t>()).empty());
  const Buffer<uint32_t> some = device.buffer<uint32_t>(4);
  stream.fill(some, 9u);
  stream.fill(some.part(4, 0), 1u);
  stream.fill(some.part(2, 0), 1u);
  stream.upload(some.part(1, 0), std::span<const uint32_t>());
  check_same(stream.download(some), std::vector<uint32_t>(4, 9));
}

DEVICE_TEST("a transfer that does not fit is an error with both sizes") {
  Stream stream = device.stream();
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(10);
  stream.fill(buffer, 5u);
  check_error(ErrorCode::invalid_argument, {"upload", "44", "40"},
              [&] { stream.upload(buffer, std::vector<uint32_t>(11)); });
  std::vector<uint32_t> eleven(11, 0xa5a5a5a5);
  check_error(ErrorCode::invalid_argument, {"download", "44", "40"},
              [&] { stream.download(buffer, std::span(eleven)); });
  check_same(eleven, std::vector<uint32_t>(11, 0xa5a5a5a5), "the host's memory after the error");
  check_error(ErrorCode::invalid_argument, {"upload"},
              [&] { stream.upload(Buffer<uint32_t>(), std::vector<uint32_t>(1)); });
  check_same(stream.download(buffer), std::vector<uint32_t>(10, 5), "the buffer after the errors");
}

DEVICE_TEST("allocating more memory than the device has is an error with the requested size") {
  const uint64_t count = uint64_t(1) << 58;
  check_error(ErrorCode::out_of_memory, {std::to_string(count), "GiB"}, [&] { device.buffer<uint32_t>(count); });
  // The size in bytes of this one does not fit in 64 bits.
  check_error(ErrorCode::invalid_argument, {"64 bits"}, [&] { device.buffer<uint64_t>(~uint64_t(0) / 2); });
  Stream stream = device.stream();
  const Buffer<uint32_t> small = device.buffer<uint32_t>(4);
  stream.fill(small, 3u);
  check_same(stream.download(small), std::vector<uint32_t>(4, 3), "a buffer made after the error");
}
