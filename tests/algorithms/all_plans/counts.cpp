#include <algorithm>

#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/histogram.h>
#include <weft/indirect_groups.h>
#include <weft/sort.h>

#include "tests/algorithms/all_plans/overlap_memory.h"
#include "tests/support/guarded.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Counts in device memory, of 64 and of 32 bits, which plans read and write.

namespace {

enum class GivenCount { none, one, odd, most, beyond };
constexpr GivenCount all_given[] = {GivenCount::none, GivenCount::one, GivenCount::odd, GivenCount::most,
                                    GivenCount::beyond};

uint64_t number_for(GivenCount given, const OverlapArgument& count, uint64_t words, std::mt19937_64& generator) {
  switch (given) {
    case GivenCount::none:
      return 0;
    case GivenCount::one:
      return 1;
    case GivenCount::odd:
      return (count.number - generator() % 500) | 1;
    case GivenCount::most:
      return count.most;
    case GivenCount::beyond:
      return words == 1 ? UINT32_MAX - generator() % (UINT32_MAX - count.most) : generator() | uint64_t(1) << 32;
  }
  return 0;
}

/// The case with that number as its counts, the first of `words` words, and the others of one or two.
OverlapCase with_counts(OverlapCase one, GivenCount given, uint64_t words, std::mt19937_64& generator) {
  for (OverlapArgument& argument : one.arguments) {
    if (argument.counts == 0) continue;
    argument.words = argument.counts * words;
    if (argument.fill == Fill::number) argument.number = number_for(given, argument, words, generator);
    words = 1 + generator() % 2;
  }
  return one;
}

/// Counts start at odd multiples of their size, between random words.
Layout layout(const OverlapCase& one) {
  Layout all;
  for (const OverlapArgument& argument : one.arguments) {
    all.add(argument.name, 4 * argument.words);
    if (argument.counts > 0) all.ranges[argument.name].offset += 4 * argument.words_of_count();
  }
  all.add("temporary", one.temporary_bytes);
  return all;
}

std::string text_of(const OverlapCase& one) {
  std::string text = one.plan + " " + one.variant;
  for (const OverlapArgument& argument : one.arguments) {
    if (argument.counts == 0) continue;
    text += ", '" + argument.name + "' of " + std::to_string(32 * argument.words_of_count()) + " bits";
    if (argument.fill == Fill::number) text += " is " + std::to_string(argument.number);
  }
  return text;
}

}  // namespace

DEVICE_TEST("plans read and write counts of 64 and 32 bits") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("counts");
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(1 << 19);
  for (const OverlapCase& one : overlap_cases(device)) {
    if (!one.compute) continue;
    for (const GivenCount given : all_given) {
      for (const uint64_t words : {1u, 2u}) {
        const OverlapCase counted = with_counts(one, given, words, generator);
        INFO(text_of(counted));
        const Layout at = layout(counted);
        REQUIRE_LE(at.bytes, memory.bytes());
        check_case(stream, counted, at, memory, generator);
      }
    }
  }
}

namespace {

/// A counter, a command of vkCmdDrawIndirect and one of vkCmdDispatchIndirect, as an engine has them in one buffer.
struct EngineWords {
  uint32_t alive;
  uint32_t vertex_count, instance_count, first_vertex, first_instance;
  uint32_t groups[3];

  bool operator==(const EngineWords&) const = default;
};
constexpr uint64_t instance_count = 2, groups = 5;  // In words.

}  // namespace

