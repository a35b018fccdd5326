// Weft on real data. For a mesh it computes the bounding box, the vertices above a plane, and the offsets of the
// vertices' triangle lists; for an image the distribution of luminance. Every device's answers are checked against the
// CPU, then drawn.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <optional>

#include <weft/weft.h>

#include "device_job.h"
#include "format.h"
#include "picture.h"

namespace {

struct Options {
  std::string mesh = "/usr/share/glmark2/models/bunny.obj";
  std::string image = "/usr/share/glmark2/textures/nasa1.png";
  std::vector<std::string> devices;
  std::string picture = "weft-demo.png";
  int runs = 21;
};

const char* describe(Task task) {
  switch (task) {
    case Task::bounds:
      return "bounding box (6 reductions)";
    case Task::above:
      return "vertices above the plane (compaction)";
    case Task::incident:
      return "triangles at each vertex (own kernel)";
    case Task::offsets:
      return "offsets of triangle lists (exclusive scan)";
    case Task::histogram:
      return "luminance histogram (own kernel)";
    case Task::cumulative:
      return "cumulative distribution (inclusive scan)";
  }
  return "";
}

std::vector<std::string> usable_devices() {
  std::vector<std::string> selectors;
  for (const weft::BackendInfo& backend : weft::list_devices()) {
    if (!backend.reason.empty()) std::printf("%s: %s\n", backend.name.c_str(), backend.reason.c_str());
    for (const weft::DeviceInfo& device : backend.devices) {
      if (device.refusal.empty()) {
        selectors.push_back(device.selector);
      } else {
        std::printf("%s (%s) is skipped: %s\n", device.selector.c_str(), device.name.c_str(), device.refusal.c_str());
      }
    }
  }
  return selectors;
}

/// Formats a rate with at least three digits.
std::string rate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value);
  return text;
}

void print_header() {
  std::printf("  %-42s %10s %10s %10s %9s  %s\n", "task", "elements", "ms", "Melem/s", "GB/s", "against the CPU");
}

/// Prints the row of a task; returns whether its answer is right.
bool print_row(const Measurement& m, const Answers& answers, const Answers& cpu) {
  const std::string problem = difference(m.task, answers, cpu);
  std::printf("  %-42s %10s %10.4f %10s %9s  %s\n", describe(m.task), grouped(m.elements).c_str(), m.seconds * 1e3,
              rate(double(m.elements) / m.seconds / 1e6).c_str(), rate(double(m.bytes) / m.seconds / 1e9).c_str(),
              problem.empty() ? "equal" : ("WRONG: " + problem).c_str());
  return problem.empty();
}

int run(const Options& options) {
  const Mesh mesh = load_mesh(options.mesh);
  const Image image = load_image(options.image);
  std::printf("mesh   %s: %s vertices, %s triangles\n", mesh.file.c_str(), grouped(mesh.vertices.size()).c_str(),
              grouped(mesh.corners.size() / 3).c_str());
  std::printf("image  %s: %u x %u pixels\n", image.file.c_str(), image.width, image.height);

  const std::vector<std::string> selectors = options.devices.empty() ? usable_devices() : options.devices;
  if (selectors.empty()) throw std::runtime_error("no usable device");
  const Answers cpu = answers_on_cpu(mesh, image);
  int wrong = 0;
  std::optional<std::pair<std::string, Answers>> shown;
  for (const std::string& selector : selectors) {
    const weft::Device device = weft::open_device(selector);
    std::printf("\n%s  %s, %s\n", device.info().selector.c_str(), device.info().name.c_str(),
                device.info().driver.c_str());
    print_header();
    Answers answers = run_on(device, mesh, image, options.runs,
                             [&](const Measurement& m, const Answers& so_far) { wrong += !print_row(m, so_far, cpu); });
    if (!shown) shown.emplace(device.info().name, std::move(answers));
  }
  std::printf("\nTimes are medians of %d runs by the device's clock; GB/s counts the least bytes to read and write.\n",
              options.runs);
  if (wrong != 0) {
    std::fprintf(stderr, "mesh_and_image: %d answers differ from the CPU's; no picture drawn\n", wrong);
    return 1;
  }
  write_picture(options.picture, shown->first, mesh, image, shown->second);
  std::printf("picture: %s\n", options.picture.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // shows rows at once, even through a pipe
  Options options;
  CLI::App app(
      "Runs Weft on a mesh and an image, checks the answers against the CPU, prints times and draws a picture.");
  app.add_option("--mesh", options.mesh, "A Wavefront .obj file")->capture_default_str();
  app.add_option("--image", options.image, "A PNG or JPEG file")->capture_default_str();
  app.add_option("--device", options.devices,
                 "Device to run on, as listed by `weft devices`; default: every usable one");
  app.add_option("--out", options.picture, "The picture to write (PNG)")->capture_default_str();
  app.add_option("--runs", options.runs, "Timed runs of each task")->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mesh_and_image: %s\n", error.what());
    return 1;
  }
}
