#include "renderer.h"

#include <cmath>

#include <weft/bvh_query.h>
#include <weft/lbvh.h>

#include "ray_traced_mesh_kernels.h"

namespace {

using weft::Buffer;

/// The scene of render.comp, member by member.
struct Scene {
  weft::Bvh bvh;
  weft::Pointer<Triangle> triangles;
  weft::Pointer<Point> vertices;
  weft::Pointer<Pixel> pixels;
  Point eye, corner, right, down, sun;
  float reach, offset;
  uint32_t width, height, rays;
};

struct Arguments {
  weft::Pointer<Scene> scene;
  uint32_t step, brute_force;
};

Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator*(float a, const Point& b) { return {a * b[0], a * b[1], a * b[2]}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
float length(const Point& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
Point unit(const Point& a) { return (1 / length(a)) * a; }

/// Looks at the mesh from the front, a little from above.
void aim(Scene& scene, const Mesh& mesh, const View& view) {
  const Point middle = 0.5f * (mesh.low + mesh.high);
  const float size = length(mesh.high - mesh.low);
  scene.eye = middle + size * Point{0.25f, 0.4f, 1.15f};
  scene.sun = unit({0.8f, 1.0f, 0.45f});
  scene.reach = 0.25f * size;
  scene.offset = 1e-4f * size;
  const Point forward = unit(middle - scene.eye), right = unit(cross(forward, {0, 1, 0}));
  const float pixel = 0.9f / float(std::min(view.width, view.height));
  scene.right = pixel * right;
  scene.down = pixel * cross(forward, right);
  scene.corner = forward - 0.5f * float(view.width) * scene.right - 0.5f * float(view.height) * scene.down;
}

/// Whether both hit the same, except that rounding may choose another triangle at the same distance.
bool same(const Pixel& a, const Pixel& b) {
  if (a.primitive == weft::tree::none || b.primitive == weft::tree::none) return a.primitive == b.primitive;
  return std::abs(a.t - b.t) <= 1e-5f * a.t && (a.primitive != b.primitive || a.blocked == b.blocked);
}

class Renderer {
 public:
  Renderer(const weft::Device& device, const Mesh& mesh)
      : device_(device),
        stream_(device.stream()),
        count_(uint32_t(mesh.triangles.size())),
        kernel_(device.kernel(ray_traced_mesh::kernels::render())),
        build_(device, weft::BvhPrimitive::indexed_triangles(), count_),
        triangles_(device.buffer<Triangle>(count_)),
        vertices_(device.buffer<Point>(mesh.vertices.size())),
        nodes_(device.buffer<weft::BvhNode>(count_ - 1)),
        indices_(device.buffer<uint32_t>(count_)),
        leaf_parents_(device.buffer<uint32_t>(count_)),
        bounds_(device.buffer<weft::Box<3>>(1)),
        temporary_(device.buffer<std::byte>(build_.temporary_bytes())) {
    stream_.upload(triangles_, mesh.triangles);
    stream_.upload(vertices_, mesh.vertices);
  }

  Rendering render(const Mesh& mesh, const View& view, uint32_t step) {
    const Buffer<Pixel> pixels = device_.buffer<Pixel>(uint64_t{view.width} * view.height);
    const Buffer<Scene> memory = device_.buffer<Scene>(1);
    Scene scene{weft::Bvh::of(nodes_, indices_, bounds_, count_),
                triangles_.pointer(),
                vertices_.pointer(),
                pixels.pointer(),
                {},
                {},
                {},
                {},
                {},
                0,
                0,
                view.width,
                view.height,
                view.rays};
    aim(scene, mesh, view);
    stream_.upload(memory, std::vector{scene});
    Rendering done{};
    done.build_seconds = seconds([&] {
      build_.record(stream_, {triangles_, nodes_, indices_, leaf_parents_, bounds_, count_, temporary_, vertices_});
    });
    done.render_seconds = seconds([&] { trace(memory, view, 1, false); });
    done.pixels = stream_.download(pixels);
    trace(memory, view, step, true);
    const std::vector<Pixel> expected = stream_.download(pixels);
    for (uint32_t y = 0; y < view.height; y += step) {
      for (uint32_t x = 0; x < view.width; x += step) {
        const size_t i = size_t{y} * view.width + x;
        ++done.compared;
        done.wrong += !same(done.pixels[i], expected[i]);
      }
    }
    return done;
  }

 private:
  void trace(const Buffer<Scene>& scene, const View& view, uint32_t step, bool brute_force) {
    const auto groups = [&](uint32_t pixels) { return ((pixels + step - 1) / step + 7) / 8; };
    stream_.dispatch(kernel_, {groups(view.width), groups(view.height)},
                     Arguments{scene.pointer(), step, brute_force ? 1u : 0u});
  }

  /// Of the second of two runs.
  template <typename Record>
  double seconds(const Record& record) {
    record();
    const weft::Timestamp start = stream_.timestamp();
    record();
    const weft::Timestamp end = stream_.timestamp();
    stream_.synchronize();
    return end.seconds_since(start);
  }

  weft::Device device_;
  weft::Stream stream_;
  uint32_t count_;
  weft::Kernel kernel_;
  weft::Lbvh build_;
  Buffer<Triangle> triangles_;
  Buffer<Point> vertices_;
  Buffer<weft::BvhNode> nodes_;
  Buffer<uint32_t> indices_, leaf_parents_;
  Buffer<weft::Box<3>> bounds_;
  Buffer<std::byte> temporary_;
};

}  // namespace

Rendering render(const weft::Device& device, const Mesh& mesh, const View& view, uint32_t step) {
  return Renderer(device, mesh).render(mesh, view, step);
}
