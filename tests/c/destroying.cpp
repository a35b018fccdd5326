#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/c/allocation.h"
#include "tests/c/objects.h"
#include "tests/support/random.h"

using namespace weft;
using namespace weft::test;

/// Objects are destroyed while work uses them, and without memory.

namespace {

constexpr uint32_t word_count = 64;
/// So many that they take a CPU some 100 ms.
uint32_t many_steps(const weft_device* device) {
  weft_device_info info{};
  info.size = sizeof(info);
  REQUIRE_EQ(weft_get_device_info(device, &info), WEFT_OK);
  const std::string backend = info.backend;
  return backend == "cuda" || backend == "hip" ? 400'000 : 4'000'000;  // the tests' own drivers are slow
}

const char* const steps_source = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint steps; };
void main() {
  uint x = words[gl_GlobalInvocationID.x];
  for (uint i = 0u; i < steps; ++i) x = x * 1664525u + 1013904223u;
  words[gl_GlobalInvocationID.x] = x;
}
)";

/// What the kernel makes of a word, by repeated squaring of the step.
uint32_t after_steps(uint32_t x, uint32_t steps) {
  uint32_t factor = 1664525, sum = 1013904223;
  for (; steps != 0; steps /= 2) {
    if (steps % 2 != 0) x = x * factor + sum;
    sum = factor * sum + sum;
    factor *= factor;
  }
  return x;
}

weft_region all_of(weft_buffer* buffer) { return {buffer, 0, WEFT_REST}; }

/// A stream whose work takes long, and one object of each kind that the work uses, or that knows of it.
struct Busy {
  explicit Busy(weft_device* on)
      : device(on), words(random_values<uint32_t>(word_count, generator())), steps(many_steps(on)) {
    REQUIRE_EQ(weft_create_stream(device, &stream), WEFT_OK);
    REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
    REQUIRE_EQ(weft_create_buffer(device, sizeof(uint32_t) * word_count, &stepped), WEFT_OK);
    REQUIRE_EQ(weft_create_buffer(device, sizeof(uint32_t) * word_count, &sorted), WEFT_OK);
    REQUIRE_EQ(weft_create_kernel_from_glsl(device, steps_source, nullptr, &kernel), WEFT_OK);
    REQUIRE_EQ(weft_create_plan(device, "Sort key=uint max_count=64", &plan), WEFT_OK);
    uint64_t bytes = 0;
    REQUIRE_EQ(weft_get_temporary_bytes(plan, &bytes), WEFT_OK);
    REQUIRE_EQ(weft_create_buffer(device, std::max<uint64_t>(bytes, 4), &temporary), WEFT_OK);
    REQUIRE_EQ(weft_upload(stream, all_of(stepped), words.data(), sizeof(uint32_t) * word_count), WEFT_OK);
    REQUIRE_EQ(weft_create_timestamp(recorder, &timestamp), WEFT_OK);
    record();
  }

  static std::mt19937_64& generator() {
    static std::mt19937_64 generator = random_generator("destroying");
    return generator;
  }

  /// The words in steps, and then sorted.
  std::vector<uint32_t> expected() const {
    std::vector<uint32_t> result;
    for (const uint32_t word : words) result.push_back(after_steps(word, steps));
    std::ranges::sort(result);
    return result;
  }

  void submit() {
    REQUIRE_EQ(weft_create_event(stream, &event), WEFT_OK);
    int32_t done = -1;
    CHECK_EQ(weft_is_event_done(event, &done), WEFT_OK);
    CHECK_EQ(done, 0);
  }

  /// One function for each object, in random order. `kept` is not among them.
  std::vector<std::function<weft_result()>> destroyers(const weft_buffer* kept = nullptr) {
    std::vector<std::function<weft_result()>> all{
        [this] { return weft_destroy_kernel(kernel); }, [this] { return weft_destroy_plan(plan); },
        [this] { return weft_destroy_timestamp(timestamp); }, [this] { return weft_destroy_event(event); }};
    for (weft_buffer* buffer : {stepped, sorted, temporary}) {
      if (buffer != kept) all.emplace_back([buffer] { return weft_destroy_buffer(buffer); });
    }
    std::ranges::shuffle(all, generator());
    return all;
  }

