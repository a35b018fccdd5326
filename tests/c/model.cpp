#include "tests/c/model.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "tests/c/objects.h"
#include "tests/support/sanitized.h"

namespace weft::test {
namespace {

const char* const affine_source = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint count, factor, sum; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) words[i] = words[i] * factor + sum;
}
)";

}  // namespace

ModelDevice::ModelDevice(const Device& like) : no_allocations(test::no_allocations(like)) {
  const std::string selector = selector_of(like);
  REQUIRE_EQ(weft_open_device(selector.c_str(), nullptr, &device), WEFT_OK);
  REQUIRE_EQ(weft_open_device(selector.c_str(), nullptr, &other), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(other, 64, &others), WEFT_OK);
  REQUIRE_EQ(weft_create_plan(device, ("Sort key=uint max_count=" + std::to_string(most_words)).c_str(), &sort),
             WEFT_OK);
  REQUIRE_EQ(weft_get_temporary_bytes(sort, &sort_bytes), WEFT_OK);
  REQUIRE_EQ(weft_create_kernel_from_glsl(device, affine_source, nullptr, &kernel), WEFT_OK);
  // The first copy and fill of a Vulkan device compile, and no driver survives that without memory.
  weft_stream* stream = nullptr;
  weft_recorder* recorder = nullptr;
  weft_buffer* buffer = nullptr;
  REQUIRE_EQ(weft_create_stream(device, &stream), WEFT_OK);
  REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(device, 64, &buffer), WEFT_OK);
  CHECK_EQ(weft_fill(recorder, {buffer, 0, WEFT_REST}, 1), WEFT_OK);
  CHECK_EQ(weft_destroy_stream(stream), WEFT_OK);
  CHECK_EQ(weft_destroy_buffer(buffer), WEFT_OK);
}

ModelDevice::~ModelDevice() {
  CHECK_EQ(weft_destroy_kernel(kernel), WEFT_OK);
  CHECK_EQ(weft_destroy_plan(sort), WEFT_OK);
  CHECK_EQ(weft_destroy_buffer(others), WEFT_OK);
  CHECK_EQ(weft_destroy_device(other), WEFT_OK);
  CHECK_EQ(weft_destroy_device(device), WEFT_OK);
}

// ---- calls, with memory and without ----

bool Model::call(const std::function<weft_result()>& function) {
  const bool without = below(6) == 0 && on_.no_allocations == 0;
  weft_result result = WEFT_OK;
  bool failed = false;
  if (without) {
    const FailingAllocations failing(int64_t(below(10)));
    result = function();
    failed = failing.failed();
  } else {
    result = function();
  }
  CHECK_MESSAGE((result == WEFT_OK || (failed && result == WEFT_OUT_OF_HOST_MEMORY)),
                weft_result_name(result) << ", " << std::string(weft_error_message()));
  return result == WEFT_OK;
}

void Model::insist(const std::function<weft_result()>& function) {
  while (!call(function)) {
  }
}

void Model::expect_refusal(const std::function<weft_result()>& function) {
  bool refused = true;
  insist([&]() -> weft_result {
    const weft_result result = function();
    if (result == WEFT_OUT_OF_HOST_MEMORY) return result;
    refused = result == WEFT_INVALID_ARGUMENT;
    return WEFT_OK;
  });
  CHECK(refused);
}

void Model::destroy(const std::function<weft_result()>& function) {
  weft_result result = WEFT_OK;
  {
    const FailingAllocations none(on_.no_allocations);
    result = function();
  }
  CHECK_EQ(result, WEFT_OK);
}

void Model::destroy(Buffer buffer) {
  destroy([&] { return weft_destroy_buffer(buffer.handle); });
  if (is_sanitized()) return;  // the sanitizer finds the access to freed memory
  uint64_t bytes = 0;
  CHECK_EQ(weft_get_buffer_bytes(buffer.handle, &bytes), WEFT_INVALID_ARGUMENT);
}
void Model::destroy(Stream stream) {
  if (below(2) == 0) destroy(Buffer{std::exchange(stream.temporary, nullptr)});
  destroy([&] { return weft_destroy_stream(stream.handle); });
  destroy(Buffer{stream.temporary});
  work_done(stream.number);
}
void Model::destroy(Event event) {
  destroy([&] { return weft_destroy_event(event.handle); });
}
void Model::destroy(Timestamp timestamp) {
  destroy([&] { return weft_destroy_timestamp(timestamp.handle); });
}

