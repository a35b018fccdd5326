// Implements the peer interface for the kernels in bench/kernels/users/ with OpenCL: on PoCL, or without it on the
// first platform with a CPU. Runs are timed by OpenCL's events, as ours are by the device's clock.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "bench/peer/interface.h"
#include "bench/peer/pocl/kernels.h"
#include "bench/peer/status.h"
#include "bench/user_kernels.h"

namespace weft::peer {
namespace {

using bench::plain::UserKernel;

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(status));
}

std::string text_of(const auto& get) {
  size_t bytes = 0;
  if (get(0, nullptr, &bytes) != CL_SUCCESS) return {};
  std::string text(bytes, '\0');
  get(bytes, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

/// The device, a queue and the program, which stay until the process ends.
struct OpenCl {
  std::string name;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  OpenCl() {
    find_device();
    if (!device) throw Unsupported("OpenCL has no device that is a CPU (Debian: pocl-opencl-icd)");
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    const char* source = kernels;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr) == CL_SUCCESS) return;
    throw std::runtime_error("the kernels do not compile: " + text_of([&](size_t bytes, void* data, size_t* needed) {
                               return clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, data, needed);
                             }));
  }

 private:
  void find_device() {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return;
    for (cl_uint i = 0; i < std::min(count, 16u); ++i) {
      const std::string platform = text_of([&](size_t bytes, void* data, size_t* needed) {
        return clGetPlatformInfo(platforms[i], CL_PLATFORM_VERSION, bytes, data, needed);
      });
      cl_device_id found = nullptr;
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &found, nullptr) != CL_SUCCESS) continue;
      const bool is_pocl = platform.find("PoCL") != std::string::npos || platform.find("pocl") != std::string::npos;
      if (device && !is_pocl) continue;
      device = found;
      name = platform;
      if (is_pocl) return;
    }
  }
};

OpenCl& open_cl() {
  static OpenCl one;
  return one;
}

const UserKernel& find_kernel(const weft_peer_problem& problem) {
  for (const UserKernel& kernel : bench::plain::user_kernels) {
    if (problem.row == std::string(kernel.name)) return kernel;
  }
  throw Unsupported(std::string("no ") + problem.row + ": there are only the kernels of `weft bench kernels`");
}

/// A buffer for each set.
struct Sets {
  uint64_t bytes;
  std::vector<cl_mem> buffers;

  Sets(const weft_peer_array& array, uint32_t sets) : bytes(array.bytes) {
    for (uint32_t set = 0; set < sets; ++set) {
      cl_int status = CL_SUCCESS;
      buffers.push_back(clCreateBuffer(open_cl().context, CL_MEM_READ_WRITE, bytes, nullptr, &status));
      check(status, "clCreateBuffer");
      if (!array.data) continue;
      check(clEnqueueWriteBuffer(open_cl().queue, buffers.back(), CL_TRUE, 0, bytes, array.data, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
  }
  Sets(Sets&&) = default;
  Sets(const Sets&) = delete;
  ~Sets() {
    for (const cl_mem buffer : buffers) clReleaseMemObject(buffer);
  }
};

}  // namespace
}  // namespace weft::peer

using namespace weft::peer;

struct weft_peer_case {
  explicit weft_peer_case(const weft_peer_problem& problem)
      : what(find_kernel(problem)), count(uint32_t(problem.count)), sets(problem.sets) {
    OpenCl& cl = open_cl();
    for (uint32_t i = 0; i < problem.input_count; ++i) arrays.emplace_back(problem.inputs[i], sets);
    arrays.emplace_back(problem.outputs[0], sets);
    std::string name = what.name;
    std::ranges::replace(name, '-', '_');
    cl_int status = CL_SUCCESS;
    kernel = clCreateKernel(cl.program, name.c_str(), &status);
    check(status, "clCreateKernel");
    const cl_uint side = weft::bench::plain::side_of(count);
    check(clSetKernelArg(kernel, cl_uint(arrays.size()), sizeof count, &count), "clSetKernelArg");
    check(clSetKernelArg(kernel, cl_uint(arrays.size()) + 1, sizeof side, &side), "clSetKernelArg");
    const auto whole = [](size_t size, size_t of) { return (size + of - 1) / of * of; };
    switch (what.item) {
      case UserKernel::Item::element:
        size = {whole(count, 256), 1}, local = {256, 1};
        break;
      case UserKernel::Item::keys_512:
        size = {whole(count / 2, 256), 1}, local = {256, 1};
        break;
      case UserKernel::Item::image_row:
        size = {whole(side, 16), whole(side, 16)}, local = {16, 16};
        break;
      case UserKernel::Item::matrix:
        size = {16, whole(count, 256) / 16}, local = {16, 16};
        break;
    }
  }
  weft_peer_case(const weft_peer_case&) = delete;
  ~weft_peer_case() { clReleaseKernel(kernel); }

