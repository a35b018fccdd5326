#include <weft/run_length.h>

#include "algorithms/src/runs/run_length_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/runs_check.h"
#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
void check_encoding(Stream& stream, const RunLengthEncode& plan, uint64_t count, std::mt19937_64& generator,
                    const RunPlacement& placement) {
  INFO("path: ", std::string(name_of(plan.path())), ", elements: ", count, ", ", placement.text());
  const RunMemory<T> memory(stream, plan.temporary_bytes(), count, generator, placement);
  const Guarded<uint32_t> lengths(stream.device(), stream, memory.data.size(), generator, 4);
  plan.record(stream, {.input = memory.input,
                       .output = memory.output,
                       .lengths = lengths,
                       .runs = memory.number,
                       .count = memory.counted,
                       .temporary = memory.temporary.region()});
  memory.check(stream);
  std::vector<uint32_t> expected = lengths.poison();  // the rest is left as it was
  for (uint64_t run = 0; run < memory.runs(); ++run) {
    expected[run] = uint32_t(memory.starts[run + 1] - memory.starts[run]);
  }
  check_same(lengths.read(stream), expected, "the lengths");
}

template <typename T>
void check_run_counts(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("run length ") + TypeName<T>::value + name_of(path));
  const Element element = Elements<T>::element();
  const RunLengthEncode plan(device, element, interesting_counts(device).back(), {.equality = {}, .path = path});
  CHECK((plan.path() == path));
  CHECK_EQ(plan.length_bytes(), 4);
  for_all_runs(device, element, generator, [&](uint64_t count, const RunPlacement& placement) {
    check_encoding<T>(stream, plan, count, generator, placement);
  });
}

/// Short and long runs, some of them empty, and once a great many empty ones in a row.
template <typename Length>
std::vector<Length> random_lengths(uint64_t count, Runs runs, std::mt19937_64& generator) {
  const std::vector<uint64_t> starts = run_starts(random_heads(count, runs, generator), count);
  std::vector<Length> lengths;
  for (size_t run = 0; run + 1 < starts.size(); ++run) {
    if (generator() % 8 == 0) lengths.insert(lengths.end(), generator() % 20, 0);
    if (runs == Runs::skewed && run == starts.size() / 2) lengths.insert(lengths.end(), 20000, 0);
    lengths.push_back(Length(starts[run + 1] - starts[run]));
  }
  return lengths;
}

template <typename T, typename Length>
void check_decoding(Stream& stream, const RunLengthDecode& plan, const std::vector<Length>& length_data, uint64_t room,
                    std::mt19937_64& generator) {
  const Device device = stream.device();
  const std::vector<T> data = random_elements<T>(length_data.size() + 50, generator);
  std::vector<Length> longer = length_data;  // lengths after the runs do not matter
  longer.resize(length_data.size() + 50, 3);
  std::vector<T> expanded;
  for (size_t run = 0; run < length_data.size(); ++run) expanded.insert(expanded.end(), length_data[run], data[run]);
  INFO("runs: ", length_data.size(), ", elements: ", expanded.size(), ", room for ", room);
  const uint64_t align = Elements<T>::element().align();
  const Guarded<T> values(device, stream, data, generator, generator() % 8 * align);
  const Guarded<Length> lengths(device, stream, longer, generator, sizeof(Length));
  const Guarded<T> output(device, stream, room, generator, generator() % 8 * align);
  const DeviceCounts decoded(stream, 1, generator, sizeof(Length) == 8 ? UINT64_MAX : 0);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 4, generator);
  const DeviceCounts count(stream, std::vector{length_data.size()}, generator);
  expanded.resize(std::min(expanded.size(), size_t(room)));
  std::vector<T> expected = output.poison();
  std::ranges::copy(expanded, expected.begin());
  plan.record(stream, {.values = values,
                       .lengths = lengths,
                       .output = output,
                       .decoded = decoded,
                       .runs = generator() % 2 == 0 ? Count(count) : Count(length_data.size()),
                       .temporary = temporary.region()});
  check_same(decoded.read(stream), {expanded.size()}, "the number of elements");
  check_same(output.read(stream), expected, "the elements");
  temporary.check_guards(stream);
}