template <typename T>
bool Model::destroy_any(std::vector<T>& objects) {
  if (objects.empty()) return false;
  std::swap(any(objects), objects.back());
  const T last = std::move(objects.back());
  objects.pop_back();
  destroy(last);
  return true;
}

// ---- the objects ----

Model::Stream& Model::a_stream() {
  while (streams_.empty()) create_stream();
  return any(streams_);
}

Model::Buffer& Model::a_buffer() {
  while (buffers_.empty()) create_buffer();
  return any(buffers_);
}

void Model::create_buffer() {
  if (buffers_.size() == 6) return;
  Buffer made;
  const size_t count = below(8) == 0 ? 0 : below(ModelDevice::most_words + 1);
  if (!call([&] { return weft_create_buffer(on_.device, 4 * count, &made.handle); })) {
    CHECK(made.handle == nullptr);
    return;
  }
  made.words.resize(count);
  uint64_t bytes = ~uint64_t{0};
  CHECK_EQ(weft_get_buffer_bytes(made.handle, &bytes), WEFT_OK);
  CHECK_EQ(bytes, 4 * count);
  buffers_.push_back(std::move(made));
}

void Model::create_stream() {
  if (streams_.size() == 3) return;
  Stream made;
  made.number = ++streams_made_;
  if (!call([&] { return weft_create_stream(on_.device, &made.handle); })) {
    CHECK(made.handle == nullptr);
    return;
  }
  insist([&] { return weft_get_stream_recorder(made.handle, &made.recorder); });
  insist([&] { return weft_create_buffer(on_.device, std::max<uint64_t>(on_.sort_bytes, 4), &made.temporary); });
  streams_.push_back(made);
}

void Model::create_event() {
  if (events_.size() == 4) return;
  const Stream& stream = a_stream();
  Event made;
  made.stream = stream.number;
  if (call([&] { return weft_create_event(stream.handle, &made.handle); })) {
    events_.push_back(made);
  } else {
    CHECK(made.handle == nullptr);
  }
}

void Model::create_timestamp() {
  if (timestamps_.size() == 4) return;
  const Stream& stream = a_stream();
  Timestamp made;
  made.stream = stream.number;
  if (call([&] { return weft_create_timestamp(stream.recorder, &made.handle); })) {
    timestamps_.push_back(made);
  } else {
    CHECK(made.handle == nullptr);
  }
}

void Model::work_done(uint64_t stream) {
  for (Event& event : events_) event.done = event.done || event.stream == stream;
  for (Timestamp& timestamp : timestamps_) timestamp.passed = timestamp.passed || timestamp.stream == stream;
}

void Model::destroy_one() {
  switch (below(4)) {
    case 0:
      static_cast<void>(destroy_any(buffers_));
      break;
    case 1:
      static_cast<void>(destroy_any(streams_));
      break;
    case 2:
      static_cast<void>(destroy_any(events_));
      break;
    default:
      static_cast<void>(destroy_any(timestamps_));
  }
}

void Model::finish() {
  for (Buffer& buffer : buffers_) {
    Stream& stream = a_stream();
    order(buffer, stream);
    compare(stream, {&buffer, 0, buffer.words.size()});
  }
  if (!buffers_.empty()) fill();
  while (!buffers_.empty() || !streams_.empty() || !events_.empty() || !timestamps_.empty()) destroy_one();
}

// ---- time ----

void Model::synchronize() {
  const Stream& stream = a_stream();
  if (below(3) == 0) {
    static_cast<void>(call([&] { return weft_submit(stream.handle); }));
  } else if (below(3) == 0) {
    static_cast<void>(call([&] { return weft_synchronize_device(on_.device); }));
  } else if (call([&] { return weft_synchronize(stream.handle, WEFT_DEVICE_TIMEOUT); })) {
    work_done(stream.number);
  }
}