  void run(uint32_t runs) {
    std::vector<cl_event>& all = events.emplace_back(runs);
    for (cl_event& event : all) {
      for (size_t i = 0; i < arrays.size(); ++i) {
        check(clSetKernelArg(kernel, cl_uint(i), sizeof(cl_mem), &arrays[i].buffers[next]), "clSetKernelArg");
      }
      check(clEnqueueNDRangeKernel(open_cl().queue, kernel, 2, nullptr, size.data(), local.data(), 0, nullptr, &event),
            "clEnqueueNDRangeKernel");
      next = (next + 1) % sets;
    }
    check(clFlush(open_cl().queue), "clFlush");
  }

  void finish(double* seconds) {
    for (const cl_event event : events.front()) {
      check(clWaitForEvents(1, &event), "clWaitForEvents");
      cl_ulong start = 0, end = 0;
      check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "profiling");
      check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profiling");
      *seconds++ = double(end - start) * 1e-9;
      clReleaseEvent(event);
    }
    events.pop_front();
  }

  UserKernel what;
  cl_uint count;
  uint32_t sets, next = 0;
  std::vector<Sets> arrays;  // the inputs, then the output
  cl_kernel kernel = nullptr;
  std::array<size_t, 2> size{}, local{};
  std::deque<std::vector<cl_event>> events;
};

extern "C" {

uint32_t weft_peer_interface(void) { return weft_peer_interface_version; }
const char* weft_peer_name(void) {
  static const std::string name = [] {
    try {
      return open_cl().name;
    } catch (const std::exception& error) {
      return std::string("OpenCL: ") + error.what();
    }
  }();
  return name.c_str();
}
const char* weft_peer_message(void) { return message.c_str(); }

weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  return status_of([&] { *prepared = new weft_peer_case(*problem); });
}
uint32_t weft_peer_forms(const weft_peer_case*) { return 1; }
const char* weft_peer_form(const weft_peer_case*, uint32_t) { return ""; }

weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  return status_of([&] {
    const unsigned char pattern = 0xa5;
    for (const cl_mem buffer : prepared->arrays.back().buffers) {
      check(clEnqueueFillBuffer(open_cl().queue, buffer, &pattern, 1, 0, prepared->arrays.back().bytes, 0, nullptr,
                                nullptr),
            "clEnqueueFillBuffer");
    }
    check(clFinish(open_cl().queue), "clFinish");
    prepared->next = 0;
  });
}
weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t, uint32_t runs) {
  return status_of([&] { prepared->run(runs); });
}
weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  return status_of([&] { prepared->finish(seconds); });
}
weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t, uint32_t set, void* data) {
  return status_of([&] {
    const Sets& output = prepared->arrays.back();
    check(
        clEnqueueReadBuffer(open_cl().queue, output.buffers[set], CL_TRUE, 0, output.bytes, data, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  });
}
void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
