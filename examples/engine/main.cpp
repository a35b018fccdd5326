// A small engine that owns its Vulkan device and lets Weft work in its frames: in one command buffer, a million
// particles are simulated, the dead removed, the living sorted by depth and listed by cell, and drawn. All counts stay
// on the device. Read, in this order: gpu.cpp (the device), weft_device.cpp (wrapping it), particles.cpp (what Weft
// does), and draw_frame() below. See docs/embedding.md.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "check.h"
#include "drawing.h"
#include "frames.h"
#include "pictures.h"
#include "weft_device.h"
#ifdef ENGINE_HAS_WINDOW
#include "window.h"
#endif

namespace {

struct Options {
  uint32_t particles = 1'000'000;
  std::array<uint32_t, 2> size{1280, 720};
  uint64_t frames = 0;  ///< 0: until the window is closed.
  std::string output;
  bool check = false, validate = false;
};

/// The state of a frame in flight on the CPU.
struct Scene {
  Scene(uint64_t frame, uint32_t capacity, float aspect) : camera(0.3f * seconds(frame), aspect) {
    const float angle = 2 * seconds(frame);
    step.emitter = {0.5f + 0.3f * std::sin(angle), 0.1f, 0.5f + 0.3f * std::cos(angle)};
    step.spread = frame == 1 ? 1 : 0;
    step.born = frame == 1 ? capacity / 2 : capacity / 100 + 1;
    step.seed = uint32_t(frame);
    step.seconds = 1.f / 60;
    step.depth_row = camera.row(3);
  }
  static float seconds(uint64_t frame) { return float(frame) / 60; }

  Camera camera;
  Step step{};
};

/// As many particles as asked for, as fit into a quarter of the device's memory, and as one dispatch reaches.
uint32_t capacity_on(const Gpu& gpu, uint32_t wanted) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(gpu.physical, &properties);
  const uint64_t reached = uint64_t{Particles::group_size} * properties.limits.maxComputeWorkGroupCount[0];
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(gpu.physical, &memory);
  uint64_t largest = 0;
  for (uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) {
    if (memory.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
      largest = std::max(largest, memory.memoryHeaps[heap].size);
    }
  }
  const uint64_t bytes_each = ParticleLayout(1 << 20).bytes >> 20;
  return uint32_t(std::min({uint64_t{wanted}, largest / 4 / bytes_each, reached}));
}

class Engine {
 public:
  Engine(const Gpu& gpu, const Options& options, std::unique_ptr<Screen> window)
      : gpu_(gpu),
        options_(options),
        memory_(gpu),
        arrays_(memory_, capacity_on(gpu, options.particles)),
        particles_(std::in_place, wrap(gpu, memory_), arrays_),
        frames_(gpu),
        window_(std::move(window)) {
    if (!window_) pictures_.emplace(gpu, memory_, VkExtent2D{options.size[0], options.size[1]});
    drawing_.emplace(gpu, screen().format());
    if (options.check) check_.emplace(arrays_, memory_);
    std::printf("%s, room for %u particles\n", gpu.name.c_str(), arrays_.layout.capacity);
  }
  ~Engine() { vkDeviceWaitIdle(gpu_.device); }  // also after an error

  void run() {
    uint64_t number = 1;
    while ((options_.frames == 0 || number <= options_.frames) && draw_frame(number)) ++number;
    while (finished_ + 1 < number) finish(finished_ + 1);
    if (check_) check_without_weft();
  }

 private:
  Screen& screen() { return window_ ? *window_ : *pictures_; }

  /// Returns false if the window was closed.
  bool draw_frame(uint64_t number) {
    if (finished_ + Frames::in_flight < number) finish(number - Frames::in_flight);
    Frame frame = frames_.begin(number);
    const std::optional<Target> target = screen().begin(frame);
    if (!target) return false;
    const float aspect = float(target->size.width) / float(target->size.height);
    const Scene& scene = scenes_[Frames::slot(number)].emplace(number, arrays_.layout.capacity, aspect);

    drawing_->bind(frame.commands, target->size);  // Weft leaves graphics state as it is
    particles_->record(frame.commands, number, scene.step);
    if (check_) check_->record(frame);
    drawing_->draw(frame.commands, *target, arrays_, scene.camera);
    screen().end(frame);

    frames_.submit(frame);
    screen().show(frame);
    return true;
  }

