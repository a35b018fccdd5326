#include <cstring>

#include <weft/box_kd_tree.h>
#include <weft/bvh_query.h>
#include <weft/kd_tree.h>
#include <weft/lbvh.h>
#include <weft/morton.h>
#include <weft/tree_reduce.h>

#include "tests/algorithms/all_plans/overlap_parts.h"
#include "tests/algorithms/reference/box_kd.h"
#include "tests/algorithms/reference/kd.h"
#include "tests/algorithms/reference/lbvh.h"
#include "tests/algorithms/reference/morton.h"

namespace weft::test {
namespace {

constexpr uint32_t inner_most = 2000, inner_taken = 1990;

// Each inner node has two leaves as children, and is done once two nodes whose parent it is have arrived. So any
// numbers will do as parents.
void add_tree_reductions(Cases& all, const Device& device) {
  const TreeReduce plan(device, word, Operator::sum(), most, inner_most);
  all.push_back({"TreeReduce",
                 "",
                 {any("leaves"),
                  {"children", Fill::leaves, 2 * inner_most},
                  {"parents", Fill::steps, inner_most, 3},
                  any("leaf_parents"),
                  written("output", inner_most),
                  count,
                  count_of("inner_count", inner_taken, inner_most)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder,
                               {at.at("leaves"), at.at("children"), at.at("parents"), at.at("leaf_parents"),
                                at.at("output"), on_device(at), on_device(at, "inner_count"), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const uint64_t leaves = number(before), inner = number(before, inner_most, "inner_count");
                   Words arrived(inner), arrivals = before.at("leaf_parents");
                   arrivals.resize(leaves);
                   while (!arrivals.empty()) {
                     const uint32_t node = arrivals.back();
                     arrivals.pop_back();
                     if (node >= inner || ++arrived[node] != 2) continue;
                     after["output"][node] = 0;
                     for (uint32_t k = 0; k < 2; ++k) {
                       after["output"][node] += before.at("leaves")[before.at("children")[2 * node + k] - tree::leaf];
                     }
                     arrivals.push_back(before.at("parents")[node]);
                   }
                 }});
}

void add_morton_codes(Cases& all, const Device& device) {
  const Element point = Element::structure({{"uvec2", "at"}});
  for (const bool given : {true, false}) {
    const Morton plan(device, 2, point, "vec2(x.at)", most / 2, {.given_bounds = given});
    all.push_back({"Morton",
                   given ? "given bounds" : "",
                   {any("points", most - 1), any("bounds", given ? 4 : 0), written("codes", most / 2),
                    count_of("count", 3000, most / 2)},
                   plan.temporary_bytes(),
                   [=](Recorder& recorder, const Regions& at) {
                     plan.record(recorder,
                                 {at.at("points"), at.at("bounds"), at.at("codes"), on_device(at), at.at("temporary")});
                   },
                   [=](const Contents& before, Contents& after) {
                     std::vector<std::array<float, 2>> points;
                     for (uint64_t i = 0; i < number(before, most / 2); ++i) {
                       points.push_back({float(before.at("points")[2 * i]), float(before.at("points")[2 * i + 1])});
                     }
                     TestBounds<2> bounds = finite_bounds(points);
                     if (given) std::memcpy(&bounds, before.at("bounds").data(), sizeof bounds);
                     const std::vector<uint64_t> codes = morton_codes(points, bounds, false);
                     std::ranges::copy(codes, after["codes"].begin());
                   }});
  }
}

template <typename T>
void write(Words& words, const std::vector<T>& values) {
  if (!values.empty()) std::memcpy(words.data(), values.data(), values.size() * sizeof(T));
}

void write_hierarchy(Contents& after, const TestLbvh& built) {
  write(after["nodes"], built.nodes);
  write(after["indices"], built.indices);
  write(after["leaf_parents"], built.leaf_parents);
  write(after["bounds"], std::vector{built.bounds});
}

void add_hierarchies(Cases& all, const Device& device, Lbvh::Builder builder) {
  constexpr uint32_t most_boxes = 1000;
  const Element box = Element::structure({{"uvec3", "low"}, {"uvec3", "high"}});
  const Lbvh plan(device, BvhPrimitive::of(box, "vec3(x.low)", "vec3(x.high)"), most_boxes, {.builder = builder});
  const bool linear = builder == Lbvh::Builder::one_pass;
  all.push_back({"Lbvh",
                 linear ? "" : "agglomerative",
                 {any("primitives", 6 * most_boxes), any("vertices", 0), written("nodes", 16 * most_boxes),
                  written("indices", most_boxes), written("leaf_parents", most_boxes), written("bounds", 6),
                  count_of("count", 990)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("primitives"), at.at("nodes"), at.at("indices"), at.at("leaf_parents"),
                                          at.at("bounds"), on_device(at), at.at("temporary")});
                 },
                 [=](const Contents& before, Contents& after) {
                   std::vector<TestBox> boxes(number(before, most_boxes));
                   for (size_t i = 0; i < boxes.size(); ++i) {
                     const uint32_t* const words = &before.at("primitives")[6 * i];
                     std::copy_n(words, 3, boxes[i].low.begin());
                     std::copy_n(words + 3, 3, boxes[i].high.begin());
                   }
                   const auto build = linear ? build_lbvh : build_agglomerative;
                   write_hierarchy(after, build(boxes, centers_of(boxes), 63));
                 }});
}

// Indices are 0 to 2. Coordinates are bits of small integers, so all centers are in one cell.
void add_indexed_hierarchies(Cases& all, const Device& device) {
  constexpr uint32_t most_triangles = 1000;
  const Lbvh plan(device, BvhPrimitive::indexed_triangles(), most_triangles);
  all.push_back({"Lbvh",
                 "triangles by index",
                 {{"primitives", Fill::few, 3 * most_triangles},
                  any("vertices", 900),
                  written("nodes", 16 * most_triangles),
                  written("indices", most_triangles),
                  written("leaf_parents", most_triangles),
                  written("bounds", 6),
                  count_of("count", 990)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("primitives"), at.at("nodes"), at.at("indices"), at.at("leaf_parents"),
                                          at.at("bounds"), on_device(at), at.at("temporary"), at.at("vertices")});
                 },
                 [=](const Contents& before, Contents& after) {
                   std::vector<TestBox> boxes(number(before, most_triangles));
                   for (size_t i = 0; i < boxes.size(); ++i) {
                     for (size_t k = 0; k < 3; ++k) {
                       TestBox corner;
                       const uint32_t vertex = before.at("primitives")[3 * i + k];
                       std::memcpy(&corner.low, &before.at("vertices")[3 * size_t{vertex}], sizeof corner.low);
                       corner.high = corner.low;
                       boxes[i] = k == 0 ? corner : united(boxes[i], corner);
                     }
                   }
                   write_hierarchy(after, build_lbvh(boxes, std::vector(boxes.size(), std::array<float, 3>{}), 63));
                 }});
}

