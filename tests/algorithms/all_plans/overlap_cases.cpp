#include <algorithm>
#include <numeric>

#include <weft/atomic_by_key.h>
#include <weft/by_key.h>
#include <weft/enqueue.h>
#include <weft/indirect_groups.h>
#include <weft/map.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/segmented.h>
#include <weft/split.h>
#include <weft/tree_reduce.h>

#include "tests/algorithms/all_plans/overlap_parts.h"

namespace weft::test {
namespace {

void scan_segments(const Words& in, const std::vector<bool>& heads, Words& out) {
  for (size_t i = 0; i < heads.size(); ++i) out[i] = in[i] + (heads[i] ? 0 : out[i - 1]);
}

void add_reductions(Cases& all, const Device& device) {
  const Transform sum = Transform::of_two(word, "x + 3u * y");
  const Reduce plan(device, word, Operator::sum(), 1 << 20, {.transform = sum});
  all.push_back({"Reduce",
                 "",
                 {any("input"), any("second"), written("output", 1), count},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder,
                               {at.at("input"), at.at("output"), on_device(at), at.at("temporary"), at.at("second")});
                 },
                 [](const Contents& before, Contents& after) {
                   uint32_t total = 0;
                   for (uint64_t i = 0; i < number(before); ++i)
                     total += before.at("input")[i] + 3 * before.at("second")[i];
                   after["output"][0] = total;
                 }});
  for (const TilePath path : {TilePath::automatic, TilePath::reduce_then_scan}) {
    const Scan scan(device, word, Operator::sum(), most, {ScanKind::inclusive, path, {}, sum});
    all.push_back({"Scan",
                   path == TilePath::automatic ? "" : "reduce_then_scan",
                   {any("input"), any("second"), written("output"), count},
                   scan.temporary_bytes(),
                   [=](Recorder& recorder, const Regions& at) {
                     scan.record(recorder,
                                 {at.at("input"), at.at("output"), on_device(at), at.at("temporary"), at.at("second")});
                   },
                   [](const Contents& before, Contents& after) {
                     uint32_t total = 0;
                     for (uint64_t i = 0; i < number(before); ++i) {
                       after["output"][i] = total += before.at("input")[i] + 3 * before.at("second")[i];
                     }
                   }});
  }
  const Map map(device, word, sum, most);
  all.push_back({"Map",
                 "",
                 {any("input"), any("second"), written("output"), count},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   map.record(recorder, {at.at("input"), at.at("output"), on_device(at), at.at("second")});
                 },
                 [](const Contents& before, Contents& after) {
                   for (uint64_t i = 0; i < number(before); ++i) {
                     after["output"][i] = before.at("input")[i] + 3 * before.at("second")[i];
                   }
                 }});
}

/// Writes each element of `input` to the output with the index that `index_of` gives, and the numbers of elements to
/// `counts`.
auto distribute(const std::vector<std::string>& outputs, const std::string& counts, uint32_t counted, auto index_of) {
  return [=](const Contents& before, Contents& after) {
    std::vector<uint64_t> sizes(outputs.size());
    for (uint64_t i = 0; i < number(before); ++i) {
      const size_t output = index_of(before, i);
      if (output < outputs.size()) after[outputs[output]][sizes[output]++] = before.at("input")[i];
    }
    for (uint32_t i = 0; i < counted; ++i) set(after, counts, sizes[i], i, counted);
  };
}

