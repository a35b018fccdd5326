#include <algorithm>
#include <numeric>

#include <weft/histogram.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/tile_sort.h>
#include <weft/top_k.h>

#include "tests/algorithms/all_plans/overlap_parts.h"

namespace weft::test {
namespace {

/// Sorts keys from `first` on with their values, stably.
void sort_pairs(const Words& keys, const Words& values, uint64_t first, uint64_t last, Words& keys_out,
                Words& values_out) {
  Words order(last - first);
  std::iota(order.begin(), order.end(), uint32_t(first));
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    keys_out[first + i] = keys[order[i]];
    values_out[first + i] = values[order[i]];
  }
}

auto sorted_pairs(const std::string& keys, const std::string& values, const std::string& keys_out,
                  const std::string& values_out) {
  return [=](const Contents& before, Contents& after) {
    sort_pairs(before.at(keys), before.at(values), 0, number(before), after[keys_out], after[values_out]);
  };
}

void add_merges(Cases& all, const Device& device) {
  const Comparison up = Comparison::ascending();
  const Merge merge(device, word, up, 2 * most, {word});
  all.push_back({"Merge",
                 "",
                 {{"first", Fill::ordered, most},
                  any("first_values"),
                  count_of("first_count", taken),
                  {"second", Fill::ordered, most},
                  any("second_values"),
                  count_of("second_count", taken / 2),
                  written("output", 2 * most),
                  written("output_values", 2 * most)},
                 merge.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   merge.record(recorder, {{at.at("first"), at.at("first_values"), on_device(at, "first_count")},
                                           {at.at("second"), at.at("second_values"), on_device(at, "second_count")},
                                           at.at("output"),
                                           at.at("output_values"),
                                           at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   Words keys, values;
                   for (const std::string name : {"first", "second"}) {
                     const auto size = std::ptrdiff_t(number(before, most, name + "_count"));
                     const Words &from = before.at(name), &with = before.at(name + "_values");
                     keys.insert(keys.end(), from.begin(), from.begin() + size);
                     values.insert(values.end(), with.begin(), with.begin() + size);
                   }
                   sort_pairs(keys, values, 0, keys.size(), after["output"], after["output_values"]);
                 }});
  const MergeSort merge_sort(device, word, up, most, {word});
  all.push_back({"MergeSort",
                 "",
                 {any("input"), any("input_values"), written("output"), written("output_values"), count},
                 merge_sort.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   merge_sort.record(recorder, {at.at("input"), at.at("input_values"), at.at("output"),
                                                at.at("output_values"), on_device(at), at.at("temporary")});
                 },
                 sorted_pairs("input", "input_values", "output", "output_values")});
  const SegmentedSort segmented(device, word, up, most, most_segments, {word});
  all.push_back({"SegmentedSort",
                 "",
                 {any("input"),
                  any("input_values"),
                  {"offsets", Fill::steps, most_segments + 1, 7},
                  written("output"),
                  written("output_values"),
                  segment_count,
                  count},
                 segmented.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   segmented.record(recorder, {at.at("input"), at.at("input_values"), at.at("offsets"), at.at("output"),
                                               at.at("output_values"), on_device(at, "segment_count"), on_device(at),
                                               at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const uint64_t named = number(before, most_segments, "segment_count");
                   const std::vector<bool> heads = heads_at(before.at("offsets"), named, number(before));
                   for (size_t first = 0, last = 0; first < heads.size(); first = last) {
                     for (++last; last < heads.size() && !heads[last];) ++last;
                     sort_pairs(before.at("input"), before.at("input_values"), first, last, after["output"],
                                after["output_values"]);
                   }
                 }});
  constexpr uint32_t length = 200;
  const TileSort tiles(device, word, up, length, most, {SortingNetwork::odd_even, word});
  all.push_back(
      {"TileSort",
       "",
       {{"input", Fill::distinct, most}, any("input_values"), written("output"), written("output_values"), count},
       0,
       [=](Recorder& recorder, const Regions& at) {
         tiles.record(recorder,
                      {at.at("input"), at.at("input_values"), at.at("output"), at.at("output_values"), on_device(at)});
       },
       [](const Contents& before, Contents& after) {
         for (uint64_t first = 0; first < number(before); first += length) {
           sort_pairs(before.at("input"), before.at("input_values"), first, std::min(first + length, number(before)),
                      after["output"], after["output_values"]);
         }
       }});
}

void add_radix_sorts(Cases& all, const Device& device) {
  for (const TilePath path : {TilePath::automatic, TilePath::reduce_then_scan}) {
    // 24 bits: an odd number of passes, which ends in the other buffer.
    for (const uint32_t bits : {24u, 32u}) {
      const Sort plan(device, word, word, 1 << 16, {{false, 0, bits}, path});
      all.push_back({"Sort",
                     std::to_string(bits) + (path == TilePath::automatic ? " bits" : " bits, reduce_then_scan"),
                     {any("keys"), any("values"), written("keys_out"), written("values_out"), count},
                     plan.temporary_bytes(),
                     [=](Recorder& recorder, const Regions& at) {
                       plan.record(recorder, {at.at("keys"), at.at("values"), at.at("keys_out"), at.at("values_out"),
                                              on_device(at), at.at("temporary")});
                     },
                     sorted_pairs("keys", "values", "keys_out", "values_out")});
    }
  }
}

void add_histogram(Cases& all, const Device& device) {
  constexpr uint32_t bins = 16;
  const Histogram plan(device, word, Bins::edges(bins), most, {.weighted = true});
  all.push_back({"Histogram",
                 "",
                 {any("input"), {"edges", Fill::steps, bins + 1, 5}, any("weights"), written("output", bins), count},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder,
                               {at.at("input"), at.at("edges"), at.at("weights"), at.at("output"), on_device(at)});
                 },
                 [](const Contents& before, Contents& after) {
                   const Words& edges = before.at("edges");
                   std::fill(after["output"].begin(), after["output"].end(), 0);
                   for (uint64_t i = 0; i < number(before); ++i) {
                     const uint32_t x = before.at("input")[i];
                     const auto above = std::upper_bound(edges.begin(), edges.end(), x);
                     if (above == edges.begin() || above == edges.end()) continue;
                     after["output"][size_t(above - edges.begin()) - 1] += before.at("weights")[i];
                   }
                 }});
}

void add_top_k(Cases& all, const Device& device) {
  constexpr uint32_t k = 100;
  const TopK plan(device, word, most, k, {.indices = true});
  all.push_back(
      {"TopK",
       "",
       {{"input", Fill::distinct, most}, written("output", k), written("indices", k), written_counts("found"), count},
       plan.temporary_bytes(),
       [=](Recorder& recorder, const Regions& at) {
         plan.record(recorder, {at.at("input"), at.at("output"), at.at("indices"), output_of(at, "found"), k,
                                on_device(at), at.at("temporary")});
       },
       [](const Contents& before, Contents& after) {
         const Words& input = before.at("input");
         Words order(number(before));
         std::iota(order.begin(), order.end(), 0);
         std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return input[a] > input[b]; });
         const uint64_t found = std::min<uint64_t>(k, order.size());
         for (uint64_t i = 0; i < found; ++i) {
           after["output"][i] = input[order[i]];
           after["indices"][i] = order[i];
         }
         set(after, "found", found);
       }});
}

}  // namespace

void add_overlap_sorts(Cases& all, const Device& device) {
  add_merges(all, device);
  add_radix_sorts(all, device);
  add_histogram(all, device);
  add_top_k(all, device);
}

}  // namespace weft::test
