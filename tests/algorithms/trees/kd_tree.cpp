#include <weft/kd_tree.h>

#include <limits>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/kd.h"

using namespace weft;
using namespace weft::test;

namespace {

using FloatLimits = std::numeric_limits<float>;
constexpr float few_numbers[] = {-2, -1, 0, 1, 2};
constexpr float infinities[] = {-FloatLimits::infinity(), -FloatLimits::infinity(), FloatLimits::infinity(), 0};
constexpr float unusual_numbers[] = {-FloatLimits::infinity(),
                                     FloatLimits::infinity(),
                                     FloatLimits::quiet_NaN(),
                                     -FloatLimits::quiet_NaN(),
                                     FloatLimits::lowest(),
                                     FloatLimits::max(),
                                     -0.0f,
                                     0.0f,
                                     1};

/// Points with few coordinates, so that many are equal.
template <size_t D>
TestPoints<D> points_of(std::span<const float> numbers, size_t count, std::mt19937_64& generator) {
  TestPoints<D> points(count);
  for (std::array<float, D>& point : points) {
    for (float& x : point) x = numbers[generator() % numbers.size()];
  }
  return points;
}
template <size_t D>
TestPoints<D> points_of_a_grid(size_t count, std::mt19937_64& generator) {
  return points_of<D>(few_numbers, count, generator);
}

/// NaNs lose their bits on some devices.
template <size_t D>
std::vector<KdNode<D>> with_one_nan(std::vector<KdNode<D>> nodes) {
  for (KdNode<D>& node : nodes) {
    for (float& x : node.at) x = is_nan(x) ? FloatLimits::quiet_NaN() : x;
  }
  return nodes;
}

/// A count of 64 or 32 bits in device memory.
class CountWords {
 public:
  CountWords(Stream& stream, uint64_t count)
      : wide_(stream.device().buffer<uint64_t>(1)), word_(stream.device().buffer<uint32_t>(1)) {
    stream.upload(wide_, std::vector<uint64_t>{count});
    stream.upload(word_, std::vector<uint32_t>{uint32_t(count)});
  }
  Count in(bool word) const { return word ? Count(word_) : Count(wide_); }

 private:
  Buffer<uint64_t> wide_;
  Buffer<uint32_t> word_;
};

enum class CountIn { number, words_of_64_bits, words_of_32_bits };

/// A plan and its temporary storage, which is not cleared between runs.
template <size_t D>
class BuiltKdTree {
 public:
  static constexpr uint64_t align = D == 2 ? 4 : 16;

  BuiltKdTree(const Device& device, uint64_t most) : BuiltKdTree(device, KdTree(device, D, most)) {}
  BuiltKdTree(const Device& device, const KdTree& plan)
      : plan_(plan), temporary_(device.buffer<std::byte>(plan.temporary_bytes())) {}

  /// With a count on the device, nodes have room for a few more points, which are there.
  std::vector<KdNode<D>> build(Stream& stream, const TestPoints<D>& points, std::mt19937_64& generator,
                               CountIn in = CountIn::number) const {
    TestPoints<D> given = points;
    if (in != CountIn::number) given.resize(points.size() + 3);
    const Device device = stream.device();
    const Guarded<std::array<float, D>> input(device, stream, given, generator, 4);
    const Guarded<KdNode<D>> nodes(device, stream, given.size(), generator, align);
    const CountWords words(stream, points.size());
    plan_.record(stream,
                 {.points = input,
                  .nodes = nodes,
                  .count = in == CountIn::number ? Count(points.size()) : words.in(in == CountIn::words_of_32_bits),
                  .temporary = temporary_});
    std::vector<KdNode<D>> built = nodes.read(stream);
    const std::vector<KdNode<D>> before = nodes.poison();
    check_same(std::vector(built.begin() + std::ptrdiff_t(points.size()), built.end()),
               std::vector(before.begin() + std::ptrdiff_t(points.size()), before.end()), "room behind the nodes");
    built.resize(points.size());
    return built;
  }
  void check(Stream& stream, const TestPoints<D>& points, std::mt19937_64& generator,
             CountIn in = CountIn::number) const {
    INFO(D, " dimensions, points: ", points.size());
    check_same(with_one_nan<D>(build(stream, points, generator, in)), with_one_nan<D>(TestKdTree<D>(points).nodes()));
  }