  weft_device* device;
  std::vector<uint32_t> words;
  uint32_t steps;
  weft_stream* stream = nullptr;
  weft_recorder* recorder = nullptr;
  weft_buffer *stepped = nullptr, *sorted = nullptr, *temporary = nullptr;
  weft_kernel* kernel = nullptr;
  weft_plan* plan = nullptr;
  weft_timestamp* timestamp = nullptr;
  weft_event* event = nullptr;

 private:
  void record() {
    weft_binding binding{};
    binding.region = all_of(stepped);
    weft_dispatch_arguments arguments{};
    arguments.size = sizeof(arguments);
    arguments.push_constants = &steps;
    arguments.push_constant_bytes = sizeof(steps);
    arguments.bindings = &binding;
    arguments.binding_count = 1;
    REQUIRE_EQ(weft_dispatch(recorder, kernel, 1, 1, 1, &arguments), WEFT_OK);
    weft_sort_arguments sort{};
    sort.size = sizeof(sort);
    sort.keys = all_of(stepped);
    sort.keys_out = all_of(sorted);
    sort.count.value = word_count;
    sort.temporary = all_of(temporary);
    REQUIRE_EQ(weft_record_sort(recorder, plan, &sort), WEFT_OK);
  }
};

/// Calls each without memory.
void call_without_memory(const Device& device, const std::vector<std::function<weft_result()>>& calls) {
  std::vector<weft_result> results(calls.size());
  bool failed = false;
  {
    const FailingAllocations none(no_allocations(device));
    std::ranges::transform(calls, results.begin(), [](const auto& call) { return call(); });
    failed = none.failed();
  }
  CHECK_FALSE(failed);
  for (const weft_result result : results) CHECK_EQ(result, WEFT_OK);
}

std::vector<uint32_t> downloaded(weft_device* device, weft_buffer* buffer) {
  weft_stream* stream = nullptr;
  std::vector<uint32_t> words(word_count);
  REQUIRE_EQ(weft_create_stream(device, &stream), WEFT_OK);
  CHECK_EQ(weft_download(stream, all_of(buffer), words.data(), sizeof(uint32_t) * word_count), WEFT_OK);
  CHECK_EQ(weft_destroy_stream(stream), WEFT_OK);
  return words;
}

}  // namespace

DEVICE_TEST("what is destroyed without memory stays until the work in flight is done") {
  const Opened opened(device);
  Busy busy(opened.device);
  busy.submit();
  call_without_memory(device, busy.destroyers(busy.sorted));
  // These would get memory that was released too early.
  std::vector<weft_buffer*> later(16);
  weft_stream* other = nullptr;
  weft_recorder* recorder = nullptr;
  REQUIRE_EQ(weft_create_stream(opened.device, &other), WEFT_OK);
  REQUIRE_EQ(weft_get_stream_recorder(other, &recorder), WEFT_OK);
  for (weft_buffer*& buffer : later) {
    REQUIRE_EQ(weft_create_buffer(opened.device, sizeof(uint32_t) * word_count, &buffer), WEFT_OK);
    CHECK_EQ(weft_fill(recorder, all_of(buffer), 7), WEFT_OK);
  }
  CHECK_EQ(weft_synchronize(other, WEFT_DEVICE_TIMEOUT), WEFT_OK);
  CHECK_EQ(weft_synchronize(busy.stream, WEFT_DEVICE_TIMEOUT), WEFT_OK);
  CHECK(downloaded(opened.device, busy.sorted) == busy.expected());
  for (weft_buffer* buffer : later) CHECK_EQ(weft_destroy_buffer(buffer), WEFT_OK);
  call_without_memory(device,
                      {[&] { return weft_destroy_stream(busy.stream); }, [&] { return weft_destroy_stream(other); },
                       [&] { return weft_destroy_buffer(busy.sorted); }});
}

DEVICE_TEST("a stream that is destroyed without memory does what was recorded") {
  const Opened opened(device);
  Busy busy(opened.device);
  std::vector<std::function<weft_result()>> calls = busy.destroyers(busy.sorted);
  calls.insert(calls.begin() + std::ptrdiff_t(Busy::generator()() % calls.size()),
               [&] { return weft_destroy_stream(busy.stream); });
  call_without_memory(device, calls);
  CHECK(downloaded(opened.device, busy.sorted) == busy.expected());
  call_without_memory(device, {[&] { return weft_destroy_buffer(busy.sorted); }});
}