DEVICE_TEST("a chain of plans runs by counts of 32 bits") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("chain of counts");
  constexpr uint64_t room = 20000, alive = 15001;
  constexpr uint32_t bins = 16, group_size = 32;
  const Element word = Element::of<uint32_t>();
  const Compact compact(device, word, Selection::when("x % 3u != 0u"), room);
  const Sort sort(device, word, room);
  const Histogram histogram(device, word, Bins::even(bins, 0.0, 1000.0), room);
  const IndirectGroups indirect(device, room);
  const Kernel twice = device.kernel_from_glsl(R"(#version 460
    #extension GL_EXT_buffer_reference : require
    layout(local_size_x = 32) in;
    layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
    layout(push_constant) uniform Arguments { Words source, destination, count; } args;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < args.count.at[0]) args.destination.at[i] = 2u * args.source.at[i];
    })");
  std::vector<uint32_t> data(room);
  for (uint32_t& x : data) x = uint32_t(generator() % 1000);
  std::vector<uint32_t> kept;
  std::copy_if(data.begin(), data.begin() + alive, std::back_inserter(kept), [](uint32_t x) { return x % 3 != 0; });
  std::ranges::sort(kept);
  std::vector<uint32_t> counts(bins), doubled;
  for (const uint32_t x : kept) ++counts[x * bins / 1000], doubled.push_back(2 * x);

  const EngineWords before{alive, 6, 77, 5, 4, {9, 9, 9}};
  const Buffer<EngineWords> engine = device.buffer<EngineWords>(1);
  stream.upload(engine, std::vector{before});
  const View<uint32_t> words = engine.view().as<uint32_t>();
  const View<uint32_t> instances = words.part(instance_count, 1);
  const Guarded<uint32_t> input(device, stream, data, generator), particles(device, stream, room, generator),
      cells(device, stream, bins, generator), results(device, stream, room, generator);
  const Buffer<std::byte> temporary =
      device.buffer<std::byte>(std::max(compact.temporary_bytes(), sort.temporary_bytes()));
  compact.record(stream, {.input = input,
                          .flags = {},
                          .output = particles,
                          .selected = instances,
                          .count = words.part(0, 1),
                          .temporary = temporary});
  sort.record(stream, {.keys = particles,
                       .values = {},
                       .keys_out = particles,
                       .values_out = {},
                       .count = instances,
                       .temporary = temporary});
  histogram.record(stream, {.input = particles, .output = cells, .count = instances});
  indirect.record(stream, {.groups = words.from(groups), .group_size = group_size, .count = instances});
  const struct {
    uint64_t source, destination, count;
  } block{Region(particles).address(), Region(results).address(), instances.region().address()};
  stream.dispatch_indirect(twice, words.from(groups), block);

  EngineWords after = before;
  after.instance_count = uint32_t(kept.size());
  after.groups[0] = uint32_t(kept.size() + group_size - 1) / group_size;
  after.groups[1] = after.groups[2] = 1;
  CHECK((stream.download(engine) == std::vector{after}));
  check_same(cells.read(stream), counts, "the histogram");
  std::vector<uint32_t> expected = results.poison();
  std::ranges::copy(doubled, expected.begin());
  check_same(results.read(stream), expected, "what the indirect dispatch wrote");
}

DEVICE_TEST("words of 32 bits for counts that may have more are refused by name") {
  Stream stream = device.stream();
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(1000), output = device.buffer<uint32_t>(1000);
  const Buffer<uint32_t> word = device.buffer<uint32_t>(2);
  const Element element = Element::of<uint32_t>();
  const Compact plan(device, element, Selection::when("x > 5u"), uint64_t(1) << 32);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](const CountOutput& selected, const Count& count) {
    plan.record(stream, {memory, {}, output, selected, count, temporary});
  };
  check_error(ErrorCode::invalid_argument, {"Compact", "'selected'", "32 bits", "4294967295"},
              [&] { record(word, 1000); });
  record(word.view().as<uint64_t>(), 1000);
}

