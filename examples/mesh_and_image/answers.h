#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "inputs.h"

/// The steps of the job; each has its own answer.
enum class Task { bounds, above, incident, offsets, histogram, cumulative };
inline constexpr std::array all_tasks = {Task::bounds,  Task::above,     Task::incident,
                                         Task::offsets, Task::histogram, Task::cumulative};

/// The results of the job, on a device or on the CPU. All are exact, so the two must agree to the last bit.
struct Answers {
  Point low, high;                   ///< Axis-aligned bounding box.
  float plane = 0;                   ///< Height of the plane, see plane_between().
  std::vector<Point> above;          ///< Vertices above the plane, in the mesh's order.
  std::vector<uint32_t> incident;    ///< Triangles at each vertex.
  std::vector<uint32_t> offsets;     ///< Start of each vertex's triangles in one long list.
  std::vector<uint32_t> histogram;   ///< Number of pixels at each level of luminance.
  std::vector<uint32_t> cumulative;  ///< Number of pixels at or below each level.
};

inline constexpr uint32_t luminance_levels = 256;

/// Luminance of a pixel as histogram.comp computes it: Rec. 601 weights in 256ths.
inline uint32_t luminance(uint32_t rgba) {
  return (77 * (rgba & 255) + 150 * (rgba >> 8 & 255) + 29 * (rgba >> 16 & 255)) >> 8;
}

/// Height of the plane: two fifths of the way from the box's floor to its ceiling. Always computed on the host, so that
/// device and CPU compare with the same number.
inline float plane_between(float low, float high) { return low + 0.4f * (high - low); }

/// Computes the answers with plain loops.
Answers answers_on_cpu(const Mesh& mesh, const Image& image);

/// Describes how the device's answer to `task` differs from the CPU's; empty if it does not.
std::string difference(Task task, const Answers& device, const Answers& cpu);
