#include <weft/scan.h>

#include <cstdio>
#include <vector>

#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  const std::vector<uint32_t> lengths{3, 0, 2, 5};
  const auto input = device.buffer<uint32_t>(lengths.size());
  const auto output = device.buffer<uint32_t>(lengths.size());
  stream.upload(input, lengths);

  // The function: makes its plan once, and keeps it in the stream.
  weft::exclusive_scan(stream, input, output);
  const std::vector<uint32_t> offsets = stream.download(output);

  // The plan: made once, recorded any number of times. This one scans squares, and starts at 100.
  const weft::Scan plan(device, weft::Element::of<uint32_t>(), weft::Operator::sum(), lengths.size(),
                        {.kind = weft::ScanKind::inclusive,
                         .initial = "T(100)",
                         .transform = weft::Transform::of(weft::Element::of<uint32_t>(), "x * x")});
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {input, output, lengths.size(), temporary});
  const std::vector<uint32_t> squares = stream.download(output);

  std::printf("offsets %u %u %u %u, squares up to %u\n", offsets[0], offsets[1], offsets[2], offsets[3], squares[3]);
  return offsets == std::vector<uint32_t>{0, 3, 3, 5} && squares == std::vector<uint32_t>{109, 109, 113, 138} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
