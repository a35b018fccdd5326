#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/glsl.h>

#include "bench/programs/timed_process.h"
#include "core/src/runtime/backend.h"

// Measures the parts of the time from a process's start to the first result of a cached kernel. Each run is a separate
// process. The first run, which may have to compile, does not count.
//
//   cold_start [DEVICE [RUNS]]      cold_start cuda 20
namespace {

using namespace weft;
using bench::median_of;

constexpr std::array parts{
    "start of the process, to main()", "the backend lists its devices: the driver starts", "the device opens",
    "the kernel, from cache",          "stream, memory, upload, dispatch, download",       "total",
    "processors' time, until the end"};
// The CUDA driver alone, in a process without Weft: the least that any program on CUDA takes.
constexpr const char* driver_alone = "driver-alone";

int run_weft(const std::string& selector, const char* started) {
  bench::TimedParts times(started);
  const std::string name = selector.substr(0, selector.find(':'));
  for (const weft::backend::Backend* backend : weft::backend::built_in_backends()) {
    if (name.empty() || backend->name() == name) (void)backend->list(weft::DriverLibraries::from_environment());
  }
  times.end_part();
  const weft::Device device = weft::open_device(selector);
  times.end_part();
  const weft::Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) buffer Data { uint v[]; } data;
    void main() { data.v[gl_GlobalInvocationID.x] *= 3u; })");
  times.end_part();
  weft::Stream stream = device.stream();
  const auto data = device.buffer<uint32_t>(64);
  stream.upload(data, std::vector<uint32_t>(64, 14));
  stream.dispatch(kernel, {1, 1, 1}, weft::Arguments().bind(0, 0, data));
  const bool right = stream.download(data) == std::vector<uint32_t>(64, 42);
  times.end_part();
  times.print();
  return right ? 0 : 1;
}

int run_driver_alone(const char* started) {
  bench::TimedParts times(started);
  const std::string file = weft::DriverLibraries::from_environment().cuda_driver;
  void* library = dlopen(file.empty() ? "libcuda.so.1" : file.c_str(), RTLD_NOW);
  if (!library) return 1;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  const auto retain = reinterpret_cast<int (*)(void**, int)>(dlsym(library, "cuDevicePrimaryCtxRetain"));
  void* context = nullptr;
  if (!init || !retain || init(0) != 0 || retain(&context, 0) != 0) return 1;
  times.end_part();
  times.print();
  return 0;
}

std::vector<std::vector<double>> repeat(const std::string& what, int runs) {
  std::vector<std::vector<double>> all;
  for (int run = 0; run <= runs; ++run) {
    all.push_back(bench::times_of({"/proc/self/exe", "--child", what}));
    if (all.back().empty()) return {};
  }
  all.erase(all.begin());
  return all;
}

int run_parent(const std::string& selector, int runs) {
  const auto weft_runs = repeat(selector, runs);
  if (weft_runs.empty()) return std::fprintf(stderr, "a run failed\n"), 1;
  std::printf("medians of %d processes on '%s'\n", runs, selector.c_str());
  for (size_t part = 0; part < parts.size(); ++part) {
    std::printf("%-48s %9.3f ms\n", parts[part], median_of(weft_runs, part));
  }
  if (selector.substr(0, selector.find(':')) != "cuda") return 0;
  const auto driver_runs = repeat(driver_alone, runs);
  if (driver_runs.empty()) return std::fprintf(stderr, "the CUDA driver alone failed\n"), 1;
  const double driver = median_of(driver_runs, driver_runs[0].size() - 2);
  std::printf("%-48s %9.3f ms\n", "the CUDA driver alone, including its context", driver);
  std::printf("%-48s %9.3f ms\n", "in addition to that", median_of(weft_runs, parts.size() - 2) - driver);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "--child") {
    return arguments[1] == driver_alone ? run_driver_alone(argv[3]) : run_weft(arguments[1], argv[3]);
  }
  const int runs = arguments.size() > 1 ? std::atoi(arguments[1].c_str()) : 20;
  if (runs < 1 || arguments.size() > 2) return std::fprintf(stderr, "usage: cold_start [DEVICE [RUNS]]\n"), 2;
  return run_parent(arguments.empty() ? "" : arguments[0], runs);
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str());
  return 1;
}