void add_kd_trees_of_boxes(Cases& all, const Device& device) {
  constexpr uint32_t most_boxes = 150;
  const Element box = Element::structure({{"uvec3", "one"}, {"uvec3", "other"}});
  const BoxKdTree::Options options{.max_depth = 4};
  const BoxKdTree plan(device, BvhPrimitive::of(box, "vec3(min(x.one, x.other))", "vec3(max(x.one, x.other))"),
                       most_boxes, options);
  all.push_back({"BoxKdTree",
                 "",
                 {any("primitives", 6 * most_boxes), written("nodes", uint32_t(4 * plan.max_nodes())),
                  written("references", uint32_t(plan.max_references())), written_counts("counts", 3),
                  count_of("count", 140, most_boxes)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("primitives"), at.at("nodes"), at.at("references"),
                                          output_of(at, "counts", 3), on_device(at), at.at("temporary")});
                 },
                 [=](const Contents& before, Contents& after) {
                   std::vector<TestBox> boxes(number(before, most_boxes));
                   for (size_t i = 0; i < boxes.size(); ++i) {
                     for (size_t axis = 0; axis < 3; ++axis) {
                       const uint32_t* const words = &before.at("primitives")[6 * i + axis];
                       boxes[i].low[axis] = float(std::min(words[0], words[3]));
                       boxes[i].high[axis] = float(std::max(words[0], words[3]));
                     }
                   }
                   const BoxKd built = build_box_kd(boxes, options_of(plan, options));
                   write(after["nodes"], built.nodes);
                   write(after["references"], built.references);
                   const uint64_t counts[] = {built.nodes.size(), built.references.size(), built.refused};
                   for (size_t k = 0; k < 3; ++k) set(after, "counts", counts[k], k, 3);
                 }});
}

