#include <weft/bvh_query.h>

#include <algorithm>

#include <weft/scan.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/one_each.h"
#include "algorithms/src/trees/vertices.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;
using Of = BvhQuery::Of;
using Find = BvhQuery::Find;

// Push constants of shaders/kernels/trees/bvh_query.glsl.
struct BvhQueryBlock {
  uint64_t nodes, indices, bounds, primitives, vertices, queries, ends, hits, capacity, found, count_on_device, count,
      leaves_on_device, leaves;
  uint32_t lists, options;
};

uint32_t query_bytes(Of of) {
  return of == Of::boxes ? sizeof(Box<3>) : of == Of::points ? sizeof(BvhPoint) : sizeof(BvhRay);
}

void check_plan(Of of, Find find, uint64_t max_count) {
  if (max_count > BvhQuery::max_queries) {
    core::invalid("BvhQuery", "a plan for " + core::count_text(max_count) + " queries; it may have up to " +
                                  std::to_string(BvhQuery::max_queries) + ".");
  }
  if (of == Of::boxes && find == Find::nearest) {
    core::invalid("BvhQuery", "boxes have no nearest primitive; find all or any.");
  }
}

Kernel make_kernel(const Device& device, Of of, Find find, const std::optional<BvhQuery::Test>& test,
                   const Tiling& tiling) {
  KernelMaker maker = KernelMaker(device, "BvhQuery").tiling(tiling);
  maker.define("WEFT_QUERIES", std::to_string(uint32_t(of)));
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  if (find == Find::nearest) maker.define("WEFT_NEAREST");
  if (test) define_vertices(maker, test->vertex_bytes);
  if (test) maker.key(test->element).expression("WEFT_TEST", "test", test->expression, "of " + test->element.name());
  return maker.make(find == Find::all ? "trees/bvh_all" : "trees/bvh_one");
}

// Adds numbers of 64 bits on devices without them too.
Scan make_hit_scan(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  return Scan(device, Element::structure({{"uvec2", "hits"}}),
              Operator::custom("sum of hits", "T(weft_add(a.hits, b.hits))", "T(uvec2(0u))", true), max_count,
              {.kind = ScanKind::inclusive, .tuning = tuning});
}

}  // namespace

struct BvhQuery::Impl {
  Device device;
  Of of;
  Find find;
  std::optional<Test> test;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;
  std::optional<Scan> scan;

  uint64_t temporary_bytes() const;
  struct Counts {
    ResolvedCount queries, leaves;
  };
  // Also aligns the temporary storage.
  Counts check(const Recorder& recorder, Arguments& given) const;
  ResolvedCount check_leaves(ArgumentChecks& checks, const Arguments& given) const;
};

BvhQuery::BvhQuery(const Device& device, Of of, Find find, uint64_t max_count, const Options& options) {
  const PlanNote note(device, BvhQueryParameters{of, find, max_count, options});
  check_plan(of, find, max_count);
  if (options.test && options.test->vertex_bytes > 0) check_vertex_bytes("BvhQuery", options.test->vertex_bytes);
  const Tiling tiling = one_each(device.info());
  impl_ = std::make_shared<Impl>(Impl{device, of, find, options.test, max_count, tiling,
                                      make_kernel(device, of, find, options.test, tiling), std::nullopt});
  if (find == Find::all) {
    auto with_scan = std::make_shared<Impl>(*impl_);
    with_scan->scan = make_hit_scan(device, max_count, options.tuning);
    impl_ = with_scan;
  }
}

BvhQuery::BvhQuery(const Device& device, Of of, Find find, uint64_t max_count)
    : BvhQuery(device, of, find, max_count, Options{}) {}

uint64_t BvhQuery::Impl::temporary_bytes() const { return scan ? with_slack(round_up_16(scan->temporary_bytes())) : 0; }
uint64_t BvhQuery::temporary_bytes() const { return impl_->temporary_bytes(); }

ResolvedCount BvhQuery::Impl::check_leaves(ArgumentChecks& checks, const Arguments& given) const {
  const BvhPrimitive primitive = test ? BvhPrimitive{test->element, {}, {}, {}, test->vertex_bytes} : BvhPrimitive{};
  const ArgumentChecks::Holder indices{"indices", given.indices, 4, 4},
      nodes{"nodes", given.nodes, sizeof(BvhNode), 16},
      primitives{"primitives", given.primitives, test ? primitive.bytes() : 1, test ? primitive.align() : 1};
  if (!test) checks.empty("primitives", given.primitives, "the plan has no test");
  const bool on_device = given.leaves.is_on_device();
  const ResolvedCount leaves =
      checks.count(given.leaves, Lbvh::max_primitives,
                   {indices, on_device ? nodes : indices, test ? primitives : indices}, "leaves");
  const uint64_t most_nodes = leaves.most - std::min<uint64_t>(leaves.most, 1);
  checks.region("nodes", given.nodes, most_nodes * sizeof(BvhNode), most_nodes > 0 ? 16 : 1);
  checks.region("bounds", given.bounds, sizeof(Box<3>), 4);
  check_vertices(checks, given.vertices, primitive.vertex_bytes, leaves.most);
  return leaves;
}

