#include <weft/bvh_query.h>

#include "tests/algorithms/reference/bvh.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using Of = BvhQuery::Of;
using Find = BvhQuery::Find;

DEVICE_TEST("queries explain what is wrong") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("wrong queries");
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"BvhQuery", "536870913", "536870912"},
          [&] { BvhQuery(device, Of::rays, Find::any, BvhQuery::max_queries + 1); });
  invalid({"BvhQuery", "boxes", "nearest"}, [&] { BvhQuery(device, Of::boxes, Find::nearest, 10); });
  invalid({"BvhQuery", "triangles"}, [] { BvhQuery::Test::triangles(Of::boxes); });
  check_error(ErrorCode::compile_failed, {"BvhQuery", "test", "x.radius"}, [&] {
    BvhQuery(device, Of::rays, Find::any, 10, {.test = BvhQuery::Test{Element::of<float>(), "x.radius"}});
  });
  const TestBvh tree(device, stream, make_boxes(BoxKind::scattered, 10, generator), generator);
  invalid({"Bvh", "'nodes'", "576", "640"}, [&] { Bvh::of(tree.nodes, tree.indices, tree.bounds, 11); });
  invalid({"Bvh", "'nodes'", "multiple of 16"},
          [&] { Bvh::of(Region(tree.nodes).part(8, 512), tree.indices, tree.bounds, 9); });
  invalid({"Bvh", "'bounds'", "byte 2", "multiple of 4"},
          [&] { Bvh::of({}, tree.indices, device.buffer<std::byte>(32).view().region().part(2, 24), 1); });
  const BvhQuery plan(device, Of::rays, Find::all, 10);
  const Buffer<BvhRay> rays = device.buffer<BvhRay>(10);
  const Buffer<uint32_t> hits = device.buffer<uint32_t>(10), word = device.buffer<uint32_t>(1);
  const Buffer<uint64_t> ends = device.buffer<uint64_t>(10), found = device.buffer<uint64_t>(1);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const BvhQuery::Arguments good{tree.nodes, tree.indices, tree.bounds, tree.leaves, {},       rays,
                                 10,         hits,         ends,        found,       temporary};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    BvhQuery::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'queries'", "9"}, [&](auto& at) { at.queries = rays.part(0, 9); });
  fails({"'ends'", "9"}, [&](auto& at) { at.ends = ends.part(0, 9); });
  fails({"'indices'", "10", "11"}, [](auto& at) { at.leaves = 11; });
  fails({"'nodes'", "576"}, [&](auto& at) { at.nodes = Region(tree.nodes).part(0, 512); });
  fails({"'bounds'", "24"}, [&](auto& at) { at.bounds = Region(tree.bounds).part(0, 20); });
  fails({"'primitives'", "no test"}, [&](auto& at) { at.primitives = word; });
  fails({"'found'"}, [](auto& at) { at.found = {}; });
  fails({"'hits'", "'ends'", "overlap"}, [&](auto& at) { at.hits = ends.view().region(); });
  fails({"'temporary'"}, [](auto& at) { at.temporary = {}; });
  const BvhQuery one(device, Of::rays, Find::any, 10);
  const Buffer<BvhHit> one_each = device.buffer<BvhHit>(10);
  invalid({"'hits'", "10"}, [&] { one.record(stream, good); });
  BvhQuery::Arguments arguments = good;
  arguments.hits = one_each;
  invalid({"'ends'", "one primitive"}, [&] { one.record(stream, arguments); });
}
