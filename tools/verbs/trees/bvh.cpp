#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>

#include <weft/lbvh.h>

#include "support/mesh.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"
#include "tools/verbs/trees/bvh_picture.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const bvh_footer =
    R"(MESH is a Wavefront .obj file. Two bounding volume hierarchies are built over its triangles, by Lbvh of weft/lbvh.h: a
linear one, and an agglomerative one, which takes longer to build and is quicker to traverse. The depth of a leaf is the
number of nodes above it. The surface-area cost is the expected number of nodes and leaves that a long ray meets;
a mesh whose bounding box has no area has none.

The picture shows how many nodes the ray of each pixel reads to find the first triangle, from black for none over blue,
red and yellow to white; the linear hierarchy is at the left. With it, the statistics have the mean of those rays that
read any.

Examples:
  weft bvh bunny.obj --statistics
  weft bvh bunny.obj --statistics --picture nodes.png --size 1024)";

struct BvhOptions : PrimitiveOptions {
  std::string picture;
  uint32_t size = 512;
  bool statistics = false;
};

// Triangles on the device, by index.
struct Triangles {
  Triangles(Stream& stream, const Mesh& mesh)
      : count(uint32_t(mesh.triangles.size())),
        vertices(upload(stream, std::as_bytes(std::span(mesh.vertices)))),
        indices(upload(stream, std::as_bytes(std::span(mesh.triangles)))) {}

  uint32_t count;
  Buffer<std::byte> vertices, indices;
};

// A hierarchy on the device.
struct Tree {
  Tree(Stream& stream, const Triangles& triangles, Lbvh::Builder builder, uint32_t repeat)
      : nodes(stream.device().buffer<BvhNode>(triangles.count - 1)),
        indices(stream.device().buffer<uint32_t>(triangles.count)),
        leaf_parents(stream.device().buffer<uint32_t>(triangles.count)),
        bounds(stream.device().buffer<Box<3>>(1)),
        times(build(stream, triangles, builder, repeat)) {}

  Buffer<BvhNode> nodes;
  Buffer<uint32_t> indices, leaf_parents;
  Buffer<Box<3>> bounds;
  RunTimes times;

 private:
  RunTimes build(Stream& stream, const Triangles& triangles, Lbvh::Builder builder, uint32_t repeat) const {
    const Lbvh plan(stream.device(), BvhPrimitive::indexed_triangles(), triangles.count, {.builder = builder});
    const auto temporary = stream.device().buffer<std::byte>(plan.temporary_bytes());
    return timed_run(stream, repeat, {nodes, indices, leaf_parents, bounds}, [&](Recorder& recorder) {
      plan.record(recorder, {triangles.indices, nodes, indices, leaf_parents, bounds, triangles.count, temporary,
                             triangles.vertices});
    });
  }
};

struct Depths {
  uint32_t most = 0;
  double mean = 0;
};

Depths depths_of(std::span<const BvhNode> nodes, uint32_t leaves) {
  Depths depths;
  std::vector<std::pair<uint32_t, uint32_t>> todo;  // Nodes, and their own depth and 1.
  if (!nodes.empty()) todo.emplace_back(0, 1);
  while (!todo.empty()) {
    const auto [node, depth] = todo.back();
    todo.pop_back();
    for (const uint32_t child : nodes[node].children) {
      if (child < tree::leaf) {
        todo.emplace_back(child, depth + 1);
      } else {
        depths.most = std::max(depths.most, depth);
        depths.mean += double(depth) / leaves;
      }
    }
  }
  return depths;
}

// Both hierarchies, and a row for each of their properties.
class MeshComparison {
 public:
  MeshComparison(const BvhOptions& options, Stream& stream, const Mesh& mesh)
      : stream_(stream), triangles_(stream, mesh) {
    for (const Lbvh::Builder builder : {Lbvh::Builder::one_pass, Lbvh::Builder::agglomerative}) {
      trees_.emplace_back(stream, triangles_, builder, options.repeat);
    }
  }