BvhQuery::Impl::Counts BvhQuery::Impl::check(const Recorder& recorder, Arguments& given) const {
  ArgumentChecks checks("BvhQuery", device, recorder);
  const ArgumentChecks::Holder queries{"queries", given.queries, query_bytes(of), 4}, ends{"ends", given.ends, 8, 8},
      hits{"hits", given.hits, sizeof(BvhHit), 4};
  const ResolvedCount count = checks.count(given.count, max_count, {queries, find == Find::all ? ends : hits});
  const ResolvedCount leaves = check_leaves(checks, given);
  if (find == Find::all) {
    checks.region("hits", given.hits, given.hits.bytes / 4 * 4, given.hits.bytes > 0 ? 4 : 1);
    checks.written("found", given.found, count.most * leaves.most);
    given.temporary = checks.temporary(given.temporary, temporary_bytes());
  } else {
    checks.empty("ends", given.ends, "the plan finds one primitive for each query");
    checks.empty("found", given.found.region(), "the plan finds one primitive for each query");
    checks.empty("temporary", given.temporary, "the plan needs none");
  }
  checks.overlaps();
  return {count, leaves};
}

void BvhQuery::record(Recorder& recorder, const Arguments& given) const {
  Arguments arguments = given;
  const Impl& plan = *impl_;
  const auto [count, leaves] = plan.check(recorder, arguments);
  const Groups groups = spread(plan.tiling.tiles(count.most), plan.device.info().limits);
  BvhQueryBlock block{arguments.nodes.address(),
                      arguments.indices.address(),
                      arguments.bounds.address(),
                      arguments.primitives.address(),
                      arguments.vertices.address(),
                      arguments.queries.address(),
                      arguments.ends.address(),
                      arguments.hits.address(),
                      arguments.hits.bytes / 4,
                      arguments.found.region().address(),
                      count.address,
                      count.most,
                      leaves.address,
                      leaves.most,
                      0,
                      count_option(count) | second_count_option(leaves) | written_option(arguments.found)};
  recorder.dispatch(plan.kernel, groups, block);
  if (plan.find != Find::all) return;
  const Region ends = arguments.ends.part(0, 8 * count.most);
  plan.scan->record(recorder, {ends, ends, arguments.count, arguments.temporary});
  block.lists = 1;
  recorder.dispatch(plan.kernel, groups, block);
}

BvhQuery::Test BvhQuery::Test::triangles(Of of) {
  if (of == Of::boxes) {
    core::invalid("BvhQuery", "there is no test of boxes with triangles; give your own.");
  }
  return {BvhPrimitive::triangles().element,
          of == Of::rays ? "weft_ray_triangle(query, x.a, x.b, x.c)" : "weft_squared_distance(query, x.a, x.b, x.c)"};
}

BvhQuery::Test BvhQuery::Test::indexed_triangles(Of of, uint32_t vertex_bytes) {
  check_vertex_bytes("BvhQuery", vertex_bytes);
  Test test = triangles(of);
  test.vertex_bytes = vertex_bytes;
  return test;
}

Bvh Bvh::of(const Region& nodes, const Region& indices, const Region& bounds, uint32_t leaves) {
  const auto check = [](const char* name, const Region& region, uint64_t bytes, uint64_t align) {
    const auto fail = [&](const std::string& problem) {
      core::invalid("Bvh", std::string("'") + name + "' " + problem);
    };
    if (region.bytes < bytes) {
      fail("has " + std::to_string(region.bytes) + " bytes; it needs " + std::to_string(bytes) + ".");
    }
    if (bytes == 0 || region.address() % align == 0) return;
    fail("starts at byte " + std::to_string(region.offset) + " of its buffer; it must start at a multiple of " +
         std::to_string(align) + " bytes.");
  };
  check("nodes", nodes, sizeof(BvhNode) * (std::max(leaves, 1u) - uint64_t{1}), 16);
  check("indices", indices, sizeof(uint32_t) * uint64_t{leaves}, 4);
  check("bounds", bounds, sizeof(Box<3>), 4);
  return {nodes.address(), indices.address(), bounds.address(), leaves};
}

}  // namespace weft