 private:
  KdTree plan_;
  Buffer<std::byte> temporary_;
};

template <size_t D>
void check_kinds(const Device& device) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("kd-trees in " + std::to_string(D));
  const BuiltKdTree<D> plan(device, 3000);
  for (const BoxKind kind : all_box_kinds) {
    INFO("points: ", to_string(kind));
    plan.check(stream, make_points<D>(kind, 3000, generator), generator);
    plan.check(stream, make_points<D>(kind, 77, generator), generator,
               generator() % 2 ? CountIn::words_of_32_bits : CountIn::words_of_64_bits);
  }
  plan.check(stream, points_of_a_grid<D>(1500, generator), generator, CountIn::words_of_64_bits);
  plan.check(stream, points_of<D>(unusual_numbers, 200, generator), generator);
}

template <size_t D>
void check_sizes(const Device& device) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sizes of kd-trees in " + std::to_string(D));
  const BuiltKdTree<D> plan(device, 300), least(device, 1), nothing(device, 0);
  for (const size_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 300}) {
    plan.check(stream, points_of_a_grid<D>(count, generator), generator, CountIn(count % 3));
  }
  least.check(stream, points_of_a_grid<D>(1, generator), generator);
  least.check(stream, {}, generator, CountIn::words_of_32_bits);
  nothing.check(stream, {}, generator);
}

template <size_t D>
struct Search {
  const KdNearest& plan;
  uint32_t neighbours;
  float squared_radius = INFINITY;
  CountIn in = CountIn::number;
};

/// Compares with a search through all points, in a tree that the host built.
template <size_t D>
void check_nearest(Stream& stream, const Search<D>& search, const TestPoints<D>& points, const TestPoints<D>& queries,
                   std::mt19937_64& generator) {
  INFO(search.neighbours, " of ", points.size(), " points in ", D, " dimensions, queries: ", queries.size(),
       ", squared radius: ", search.squared_radius);
  const Device device = stream.device();
  const uint64_t found = queries.size() * search.neighbours;
  const Guarded<KdNode<D>> nodes(device, stream, TestKdTree<D>(points).nodes(), generator, BuiltKdTree<D>::align);
  const Guarded<std::array<float, D>> asked(device, stream, queries, generator, 4);
  const Guarded<uint32_t> indices(device, stream, found, generator, 4);
  const Guarded<float> squared_distances(device, stream, found, generator, 8);
  const CountWords node_words(stream, points.size()), words(stream, queries.size());
  const bool on_device = search.in != CountIn::number, word = search.in == CountIn::words_of_32_bits;
  search.plan.record(stream, {.nodes = nodes,
                              .node_count = on_device ? node_words.in(word) : Count(points.size()),
                              .queries = asked,
                              .indices = indices,
                              .squared_distances = squared_distances,
                              .count = on_device ? words.in(!word) : Count(queries.size()),
                              .squared_radius = search.squared_radius});
  const TestNeighbours expected = nearest(points, queries, search.neighbours, search.squared_radius);
  check_same(indices.read(stream), expected.indices, "indices");
  check_same(squared_distances.read(stream), expected.squared_distances, "squared distances");
}

/// Queries among the points, at points, far away, and unusual ones.
template <size_t D>
TestPoints<D> make_queries(BoxKind kind, const TestPoints<D>& points, std::mt19937_64& generator) {
  TestPoints<D> queries = make_points<D>(kind, 40, generator);
  for (size_t i = 0; i < 10 && !points.empty(); ++i) queries.push_back(points[generator() % points.size()]);
  queries.push_back({});
  queries.back().fill(-1e6f);
  const TestPoints<D> unusual = make_points<D>(BoxKind::unusual, 20, generator);
  queries.insert(queries.end(), unusual.begin(), unusual.end());
  return queries;
}

template <size_t D>
void check_searches(const Device& device, uint32_t neighbours) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("neighbours in " + std::to_string(D));
  const KdNearest plan(device, D, neighbours, 100);
  for (const BoxKind kind : all_box_kinds) {
    INFO("points: ", to_string(kind));
    for (const size_t count : {700, 33}) {
      const TestPoints<D> points = make_points<D>(kind, count, generator);
      const TestPoints<D> queries = make_queries<D>(kind, points, generator);
      check_nearest<D>(stream, {plan, neighbours}, points, queries, generator);
      check_nearest<D>(stream, {plan, neighbours, 2.5f, CountIn::words_of_32_bits}, points, queries, generator);
    }
  }
  const TestPoints<D> grid = points_of_a_grid<D>(500, generator), queries = points_of_a_grid<D>(60, generator);
  for (const float squared_radius : {0.0f, -0.0f, 1.0f, 1e30f}) {
    check_nearest<D>(stream, {plan, neighbours, squared_radius, CountIn::words_of_64_bits}, grid, queries, generator);
  }
  for (const std::span<const float> numbers :
       {std::span<const float>(unusual_numbers), std::span<const float>(infinities)}) {
    for (const size_t count : {300, 15, 9, 7, 5, 3}) {
      check_nearest<D>(stream, {plan, neighbours}, points_of<D>(numbers, count, generator),
                       points_of<D>(numbers, 100, generator), generator);
    }
  }
  for (const size_t count : {0, 1, 2, 3, 7, 8}) {
    check_nearest<D>(stream, {plan, neighbours}, points_of_a_grid<D>(count, generator), queries, generator);
  }
  check_nearest<D>(stream, {plan, neighbours}, grid, {}, generator);
}

}  // namespace

