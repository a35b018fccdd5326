#pragma once

#include <limits>

#include <weft/box_kd_tree.h>
#include <weft/bvh_query.h>
#include <weft/find_neighbours.h>
#include <weft/find_pairs.h>
#include <weft/kd_tree.h>
#include <weft/lbvh.h>
#include <weft/morton.h>
#include <weft/tree_reduce.h>

#include "algorithms/src/plans/values.h"

// What the plans of trees and pairs are made from. `of` and `point` are for points in larger elements.
namespace weft::algorithms {

template <typename F>
void fields(F& f, const std::string& name, BvhQuery::Test& test) {
  f(name + ".element", test.element);
  f(name + ".expression", test.expression);
  f(name + ".vertex_bytes", test.vertex_bytes);
}

struct MortonParameters {
  static constexpr const char* plan = "Morton";
  uint32_t dimensions = 3;
  std::optional<Element> of{};
  std::string point{};
  uint64_t max_count = 0;
  Morton::Options options{};

  template <typename F>
  void each(F& f) {
    f("dimensions", dimensions);
    optional_field(f, "of", of);
    f("point", point);
    f("max_count", max_count);
    f("wide", options.wide);
    f("given_bounds", options.given_bounds);
    optional_field(f, "tuning", options.tuning);
  }
  Morton make(const Device& device) const {
    return of ? Morton(device, dimensions, *of, point, max_count, options)
              : Morton(device, dimensions, max_count, options);
  }
  template <typename F>
  static Morton::Arguments arguments(F& f) {
    return {.points = f.region("points"),
            .bounds = f.region("bounds"),
            .codes = f.region("codes"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Morton::temporary_bytes);
  }
};

struct LbvhParameters {
  static constexpr const char* plan = "Lbvh";
  BvhPrimitive primitive{};
  uint64_t max_count = 0;
  Lbvh::Options options{};

  template <typename F>
  void each(F& f) {
    fields(f, "primitive", primitive);
    f("max_count", max_count);
    f("code_bits", options.code_bits);
    f.choice("builder", options.builder,
             {{"one_pass", Lbvh::Builder::one_pass},
              {"two_passes", Lbvh::Builder::two_passes},
              {"agglomerative", Lbvh::Builder::agglomerative}});
    optional_field(f, "tuning", options.tuning);
  }
  Lbvh make(const Device& device) const { return Lbvh(device, primitive, max_count, options); }
  template <typename F>
  static Lbvh::Arguments arguments(F& f) {
    return {.primitives = f.region("primitives"),
            .nodes = f.region("nodes"),
            .indices = f.region("indices"),
            .leaf_parents = f.region("leaf_parents"),
            .bounds = f.region("bounds"),
            .count = f.count("count"),
            .temporary = f.region("temporary"),
            .vertices = f.region("vertices")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Lbvh::temporary_bytes);
  }
  static void refit(const Lbvh& plan, Recorder& recorder, const Lbvh::Arguments& arguments) {
    plan.record_refit(recorder, arguments);
  }
};

struct BvhQueryParameters {
  static constexpr const char* plan = "BvhQuery";
  BvhQuery::Of of = BvhQuery::Of::boxes;
  BvhQuery::Find find = BvhQuery::Find::all;
  uint64_t max_count = 0;
  BvhQuery::Options options{};

  template <typename F>
  void each(F& f) {
    f.choice("of", of,
             {{"boxes", BvhQuery::Of::boxes}, {"points", BvhQuery::Of::points}, {"rays", BvhQuery::Of::rays}});
    f.choice("find", find,
             {{"all", BvhQuery::Find::all}, {"nearest", BvhQuery::Find::nearest}, {"any", BvhQuery::Find::any}});
    f("max_count", max_count);
    optional_fields(f, "test", options.test);
    optional_field(f, "tuning", options.tuning);
  }
  BvhQuery make(const Device& device) const { return BvhQuery(device, of, find, max_count, options); }
  template <typename F>
  static BvhQuery::Arguments arguments(F& f) {
    return {.nodes = f.region("nodes"),
            .indices = f.region("indices"),
            .bounds = f.region("bounds"),
            .leaves = f.count("leaves"),
            .primitives = f.region("primitives"),
            .queries = f.region("queries"),
            .count = f.count("count"),
            .hits = f.region("hits"),
            .ends = f.region("ends"),
            .found = f.count_output("found"),
            .temporary = f.region("temporary"),
            .vertices = f.region("vertices")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &BvhQuery::temporary_bytes);
  }
};

struct BoxKdTreeParameters {
  static constexpr const char* plan = "BoxKdTree";
  BvhPrimitive primitive{};
  uint64_t max_count = 0;
  BoxKdTree::Options options{};