DEVICE_TEST("counts and commands in device memory have their size and alignment") {
  Stream stream = device.stream();
  const Buffer<uint32_t> input = device.buffer<uint32_t>(1000), output = device.buffer<uint32_t>(1000);
  const Buffer<uint32_t> words = device.buffer<uint32_t>(4);
  const Region two_off = words.view().region().part(2, 8), four_off = words.view().region().part(4, 12);
  const Enqueue enqueue(device, Element::of<uint32_t>(), Selection::when("x > 5u"), 1000, EnqueueVariant::naive);
  const auto refuses = [&](const CountOutput& queued, const Count& count, const std::vector<std::string>& reasons) {
    check_error(ErrorCode::invalid_argument, reasons, [&] {
      enqueue.record(stream, {.input = input, .output = output, .others = {}, .queued = queued, .count = count});
    });
  };
  refuses(View<uint32_t>(two_off), 7, {"Enqueue", "'queued'", "multiple of 4"});
  refuses(View<uint64_t>(four_off), 7, {"'queued'", "multiple of 8"});
  refuses(four_off, 7, {"'queued'", "multiple of 8"});
  refuses(words.part(0, 0), 7, {"'queued'", "at least 4"});
  refuses(View<uint64_t>(), 7, {"'queued'", "at least 8"});
  refuses(words.part(0, 1), View<const uint32_t>(two_off), {"'count'", "multiple of 4"});
  refuses(words.part(0, 1), View<const uint64_t>(four_off), {"'count'", "multiple of 8"});
  refuses(words.part(0, 1), View<const uint32_t>(), {"'count'", "at least 4"});
  refuses(words.part(0, 1), words.part(0, 1), {"'queued'", "'count'", "overlap"});

  const IndirectGroups indirect(device, 1 << 20);
  const auto refuses_groups = [&](const View<uint32_t>& groups, uint32_t size, const Count& count,
                                  const std::vector<std::string>& reasons) {
    check_error(ErrorCode::invalid_argument, reasons, [&] { indirect.record(stream, {groups, size, count}); });
  };
  refuses_groups(words, 0, 7, {"IndirectGroups", "'group_size' is 0", "from 1 to 65535"});
  refuses_groups(words, 65536, 7, {"'group_size' is 65536"});
  refuses_groups(words, 64, (1 << 20) + 1, {"'count' is 1048577", "1048576"});
  refuses_groups(words.part(0, 2), 64, 7, {"'groups'", "at least 12"});
  refuses_groups(View<uint32_t>(two_off), 64, 7, {"'groups'"});
  refuses_groups(words, 64, words.part(1, 1), {"'groups'", "'count'", "overlap"});
}

DEVICE_TEST("the workgroups for a count are rounded up") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("groups");
  const uint64_t limit = device.info().limits.max_workgroup_count[0], most = 65535 * limit;
  const IndirectGroups plan(device, most), short_plan(device, limit * 64 + 1);
  const Guarded<uint32_t> groups(device, stream, 3, generator, 4);
  const Buffer<uint64_t> count = device.buffer<uint64_t>(1);
  std::vector<uint64_t> numbers{0, 1, 65534, 65535, 65536, most - 1, most, UINT64_MAX};
  for (int i = 0; i < 20; ++i) numbers.push_back(generator() >> generator() % 64);
  for (const uint64_t number : numbers) {
    stream.upload(count, std::vector{number});
    plan.record(stream, {groups.view(), 65535, count});
    const uint64_t taken = std::min(number, most);
    INFO(number, " elements");
    check_same(groups.read(stream), {uint32_t(taken / 65535 + (taken % 65535 == 0 ? 0 : 1)), 1, 1});
  }
  for (const uint32_t size : {1u, 63u, 64u, 65u, 1000u}) {
    const uint64_t number = generator() % (limit * size);
    plan.record(stream, {groups.view(), size, std::min(number, most)});
    check_same(groups.read(stream), {uint32_t((number + size - 1) / size), 1, 1});
  }
  check_error(ErrorCode::invalid_argument, {"'group_size' is 64", std::to_string(limit + 1), std::to_string(limit)},
              [&] { short_plan.record(stream, {groups.view(), 64, count}); });
  short_plan.record(stream, {groups.view(), 65, count});
}
