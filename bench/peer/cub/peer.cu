// Implements the peer interface with CUB.
#include <algorithm>
#include <climits>
#include <cstring>
#include <cub/version.cuh>
#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

std::string& message() {
  static thread_local std::string text;
  return text;
}

struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // Clears the error for the next call.
  const std::string text = std::string(what) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation) throw Unsupported(text);
  throw std::runtime_error(text);
}

uint32_t bytes_of(const std::string& type) { return uint32_t(std::stoul(type.substr(1)) / 8); }

// Finds the device by its number if known, else takes the first device of that name.
int find_device(const weft_peer_problem& problem) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    throw Unsupported(std::string("looking for CUDA's devices: ") + cudaGetErrorString(error));
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, i), "querying a device's name");
    if (problem.ordinal >= 0 ? i == problem.ordinal : problem.device == std::string(properties.name)) return i;
  }
  throw Unsupported(std::string("CUDA has no device ") + problem.device);
}

int choose(int device) {
  check(cudaSetDevice(device), "choosing the device");
  return device;
}

Row find_row(const weft_peer_problem& problem) {
  if (problem.count == 0 || problem.count > INT_MAX) throw Unsupported("only 1 to 2^31-1 elements");
  for (const auto& find : {find_scan_row, find_select_row, find_run_row, find_histogram_row, find_sort_row,
                           find_merge_sort_row, find_segmented_row}) {
    if (auto row = find(problem)) return *row;
  }
  std::string types;
  for (uint32_t i = 0; i < problem.input_count; ++i) types += std::string(i ? " and " : "") + problem.inputs[i].type;
  throw Unsupported(std::string("no ") + problem.row + " of " + types);
}

class Memory {
 public:
  explicit Memory(size_t bytes) { check(cudaMalloc(&data_, std::max<size_t>(bytes, 1)), "allocating device memory"); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
};

class Mark {
 public:
  explicit Mark(cudaStream_t stream) {
    check(cudaEventCreate(&event_), "making an event");
    check(cudaEventRecord(event_, stream), "recording an event");
  }
  ~Mark() {
    if (event_) cudaEventDestroy(event_);
  }
  Mark(Mark&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

  void wait() const { check(cudaEventSynchronize(event_), "waiting for runs"); }
  double seconds_since(const Mark& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "reading a time");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  ~Stream() {
    (void)cudaStreamSynchronize(stream_);
    (void)cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// An array for each set.
struct Sets {
  uint64_t bytes, stride;
  Memory memory;

  Sets(uint64_t array_bytes, uint32_t sets)
      : bytes(array_bytes), stride((array_bytes + 255) / 256 * 256), memory(stride * sets) {}
  std::byte* operator[](uint32_t set) const { return memory.data() + set * stride; }
};

}  // namespace
}  // namespace weft::peer

using namespace weft::peer;

struct weft_peer_case {
  explicit weft_peer_case(const weft_peer_problem& problem)
      : device(choose(find_device(problem))), row(find_row(problem)), sets(problem.sets) {
    for (uint32_t i = 0; i < problem.input_count; ++i) add_input(problem.inputs[i]);
    for (uint32_t i = 0; i < problem.output_count; ++i) add_output(problem.outputs[i], row.output_bytes.at(i));
    for (const Form& form : row.forms) {
      size_t bytes = 0;
      check(form.run(nullptr, bytes, arrays(0), stream), "querying the size of temporary storage");
      temporary_bytes = std::max(temporary_bytes, bytes);
    }
    temporary = std::make_unique<Memory>(temporary_bytes);
    check(cudaDeviceSynchronize(), "preparing");
  }

  ~weft_peer_case() { (void)cudaSetDevice(device); }

  const std::vector<Form>& forms() const { return row.forms; }

  void poison() {
    choose(device);
    for (const auto& output : outputs) {
      check(cudaMemset(output->memory.data(), 0xa5, output->stride * sets), "filling an output");
    }
    check(cudaDeviceSynchronize(), "filling the outputs");
  }