  template <typename F>
  void each(F& f) {
    fields(f, "primitive", primitive);
    f("max_count", max_count);
    f("cost_of_node", options.costs.node);
    f("cost_of_leaf", options.costs.leaf);
    f("leaf_size", options.leaf_size);
    f("max_depth", options.max_depth);
    f("max_references", options.max_references);
    f("max_nodes", options.max_nodes);
    optional_field(f, "tuning", options.tuning);
  }
  BoxKdTree make(const Device& device) const { return BoxKdTree(device, primitive, max_count, options); }
  template <typename F>
  static BoxKdTree::Arguments arguments(F& f) {
    return {.primitives = f.region("primitives"),
            .nodes = f.region("nodes"),
            .references = f.region("references"),
            .counts = f.count_output("counts"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("max_references", &BoxKdTree::max_references);
    f("max_nodes", &BoxKdTree::max_nodes);
    f("max_depth", &BoxKdTree::max_depth);
    f("temporary_bytes", &BoxKdTree::temporary_bytes);
  }
};

struct KdTreeParameters {
  static constexpr const char* plan = "KdTree";
  uint32_t dimensions = 3;
  std::optional<Element> of{};
  std::string point{};
  uint64_t max_count = 0;
  KdTree::Options options{};

  template <typename F>
  void each(F& f) {
    f("dimensions", dimensions);
    optional_field(f, "of", of);
    f("point", point);
    f("max_count", max_count);
    optional_field(f, "tuning", options.tuning);
  }
  KdTree make(const Device& device) const {
    return of ? KdTree(device, dimensions, *of, point, max_count, options)
              : KdTree(device, dimensions, max_count, options);
  }
  template <typename F>
  static KdTree::Arguments arguments(F& f) {
    return {.points = f.region("points"),
            .nodes = f.region("nodes"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &KdTree::temporary_bytes);
  }
};

struct KdNearestParameters {
  static constexpr const char* plan = "KdNearest";
  uint32_t dimensions = 3;
  uint32_t neighbours = 1;
  std::optional<Element> of{};
  std::string point{};
  uint64_t max_count = 0;

  template <typename F>
  void each(F& f) {
    f("dimensions", dimensions);
    f("neighbours", neighbours);
    optional_field(f, "of", of);
    f("point", point);
    f("max_count", max_count);
  }
  KdNearest make(const Device& device) const {
    return of ? KdNearest(device, dimensions, neighbours, *of, point, max_count)
              : KdNearest(device, dimensions, neighbours, max_count);
  }
  template <typename F>
  static KdNearest::Arguments arguments(F& f) {
    return {.nodes = f.region("nodes"),
            .node_count = f.count("node_count"),
            .queries = f.region("queries"),
            .indices = f.region("indices"),
            .squared_distances = f.region("squared_distances"),
            .count = f.count("count"),
            .squared_radius = f.number("squared_radius", std::numeric_limits<float>::infinity())};
  }
};

struct FindNeighboursParameters {
  static constexpr const char* plan = "FindNeighbours";
  std::optional<Element> of{};
  std::string point{};
  uint64_t max_count = 0;
  FindNeighbours::Options options{};

  template <typename F>
  void each(F& f) {
    optional_field(f, "of", of);
    f("point", point);
    f("max_count", max_count);
    f.choice("method", options.method,
             {{"uniform_grid", FindNeighbours::Method::uniform_grid}, {"bvh", FindNeighbours::Method::bvh}});
    f("where", options.where);
    optional_field(f, "tuning", options.tuning);
  }
  FindNeighbours make(const Device& device) const {
    return of ? FindNeighbours(device, *of, point, max_count, options) : FindNeighbours(device, max_count, options);
  }
  template <typename F>
  static FindNeighbours::Arguments arguments(F& f) {
    return {.points = f.region("points"),
            .offsets = f.region("offsets"),
            .neighbours = f.region("neighbours"),
            .found = f.count_output("found"),
            .count = f.count("count"),
            .radius = f.number("radius", 0.0f),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &FindNeighbours::temporary_bytes);
  }
};

struct FindPairsParameters {
  static constexpr const char* plan = "FindPairs";
  BvhPrimitive primitive{};
  uint64_t max_count = 0;
  FindPairs::Options options{};

  template <typename F>
  void each(F& f) {
    fields(f, "primitive", primitive);
    f("max_count", max_count);
    f.choice("method", options.method,
             {{"automatic", BroadPhase::automatic},
              {"brute_force", BroadPhase::brute_force},
              {"sort_and_sweep", BroadPhase::sort_and_sweep},
              {"uniform_grid", BroadPhase::uniform_grid},
              {"bvh", BroadPhase::bvh}});
    f("where", options.where);
    f("cell_size", options.cell_size);
    optional_field(f, "tuning", options.tuning);
  }
  FindPairs make(const Device& device) const { return FindPairs(device, primitive, max_count, options); }
  template <typename F>
  static FindPairs::Arguments arguments(F& f) {
    return {.primitives = f.region("primitives"),
            .pairs = f.region("pairs"),
            .found = f.count_output("found"),
            .count = f.count("count"),
            .temporary = f.region("temporary"),
            .vertices = f.region("vertices")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &FindPairs::temporary_bytes);
  }
};

struct TreeReduceParameters {
  static constexpr const char* plan = "TreeReduce";
  Element element{};
  Operator op{};
  uint64_t max_leaves = 0;
  uint64_t max_inner = 0;
  TreeReduce::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    f("max_leaves", max_leaves);
    f("max_inner", max_inner);
    f.choice("links", options.links,
             {{"children", TreeReduce::Links::children}, {"parents", TreeReduce::Links::parents}});
    f("arity", options.arity);
    f("record_words", options.record_words);
    f("first_child", options.first_child);
    f("parent", options.parent);
    f("node", options.node);
    optional_fields(f, "transform", options.transform);
    f("leaf", options.leaf);
    optional_field(f, "tuning", options.tuning);
  }
  TreeReduce make(const Device& device) const {
    return TreeReduce(device, element, op, max_leaves, max_inner, options);
  }
  template <typename F>
  static TreeReduce::Arguments arguments(F& f) {
    return {.leaves = f.region("leaves"),
            .children = f.region("children"),
            .parents = f.region("parents"),
            .leaf_parents = f.region("leaf_parents"),
            .output = f.region("output"),
            .count = f.count("count"),
            .inner_count = f.count("inner_count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &TreeReduce::temporary_bytes);
  }
};

}  // namespace weft::algorithms