template <typename T, typename Length>
void check_decodings(const Device& device, TilePath path, uint64_t max_count,
                     const std::optional<Tuning>& tuning = {}) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("decode ") + TypeName<T>::value + name_of(path));
  const RunLengthDecode plan(device, Elements<T>::element(), 400000, max_count, {.path = path, .tuning = tuning});
  CHECK_EQ(plan.length_bytes(), sizeof(Length));
  for (const Runs runs : all_runs) {
    for (const uint64_t count : few_counts(device)) {
      const std::vector<Length> lengths = random_lengths<Length>(count, runs, generator);
      check_decoding<T, Length>(stream, plan, lengths, count + generator() % 2 * 100, generator);
    }
  }
  check_decoding<T, Length>(stream, plan, random_lengths<Length>(10000, Runs::short_ones, generator), 7001, generator);
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back run-length encoding", uint32_t, uint64_t, weft::test::Five, Pixel) {
  check_run_counts<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan run-length encoding", int32_t, double, weft::test::Range, Mixed) {
  check_run_counts<T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("run-length encoding by tiles of one invocation", uint32_t, uint8_t, double, weft::test::Five,
                     Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial run length ") + TypeName<T>::value);
  const Element element = Elements<T>::element();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const RunLengthEncode plan(device, element, serial_counts(element.bytes()).back(),
                               {.path = path, .tuning = serial_tiles(algorithms::tuned_run_length, element.bytes())});
    for_serial_runs(element, [&](uint64_t count, const RunPlacement& placement) {
      check_encoding<T>(stream, plan, count, generator, placement);
    });
  }
}

DEVICE_TEST("many tiles are run-length encoded, in whatever order workgroups start") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large run length");
  const uint64_t count = large_count(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const RunLengthEncode plan(device, Element::of<uint32_t>(), count, {.equality = {}, .path = path});
    for (const Runs runs : {Runs::skewed, Runs::one}) {
      check_encoding<uint32_t>(stream, plan, count, generator, {.runs = runs});
    }
  }
}

DEVICE_TEST("run-length encodings whose tile counts take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of run lengths");
  const SmallTiles tiles(device, algorithms::tuned_run_length, 5, 2);
  const RunLengthEncode plan(device, Elements<Five>::element(), tiles.count(),
                             {.path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
  tiles.check(plan.temporary_bytes());
  check_encoding<Five>(stream, plan, tiles.count(), generator, {.runs = Runs::skewed});
}

DEVICE_TEST("runs of 64-bit lengths") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("long lengths");
  const std::vector<bool> heads = random_heads(30011, Runs::skewed, generator);
  const std::vector<uint32_t> data = elements_in_runs<uint32_t>(heads, generator);
  const std::vector<uint64_t> starts = run_starts(heads, data.size());
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const RunLengthEncode plan(device, Element::of<uint32_t>(), uint64_t(1) << 32, {.equality = {}, .path = path});
    CHECK_EQ(plan.length_bytes(), 8);
    const Guarded<uint32_t> input(device, stream, data, generator), output(device, stream, data.size(), generator);
    const Guarded<uint64_t> lengths(device, stream, data.size(), generator), runs(device, stream, 1, generator);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    plan.record(stream, {.input = input,
                         .output = output,
                         .lengths = lengths,
                         .runs = runs.view(),
                         .count = data.size(),
                         .temporary = temporary});
    std::vector<uint64_t> expected = lengths.poison();
    for (size_t run = 0; run + 1 < starts.size(); ++run) expected[run] = starts[run + 1] - starts[run];
    check_same(runs.read(stream), {starts.size() - 1});
    check_same(lengths.read(stream), expected);
    output.check_guards(stream);
  }
}

DEVICE_TEST_OF_TYPES("run-length decoding", uint32_t, uint8_t, weft::test::Five, Mixed, Texel) {
  need_element<T>(device);
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    check_decodings<T, uint32_t>(device, path, 100000);
  }
}

DEVICE_TEST_OF_TYPES("run-length decoding by tiles of one invocation", uint32_t, uint8_t, weft::test::Five, Mixed,
                     Texel) {
  need_element<T>(device);
  const Tuning tuning = serial_tiles(algorithms::tuned_run_length_decode, Elements<T>::element().bytes());
  check_decodings<T, uint32_t>(device, TilePath::automatic, 100000, tuning);
}

DEVICE_TEST("run-length decoding with lengths of 64 bits") {
  need_element<uint64_t>(device);
  check_decodings<int32_t, uint64_t>(device, TilePath::reduce_then_scan, uint64_t(1) << 32);
}

DEVICE_TEST("run-length encoding as a function, by a user's equality") {
  Stream stream = device.stream();
  const std::vector<int32_t> data{5, 4, 7, 100, -100, 3, 3, 3, 9};
  const Buffer<int32_t> input = device.buffer<int32_t>(data.size()), output = device.buffer<int32_t>(data.size());
  const Buffer<uint32_t> lengths = device.buffer<uint32_t>(data.size());
  stream.upload(input, data);
  CHECK_EQ(run_length_encode(stream, input, output, lengths, Equality::when("abs(a - b) < 5")), 5);
  check_same(stream.download(output.part(0, 5)), {5, 100, -100, 3, 9});
  check_same(stream.download(lengths.part(0, 5)), {3, 1, 1, 3, 1});
}