DEVICE_TEST("kd-trees in the plane") { check_kinds<2>(device); }
DEVICE_TEST("kd-trees in space") { check_kinds<3>(device); }

DEVICE_TEST("kd-trees of few points, around powers of two") {
  check_sizes<2>(device);
  check_sizes<3>(device);
}

DEVICE_TEST("kd-trees of many points, equal ones among them") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large kd-trees");
  const size_t count = computes_on_cpu(device) ? 6'001 : (1 << 20) + 3;
  const BuiltKdTree<3> plan(device, count);
  plan.check(stream, make_points<3>(BoxKind::scattered, count, generator), generator);
  plan.check(stream, points_of_a_grid<3>(count, generator), generator);
}

DEVICE_TEST("kd-trees of points in structs") {
  struct Particle {
    float mass;
    std::array<float, 3> at;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("particles");
  const TestPoints<2> points = make_points<2>(BoxKind::scattered, 100, generator);
  std::vector<Particle> particles;
  for (const auto& [x, y] : points) particles.push_back({-1, {y, -1, x}});
  const Element particle = Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}});
  const KdTree plan(device, 2, particle, "x.at.zx", 100, {});
  const Guarded<Particle> input(device, stream, particles, generator);
  const Guarded<KdNode<2>> nodes(device, stream, 100, generator);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {input, nodes, 100, temporary});
  check_same(nodes.read(stream), TestKdTree<2>(points).nodes());

  const KdNearest search(device, 2, 3, particle, "x.at.zx", 100);
  const Guarded<uint32_t> indices(device, stream, 300, generator);
  const Guarded<float> squared_distances(device, stream, 300, generator);
  search.record(stream, {nodes, 100, input, indices, squared_distances, 100});
  check_same(indices.read(stream), nearest(points, points, 3).indices);
}

DEVICE_TEST("the nearest neighbour in the plane") { check_searches<2>(device, 1); }
DEVICE_TEST("eight neighbours in space") { check_searches<3>(device, 8); }

DEVICE_TEST("as many neighbours as there may be") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("most neighbours");
  const KdNearest plan(device, 2, KdNearest::max_neighbours, 100);
  for (const size_t count : {1000, 32, 20}) {
    const TestPoints<2> points = points_of_a_grid<2>(count, generator);
    check_nearest<2>(stream, {plan, KdNearest::max_neighbours}, points,
                     make_queries<2>(BoxKind::scattered, points, generator), generator);
  }
}

DEVICE_TEST("a user's kernel walks through a kd-tree") {
  // Each invocation counts the points within a radius of its own, and adds up their indices.
  constexpr const char* source = R"(#version 460
    layout(local_size_x = 64) in;
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_scalar_block_layout : require
    #define WEFT_DIMENSIONS 3
    #include "weft/device/kd_tree.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Points { vec3 at[]; };
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
    layout(push_constant, scalar) uniform Arguments {
      uvec2 nodes;
      Points points;
      Words found;
      uint count;
      float limit;
    } args;

    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      vec3 query = args.points.at[i];
      WeftKdTree tree = WeftKdTree(args.nodes, args.count);
      WeftKdWalk walk = weft_kd_walk();
      WeftKdNode node;
      uint sum = 0u, number = 0u, visits = 0u;
      while (weft_kd_next(tree, query, args.limit, walk, node)) {
        ++visits;
        if (weft_squared_distance(query, node.at) > args.limit) continue;
        sum += node.index;
        ++number;
      }
      args.found.at[3u * i] = sum;
      args.found.at[3u * i + 1u] = number;
      args.found.at[3u * i + 2u] = visits;
    })";
  struct Block {
    Pointer<KdNode<3>> nodes;
    Pointer<std::array<float, 3>> points;
    Pointer<uint32_t> found;
    uint32_t count;
    float limit;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("walks");
  const TestPoints<3> points = make_points<3>(BoxKind::scattered, 1000, generator);
  const Guarded<KdNode<3>> nodes(device, stream, TestKdTree<3>(points).nodes(), generator);
  const Guarded<std::array<float, 3>> queries(device, stream, points, generator);
  const Guarded<uint32_t> found(device, stream, 3000, generator);
  stream.dispatch(device.kernel_from_glsl(source), {16},
                  Block{nodes.view().pointer(), queries.view().pointer(), found.view().pointer(), 1000, 1.5f});
  const std::vector<uint32_t> got = found.read(stream);
  uint64_t wrong = 0, visits = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    uint32_t sum = 0, number = 0;
    for (uint32_t j = 0; j < 1000; ++j) {
      if (squared_distance(points[i], points[j]) <= 1.5f) sum += j, ++number;
    }
    wrong += got[3 * i] != sum || got[3 * i + 1] != number;
    visits += got[3 * i + 2];
  }
  CHECK_EQ(wrong, 0);
  CHECK_LT(visits, 1000 * 1000 / 4);  // Most subtrees are left out.
}