  void submit(uint32_t form, uint32_t runs) {
    choose(device);
    std::vector<Mark> marks;
    marks.reserve(runs + 1);
    marks.emplace_back(stream);
    for (uint32_t i = 0; i < runs; ++i) {
      check(row.forms.at(form).run(temporary->data(), temporary_bytes, arrays(next_set), stream), "running");
      next_set = (next_set + 1) % sets;
      marks.emplace_back(stream);
    }
    batches.push_back(std::move(marks));
  }

  void finish(double* seconds) {
    const std::vector<Mark> marks = std::move(batches.front());
    batches.pop_front();
    marks.back().wait();
    for (size_t i = 1; i < marks.size(); ++i) seconds[i - 1] = marks[i].seconds_since(marks[i - 1]);
  }

  void read(uint32_t output, uint32_t set, void* data) const {
    choose(device);
    const uint64_t elements = outputs[output]->bytes / row.output_bytes[output];
    const uint32_t from = row.output_bytes[output], to = wanted_bytes[output];
    std::vector<std::byte> bytes(elements * from);
    check(cudaMemcpy(bytes.data(), (*outputs[output])[set], bytes.size(), cudaMemcpyDeviceToHost), "reading an output");
    for (uint64_t i = 0; i < elements; ++i) {
      std::byte* element = static_cast<std::byte*>(data) + i * to;
      std::memset(element, 0, to);  // Only counts are widened, and memory is little-endian.
      std::memcpy(element, bytes.data() + i * from, std::min(from, to));
    }
  }

 private:
  void add_input(const weft_peer_array& array) {
    inputs.push_back(std::make_unique<Sets>(array.bytes, sets));
    const Sets& added = *inputs.back();
    check(cudaMemcpy(added[0], array.data, array.bytes, cudaMemcpyHostToDevice), "copying an input");
    for (uint32_t set = 1; set < sets; ++set) {
      check(cudaMemcpyAsync(added[set], added[0], array.bytes, cudaMemcpyDeviceToDevice), "copying an input");
    }
  }

  void add_output(const weft_peer_array& array, uint32_t element_bytes) {
    wanted_bytes.push_back(bytes_of(array.type));
    outputs.push_back(std::make_unique<Sets>(array.bytes / wanted_bytes.back() * element_bytes, sets));
  }

  Arrays arrays(uint32_t set) const {
    Arrays result;
    for (const auto& input : inputs) result.inputs.push_back((*input)[set]);
    for (const auto& output : outputs) result.outputs.push_back((*output)[set]);
    return result;
  }

  int device;
  Row row;
  uint32_t sets, next_set = 0;
  std::vector<std::unique_ptr<Sets>> inputs, outputs;
  std::vector<uint32_t> wanted_bytes;  // Element size of each output.
  std::unique_ptr<Memory> temporary;
  size_t temporary_bytes = 0;
  Stream stream;  // Destroyed before the memory that its work uses.
  std::deque<std::vector<Mark>> batches;
};

namespace {

template <class Call>
weft_peer_status guarded(const Call& call) {
  try {
    call();
    return weft_peer_done;
  } catch (const Unsupported& error) {
    message() = error.what();
    return weft_peer_unsupported;
  } catch (const std::exception& error) {
    message() = error.what();
    return weft_peer_failed;
  }
}

}  // namespace

extern "C" {

uint32_t weft_peer_interface() { return weft_peer_interface_version; }
const char* weft_peer_name() {
  static const std::string name = "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) +
                                  "." + std::to_string(CUB_SUBMINOR_VERSION) + ", CUDA " +
                                  std::to_string(CUDART_VERSION / 1000) + "." +
                                  std::to_string(CUDART_VERSION % 1000 / 10);
  return name.c_str();
}
const char* weft_peer_message() { return message().c_str(); }
weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  return guarded([&] { *prepared = new weft_peer_case(*problem); });
}
uint32_t weft_peer_forms(const weft_peer_case* prepared) { return uint32_t(prepared->forms().size()); }
const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form) { return prepared->forms()[form].name; }
weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  return guarded([&] { prepared->poison(); });
}
weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs) {
  return guarded([&] { prepared->submit(form, runs); });
}
weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  return guarded([&] { prepared->finish(seconds); });
}
weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t set, void* data) {
  return guarded([&] { prepared->read(output, set, data); });
}
void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
