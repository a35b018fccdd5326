// Ray traces a mesh on any device, through a hierarchy that Weft builds there: hard shadows, ambient occlusion, and
// beside it a map of the nodes that were read. Some pixels are compared with brute force.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include <weft/tree_reduce.h>

#include "picture.h"

namespace {

struct Options {
  std::string mesh = "/usr/share/glmark2/models/bunny.obj";
  std::string device;
  std::string picture = "weft-mesh.png";
  View view{512, 512, 8};
  uint32_t step = 32;
};

int run(const Options& options) {
  Mesh mesh = load_mesh(options.mesh);
  add_floor(mesh);
  const weft::Device device = weft::open_device(options.device);
  std::printf("%s  %s\n", device.info().selector.c_str(), device.info().name.c_str());
  const Rendering done = render(device, mesh, options.view, options.step);

  uint64_t nodes = 0, rays = 0;
  for (const Pixel& pixel : done.pixels) {
    nodes += pixel.nodes;
    rays += pixel.primitive == weft::tree::none ? 1 : 2 + options.view.rays;
  }
  std::printf("hierarchy over %zu triangles: %.3f ms\n", mesh.triangles.size(), 1e3 * done.build_seconds);
  std::printf("%llu rays: %.3f ms, %.2f million rays/s, %.1f nodes for each\n", static_cast<unsigned long long>(rays),
              1e3 * done.render_seconds, double(rays) / done.render_seconds / 1e6, double(nodes) / double(rays));
  std::printf("%zu pixels compared with brute force, %zu differ\n", done.compared, done.wrong);
  write_picture(options.picture, options.view, done.pixels);
  std::printf("picture: %s\n", options.picture.c_str());
  return done.wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Ray traces a mesh, checks some pixels against brute force, and writes a picture.");
  app.add_option("--mesh", options.mesh, "A Wavefront .obj file")->capture_default_str();
  app.add_option("--device", options.device, "Device to run on, as listed by `weft devices`; default: the best one");
  app.add_option("--out", options.picture, "The picture to write (PNG)")->capture_default_str();
  app.add_option("--width", options.view.width, "Of the picture's left half, in pixels")
      ->check(CLI::Range(1, 8192))
      ->capture_default_str();
  app.add_option("--height", options.view.height, "In pixels")->check(CLI::Range(1, 8192))->capture_default_str();
  app.add_option("--occlusion-rays", options.view.rays, "Rays around the surface of each pixel")
      ->check(CLI::Range(0, 31))
      ->capture_default_str();
  app.add_option("--check", options.step, "N: every Nth pixel of every Nth row is compared with brute force")
      ->check(CLI::Range(1, 8192))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ray_traced_mesh: %s\n", error.what());
    return 1;
  }
}