  /// Waits for the next frame to be done. Afterwards its resources may be used again, Weft's too.
  void finish(uint64_t number) {
    frames_.wait(number);
    particles_->finished(number);
    const Scene& scene = *scenes_[Frames::slot(number)];
    if (!options_.output.empty() && pictures_) {
      char name[32];
      std::snprintf(name, sizeof name, "frame_%04llu.png", static_cast<unsigned long long>(number));
      pictures_->write(number, (std::filesystem::path(options_.output) / name).string());
    }
    if (check_) check_->verify(number, scene.step, scene.camera, *pictures_);
    finished_ = number;
  }

  /// Draws the last frame again when Weft is gone. The picture must be the same.
  void check_without_weft() {
    particles_.reset();
    const std::span<const std::byte> pixels = pictures_->pixels(finished_);
    const std::vector<std::byte> expected(pixels.begin(), pixels.end());
    Frame frame = frames_.begin(finished_ + 1);
    drawing_->bind(frame.commands, pictures_->size());
    drawing_->draw(frame.commands, *pictures_->begin(frame), arrays_, scenes_[Frames::slot(finished_)]->camera);
    pictures_->end(frame);
    frames_.submit(frame);
    frames_.wait(frame.number);
    if (!std::ranges::equal(pictures_->pixels(frame.number), expected)) {
      throw std::runtime_error("the picture without Weft differs from the last one");
    }
  }

  const Gpu& gpu_;
  Options options_;
  Memory memory_;
  ParticleArrays arrays_;
  std::optional<Particles> particles_;
  Frames frames_;
  std::unique_ptr<Screen> window_;
  std::optional<Pictures> pictures_;
  std::optional<Drawing> drawing_;
  std::optional<Check> check_;
  std::array<std::optional<Scene>, Frames::in_flight> scenes_;
  uint64_t finished_ = 0;  ///< The last frame that is done.
};

void run(const Options& options) {
  const bool shown = options.output.empty() && !options.check;
  if (!shown && options.frames == 0) throw std::runtime_error("without a window, --frames must say when to stop");
  uint32_t messages = 0;
  Gpu::Options wanted;
  if (options.validate) wanted.messages = &messages;
#ifdef ENGINE_HAS_WINDOW
  std::optional<Window> window;
  if (shown) {
    window.emplace(options.size[0], options.size[1]);
    wanted.instance_extensions = window->extensions();
    wanted.device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    wanted.make_surface = [&](VkInstance instance) { return window->make_surface(instance); };
  }
#else
  if (shown) throw std::runtime_error("built without GLFW, so without a window; use --frames with --output or --check");
#endif
  {
    const Gpu gpu(wanted);
    std::unique_ptr<Screen> screen;
#ifdef ENGINE_HAS_WINDOW
    if (window) screen = std::make_unique<Swapchain>(gpu, *window);
#endif
    Engine(gpu, options, std::move(screen)).run();
  }
  if (messages != 0) throw std::runtime_error("the validation layer found faults");
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app("Draws particles that Weft simulates, sorts and counts in the engine's own command buffers.");
  app.add_option("--particles", options.particles, "room for this many particles")->check(CLI::Range(1, 100'000'000));
  app.add_option("--size", options.size, "width and height of the picture")->check(CLI::Range(1, 8192));
  app.add_option("--frames", options.frames, "stop after this many frames");
  app.add_option("--output", options.output, "no window: write each frame to a PNG in this folder");
  app.add_flag("--check", options.check, "no window: compare each frame with the CPU");
  app.add_flag("--validate", options.validate, "run under the Khronos validation layer; any message is a failure");
  CLI11_PARSE(app, argc, argv);
  if (!options.output.empty()) std::filesystem::create_directories(options.output);
  run(options);
  if (options.check) std::printf("%llu frames agree with the CPU\n", static_cast<unsigned long long>(options.frames));
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "engine: %s\n", error.what()), 1;
}