void add_selections(Cases& all, const Device& device) {
  const auto by_flag = [](const Contents& before, uint64_t i) { return before.at("flags")[i] != 0 ? 0 : 1; };
  const OverlapArgument flags{"flags", Fill::few, most};
  const Compact compact(device, word, Selection::flagged(), most);
  all.push_back({"Compact",
                 "",
                 {any("input"), flags, written("output"), written_counts("selected"), count},
                 compact.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   compact.record(recorder, {at.at("input"), at.at("flags"), at.at("output"), output_of(at, "selected"),
                                             on_device(at), at.at("temporary")});
                 },
                 distribute({"output"}, "selected", 1, by_flag)});
  const Compact indices(device, word, Selection::when("x > 50u"), most, {.index_bits = 32});
  all.push_back(
      {"Compact",
       "indices",
       {any("input"), written("output"), written_counts("selected"), count},
       indices.temporary_bytes(),
       [=](Recorder& recorder, const Regions& at) {
         indices.record(
             recorder,
             {at.at("input"), {}, at.at("output"), output_of(at, "selected"), on_device(at), at.at("temporary")});
       },
       [](const Contents& before, Contents& after) {
         uint64_t selected = 0;
         for (uint64_t i = 0; i < number(before); ++i) {
           if (before.at("input")[i] > 50) after["output"][selected++] = uint32_t(i);
         }
         set(after, "selected", selected);
       }});
  const Partition partition(device, word, Selection::flagged(), most, {Others::apart});
  all.push_back({"Partition",
                 "",
                 {any("input"), flags, written("output"), written("others"), written_counts("selected"), count},
                 partition.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   partition.record(recorder, {at.at("input"), at.at("flags"), at.at("output"), at.at("others"),
                                               output_of(at, "selected"), on_device(at), at.at("temporary")});
                 },
                 distribute({"output", "others"}, "selected", 1, by_flag)});
  const Enqueue enqueue(device, word, Selection::when("x > 50u"), most, EnqueueVariant::complement);
  all.push_back({"Enqueue",
                 "",
                 {any("input"), written("output"), written("others"), written_counts("queued", 2), count},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   enqueue.record(recorder, {at.at("input"), at.at("output"), at.at("others"),
                                             output_of(at, "queued", 2), on_device(at)});
                 },
                 distribute({"output", "others"}, "queued", 2,
                            [](const Contents& before, uint64_t i) { return before.at("input")[i] > 50 ? 0 : 1; }),
                 {{"output", "queued", 0}, {"others", "queued", 1}}});
  constexpr uint32_t group_size = 100;
  const IndirectGroups groups(device, most);
  all.push_back({"IndirectGroups",
                 "",
                 {written("groups", 3), count},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   groups.record(recorder, {View<uint32_t>(at.at("groups")), group_size, on_device(at)});
                 },
                 [](const Contents& before, Contents& after) {
                   after["groups"] = {uint32_t((number(before) + group_size - 1) / group_size), 1, 1};
                 }});
  const Split split(device, word, Sides::three_way("x < 30u", "x < 60u"), most);
  all.push_back(
      {"Split",
       "",
       {any("input"), written("first"), written("second"), written("third"), written_counts("counts", 3), count},
       split.temporary_bytes(),
       [=](Recorder& recorder, const Regions& at) {
         split.record(recorder, {at.at("input"), at.at("first"), at.at("second"), at.at("third"),
                                 output_of(at, "counts", 3), on_device(at), at.at("temporary")});
       },
       distribute({"first", "second", "third"}, "counts", 3, [](const Contents& before, uint64_t i) {
         const uint32_t x = before.at("input")[i];
         return x < 30 ? 0 : x < 60 ? 1 : 2;
       })});
}

