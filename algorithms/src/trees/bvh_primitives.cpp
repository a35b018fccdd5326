#include <weft/lbvh.h>
#include <weft/reduce.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/trees/vertices.h"

namespace weft {
namespace {

std::string middle_of(const std::string& low, const std::string& high) {
  return "0.5 * (" + low + ") + 0.5 * (" + high + ")";
}

// The center of a triangle's box; NaN where a coordinate of a corner is, whatever min() and max() make of that.
std::string center_of_corners() {
  const auto of_all = [](const std::string& function, const auto& corner) {
    return function + "(" + function + "(" + corner("x.a") + ", " + corner("x.b") + "), " + corner("x.c") + ")";
  };
  const auto itself = [](const std::string& x) { return x; };
  const auto magnitude = [](const std::string& x) { return "(floatBitsToUint(" + x + ") & 0x7FFFFFFFu)"; };
  return "mix(" + middle_of(of_all("min", itself), of_all("max", itself)) + ", vec3(uintBitsToFloat(0x7FC00000u)), " +
         "greaterThan(" + of_all("max", magnitude) + ", uvec3(0x7F800000u)))";
}

// A node, for kernels that compute with it.
Element node_element() {
  return Element::structure({{"uvec2", "children"},
                             {"uvec2", "links"},
                             {"vec3", "low0"},
                             {"vec3", "high0"},
                             {"vec3", "low1"},
                             {"vec3", "high1"}});
}

// The areas of a node's children: of nodes, then of leaves.
std::string areas(const std::string& child) {
  const std::string size = "max(x.high" + child + " - x.low" + child + ", vec3(0.0))";
  const std::string area = "2.0 * dot(" + size + ", " + size + ".yzx)";
  return "(x.children[" + child + "] < 0x80000000u ? vec2(" + area + ", 0.0) : vec2(0.0, " + area + "))";
}

double area_of(const Box<3>& a, const Box<3>& b) {
  double size[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    const float low = std::min(a.low[axis], b.low[axis]), high = std::max(a.high[axis], b.high[axis]);
    size[axis] = std::max(double(high) - double(low), 0.0);
  }
  return 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
}

}  // namespace

BvhPrimitive BvhPrimitive::of(const Element& element, const std::string& low, const std::string& high) {
  return {element, low, high, middle_of(low, high)};
}

BvhPrimitive BvhPrimitive::boxes() {
  return of(Element::structure({{"vec3", "low"}, {"vec3", "high"}}), "x.low", "x.high");
}

BvhPrimitive BvhPrimitive::triangles() {
  return {Element::structure({{"vec3", "a"}, {"vec3", "b"}, {"vec3", "c"}}), "weft_lower(weft_lower(x.a, x.b), x.c)",
          "weft_upper(weft_upper(x.a, x.b), x.c)", center_of_corners()};
}

BvhPrimitive BvhPrimitive::indexed_triangles(uint32_t vertex_bytes) {
  algorithms::check_vertex_bytes("BvhPrimitive", vertex_bytes);
  BvhPrimitive primitive = triangles();
  primitive.vertex_bytes = vertex_bytes;
  return primitive;
}

float surface_area_cost(Stream& stream, const View<const BvhNode>& nodes, const BvhCosts& costs) {
  if (nodes.empty()) return costs.leaf;
  const Element sums = Element::structure({{"vec2", "areas"}});
  const uint64_t max_count = algorithms::kept_plan_count(nodes.size());
  const auto plan = stream.cached<Reduce>(algorithms::plan_key("surface_area_cost", sums, {}, max_count), [&] {
    return std::make_shared<Reduce>(
        stream.device(), sums, Operator::custom("sum of areas", "T(a.areas + b.areas)", "T(vec2(0.0))", true),
        max_count,
        Reduce::Options{.transform = Transform::of(node_element(), "T(" + areas("0") + " + " + areas("1") + ")"),
                        .fixed_order = true});
  });
  std::array<float, 2> of_nodes_and_leaves{};
  algorithms::run_plan(stream, std::as_writable_bytes(std::span(of_nodes_and_leaves)), plan->temporary_bytes(),
                       [&](const Region& result, const Region& temporary) {
                         plan->record(stream, {nodes.region(), result, nodes.size(), temporary});
                       });
  const BvhNode root = stream.download(nodes.part(0, 1)).front();
  const double root_area = area_of(root.boxes[0], root.boxes[1]);
  return float(costs.node + (costs.node * of_nodes_and_leaves[0] + costs.leaf * of_nodes_and_leaves[1]) / root_area);
}

}  // namespace weft