  void print_statistics() {
    add_row("build time", [](const Tree& tree) { return format_seconds(tree.times.median()); });
    add_row("triangles", [&](const Tree&) { return format_count(triangles_.count); });
    add_row("nodes", [](const Tree& tree) { return format_count(tree.nodes.size()); });
    std::vector<Depths> depths;
    for (const Tree& tree : trees_) depths.push_back(depths_of(stream_.download(tree.nodes), triangles_.count));
    const auto depth_of = [&](const Tree& tree) { return depths[size_t(&tree - trees_.data())]; };
    add_row("greatest depth", [&](const Tree& tree) { return std::to_string(depth_of(tree).most); });
    add_row("mean depth", [&](const Tree& tree) { return format("%.2f", depth_of(tree).mean); });
    add_row("surface-area cost", [&](const Tree& tree) {
      const float cost = surface_area_cost(stream_, tree.nodes.view());
      return std::isnan(cost) ? "none" : format("%.2f", double(cost));
    });
    if (pictures_.empty()) return print();
    add_row("nodes read by a ray", [&](const Tree& tree) {
      const std::vector<uint32_t>& picture = pictures_[size_t(&tree - trees_.data())];
      const auto rays = double(picture.size()) - double(std::ranges::count(picture, 0u));
      return format("%.2f", std::accumulate(picture.begin(), picture.end(), 0.0) / std::max(rays, 1.0));
    });
    print();
  }

  std::vector<std::byte> draw(uint32_t size) {
    for (const Tree& tree : trees_) {
      const Bvh bvh = Bvh::of(tree.nodes, tree.indices, tree.bounds, triangles_.count);
      pictures_.push_back(
          nodes_read(stream_, bvh, triangles_.indices, triangles_.vertices, stream_.download(tree.bounds)[0], size));
    }
    return heat_map(pictures_, size);
  }

 private:
  template <typename Cell>
  void add_row(const std::string& name, const Cell& cell) {
    rows_.push_back({name, cell(trees_[0]), cell(trees_[1])});
  }

  void print() const {
    Table table({{""}, {"linear", Table::Align::right}, {"agglomerative", Table::Align::right}});
    for (const std::vector<std::string>& row : rows_) table.fit(row);
    std::printf("%s", table.header().c_str());
    for (const std::vector<std::string>& row : rows_) std::printf("%s", table.row(row).c_str());
  }

  Stream& stream_;
  Triangles triangles_;
  std::vector<Tree> trees_;
  std::vector<std::vector<uint32_t>> pictures_;
  std::vector<std::vector<std::string>> rows_;
};

void run(const BvhOptions& options) {
  if (!options.statistics && options.picture.empty()) {
    throw Error(ErrorCode::invalid_argument, "nothing to do: give --statistics, --picture FILE or both");
  }
  const Mesh mesh = read_obj(input_path(options.input));
  if (mesh.triangles.size() > Lbvh::max_primitives) {
    throw Error(ErrorCode::invalid_argument, options.input + " has " + format_count(mesh.triangles.size()) +
                                                 " triangles; hierarchies have up to " +
                                                 format_count(Lbvh::max_primitives));
  }
  if (!options.picture.empty()) require_other_file(options.picture, options.input, "the mesh");
  std::optional<OutputFile> file = support::open_output(options.picture);
  const Device device = options.open_device();
  note(format_count(mesh.triangles.size()) + " triangles of " + format_count(mesh.vertices.size()) + " vertices on " +
       describe(device));
  if (!mesh.ignored.empty()) note(options.input + ": " + mesh.ignored);
  Stream stream = device.stream();
  MeshComparison comparison(options, stream, mesh);
  if (file) {
    file->write(comparison.draw(options.size));
    file->commit();
  }
  if (options.statistics) comparison.print_statistics();
}

}  // namespace

void add_bvh(CommandLine& command_line) {
  auto options = std::make_shared<BvhOptions>();
  Verb verb = command_line.add_verb("bvh", "Compare bounding volume hierarchies over a mesh");
  verb.add_option("MESH", options->input, "A Wavefront .obj file; - is standard input").required().type_name("FILE");
  verb.add_flag("--statistics", options->statistics, "Print the hierarchies' sizes, depths, costs and build times");
  add_output_option(verb, "--picture", options->picture, "Write a PNG image of the nodes that each pixel's ray reads");
  verb.add_option("--size", options->size, "Width and height of each half of the picture, in pixels")
      .type_name("N")
      .range(1u, 8192u)
      .capture_default();
  add_device_option(verb, options->device);
  verb.add_option("--repeat", options->repeat,
                  "Build N times, and report the median time; on some drivers the first one includes compilation")
      .type_name("N")
      .range(1u, 1000000u)
      .capture_default();
  verb.add_option("--timeout", options->timeout_seconds, "Give up after this many seconds")
      .type_name("SECONDS")
      .range(0.001, 1e6)
      .capture_default();
  verb.footer(bvh_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