void Model::ask_events() {
  if (events_.empty()) return;
  Event& event = any(events_);
  int32_t done = -1;
  if (below(2) == 0 && call([&] { return weft_wait_for_event(event.handle, WEFT_DEVICE_TIMEOUT); })) event.done = true;
  if (!call([&] { return weft_is_event_done(event.handle, &done); })) return;
  CHECK((done == 1 || (done == 0 && !event.done)));
}

void Model::ask_timestamps() {
  if (timestamps_.empty()) return;
  const Timestamp &start = any(timestamps_), &end = any(timestamps_);
  if (!start.passed || !end.passed) return;
  double seconds = -1;
  if (!call([&] { return weft_get_seconds(start.handle, end.handle, &seconds); })) return;
  if (&start == &end) CHECK_EQ(seconds, 0);
}

// ---- mistakes ----

void Model::refuse() {
  Stream& stream = a_stream();
  Buffer& buffer = a_buffer();
  const uint64_t bytes = 4 * buffer.words.size();
  std::array<uint32_t, 4> data{};
  const weft_region foreign{on_.others, 0, 16}, beyond{buffer.handle, 4, bytes}, unaligned{on_.others, 1, 4};
  auto* const no_stream = reinterpret_cast<weft_stream*>(buffer.handle);
  auto* const no_buffer = reinterpret_cast<weft_buffer*>(stream.handle);
  weft_sort_arguments sort{};
  sort.size = sizeof(sort);
  sort.count.value = ModelDevice::most_words + 1;
  int32_t done = 0;
  const std::vector<std::function<weft_result()>> calls{
      [&] { return weft_upload(stream.handle, foreign, data.data(), 16); },
      [&] { return weft_upload(stream.handle, beyond, data.data(), 4); },
      [&] { return weft_upload(no_stream, {buffer.handle, 0, 0}, data.data(), 0); },
      [&] { return weft_upload(nullptr, {buffer.handle, 0, 0}, data.data(), 0); },
      [&] { return weft_download(stream.handle, {no_buffer, 0, 4}, data.data(), 4); },
      [&] { return weft_download(stream.handle, {buffer.handle, 0, WEFT_REST}, data.data(), bytes + 4); },
      [&] { return weft_copy(stream.recorder, foreign, foreign); },
      [&] { return weft_copy(stream.recorder, {buffer.handle, 0, bytes}, {buffer.handle, 0, bytes + 4}); },
      [&] { return weft_fill(stream.recorder, unaligned, 1); },
      [&] { return weft_fill(nullptr, {buffer.handle, 0, 0}, 1); },
      [&] { return weft_dispatch(stream.recorder, nullptr, 1, 1, 1, nullptr); },
      [&] { return weft_dispatch(stream.recorder, on_.kernel, 1, 1, 1, nullptr); },
      [&] { return weft_record_sort(stream.recorder, on_.sort, &sort); },
      [&] { return weft_is_event_done(nullptr, &done); },
      [&] { return weft_destroy_event(reinterpret_cast<weft_event*>(stream.handle)); },
      [&] { return weft_destroy_buffer(no_buffer); },
      [&] { return weft_destroy_stream(no_stream); }};
  expect_refusal(calls[below(calls.size())]);
}

void Model::step() {
  static constexpr std::array<void (Model::*)(), 24> steps{
      &Model::create_buffer, &Model::create_buffer,  &Model::create_stream,
      &Model::create_event,  &Model::ask_events,     &Model::create_timestamp,
      &Model::upload,        &Model::upload,         &Model::upload,
      &Model::download,      &Model::download,       &Model::copy,
      &Model::copy,          &Model::fill,           &Model::sort,
      &Model::dispatch,      &Model::dispatch,       &Model::independent,
      &Model::synchronize,   &Model::ask_timestamps, &Model::refuse,
      &Model::refuse,        &Model::destroy_one,    &Model::destroy_one};
  (this->*steps[below(steps.size())])();
}

}  // namespace weft::test
