// Thousands of spheres fall into a heap. In each frame weft::FindPairs finds the pairs whose boxes overlap, and a
// kernel pushes apart those that touch. Frames are drawn to PNG files, and their pairs compared with those of all boxes
// on the CPU. See docs/primitives/pairs.md.
//
//   collisions [DEVICE [BODIES [FRAMES [FOLDER]]]]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <weft/find_pairs.h>
#include <weft/weft.h>

#include "body.h"
#include "collisions_kernels.h"
#include "picture.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t steps_of_a_frame = 4;
constexpr float step = 1.0f / 240;

struct Push {
  int32_t change[3];
  uint32_t contacts;
};

// The push-constant block of bodies.glsl.
struct Block {
  weft::Pointer<Body> bodies;
  weft::Pointer<Push> pushes;
  weft::Pointer<weft::IndexPair> pairs;
  weft::Pointer<uint64_t> found;
  uint32_t count, capacity;
  float step;
  uint32_t unused = 0;
};

/// Spheres of different sizes that fill an eighth of the cube, most of them in its upper half.
std::vector<Body> random_bodies(uint32_t count) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> unit(0, 1);
  const float radius = std::cbrt(0.24f / float(count));
  std::vector<Body> bodies(count);
  for (Body& body : bodies) {
    body.radius = radius * (0.6f + 0.8f * unit(generator));
    const float most = 1 - body.radius;
    body.at = {most * (2 * unit(generator) - 1), most * (1.4f * unit(generator) - 0.4f),
               most * (2 * unit(generator) - 1)};
  }
  return bodies;
}

weft::BvhPrimitive sphere() {
  const weft::Element body = weft::Element::structure<Body>(
      {{"at", &Body::at}, {"radius", &Body::radius}, {"velocity", &Body::velocity}, {"contacts", &Body::contacts}});
  return weft::BvhPrimitive::of(body, "x.at - x.radius", "x.at + x.radius");
}

class Simulation {
 public:
  Simulation(const weft::Device& device, const std::vector<Body>& bodies)
      : stream_(device.stream()),
        count_(uint32_t(bodies.size())),
        capacity_(16 * count_),
        find_(device, sphere(), count_),
        respond_(device.kernel(kernels::respond())),
        move_(device.kernel(kernels::move())),
        bodies_(device.buffer<Body>(count_)),
        pushes_(device.buffer<Push>(count_)),
        pairs_(device.buffer<weft::IndexPair>(capacity_)),
        found_(device.buffer<uint64_t>(1)),
        temporary_(device.buffer<std::byte>(find_.temporary_bytes())) {
    stream_.upload(bodies_, bodies);
    stream_.fill(pushes_.view().as<uint32_t>(), 0u);
  }

  void find_pairs() { find_.record(stream_, {bodies_, pairs_, found_, count_, temporary_}); }
  void move() {
    const Block block{
        bodies_.pointer(), pushes_.pointer(), pairs_.pointer(), found_.pointer(), count_, capacity_, step};
    stream_.dispatch(respond_, {256}, block);
    stream_.dispatch(move_, {(count_ + 63) / 64}, block);
  }

  void wait() { stream_.synchronize(); }
  std::vector<Body> bodies() { return stream_.download(bodies_); }
  /// In ascending order. Throws if there were more than there is room for.
  std::vector<weft::IndexPair> pairs() {
    const uint64_t found = stream_.download(found_)[0];
    if (found > capacity_) {
      throw weft::Error(
          weft::ErrorCode::invalid_argument,
          "collisions: " + std::to_string(found) + " pairs, and there is room for " + std::to_string(capacity_));
    }
    std::vector<weft::IndexPair> pairs = stream_.download(pairs_.part(0, found));
    std::ranges::sort(pairs);
    return pairs;
  }

 private:
  weft::Stream stream_;
  uint32_t count_, capacity_;
  weft::FindPairs find_;
  weft::Kernel respond_, move_;
  weft::Buffer<Body> bodies_;
  weft::Buffer<Push> pushes_;
  weft::Buffer<weft::IndexPair> pairs_;
  weft::Buffer<uint64_t> found_;
  weft::Buffer<std::byte> temporary_;
};

/// The pairs of all boxes, in ascending order.
std::vector<weft::IndexPair> brute_force(const std::vector<Body>& bodies) {
  std::vector<weft::Box<3>> boxes(bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      boxes[i].low[axis] = bodies[i].at[axis] - bodies[i].radius;
      boxes[i].high[axis] = bodies[i].at[axis] + bodies[i].radius;
    }
  }
  std::vector<weft::IndexPair> pairs;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    for (uint32_t j = i + 1; j < boxes.size(); ++j) {
      const weft::Box<3>&a = boxes[i], &b = boxes[j];
      bool touch = true;
      for (size_t axis = 0; axis < 3; ++axis) {
        touch = touch && a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
      }
      if (touch) pairs.push_back({i, j});
    }
  }
  return pairs;
}

bool are_inside(const std::vector<Body>& bodies) {
  return std::ranges::all_of(
      bodies, [](const Body& body) { return std::ranges::all_of(body.at, [](float x) { return x >= -1 && x <= 1; }); });
}

std::string file_of_frame(const std::string& folder, uint32_t frame) {
  char name[32];
  std::snprintf(name, sizeof name, "collisions_%03u.png", frame);
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string selector = argc > 1 ? argv[1] : "", folder = argc > 4 ? argv[4] : ".";
  const auto count = uint32_t(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10'000);
  const auto frames = uint32_t(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 60);
  if (count == 0 || count > 1 << 20) {
    throw weft::Error(weft::ErrorCode::invalid_argument, "collisions: from 1 to 1048576 bodies");
  }
  std::filesystem::create_directories(folder);
  const weft::Device device = weft::open_device(selector);
  Simulation simulation(device, random_bodies(count));
  std::printf("%s: %u bodies\n", device.info().name.c_str(), count);
  bool right = true;
  for (uint32_t frame = 0; frame < frames; ++frame) {
    const Clock::time_point start = Clock::now();
    for (uint32_t i = 0; i < steps_of_a_frame; ++i) {
      simulation.find_pairs();
      simulation.move();
    }
    simulation.wait();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    simulation.find_pairs();
    const std::vector<Body> bodies = simulation.bodies();
    const std::vector<weft::IndexPair> pairs = simulation.pairs();
    const bool frame_is_right = pairs == brute_force(bodies) && are_inside(bodies);
    write_picture(file_of_frame(folder, frame), bodies);
    std::printf("frame %3u: %7zu pairs, %8.3f ms a step   %s\n", frame, pairs.size(), seconds * 1e3 / steps_of_a_frame,
                frame_is_right ? "right" : "WRONG");
    right &= frame_is_right;
  }
  return right ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