// Nothing is found, whatever other arguments are: nothing is near to the boxes of nodes, and a single leaf, which has
// no node, is at a negative distance, or outside the bounds where its test is given.
void add_bvh_queries(Cases& all, const Device& device, const BvhQuery::Test& test) {
  constexpr uint32_t most_queries = 700, most_leaves = 100;
  const BvhQuery plan(device, BvhQuery::Of::points, BvhQuery::Find::all, most_queries, {.test = test});
  const bool indexed = test.vertex_bytes > 0;
  all.push_back({"BvhQuery",
                 indexed ? "triangles by index" : "",
                 {{"nodes", Fill::nans, 16 * most_leaves},
                  any("indices", most_leaves),
                  {"bounds", indexed ? Fill::nans : Fill::any, 6},
                  count_of("leaves", 90, most_leaves),
                  any("primitives", (indexed ? 3 : 1) * most_leaves),
                  any("vertices", indexed ? 900 : 0),
                  any("queries", 4 * most_queries),
                  count_of("count", 690, most_queries),
                  written("hits", most_queries),
                  written("ends", 2 * most_queries),
                  written_counts("found")},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {.nodes = at.at("nodes"),
                                          .indices = at.at("indices"),
                                          .bounds = at.at("bounds"),
                                          .leaves = on_device(at, "leaves"),
                                          .primitives = at.at("primitives"),
                                          .queries = at.at("queries"),
                                          .count = on_device(at),
                                          .hits = at.at("hits"),
                                          .ends = at.at("ends"),
                                          .found = output_of(at, "found"),
                                          .temporary = at.at("temporary"),
                                          .vertices = at.at("vertices")});
                 },
                 [=](const Contents& before, Contents& after) {
                   std::fill_n(after["ends"].begin(), 2 * number(before, most_queries), 0u);
                   set(after, "found", 0);
                 }});
}

TestPoints<2> points_of(const Words& words, uint64_t count) {
  TestPoints<2> points;
  for (uint64_t i = 0; i < count; ++i) points.push_back({float(words[2 * i]), float(words[2 * i + 1])});
  return points;
}

void add_kd_trees(Cases& all, const Device& device) {
  constexpr uint32_t most_points = 100;
  const KdTree plan(device, 2, Element::structure({{"uvec2", "at"}}), "vec2(x.at)", most_points, {});
  all.push_back({"KdTree",
                 "",
                 {any("points", 2 * most_points), written("nodes", 3 * most_points), count_of("count", 95)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("points"), at.at("nodes"), on_device(at), at.at("temporary")});
                 },
                 [](const Contents& before, Contents& after) {
                   const TestPoints<2> points = points_of(before.at("points"), number(before, most_points));
                   write(after["nodes"], TestKdTree<2>(points).nodes());
                 }});
}

// Words below 2^23 are denormal numbers, so all nodes are at the origin and each search visits them all.
void add_kd_searches(Cases& all, const Device& device) {
  constexpr uint32_t most_nodes = 100, most_queries = 50;
  const KdNearest plan(device, 2, 1, Element::structure({{"uvec2", "at"}}), "vec2(x.at) + 1.0", most_queries);
  all.push_back({"KdNearest",
                 "",
                 {any("nodes", 3 * most_nodes), count_of("node_count", 95, most_nodes),
                  any("queries", 2 * most_queries), written("indices", most_queries),
                  written("squared_distances", most_queries), count_of("count", 45, most_queries)},
                 0,
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("nodes"), on_device(at, "node_count"), at.at("queries"),
                                          at.at("indices"), at.at("squared_distances"), on_device(at)});
                 },
                 [](const Contents& before, Contents& after) {
                   uint32_t least = tree::none;
                   for (uint64_t i = 0; i < number(before, most_nodes, "node_count"); ++i) {
                     least = std::min(least, before.at("nodes")[3 * i + 2]);
                   }
                   for (uint64_t i = 0; i < number(before, most_queries); ++i) {
                     const float x = float(before.at("queries")[2 * i]) + 1,
                                 y = float(before.at("queries")[2 * i + 1]) + 1;
                     after["indices"][i] = least;
                     after["squared_distances"][i] =
                         std::bit_cast<uint32_t>(least == tree::none ? INFINITY : x * x + y * y);
                   }
                 }});
}

}  // namespace

void add_overlap_trees(Cases& all, const Device& device) {
  add_tree_reductions(all, device);
  add_morton_codes(all, device);
  add_hierarchies(all, device, Lbvh::Builder::one_pass);
  add_hierarchies(all, device, Lbvh::Builder::agglomerative);
  add_indexed_hierarchies(all, device);
  add_bvh_queries(all, device, {word, "-1.0 - float(x)"});
  add_bvh_queries(all, device, BvhQuery::Test::indexed_triangles(BvhQuery::Of::points));
  add_kd_trees(all, device);
  add_kd_searches(all, device);
  add_kd_trees_of_boxes(all, device);
}

}  // namespace weft::test
