#include "tasks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <weft/compact.h>
#include <weft/hash_table.h>
#include <weft/histogram.h>
#include <weft/merge_sort.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include "shipped_kernels.h"

namespace shipped {
namespace {

using weft::Stream;
using Words = std::vector<uint32_t>;

Words random_words(uint32_t count, uint32_t seed, uint32_t largest = UINT32_MAX) {
  std::mt19937 random(seed);
  Words words(count);
  for (uint32_t& word : words) word = std::uniform_int_distribution<uint32_t>(0, largest)(random);
  return words;
}

std::vector<float> random_floats(uint32_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> floats(count);
  for (float& x : floats) x = std::uniform_real_distribution<float>(-1, 1)(random);
  return floats;
}

template <typename T>
weft::Buffer<T> uploaded(Stream& stream, const std::vector<T>& values) {
  auto buffer = stream.device().buffer<T>(values.size());
  stream.upload(buffer, values);
  return buffer;
}

bool sort_keys(Stream& stream, uint32_t count, uint32_t seed) {
  Words keys = random_words(count, seed);
  const auto buffer = uploaded(stream, keys);
  weft::sort(stream, buffer);
  std::sort(keys.begin(), keys.end());
  return stream.download(buffer) == keys;
}

bool sort_floats_descending(Stream& stream, uint32_t count, uint32_t seed) {
  std::vector<float> keys = random_floats(count, seed);
  const auto buffer = uploaded(stream, keys);
  weft::sort(stream, buffer, {.descending = true});
  std::sort(keys.begin(), keys.end(), std::greater<>());
  return stream.download(buffer) == keys;
}

bool sort_pairs(Stream& stream, uint32_t count, uint32_t seed) {
  const Words keys = random_words(count, seed, 1000);
  Words indices(count);
  std::iota(indices.begin(), indices.end(), 0u);
  const auto key = uploaded(stream, keys), index = uploaded(stream, indices);
  weft::sort(stream, key, index);
  std::stable_sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  return stream.download(index) == indices;
}

bool exclusive_scan(Stream& stream, uint32_t count, uint32_t seed) {
  const Words input = random_words(count, seed);
  const auto from = uploaded(stream, input);
  const auto to = stream.device().buffer<uint32_t>(count);
  weft::exclusive_scan(stream, from, to);
  Words expected(count);
  std::exclusive_scan(input.begin(), input.end(), expected.begin(), 0u);
  return stream.download(to) == expected;
}

bool inclusive_scan(Stream& stream, uint32_t count, uint32_t seed) {
  const Words input = random_words(count, seed);
  const auto from = uploaded(stream, input);
  weft::inclusive_scan(stream, from, from, weft::Operator::max());
  Words expected(count);
  std::inclusive_scan(input.begin(), input.end(), expected.begin(),
                      [](uint32_t a, uint32_t b) { return std::max(a, b); });
  return stream.download(from) == expected;
}

// x -> a * x + b, composed from left to right: associative, and not commutative.
struct Line {
  uint32_t a, b;
  bool operator==(const Line&) const = default;
};

bool reduce_lines(Stream& stream, uint32_t count, uint32_t seed) {
  const Words words = random_words(2 * count, seed);
  std::vector<Line> lines(count);
  for (uint32_t i = 0; i < count; ++i) lines[i] = {words[2 * i] | 1, words[2 * i + 1]};
  const auto input = uploaded(stream, lines);
  const auto element = weft::Element::structure<Line>({{"a", &Line::a}, {"b", &Line::b}});
  const auto compose = weft::Operator::custom("compose", "T(a.a * b.a, a.b * b.a + b.b)", "T(1, 0)");
  Line result{};
  weft::reduce(stream, element, compose, input, std::as_writable_bytes(std::span(&result, 1)));
  return result == std::accumulate(lines.begin(), lines.end(), Line{1, 0},
                                   [](Line a, Line b) { return Line{a.a * b.a, a.b * b.a + b.b}; });
}

bool compact(Stream& stream, uint32_t count, uint32_t seed) {
  const std::vector<float> input = random_floats(count, seed);
  const auto from = uploaded(stream, input);
  const auto to = stream.device().buffer<float>(count);
  const uint64_t kept = weft::compact(stream, "x > 0.25", from, to);
  std::vector<float> expected;
  std::copy_if(input.begin(), input.end(), std::back_inserter(expected), [](float x) { return x > 0.25f; });
  return kept == expected.size() && stream.download(to.part(0, kept)) == expected;
}

bool histogram(Stream& stream, uint32_t count, uint32_t seed) {
  const Words samples = random_words(count, seed, 1023);
  const auto input = uploaded(stream, samples);
  const auto bins = stream.device().buffer<uint32_t>(64);
  weft::histogram(stream, 0, 1024, input, bins);
  Words expected(64);
  for (const uint32_t sample : samples) ++expected[sample / 16];
  return stream.download(bins) == expected;
}

bool run_length_encode(Stream& stream, uint32_t count, uint32_t seed) {
  const Words input = random_words(count, seed, 2);
  const auto from = uploaded(stream, input);
  const auto first = stream.device().buffer<uint32_t>(count), length = stream.device().buffer<uint32_t>(count);
  const uint64_t runs = weft::run_length_encode(stream, from, first, length);
  Words firsts, lengths;
  for (uint32_t i = 0; i < count; ++i) {
    if (i == 0 || input[i] != input[i - 1]) {
      firsts.push_back(input[i]);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  return runs == firsts.size() && stream.download(first.part(0, runs)) == firsts &&
         stream.download(length.part(0, runs)) == lengths;
}

bool merge_sort(Stream& stream, uint32_t count, uint32_t seed) {
  Words input = random_words(count, seed);
  const auto buffer = uploaded(stream, input);
  weft::merge_sort(stream, buffer, weft::Comparison::by("(a & 0xffu) > (b & 0xffu)"));
  std::stable_sort(input.begin(), input.end(), [](uint32_t a, uint32_t b) { return (a & 0xff) > (b & 0xff); });
  return stream.download(buffer) == input;
}

// Counts each word with a map, and looks all of them up, and as many others.
bool hash_table(Stream& stream, uint32_t count, uint32_t seed) {
  const Words words = random_words(count, seed, count), sought = random_words(count, seed + 1, 2 * count);
  const weft::Device device = stream.device();
  const weft::Element word = weft::Element::of<uint32_t>();
  const weft::HashTable map(device, word, word, count + 1,
                            {.update = weft::HashUpdate::combine, .combine = weft::Operator::sum()});
  const weft::HashInsert insert(map, {.value = "1u"});
  const weft::HashFind find(map);
  const auto table = device.buffer<std::byte>(map.bytes());
  const auto keys = uploaded(stream, words), others = uploaded(stream, sought);
  const auto counts = uploaded(stream, Words(count));
  map.record_clear(stream, table);
  insert.record(stream, {.table = table, .keys = keys, .count = count});
  find.record(stream, {.table = table, .keys = others, .values = counts, .count = count});
  std::map<uint32_t, uint32_t> expected;
  for (const uint32_t key : words) ++expected[key];
  Words numbers;
  for (const uint32_t key : sought) numbers.push_back(expected.contains(key) ? expected[key] : 0);
  return stream.download(counts) == numbers;
}

// The push-constant block of saxpy.comp, member by member.
struct SaxpyArguments {
  weft::Pointer<float> x, y;
  uint32_t count;
  float factor;
};

bool own_kernel(Stream& stream, uint32_t count, uint32_t seed) {
  constexpr uint32_t items = 4, workgroup = 64;
  const std::vector<float> x = random_floats(count, seed);
  std::vector<float> y = random_floats(count, seed + 1);
  const auto from = uploaded(stream, x), to = uploaded(stream, y);
  const weft::Kernel saxpy =
      stream.device().kernel(kernels::saxpy(), weft::KernelOptions().specialize(0, workgroup).specialize(1, items));
  // A power of two, so the product is exact, and contraction changes nothing.
  constexpr float factor = 0.5f;
  if (count > 0) {
    stream.dispatch(saxpy, {(count + workgroup * items - 1) / (workgroup * items)},
                    SaxpyArguments{from.pointer(), to.pointer(), count, factor});
  }
  for (uint32_t i = 0; i < count; ++i) y[i] += factor * x[i];
  return stream.download(to) == y;
}

constexpr Task all[] = {{"sort keys", sort_keys},
                        {"sort floats, descending", sort_floats_descending},
                        {"sort pairs", sort_pairs},
                        {"exclusive scan", exclusive_scan},
                        {"inclusive scan", inclusive_scan},
                        {"reduce by an operator", reduce_lines},
                        {"compact by a predicate", compact},
                        {"histogram", histogram},
                        {"run-length encode", run_length_encode},
                        {"merge sort", merge_sort},
                        {"hash table", hash_table},
                        {"own kernel", own_kernel}};

}  // namespace

std::span<const Task> tasks() { return all; }

}  // namespace shipped