DEVICE_TEST("all objects are destroyed in any order, without memory and with work in flight") {
  for (int time = 0; time < 6; ++time) {
    weft_device* opened = nullptr;
    weft_device_list* list = nullptr;
    REQUIRE_EQ(weft_open_device(selector_of(device).c_str(), nullptr, &opened), WEFT_OK);
    REQUIRE_EQ(weft_list_devices(&list), WEFT_OK);
    Busy busy(opened);
    const bool in_scope = time % 2 == 0;
    if (in_scope) CHECK_EQ(weft_begin_independent(busy.recorder), WEFT_OK);
    if (time < 4) busy.submit();
    std::vector<std::function<weft_result()>> calls = busy.destroyers();
    calls.emplace_back([&] { return weft_destroy_stream(busy.stream); });
    calls.emplace_back([&] { return weft_destroy_device(opened); });
    calls.emplace_back([&] { return weft_destroy_device_list(list); });
    std::ranges::shuffle(calls, Busy::generator());
    call_without_memory(device, calls);
  }
}

namespace {

/// Subgroups and workgroups wait in it, so the host device needs memory for invocations that do.
const char* const waiting_source = R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
shared uint sums[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  sums[i] = subgroupAdd(1u);
  barrier();
  words[gl_GlobalInvocationID.x] = sums[63u - i];
}
)";

/// Dispatches on new streams while other threads are without memory, ever later. Then all works again.
void dispatch_without_memory(const std::string& selector) {
  INFO(selector);
  weft_device* device = nullptr;
  weft_kernel* kernel = nullptr;
  weft_buffer* buffer = nullptr;
  REQUIRE_EQ(weft_open_device(selector.c_str(), nullptr, &device), WEFT_OK);
  const weft_result made = weft_create_kernel_from_glsl(device, waiting_source, nullptr, &kernel);
  REQUIRE_MESSAGE(made == WEFT_OK, std::string(weft_error_message()));
  constexpr uint32_t groups = 8;
  REQUIRE_EQ(weft_create_buffer(device, sizeof(uint32_t) * word_count * groups, &buffer), WEFT_OK);
  weft_binding binding{};
  binding.region = all_of(buffer);
  weft_dispatch_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.bindings = &binding;
  arguments.binding_count = 1;
  weft_result result = WEFT_OUT_OF_MEMORY;
  int errors = 0;
  for (int64_t allowed = 0; result != WEFT_OK; allowed += 1 + allowed / 8) {
    INFO(allowed);
    weft_stream* stream = nullptr;
    weft_recorder* recorder = nullptr;
    REQUIRE_EQ(weft_create_stream(device, &stream), WEFT_OK);
    REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
    CHECK_EQ(weft_dispatch(recorder, kernel, groups, 1, 1, &arguments), WEFT_OK);
    {
      const FailingAllocations failing(allowed, FailingAllocations::On::other_threads);
      result = weft_synchronize(stream, WEFT_DEVICE_TIMEOUT);
    }
    REQUIRE_MESSAGE((result == WEFT_OK || result == WEFT_OUT_OF_MEMORY), std::string(weft_error_message()));
    if (result != WEFT_OK) ++errors;
    CHECK_EQ(weft_dispatch(recorder, kernel, groups, 1, 1, &arguments), WEFT_OK);
    CHECK_EQ(weft_synchronize(stream, WEFT_DEVICE_TIMEOUT), WEFT_OK);
    CHECK_EQ(weft_destroy_stream(stream), WEFT_OK);
  }
  CHECK_GT(errors, 0);
  CHECK_EQ(weft_destroy_buffer(buffer), WEFT_OK);
  CHECK_EQ(weft_destroy_kernel(kernel), WEFT_OK);
  CHECK_EQ(weft_destroy_device(device), WEFT_OK);
}

}  // namespace

DEVICE_TEST("a dispatch without memory ends in an error") {
  // Drivers of GPUs end the process.
  if (device.info().backend != "host") unsupported("its driver does not survive");
  for (const char* settings : {"host", "host:subgroup=32,form=fibers", "host:subgroup=8,schedule=331,threads=3",
                               "host:subgroup=16,check=on", "host:subgroup=8,schedule=331,check=on"}) {
    dispatch_without_memory(settings);
  }
}
