#include "tests/translate/vendors/primitives.h"

#include <optional>

#include <weft/atomic_by_key.h>
#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/histogram.h>
#include <weft/indirect_groups.h>
#include <weft/map.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/morton.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/reductions.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/segmented.h>
#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/split.h>
#include <weft/tile_sort.h>
#include <weft/top_k.h>
#include <weft/tree_reduce.h>

#include "tests/translate/vendors/plans.h"

namespace weft::test {
namespace {

struct Elements {
  Element element;
  std::vector<Operator> operators;
  std::string where;
  std::string before = "weft_ascending(a, b)";  // Empty if they cannot be merged.
};

std::vector<Elements> all_elements() {
  const std::vector<Operator> own{Operator::sum(), Operator::min(), Operator::max()};
  const Operator compose =
      Operator::custom("compose", "T(a.scale * b.scale, b.scale * a.shift + b.shift)", "T(1u, 0u)");
  const Operator multiply = Operator::custom(
      "multiply", "T(a.first.x * b.first + a.first.y * b.second, a.second.x * b.first + a.second.y * b.second)",
      "T(vec2(1, 0), vec2(0, 1))");
  const Operator range = Operator::custom("range", "T(min(a.low, b.low), max(a.high, b.high), a.count + b.count)",
                                          "T(0x7fffffff, -0x7fffffff, 0u)", true);
  const Operator total = Operator::custom("total", "T(a.sum + b.sum, b.kind != 0 ? b.kind : a.kind, min(a.low, b.low))",
                                          "T(int64_t(0), uint8_t(0), f16vec2(1000))");
  return {{Element::scalar("uint"), own, "x % 3u != 0u"},
          {Element::scalar("double"), own, "x > double(0.5)"},
          {Element::structure({{"int", "low"}, {"int", "high"}, {"uint", "count"}}),
           {range},
           "x.count > 1u",
           "a.low < b.low"},
          {Element::scalar("float"), own, "x > 0.5"},
          {Element::scalar("uint64_t"), own, "x > uint64_t(7)"},
          {Element::structure({{"vec2", "first"}, {"vec2", "second"}}),
           {multiply},
           "x.first.x + x.first.y * x.second.x > x.second.y",
           "a.first.x < b.first.x"},
          {Element::scalar("int"), own, "x < 0"},
          {Element::scalar("int64_t"), own, "x < int64_t(0)"},
          {Element::structure({{"uint", "scale"}, {"uint", "shift"}}), {compose}, "x.scale > 1u", "a.scale < b.scale"},
          {Element::scalar("uint8_t"), own, "x > 7u", ""},
          {Element::scalar("float16_t"), own, "x > float16_t(0.5)", ""},
          {Element::structure({{"int64_t", "sum"}, {"uint8_t", "kind"}, {"f16vec2", "low"}}),
           {total},
           "x.sum > int64_t(7) || x.kind != 0 || x.low.x > x.low.y",
           "a.sum < b.sum"}};
}

constexpr TilePath paths[] = {TilePath::look_back, TilePath::reduce_then_scan};
constexpr ScanKind kinds[] = {ScanKind::inclusive, ScanKind::exclusive};
constexpr EnqueueVariant variants[] = {EnqueueVariant::naive, EnqueueVariant::subgroup, EnqueueVariant::multi_item,
                                       EnqueueVariant::complement};
const std::optional<Element> carried[] = {std::nullopt, Element::scalar("uint"), Element::scalar("uint64_t")};

void reduce(Plans& plans, const Elements& of, const Operator& op) {
  plans.make<Reduce>("reduce of " + of.element.name() + ", " + op.name, of.element, op, counts[0]);
}
// Kernels of both paths have one source.
std::string on(TilePath path) { return path == TilePath::look_back ? ", look-back" : ""; }
void scan(Plans& plans, const Elements& of, const Operator& op, TilePath path, ScanKind kind) {
  const char* const what = kind == ScanKind::inclusive ? "inclusive scan of " : "exclusive scan of ";
  plans.make<Scan>(what + of.element.name() + ", " + op.name + on(path), of.element, op, counts[0],
                   Scan::Options{kind, path});
}
std::string choice(const char* primitive, const Elements& of, uint64_t most) {
  return primitive + of.element.name() + (most > UINT32_MAX ? ", 64-bit indices" : "");
}
void compact(Plans& plans, const Elements& of, TilePath path, uint64_t most) {
  plans.make<Compact>(choice("compact of ", of, most) + on(path), of.element, Selection::when(of.where), most,
                      Compact::Options{path});
}
void unique(Plans& plans, const Elements& of, TilePath path, uint64_t most) {
  plans.make<Compact>(choice("unique of ", of, most) + on(path), of.element, Selection::first_of_runs(), most,
                      Compact::Options{path});
}
void indices(Plans& plans) {
  for (const TilePath path : paths) {
    plans.make<Compact>("indices of uint" + on(path), Element::scalar("uint"), Selection::when("x != 0u"), counts[0],
                        Compact::Options{.path = path, .index_bits = 64});
    plans.make<Compact>("indices of flags of 8 bits" + on(path), Element::scalar("uint"), Selection::flagged(8),
                        counts[0], Compact::Options{.path = path, .index_bits = 32});
    plans.make<Compact>("indices of double, 64-bit indices" + on(path), Element::scalar("double"),
                        Selection::when("x != T(0)"), counts[1], Compact::Options{.path = path, .index_bits = 64});
  }
}
void run_length(Plans& plans, const Elements& of, TilePath path, uint64_t most) {
  plans.make<RunLengthEncode>(choice("run-length encoding of ", of, most) + on(path), of.element, most,
                              RunLengthEncode::Options{{}, path});
}
void decode(Plans& plans, const Elements& of, uint64_t most) {
  plans.make<RunLengthDecode>(choice("run-length decoding of ", of, most), of.element, most, most);
}
void atomic_by_key(Plans& plans, const Elements& of, const Operator& op) {
  if ((of.element.bytes() != 4 && of.element.bytes() != 8) || !op.commutative) return;
  plans.make<AtomicReduceByKey>("atomics of " + of.element.name() + " by key, " + op.name, of.element, op, counts[0]);
}
void by_key(Plans& plans, const Elements& of, const Operator& op, TilePath path, uint64_t most) {
  const std::string what =
      of.element.name() + " by uint, " + op.name + (most > UINT32_MAX ? ", 64-bit indices" : "") + on(path);
  plans.make<ReduceByKey>("reduction of " + what, Element::scalar("uint"), of.element, op, most,
                          ReduceByKey::Options{{}, path});
  plans.make<ScanByKey>("scan of " + what, Element::scalar("uint"), of.element, op, most,
                        ScanByKey::Options{ScanKind::exclusive, {}, path});
}
void segmented(Plans& plans, const Elements& of, const Operator& op, SegmentsBy by, TilePath path, uint64_t most) {
  const std::string what = of.element.name() + (by == SegmentsBy::flags ? " by flags, " : " by offsets, ") + op.name +
                           (most > UINT32_MAX ? ", 64-bit indices" : "") + on(path);
  plans.make<SegmentedReduce>("segmented reduction of " + what, of.element, op, by, most, most,
                              SegmentedReduce::Options{path});
  plans.make<SegmentedScan>("segmented scan of " + what, of.element, op, by, most, most,
                            SegmentedScan::Options{ScanKind::inclusive, path});
}
void enqueue(Plans& plans, const Elements& of, EnqueueVariant variant, uint64_t most) {
  plans.make<Enqueue>(choice("enqueue of ", of, most), of.element, Selection::when(of.where), most, variant);
}
std::string order(const char* primitive, const Elements& of, uint64_t most, const std::optional<Element>& values) {
  return choice(primitive, of, most) + (values ? ", with values of " + values->name() : "");
}
void merge(Plans& plans, const Elements& of, uint64_t most, const std::optional<Element>& values) {
  plans.make<Merge>(order("merge of ", of, most, values), of.element, Comparison::by(of.before), most,
                    Merge::Options{values});
}
void merge_sort(Plans& plans, const Elements& of, uint64_t most, const std::optional<Element>& values) {
  plans.make<MergeSort>(order("merge sort of ", of, most, values), of.element, Comparison::by(of.before), most,
                        MergeSort::Options{values});
}
void segmented_sort(Plans& plans, const Elements& of, uint64_t most, const std::optional<Element>& values) {
  plans.make<SegmentedSort>(order("segmented sort of ", of, most, values), of.element, Comparison::by(of.before), most,
                            most, SegmentedSort::Options{values});
}
// Of keys alone and, for even turns, with values; structs are used as values.
void sort(Plans& plans, const Elements& of, TilePath path, uint64_t most, size_t turn) {
  const Sort::Options options{{.descending = turn % 3 == 2}, path};
  const Element word = Element::scalar("uint");
  if (of.element.is_struct()) {
    plans.make<Sort>(choice("sort with values of ", of, most), word, of.element, most, options);
  } else if (turn % 2 == 0) {
    plans.make<Sort>(choice("sort with values by ", of, most), of.element, word, most, options);
  } else {
    plans.make<Sort>(choice("sort of ", of, most), of.element, most, options);
  }
}

void partition(Plans& plans, const Elements& of, const Partition::Options& options, uint64_t most) {
  const char* others = options.others == Others::apart    ? "partition, apart, of "
                       : options.others == Others::behind ? "partition, behind, of "
                                                          : "partition, reversed, of ";
  plans.make<Partition>(choice(others, of, most) + on(options.path), of.element, Selection::when(of.where), most,
                        options);
}
constexpr Partition::Options partitions[] = {{Others::apart, TilePath::look_back},
                                             {Others::reversed, TilePath::look_back},
                                             {Others::apart, TilePath::reduce_then_scan},
                                             {Others::behind, TilePath::reduce_then_scan},
                                             {Others::reversed, TilePath::reduce_then_scan}};

void split(Plans& plans, const Elements& of, bool three, TilePath path, uint64_t most) {
  const std::string second = "i % 3u == 0u";
  plans.make<Split>(choice(three ? "three-way split of " : "overlapping split of ", of, most) + on(path), of.element,
                    three ? Sides::three_way(of.where, second) : Sides::overlapping(of.where, second), most,
                    Split::Options{path});
}
void top_k(Plans& plans, const Elements& of, bool indices, uint64_t most) {
  if (of.element.is_struct()) return;
  plans.make<TopK>(choice("top k of ", of, most) + (indices ? ", with indices" : ""), of.element, most, 1000,
                   TopK::Options{.smallest = indices, .indices = indices});
}

void tree_reduce(Plans& plans, const Elements& of, const Operator& op, TreeReduce::Links links) {
  const char* what = links == TreeReduce::Links::parents ? "tree reduction by parents of " : "tree reduction of ";
  plans.make<TreeReduce>(what + of.element.name() + ", " + op.name, of.element, op, counts[0], counts[0],
                         TreeReduce::Options{.links = links});
}
void morton(Plans& plans, uint32_t dimensions, bool wide) {
  plans.make<Morton>((wide ? "wide codes in " : "codes in ") + std::to_string(dimensions) + " dimensions", dimensions,
                     counts[0], Morton::Options{.wide = wide, .given_bounds = true});
}

// The variants that depend on the samples' type; for one type, all others too.
void histogram(Plans& plans, const Elements& of) {
  if (of.element.is_struct() || of.element.bytes() > 4) return;
  plans.make<Histogram>("histogram of " + of.element.name(), of.element, Bins::even(256, 0, 1000), counts[0]);
  plans.make<Histogram>("histogram between edges of " + of.element.name(), of.element, Bins::edges(256), counts[0]);
}
void histograms(Plans& plans) {
  const Element element = Element::scalar("uint");
  constexpr double all = 4294967296.0;
  plans.make<Histogram>("histogram by shifts", element, Bins::even(256, 0, all), counts[0]);
  plans.make<Histogram>("histogram of 4 channels", element, Bins::even(256, 0, all), counts[0],
                        Histogram::Options{.channels = 4, .counted = 3});
  plans.make<Histogram>("histogram of weights", element, Bins::even(256, 0, all), counts[0],
                        Histogram::Options{.channels = 3, .weighted = true, .wide = true});
  Bins closed = Bins::even(256, 0, 256);
  closed.closed = true;
  plans.make<Histogram>("closed histogram in 64 bits", element, closed, counts[0], Histogram::Options{.wide = true});
  plans.make<Histogram>("histogram of bytes", Element::scalar("uint8_t"), Bins::even(256, 0, 256), counts[0]);
  plans.make<Histogram>("histogram of many bins", element, Bins::even(1 << 20, 0, all), counts[1],
                        Histogram::Options{.wide = true});
}

void everything(Plans& plans, const Elements& of) {
  for (const Operator& op : of.operators) {
    reduce(plans, of, op);
    atomic_by_key(plans, of, op);
    tree_reduce(plans, of, op, TreeReduce::Links::children);
    tree_reduce(plans, of, op, TreeReduce::Links::parents);
    for (const TilePath path : paths) {
      for (const ScanKind kind : kinds) scan(plans, of, op, path, kind);
      for (const uint64_t most : counts) {
        by_key(plans, of, op, path, most);
        for (const SegmentsBy by : {SegmentsBy::flags, SegmentsBy::offsets}) segmented(plans, of, op, by, path, most);
      }
    }
  }
  for (const uint64_t most : counts) {
    for (const TilePath path : paths) compact(plans, of, path, most);
    for (const TilePath path : paths) unique(plans, of, path, most);
    for (const TilePath path : paths) run_length(plans, of, path, most);
    decode(plans, of, most);
    for (const EnqueueVariant variant : variants) enqueue(plans, of, variant, most);
    for (const TilePath path : paths) {
      for (size_t turn = 0; turn < 6; ++turn) sort(plans, of, path, most, turn);
    }
    for (const bool indices : {true, false}) top_k(plans, of, indices, most);
    if (of.before.empty()) continue;
    for (const std::optional<Element>& values : carried) {
      merge(plans, of, most, values);
      merge_sort(plans, of, most, values);
      segmented_sort(plans, of, most, values);
    }
    for (const Partition::Options& options : partitions) partition(plans, of, options, most);
    for (const TilePath path : paths) {
      for (const bool three : {true, false}) split(plans, of, three, path, most);
    }
  }
  histogram(plans, of);
}

void maps(Plans& plans) {
  const Element byte = Element::scalar("uint8_t"), number = Element::scalar("float"), word = Element::scalar("uint");
  const Element point = Element::structure({{"vec3", "at"}});
  plans.make<Map>("map of uint8_t into uint64_t", Element::scalar("uint64_t"), Transform::of(byte, "T(x)"), counts[0]);
  plans.make<Map>("map of two float", number, Transform::of_two(number, "x * y"), counts[0]);
  plans.make<Map>("map of points", point, Transform::of(point, "T(2.0 * x.at)"), counts[0]);
  plans.make<Map>("map of indices into uint", word, "i", counts[0]);
  plans.make<IndirectGroups>("workgroups for a count", counts[0]);
}

// Elements computed as they are read, and combined in a fixed order.
void transforms(Plans& plans) {
  const Element wide = Element::scalar("uint64_t");
  const Transform widen = Transform::of(Element::scalar("uint8_t"), "T(x)");
  for (const TilePath path : paths) {
    plans.make<Scan>("scan of uint8_t into uint64_t" + on(path), wide, Operator::sum(), counts[0],
                     Scan::Options{.path = path, .initial = "T(7)", .transform = widen});
  }
  plans.make<ScanByKey>("scan of uint64_t by uint8_t from an initial element, look-back", Element::scalar("uint8_t"),
                        wide, Operator::sum(), counts[0],
                        ScanByKey::Options{ScanKind::inclusive, {}, TilePath::look_back, "T(7)"});
  plans.make<Reduce>("reduce of uint8_t into uint64_t", wide, Operator::sum(), counts[0],
                     Reduce::Options{.transform = widen});
  const Element number = Element::scalar("float");
  for (const bool fixed : {false, true}) {
    plans.make<Reduce>(fixed ? "dot product of float in a fixed order" : "dot product of float", number,
                       Operator::sum(), counts[0],
                       Reduce::Options{.transform = Transform::of_two(number, "x * y"), .fixed_order = fixed});
  }
  const Reduction least = Reduction::arg_min(Element::scalar("double"));
  plans.make<Reduce>("arg-min of double", least.element, least.op, counts[1],
                     Reduce::Options{.transform = least.transform});
}

// Each kernel once; the other choices differ from type to type.
void each_kernel(Plans& plans, const Elements& of, size_t turn) {
  const Operator& op = of.operators[turn % of.operators.size()];
  reduce(plans, of, op);
  for (size_t k = 0; k < 2; ++k) scan(plans, of, op, paths[k], kinds[(turn + k) % 2]);
  for (size_t k = 0; k < 2; ++k) compact(plans, of, paths[k], counts[(turn + k) % 2]);
  unique(plans, of, paths[turn % 2], counts[turn / 2 % 2]);
  run_length(plans, of, paths[turn % 2], counts[(turn + 1) / 2 % 2]);
  by_key(plans, of, op, paths[turn % 2], counts[turn / 4 % 2]);
  atomic_by_key(plans, of, op);
  tree_reduce(plans, of, op, turn % 2 == 0 ? TreeReduce::Links::children : TreeReduce::Links::parents);
  if (turn % 2 == 0) decode(plans, of, counts[turn / 2 % 2]);
  if (turn < 4)
    segmented(plans, of, op, turn % 2 == 0 ? SegmentsBy::offsets : SegmentsBy::flags, paths[turn / 2],
              counts[turn % 2]);
  for (size_t k = 0; k < 4; ++k) enqueue(plans, of, variants[k], counts[(turn + k) % 2]);
  for (size_t k = 0; k < 2; ++k) sort(plans, of, paths[k], counts[(turn + k) % 2], turn);
  top_k(plans, of, turn % 2 == 0, counts[turn / 2 % 2]);
  if (of.before.empty()) return;
  merge_sort(plans, of, counts[turn % 2], carried[turn % 3]);
  if (turn % 2 == 0) segmented_sort(plans, of, counts[turn / 2 % 2], carried[(turn / 2 + 1) % 3]);
  if (turn % 3 == 0) merge(plans, of, counts[turn % 2], carried[turn / 3]);
  for (size_t k = 0; k < 2; ++k) partition(plans, of, partitions[(2 * turn + k) % 5], counts[turn % 2]);
  split(plans, of, turn % 2 == 0, paths[turn / 2 % 2], counts[turn / 4 % 2]);
  histogram(plans, of);
}

}  // namespace

std::vector<RequestedKernel> kernels_of_primitives(const DeviceInfo& info, bool every) {
  Plans plans(info);
  size_t turn = 0;
  for (const Elements& of : all_elements()) {
    if (every)
      everything(plans, of);
    else
      each_kernel(plans, of, turn++);
  }
  // The kernels whose speed matters.
  plans.make<Sort>("sort of few uint", Element::scalar("uint"), uint64_t{4000});
  plans.make<Sort>("sort of few double with values of 20 bytes", Element::scalar("double"),
                   Element::structure({{"vec4", "first"}, {"float", "second"}}), uint64_t{2000});
  plans.make<Sort>("sort of uint", Element::scalar("uint"), counts[0], Sort::Options{{}, TilePath::look_back});
  const Elements words{Element::scalar("uint"), {}, ""}, numbers{Element::scalar("float"), {}, ""};
  merge_sort(plans, numbers, counts[0], carried[0]);
  merge(plans, words, counts[0], carried[1]);
  segmented_sort(plans, words, counts[0], carried[0]);
  constexpr uint64_t few = 1 << 22;  // Tiles find their own splits.
  plans.make<Merge>("merge of few uint", words.element, Comparison::ascending(), few);
  plans.make<Merge>("merge of few uint, with values of uint", words.element, Comparison::ascending(), few,
                    Merge::Options{carried[1]});
  plans.make<MergeSort>("merge sort of few uint", words.element, Comparison::ascending(), few);
  plans.make<MergeSort>("merge sort of few uint, with values of uint64_t", words.element, Comparison::ascending(), few,
                        MergeSort::Options{carried[2]});
  plans.make<MergeSort>("merge sort of few uint64_t", Element::scalar("uint64_t"), Comparison::ascending(), few);
  plans.make<SegmentedSort>("segmented sort of few uint", words.element, Comparison::ascending(), few, few);
  plans.make<SegmentedSort>("segmented sort of few uint, with values of uint", words.element, Comparison::ascending(),
                            few, few, SegmentedSort::Options{carried[1]});
  const Element wide = Element::scalar("uint64_t");
  plans.make<Sort>("sort of uint64_t with values of uint64_t", wide, wide, counts[0],
                   Sort::Options{{}, TilePath::look_back});
  plans.make<MergeSort>("merge sort of uint64_t, with values of uint64_t", wide, Comparison::ascending(), counts[0],
                        MergeSort::Options{wide});
  plans.make<Compact>("compact by flags, look-back", Element::scalar("uint"), Selection::flagged(), counts[0],
                      Compact::Options{TilePath::look_back});
  plans.make<Compact>("compact by 8-bit flags, look-back", Element::scalar("uint"), Selection::flagged(8), counts[0],
                      Compact::Options{TilePath::look_back});
  indices(plans);
  histograms(plans);
  transforms(plans);
  maps(plans);
  for (const uint32_t dimensions : {2, 3}) {
    for (const bool in_words : {false, true}) morton(plans, dimensions, in_words);
  }
  tables(plans);
  hierarchies(plans);
  kd_trees(plans);
  mipmaps(plans);
  pairs(plans);
  return plans.taken();
}

std::vector<RequestedKernel> kernels_of_words(const DeviceInfo& info) {
  Plans plans(info);
  const Elements words = all_elements().front();
  for (size_t turn = 0; turn < 4; ++turn) each_kernel(plans, words, turn);
  plans.make<TileSort>("sort of tiles of uint", words.element, Comparison::ascending(), 1000u, counts[0]);
  plans.make<Sort>("sort of uint with values of 20 bytes", words.element,
                   Element::structure({{"vec4", "first"}, {"float", "second"}}), counts[0]);
  plans.make<Reduce>("reduce of uint in a fixed order", words.element, Operator::sum(), counts[0],
                     Reduce::Options{.fixed_order = true});
  morton(plans, 3, false);
  hierarchies(plans);
  kd_trees(plans);
  mipmaps(plans);
  pairs(plans);
  plans.make<Map>("map of uint", words.element, Transform::of(words.element, "x * x"), counts[0]);
  plans.make<IndirectGroups>("workgroups for a count", counts[0]);
  tables(plans);
  return plans.taken();
}

}  // namespace weft::test
