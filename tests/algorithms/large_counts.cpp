#include <weft/compact.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include "scan_check.h"

using namespace weft;
using namespace weft::test;

/// Counts that do not fit in 32 bits. The elements are 1 but for marks at places that matter: the ends, and both sides
/// of 2^32.

namespace {

constexpr uint64_t limit = uint64_t(1) << 32;
constexpr uint64_t count = limit + 1234567;
constexpr uint64_t marks[] = {0, 77777, limit - 1, limit, limit + 1, count - 1};
constexpr uint32_t marked = 1000003;

Buffer<uint32_t> marked_ones(const Device& device, Stream& stream, int buffers) {
  const DeviceInfo& info = device.info();
  // A CPU device shares the host's memory with the other tests that run there.
  if (info.kind == DeviceKind::cpu) unsupported("a CPU device, whose memory is the host's");
  const uint64_t bytes = count * sizeof(uint32_t);
  if (info.limits.memory_bytes < (uint64_t(buffers) + 1) * bytes) unsupported("too little memory for 2^32 elements");
  if (info.limits.max_buffer_bytes < bytes) unsupported("no buffer holds 2^32 elements");
  Buffer<uint32_t> elements = device.buffer<uint32_t>(count);
  stream.fill(elements, 1u);
  for (const uint64_t at : marks) stream.fill(elements.part(at, 1), marked);
  return elements;
}

/// What a sum of the elements before `end` gives, modulo 2^32.
uint32_t sum_before(uint64_t end) {
  uint64_t sum = end;
  for (const uint64_t at : marks) sum += at < end ? marked - 1 : 0;
  return uint32_t(sum);
}

void check_scanned(Stream& stream, const Buffer<uint32_t>& scanned) {
  constexpr uint64_t length = 5000;
  for (const uint64_t first : {uint64_t(0), uint64_t(75000), limit / 2, limit - length / 2, count - length}) {
    INFO("from element ", first);
    std::vector<uint32_t> expected;
    for (uint64_t i = first; i < first + length; ++i) expected.push_back(sum_before(i + 1));
    check_same(stream.download(scanned.part(first, length)), expected);
  }
}

}  // namespace

DEVICE_TEST("more than 2^32 elements are reduced") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
  CHECK_EQ(reduce(stream, elements.view()), sum_before(count));
  CHECK_EQ(reduce(stream, elements.view(), Operator::max()), marked);
  CHECK_EQ(reduce(stream, elements.part(limit + 2, 1234), Operator::max()), 1u);
}

DEVICE_TEST("more than 2^32 elements are scanned") {
  Stream stream = device.stream();
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) {
    if (path == TilePath::look_back && !device.info().features.workgroup_forward_progress) continue;
    INFO("path: ", std::string(name_of(path)));
    const Buffer<uint32_t> elements = marked_ones(device, stream, 1);
    const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), count,
                    {.kind = ScanKind::inclusive, .path = path});
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.input = elements, .output = elements, .count = count, .temporary = temporary});
    check_scanned(stream, elements);
  }
}

DEVICE_TEST("marked elements are selected out of more than 2^32") {
  Stream stream = device.stream();
  const Buffer<uint32_t> elements = marked_ones(device, stream, 2), output = device.buffer<uint32_t>(count);
  stream.fill(output, 0xa5a5a5a5u);
  const uint64_t all = compact(stream, elements, "x == 1u", output);
  CHECK_EQ(all, count - std::size(marks));
  check_same(stream.download(output.part(all - 3, 5)), {1, 1, 1, 0xa5a5a5a5, 0xa5a5a5a5});
  const uint64_t few = compact(stream, elements, "x != 1u", output);
  CHECK_EQ(few, std::size(marks));
  check_same(stream.download(output.part(0, few + 1)), {marked, marked, marked, marked, marked, marked, 1});
}