DEVICE_TEST("kd-trees explain what is wrong") {
  Stream stream = device.stream();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  const Element word = Element::of<uint32_t>();
  for (const uint32_t dimensions : {0, 1, 4}) {
    invalid({"KdTree", "2 or 3", std::to_string(dimensions)}, [&] { KdTree(device, dimensions, 9); });
    invalid({"KdTree", "2 or 3"}, [&] { KdTree(device, dimensions, word, "vec2(x)", 9, {}); });
    invalid({"KdNearest", "2 or 3", std::to_string(dimensions)}, [&] { KdNearest(device, dimensions, 1, 9); });
  }
  invalid({"KdTree", "536870913 points", "536870912"}, [&] { KdTree(device, 3, KdTree::max_points + 1); });
  invalid({"KdNearest", "536870913 queries"}, [&] { KdNearest(device, 3, 1, KdTree::max_points + 1); });
  for (const uint32_t neighbours : {0, 33}) {
    invalid({"KdNearest", std::to_string(neighbours) + " neighbours", "1 to 32"},
            [&] { KdNearest(device, 3, neighbours, 9); });
  }
  check_error(ErrorCode::compile_failed, {"KdTree", "point", "x + nothing", "of uint"},
              [&] { KdTree(device, 2, word, "x + nothing", 9, {}); });

  const KdTree plan(device, 3, 9);
  const Buffer<float> points = device.buffer<float>(30);
  const Buffer<KdNode<3>> nodes = device.buffer<KdNode<3>>(10);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const Region odd = nodes.view().region().part(4, 144);
  invalid({"'count'", "10", "9"}, [&] { plan.record(stream, {points, nodes, 10, temporary}); });
  invalid({"'points'", "8"}, [&] { plan.record(stream, {points.part(0, 26), nodes, 9, temporary}); });
  invalid({"'nodes'", "8"}, [&] { plan.record(stream, {points, nodes.part(0, 8), 9, temporary}); });
  invalid({"'nodes'", "multiple of 16"}, [&] { plan.record(stream, {points, odd, 9, temporary}); });
  invalid({"'temporary'"}, [&] { plan.record(stream, {points, nodes, 9, {}}); });

  const KdNearest search(device, 3, 2, 9);
  const Buffer<uint32_t> indices = device.buffer<uint32_t>(18);
  const Buffer<float> squared_distances = device.buffer<float>(18);
  const KdNearest::Arguments good{nodes, 10, points, indices, squared_distances, 9};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    KdNearest::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { search.record(stream, arguments); });
  };
  fails({"'count'", "10", "9"}, [](auto& at) { at.count = 10; });
  fails({"'nodes'", "10"}, [](auto& at) { at.node_count = 11; });
  fails({"'nodes'", "multiple of 16"}, [&](auto& at) { at.nodes = odd, at.node_count = 9; });
  fails({"'queries'", "8"}, [&](auto& at) { at.queries = points.part(0, 26); });
  fails({"'indices'", "8"}, [&](auto& at) { at.indices = indices.part(0, 17); });
  fails({"'squared_distances'", "8"}, [&](auto& at) { at.squared_distances = squared_distances.part(0, 17); });
  fails({"'indices'", "'squared_distances'", "overlap"}, [&](auto& at) { at.squared_distances = indices; });
  fails({"'squared_radius'", "negative"}, [](auto& at) { at.squared_radius = -1; });
  fails({"'squared_radius'", "NaN"}, [](auto& at) { at.squared_radius = NAN; });
}
