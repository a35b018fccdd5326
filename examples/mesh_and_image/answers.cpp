#include "answers.h"

#include <algorithm>
#include <numeric>

Answers answers_on_cpu(const Mesh& mesh, const Image& image) {
  Answers a;
  a.low = a.high = mesh.vertices.front();
  for (const Point& p : mesh.vertices) {
    a.low = {std::min(a.low.x, p.x), std::min(a.low.y, p.y), std::min(a.low.z, p.z)};
    a.high = {std::max(a.high.x, p.x), std::max(a.high.y, p.y), std::max(a.high.z, p.z)};
  }
  a.plane = plane_between(a.low.y, a.high.y);
  std::copy_if(mesh.vertices.begin(), mesh.vertices.end(), std::back_inserter(a.above),
               [&](const Point& p) { return p.y > a.plane; });

  a.incident.resize(mesh.vertices.size());
  for (uint32_t corner : mesh.corners) ++a.incident[corner];
  a.offsets.resize(a.incident.size());
  std::exclusive_scan(a.incident.begin(), a.incident.end(), a.offsets.begin(), 0u);

  a.histogram.resize(luminance_levels);
  for (uint32_t pixel : image.pixels) ++a.histogram[luminance(pixel)];
  a.cumulative.resize(luminance_levels);
  std::inclusive_scan(a.histogram.begin(), a.histogram.end(), a.cumulative.begin());
  return a;
}

namespace {

template <typename T>
std::string first_difference(const std::vector<T>& device, const std::vector<T>& cpu) {
  if (device.size() != cpu.size()) {
    return std::to_string(device.size()) + " elements instead of " + std::to_string(cpu.size());
  }
  const auto at = std::mismatch(device.begin(), device.end(), cpu.begin()).first - device.begin();
  return size_t(at) == device.size() ? "" : "element " + std::to_string(at) + " is wrong";
}

}  // namespace

std::string difference(Task task, const Answers& device, const Answers& cpu) {
  switch (task) {
    case Task::bounds:
      return first_difference(std::vector{device.low, device.high}, std::vector{cpu.low, cpu.high});
    case Task::above:
      return first_difference(device.above, cpu.above);
    case Task::incident:
      return first_difference(device.incident, cpu.incident);
    case Task::offsets:
      return first_difference(device.offsets, cpu.offsets);
    case Task::histogram:
      return first_difference(device.histogram, cpu.histogram);
    case Task::cumulative:
      return first_difference(device.cumulative, cpu.cumulative);
  }
  return "not a task";
}
