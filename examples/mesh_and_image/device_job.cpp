#include "device_job.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <span>

#include <weft/compact.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include "mesh_and_image_kernels.h"

namespace {

using weft::Buffer;
using weft::Element;
using weft::Operator;
using weft::Pointer;

/// Arguments of the example's own two kernels.
struct KernelArguments {
  Pointer<uint32_t> input, counts;
  uint32_t count = 0;
};

/// One device, one stream, and the clock that times every task.
class Job {
 public:
  Job(const weft::Device& device, int runs) : device_(device), stream_(device.stream()), runs_(runs) {}

  void bounds(const Mesh& mesh);
  void above(const Mesh& mesh);
  void incident(const Mesh& mesh);
  void offsets();
  void histogram(const Image& image);
  void cumulative();

  Answers answers;
  Measurement measured;  ///< The latest task.

 private:
  template <typename T>
  Buffer<T> uploaded(const std::vector<T>& data) {
    Buffer<T> buffer = device_.buffer<T>(data.size());
    stream_.upload(buffer, data);
    return buffer;
  }

  /// Records the task once to warm up, then `runs_` times between timestamps.
  void measure(Task task, uint64_t elements, uint64_t bytes, const std::function<void()>& record) {
    record();
    std::vector<std::pair<weft::Timestamp, weft::Timestamp>> spans;
    for (int run = 0; run < runs_; ++run) {
      const weft::Timestamp start = stream_.timestamp();
      record();
      spans.emplace_back(start, stream_.timestamp());
    }
    stream_.synchronize();
    std::vector<double> seconds;
    for (const auto& [start, end] : spans) seconds.push_back(end.seconds_since(start));
    std::sort(seconds.begin(), seconds.end());
    measured = {task, elements, bytes, seconds[seconds.size() / 2]};
  }

  void count_into(const weft::Kernel& kernel, const Buffer<uint32_t>& input, const Buffer<uint32_t>& counts) {
    const auto count = uint32_t(input.size());
    const uint32_t groups = std::clamp((count + 255) / 256, 1u, 1024u);
    stream_.fill(counts, 0u);
    stream_.dispatch(kernel, {groups}, KernelArguments{input.pointer(), counts.pointer(), count});
  }

  std::vector<uint32_t> scanned(Task task, weft::ScanKind kind, const std::vector<uint32_t>& values);

  weft::Device device_;
  weft::Stream stream_;
  int runs_;
};

/// Six reductions: the minimum and maximum of each coordinate.
void Job::bounds(const Mesh& mesh) {
  const uint64_t count = mesh.vertices.size();
  std::vector<float> coordinates[3];
  for (const Point& p : mesh.vertices) {
    coordinates[0].push_back(p.x);
    coordinates[1].push_back(p.y);
    coordinates[2].push_back(p.z);
  }
  const Buffer<float> input[] = {uploaded(coordinates[0]), uploaded(coordinates[1]), uploaded(coordinates[2])};
  const Buffer<float> output = device_.buffer<float>(6);
  stream_.fill(output, std::numeric_limits<float>::quiet_NaN());
  const weft::Reduce smallest(device_, Element::of<float>(), Operator::min(), count);
  const weft::Reduce largest(device_, Element::of<float>(), Operator::max(), count);
  const auto temporary = device_.buffer<std::byte>(std::max(smallest.temporary_bytes(), largest.temporary_bytes()));

  measure(Task::bounds, 6 * count, 6 * count * sizeof(float), [&] {
    for (uint64_t axis = 0; axis < 3; ++axis) {
      smallest.record(stream_, {input[axis], output.part(axis, 1), count, temporary});
      largest.record(stream_, {input[axis], output.part(3 + axis, 1), count, temporary});
    }
  });
  const std::vector<float> corners = stream_.download(output);
  Answers& a = answers;
  a.low = {corners[0], corners[1], corners[2]};
  a.high = {corners[3], corners[4], corners[5]};
  a.plane = plane_between(a.low.y, a.high.y);
}

/// Selects the vertices above the plane, in order. The predicate is GLSL, compiled for this plane.
void Job::above(const Mesh& mesh) {
  const uint64_t count = mesh.vertices.size();
  char predicate[64];
  std::snprintf(predicate, sizeof predicate, "x.y > %.9g", double(answers.plane));
  const Element vertex = Element::structure({{"float", "x"}, {"float", "y"}, {"float", "z"}});
  const weft::Compact compact(device_, vertex, weft::Selection::when(predicate), count);

  const Buffer<Point> input = uploaded(mesh.vertices), output = device_.buffer<Point>(count);
  const Buffer<uint64_t> selected = device_.buffer<uint64_t>(1);
  const auto temporary = device_.buffer<std::byte>(compact.temporary_bytes());
  stream_.fill(output.view().as<uint32_t>(), 0xDEADBEEFu);
  const auto record = [&] { compact.record(stream_, {input, {}, output, selected, count, temporary}); };
  record();
  const uint64_t kept = std::min(stream_.download(selected)[0], count);
  measure(Task::above, count, (count + kept) * sizeof(Point), record);
  answers.above = stream_.download(output.part(0, kept));
}

/// Counts the triangles at each vertex, with the example's own kernel.
void Job::incident(const Mesh& mesh) {
  const weft::Kernel kernel = device_.kernel(kernels::incidence());
  const Buffer<uint32_t> corners = uploaded(mesh.corners);
  const Buffer<uint32_t> counts = device_.buffer<uint32_t>(mesh.vertices.size());
  measure(Task::incident, corners.size(), corners.bytes() + counts.bytes(),
          [&] { count_into(kernel, corners, counts); });
  answers.incident = stream_.download(counts);
}

/// Counts the pixels at each level of luminance, with the example's own kernel.
void Job::histogram(const Image& image) {
  const weft::Kernel kernel = device_.kernel(kernels::histogram());
  const Buffer<uint32_t> pixels = uploaded(image.pixels);
  const Buffer<uint32_t> levels = device_.buffer<uint32_t>(luminance_levels);
  measure(Task::histogram, pixels.size(), pixels.bytes() + levels.bytes(), [&] { count_into(kernel, pixels, levels); });
  answers.histogram = stream_.download(levels);
}

std::vector<uint32_t> Job::scanned(Task task, weft::ScanKind kind, const std::vector<uint32_t>& values) {
  const weft::Scan scan(device_, Element::of<uint32_t>(), Operator::sum(), values.size(), {kind});
  const Buffer<uint32_t> input = uploaded(values), output = device_.buffer<uint32_t>(values.size());
  stream_.fill(output, 0xDEADBEEFu);
  const auto temporary = device_.buffer<std::byte>(scan.temporary_bytes());
  measure(task, values.size(), input.bytes() + output.bytes(),
          [&] { scan.record(stream_, {input, output, values.size(), temporary}); });
  return stream_.download(output);
}

void Job::offsets() { answers.offsets = scanned(Task::offsets, weft::ScanKind::exclusive, answers.incident); }

void Job::cumulative() { answers.cumulative = scanned(Task::cumulative, weft::ScanKind::inclusive, answers.histogram); }

}  // namespace

Answers run_on(const weft::Device& device, const Mesh& mesh, const Image& image, int runs, const TaskDone& done) {
  Job job(device, runs);
  const auto run = [&](auto task) {
    task();
    done(job.measured, job.answers);
  };
  run([&] { job.bounds(mesh); });
  run([&] { job.above(mesh); });
  run([&] { job.incident(mesh); });
  run([&] { job.offsets(); });
  run([&] { job.histogram(image); });
  run([&] { job.cumulative(); });
  return std::move(job.answers);
}