void add_run_lengths(Cases& all, const Device& device) {
  const RunLengthEncode encode(device, word, most);
  all.push_back({"RunLengthEncode",
                 "",
                 {{"input", Fill::few, most}, written("output"), written("lengths"), written_counts("runs"), count},
                 encode.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   encode.record(recorder, {at.at("input"), at.at("output"), at.at("lengths"), output_of(at, "runs"),
                                            on_device(at), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const Words& input = before.at("input");
                   const std::vector<bool> heads = heads_of_runs(input, number(before));
                   uint64_t runs = 0;
                   for (size_t i = 0; i < heads.size(); ++i) {
                     if (heads[i]) after["output"][runs] = input[i], after["lengths"][runs++] = 0;
                     ++after["lengths"][runs - 1];
                   }
                   set(after, "runs", runs);
                 }});
  const RunLengthDecode decode(device, word, most, 2 * most);
  all.push_back({"RunLengthDecode",
                 "",
                 {any("values"),
                  {"lengths", Fill::few, most},
                  written("output", 2 * most),
                  written_counts("decoded"),
                  count_of("runs", taken)},
                 decode.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   decode.record(recorder, {at.at("values"), at.at("lengths"), at.at("output"),
                                            output_of(at, "decoded"), on_device(at, "runs"), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   uint64_t decoded = 0;
                   for (uint64_t run = 0; run < number(before, most, "runs"); ++run) {
                     for (uint32_t i = 0; i < before.at("lengths")[run] && decoded < 2 * most; ++i) {
                       after["output"][decoded++] = before.at("values")[run];
                     }
                   }
                   set(after, "decoded", decoded);
                 }});
}

void add_by_key(Cases& all, const Device& device) {
  const ReduceByKey reduce(device, word, word, Operator::sum(), most);
  all.push_back({"ReduceByKey",
                 "",
                 {{"keys", Fill::few, most},
                  any("values"),
                  written("unique_keys"),
                  written("output"),
                  written_counts("runs"),
                  count},
                 reduce.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   reduce.record(recorder, {at.at("keys"), at.at("values"), at.at("unique_keys"), at.at("output"),
                                            output_of(at, "runs"), on_device(at), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const std::vector<bool> heads = heads_of_runs(before.at("keys"), number(before));
                   uint64_t runs = 0;
                   for (size_t i = 0; i < heads.size(); ++i) {
                     if (heads[i]) after["unique_keys"][runs] = before.at("keys")[i], after["output"][runs++] = 0;
                     after["output"][runs - 1] += before.at("values")[i];
                   }
                   set(after, "runs", runs);
                 }});
  for (const TilePath path : {TilePath::automatic, TilePath::reduce_then_scan}) {
    const ScanByKey scan(device, word, word, Operator::sum(), most, {ScanKind::inclusive, {}, path});
    all.push_back(
        {"ScanByKey",
         path == TilePath::automatic ? "" : "reduce_then_scan",
         {{"keys", Fill::few, most}, any("input"), written("output"), count},
         scan.temporary_bytes(),
         [=](Recorder& recorder, const Regions& at) {
           scan.record(recorder, {at.at("keys"), at.at("input"), at.at("output"), on_device(at), at.at("temporary")});
         },
         [](const Contents& before, Contents& after) {
           scan_segments(before.at("input"), heads_of_runs(before.at("keys"), number(before)), after["output"]);
         }});
  }
  const AtomicReduceByKey atomic(device, word, Operator::sum(), most);
  all.push_back({"AtomicReduceByKey",
                 "",
                 {any("keys"), any("values"), written("table", 64), count},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   atomic.record(recorder, {at.at("keys"), at.at("values"), at.at("table"), on_device(at)});
                 },
                 [](const Contents& before, Contents& after) {
                   for (uint64_t i = 0; i < number(before); ++i) {
                     const uint32_t key = before.at("keys")[i];
                     if (key < 64) after["table"][key] += before.at("values")[i];
                   }
                 }});
}

const OverlapArgument offsets{"heads", Fill::steps, most_segments + 1, 7};

void add_segmented(Cases& all, const Device& device) {
  const SegmentedReduce by_flags(device, word, Operator::sum(), SegmentsBy::flags, most, 0);
  all.push_back({"SegmentedReduce",
                 "by flags",
                 {any("input"), {"heads", Fill::few, most}, written("output"), written_counts("segments"), count},
                 by_flags.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   by_flags.record(recorder, {at.at("input"), at.at("heads"), at.at("output"),
                                              output_of(at, "segments"), 0, on_device(at), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   uint64_t found = 0;
                   for (uint64_t i = 0; i < number(before); ++i) {
                     if (i == 0 || before.at("heads")[i] != 0) after["output"][found++] = 0;
                     after["output"][found - 1] += before.at("input")[i];
                   }
                   set(after, "segments", found);
                 }});
  const SegmentedReduce by_offsets(device, word, Operator::sum(), SegmentsBy::offsets, most, most_segments);
  all.push_back({"SegmentedReduce",
                 "by offsets",
                 {any("input"), offsets, written("output", most_segments), segment_count, count},
                 by_offsets.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   by_offsets.record(recorder, {at.at("input"),
                                                at.at("heads"),
                                                at.at("output"),
                                                {},
                                                on_device(at, "segment_count"),
                                                on_device(at),
                                                at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const uint64_t elements = number(before), named = number(before, most_segments, "segment_count");
                   for (uint64_t s = 0; s < named; ++s) {
                     after["output"][s] = 0;
                     for (uint64_t i = before.at("heads")[s];
                          i < std::min<uint64_t>(before.at("heads")[s + 1], elements); ++i) {
                       after["output"][s] += before.at("input")[i];
                     }
                   }
                 }});
  for (const TilePath path : {TilePath::automatic, TilePath::reduce_then_scan}) {
    const SegmentedScan scan(device, word, Operator::sum(), SegmentsBy::offsets, most, most_segments,
                             {ScanKind::inclusive, path});
    all.push_back({"SegmentedScan",
                   path == TilePath::automatic ? "" : "reduce_then_scan",
                   {any("input"), offsets, written("output"), segment_count, count},
                   scan.temporary_bytes(),
                   [=](Recorder& recorder, const Regions& at) {
                     scan.record(recorder, {at.at("input"), at.at("heads"), at.at("output"),
                                            on_device(at, "segment_count"), on_device(at), at.at("temporary")});
                   },
                   [](const Contents& before, Contents& after) {
                     const uint64_t named = number(before, most_segments, "segment_count");
                     scan_segments(before.at("input"), heads_at(before.at("heads"), named, number(before)),
                                   after["output"]);
                   }});
  }
}

}  // namespace

Words filled(const OverlapArgument& argument, std::mt19937_64& generator) {
  Words words(argument.words);
  switch (argument.fill) {
    case Fill::nothing:
      break;
    case Fill::number:
      for (size_t i = 0; i < words.size(); ++i) words[i] = uint32_t(argument.number >> 32 * i);
      break;
    case Fill::any:
      for (uint32_t& x : words) x = uint32_t(generator() % 100);
      break;
    case Fill::few:
      for (uint32_t& x : words) x = uint32_t(generator() % 3);
      break;
    case Fill::distinct:
      std::iota(words.begin(), words.end(), 0);
      std::shuffle(words.begin(), words.end(), generator);
      break;
    case Fill::ordered:
      for (uint32_t i = 0; i < words.size(); ++i) words[i] = i / 8;
      break;
    case Fill::steps:
      for (uint32_t i = 0; i < words.size(); ++i) words[i] = uint32_t(i * argument.number);
      break;
    case Fill::leaves:
      for (uint32_t& x : words) x = tree::leaf + uint32_t(generator() % 100);
      break;
    case Fill::nans:
      for (uint32_t& x : words) x = 0x7fc00000;
      break;
  }
  return words;
}

std::vector<OverlapCase> overlap_cases(const Device& device) {
  Cases all;
  add_reductions(all, device);
  add_selections(all, device);
  add_run_lengths(all, device);
  add_by_key(all, device);
  add_segmented(all, device);
  add_overlap_pairs(all, device);
  add_overlap_sorts(all, device);
  add_overlap_images(all, device);
  add_overlap_trees(all, device);
  add_overlap_tables(all, device);
  return all;
}

}  // namespace weft::test
