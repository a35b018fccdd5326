#include <weft/box_kd_tree.h>
#include <weft/bvh_query.h>
#include <weft/find_neighbours.h>
#include <weft/find_pairs.h>
#include <weft/kd_tree.h>
#include <weft/lbvh.h>

#include "tests/translate/vendors/plans.h"

namespace weft::test {

namespace {

void bvh_queries(Plans& plans) {
  using Of = BvhQuery::Of;
  using Find = BvhQuery::Find;
  plans.make<BvhQuery>("overlaps of boxes", Of::boxes, Find::all, counts[0]);
  plans.make<BvhQuery>("nearest boxes of points", Of::points, Find::nearest, counts[0]);
  for (const auto& [find, what] : {std::pair(Find::all, "all "), {Find::nearest, "nearest "}, {Find::any, "any "}}) {
    plans.make<BvhQuery>(what + std::string("triangles that rays hit"), Of::rays, find, counts[0],
                         BvhQuery::Options{.test = BvhQuery::Test::triangles(Of::rays)});
  }
  plans.make<BvhQuery>("nearest triangles of points", Of::points, Find::nearest, counts[0],
                       BvhQuery::Options{.test = BvhQuery::Test::triangles(Of::points)});
  plans.make<BvhQuery>("nearest triangles by index that rays hit", Of::rays, Find::nearest, counts[0],
                       BvhQuery::Options{.test = BvhQuery::Test::indexed_triangles(Of::rays)});
}

}  // namespace

void hierarchies(Plans& plans) {
  bvh_queries(plans);
  for (const uint32_t bits : {30, 63}) {
    for (const Lbvh::Builder builder : {Lbvh::Builder::one_pass, Lbvh::Builder::two_passes}) {
      plans.make<Lbvh>("hierarchy of boxes by " + std::to_string(bits) + " bits", BvhPrimitive::boxes(), counts[0],
                       Lbvh::Options{.code_bits = bits, .builder = builder});
    }
  }
  plans.make<Lbvh>("hierarchy of triangles", BvhPrimitive::triangles(), counts[0], Lbvh::Options{});
  plans.make<Lbvh>("hierarchy of triangles by index", BvhPrimitive::indexed_triangles(), counts[0], Lbvh::Options{});
  plans.make<Lbvh>("agglomerative hierarchy of boxes", BvhPrimitive::boxes(), counts[0],
                   Lbvh::Options{.builder = Lbvh::Builder::agglomerative});
}

void kd_trees(Plans& plans) {
  for (const uint32_t dimensions : {2u, 3u}) {
    const std::string in = " in " + std::to_string(dimensions) + " dimensions";
    plans.make<KdTree>("kd-tree" + in, dimensions, counts[0]);
    plans.make<KdNearest>("8 neighbours" + in, dimensions, 8u, counts[0]);
  }
  plans.make<BoxKdTree>("kd-tree of boxes", BvhPrimitive::boxes(), counts[0]);
  plans.make<KdNearest>("32 neighbours", 3u, KdNearest::max_neighbours, counts[0]);
}

void pairs(Plans& plans) {
  const BvhPrimitive boxes = BvhPrimitive::boxes();
  plans.make<FindPairs>("pairs by brute force", boxes, uint64_t{1000},
                        FindPairs::Options{.method = BroadPhase::brute_force});
  for (const BroadPhase method : {BroadPhase::uniform_grid, BroadPhase::bvh}) {
    plans.make<FindPairs>(method == BroadPhase::bvh ? "neighbours by a hierarchy" : "neighbours by a grid",
                          BvhPrimitive::of(Element::structure({{"vec3", "at"}}), "x.at - 0.5", "x.at + 0.5"),
                          uint64_t{50'000},
                          FindPairs::Options{.method = method, .where = "distance(a.at, b.at) <= 1.0"});
  }
  plans.make<FindPairs>("pairs of triangles by index", BvhPrimitive::indexed_triangles(), uint64_t{50'000},
                        FindPairs::Options{.method = BroadPhase::bvh, .where = "a.a != b.a"});
  for (const FindNeighbours::Method method : {FindNeighbours::Method::uniform_grid, FindNeighbours::Method::bvh}) {
    plans.make<FindNeighbours>(
        method == FindNeighbours::Method::bvh ? "lists of neighbours by a hierarchy" : "lists of neighbours by a grid",
        Element::structure({{"vec3", "at"}}), "x.at", counts[0], FindNeighbours::Options{.method = method});
  }
  for (const uint64_t most : {uint64_t{50'000}, uint64_t{1} << 24}) {
    const std::string wide = most > 50'000 ? ", 64-bit indices" : "";
    plans.make<FindPairs>("pairs by sort and sweep" + wide, boxes, most,
                          FindPairs::Options{.method = BroadPhase::sort_and_sweep});
    plans.make<FindPairs>("pairs by a grid" + wide, boxes, most,
                          FindPairs::Options{.method = BroadPhase::uniform_grid});
    plans.make<FindPairs>("pairs by a hierarchy" + wide, boxes, most, FindPairs::Options{.method = BroadPhase::bvh});
  }
}

}  // namespace weft::test
