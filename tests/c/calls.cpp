#include "tests/c/calls.h"

#include "core/src/pack/pack_writer.h"
#include "tests/c/declared.h"
#include "tests/c/objects.h"
#include "tests/support/files.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint32_t first = 1, second = 2, third = 4, fourth = 8;  // parameters that may be null

void call_devices(Calls& calls, const std::string& selector) {
  weft_device_list* list = nullptr;
  weft_device* device = nullptr;
  weft_device_info info{};
  info.size = sizeof(info);
  size_t count = 0;
  const char* text = nullptr;
  CALL(weft_list_devices, 0, &list);
  CALL(weft_get_listed_device_count, 0, list, &count);
  if (count > 0) CALL(weft_get_listed_device, 0, list, 0, &info);
  CHECK_EQ(weft_get_listed_device(list, count, &info), WEFT_INVALID_ARGUMENT);
  CALL(weft_get_missing_devices, 0, list, &text);
  CALL(weft_destroy_device_list, first, list);
  weft_device_options options{};
  options.size = sizeof(options);
  CALL(weft_open_device, first | second, selector.c_str(), &options, &device);
  CALL(weft_get_device_info, 0, device, &info);
  CHECK(std::string(info.refusal).empty());
  CALL(weft_synchronize_device, 0, device);
  CALL(weft_destroy_device, first, device);
}

void call_packs(Calls& calls) {
  const std::vector<std::byte> bytes = core::PackWriter().bytes("what it holds\n", {});
  const TemporaryFolder files;
  const std::string path = files.path() / "empty.weftpack";
  write_file(path, bytes);
  weft_pack *from_file = nullptr, *in_memory = nullptr;
  const char* text = nullptr;
  CALL(weft_open_pack, 0, path.c_str(), &from_file);
  CALL(weft_open_pack_in_memory, third, bytes.data(), bytes.size(), "empty", &in_memory);
  CALL(weft_get_pack_description, 0, in_memory, &text);
  CHECK(std::string(text).starts_with("what it holds\n"));
  CALL(weft_destroy_pack, first, from_file);
  CALL(weft_destroy_pack, first, in_memory);
}

void call_streams(Calls& calls, const Opened& opened) {
  weft_stream* stream = nullptr;
  weft_recorder* recorder = nullptr;
  weft_buffer* buffer = nullptr;
  uint64_t number = 0;
  std::array<uint32_t, 4> words{1, 2, 3, 4};
  CALL(weft_create_stream, 0, opened.device, &stream);
  CALL(weft_get_stream_recorder, 0, stream, &recorder);
  CALL(weft_create_buffer, 0, opened.device, 64, &buffer);
  CALL(weft_get_buffer_bytes, 0, buffer, &number);
  CHECK_EQ(number, 64);
  CALL(weft_get_buffer_address, 0, buffer, &number);
  CALL(weft_upload, 0, stream, {buffer, 0, WEFT_REST}, words.data(), sizeof(words));
  CALL(weft_copy, 0, recorder, {buffer, 0, 16}, {buffer, 16, 16});
  CALL(weft_fill, 0, recorder, {buffer, 0, 8}, 7);
  CALL(weft_download, 0, stream, {buffer, 8, 16}, words.data(), sizeof(words));
  CHECK_EQ(words, std::array<uint32_t, 4>{3, 4, 1, 2});
  CALL(weft_begin_independent, 0, recorder);
  CHECK_EQ(weft_begin_independent(recorder), WEFT_INVALID_ARGUMENT);
  CALL(weft_end_independent, 0, recorder);
  CHECK_EQ(weft_end_independent(recorder), WEFT_INVALID_ARGUMENT);

  weft_timestamp *start = nullptr, *end = nullptr;
  double seconds = -1;
  CALL(weft_create_timestamp, 0, recorder, &start);
  CALL(weft_create_timestamp, 0, recorder, &end);
  CALL(weft_submit, 0, stream);
  CALL(weft_synchronize, 0, stream, WEFT_DEVICE_TIMEOUT);
  CALL(weft_get_seconds, 0, start, end, &seconds);
  CHECK_GE(seconds, 0);
  CALL(weft_destroy_timestamp, first, start);
  CALL(weft_destroy_timestamp, first, end);

  weft_event* event = nullptr;
  int32_t done = -1;
  CALL(weft_create_event, 0, stream, &event);
  CALL(weft_wait_on_device, 0, stream, event);
  CALL(weft_wait_for_event, 0, event, WEFT_DEVICE_TIMEOUT);
  CALL(weft_is_event_done, 0, event, &done);
  CHECK_EQ(done, 1);
  CALL(weft_destroy_event, first, event);
  CALL(weft_destroy_buffer, first, buffer);
  CALL(weft_destroy_stream, first, stream);
}

void call_kernels(Calls& calls, const Opened& opened) {
  const char* const source = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint add; };
void main() { words[gl_GlobalInvocationID.x] += add * FACTOR; }
)";
  const weft_macro factor{"FACTOR", "2u"};
  weft_kernel_options options{};
  options.size = sizeof(options);
  options.macros = &factor;
  options.macro_count = 1;
  const Spirv module = compile_glsl(source, {.defines = {{"FACTOR", "3u"}}});
  weft_kernel *doubled = nullptr, *tripled = nullptr;
  CALL(weft_create_kernel_from_glsl, third, opened.device, source, &options, &doubled);
  options.macro_count = 0;
  CALL(weft_create_kernel, fourth, opened.device, module.words.data(), 4 * module.words.size(), &options, &tripled);
  std::array<uint32_t, 3> size{};
  uint32_t number = 0;
  CALL(weft_get_workgroup_size, 0, doubled, size.data());
  CHECK_EQ(size, std::array<uint32_t, 3>{64, 1, 1});
  CALL(weft_get_resident_workgroups, 0, doubled, &number);
  CALL(weft_prepare_indirect, 0, doubled);

  constexpr std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 64> words{};
  const uint32_t add = 10;
  const weft_region all{opened.buffer, 0, sizeof(words)}, counts{opened.buffer, sizeof(words), sizeof(groups)};
  REQUIRE_EQ(weft_upload(opened.stream, all, words.data(), sizeof(words)), WEFT_OK);
  REQUIRE_EQ(weft_upload(opened.stream, counts, groups.data(), sizeof(groups)), WEFT_OK);
  weft_binding binding{};
  binding.region = all;
  weft_dispatch_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.push_constants = &add;
  arguments.push_constant_bytes = sizeof(add);
  arguments.bindings = &binding;
  arguments.binding_count = 1;
  // Without arguments, this kernel lacks some.
  CALL(weft_dispatch, 0, opened.recorder, doubled, 1, 1, 1, &arguments);
  CALL(weft_dispatch_indirect, 0, opened.recorder, tripled, counts, &arguments);
  REQUIRE_EQ(weft_download(opened.stream, all, words.data(), sizeof(words)), WEFT_OK);
  CHECK_EQ(words[63], 10 * 2 + 10 * 3);
  CALL(weft_destroy_kernel, first, doubled);
  CALL(weft_destroy_kernel, first, tripled);
}

void call_plans(Calls& calls, const Opened& opened) {
  weft_plan *sort = nullptr, *map = nullptr;
  const char* text = nullptr;
  uint64_t bytes = 0;
  CALL(weft_create_plan, 0, opened.device, "Sort key=uint max_count=100000", &sort);
  CALL(weft_create_plan, 0, opened.device, "Map element=uint expression=\"uint(i)\" max_count=16", &map);
  CALL(weft_get_plan_name, 0, sort, &text);
  CHECK_EQ(std::string(text), "Sort");
  CALL(weft_get_temporary_bytes, 0, map, &bytes);
  CHECK_EQ(bytes, 0);
  CALL(weft_get_plan_property, 0, sort, "temporary_bytes", &bytes);
  CHECK_GT(bytes, 0);
  CHECK_EQ(weft_get_plan_property(sort, "size", &bytes), WEFT_INVALID_ARGUMENT);
  CHECK_EQ(std::string(weft_error_message()),
           "weft_get_plan_property: a Sort has no property 'size'; it has temporary_bytes.");

  weft_buffer* temporary = nullptr;
  REQUIRE_EQ(weft_create_buffer(opened.device, bytes, &temporary), WEFT_OK);
  weft_sort_arguments sorted{};
  sorted.size = sizeof(sorted);
  sorted.keys = sorted.keys_out = {opened.buffer, 0, 256};
  sorted.count.value = 64;
  sorted.temporary = {temporary, 0, WEFT_REST};
  CALL(weft_record_sort, 0, opened.recorder, sort, &sorted);
  sorted.count.value = 65;
  CHECK_EQ(weft_record_sort(opened.recorder, sort, &sorted), WEFT_INVALID_ARGUMENT);
  sorted.count = {64, {reinterpret_cast<weft_buffer*>(sort), 0, 8}, 0};
  CHECK_EQ(weft_record_sort(opened.recorder, sort, &sorted), WEFT_INVALID_ARGUMENT);
  sorted.count = {0, {opened.buffer, 0, 8}, 5};
  CHECK_EQ(weft_record_sort(opened.recorder, sort, &sorted), WEFT_INVALID_ARGUMENT);
  sorted.size = 8 + 24 + 8;
  CHECK_EQ(weft_record_sort(opened.recorder, sort, &sorted), WEFT_INVALID_ARGUMENT);
  CHECK_EQ(std::string(weft_error_message()),
           "weft_record_sort: the size of 'arguments' ends within the member 'values'.");
  // A struct of a version that had an output alone.
  weft_map_arguments mapped{};
  mapped.size = offsetof(weft_map_arguments, second);
  mapped.output = {opened.buffer, 0, 64};
  mapped.count.value = 16;
  CALL(weft_record_map, 0, opened.recorder, map, &mapped);
  CHECK_EQ(weft_synchronize(opened.stream, WEFT_DEVICE_TIMEOUT), WEFT_OK);
  CHECK_EQ(weft_destroy_buffer(temporary), WEFT_OK);
  CALL(weft_destroy_plan, first, sort);
  CALL(weft_destroy_plan, first, map);
}

/// Each function that records a plan, with arguments that are wrong for any plan.
void refuse_plans(Calls& calls, const Opened& opened) {
  weft_plan *sort = nullptr, *map = nullptr;
  REQUIRE_EQ(weft_create_plan(opened.device, "Sort key=uint max_count=1000", &sort), WEFT_OK);
  REQUIRE_EQ(weft_create_plan(opened.device, "Map element=uint expression=\"uint(i)\" max_count=16", &map), WEFT_OK);
  const auto refuse = [&]<typename Arguments>(
                          const std::string& name, const std::string& plan,
                          weft_result (*record)(weft_recorder*, const weft_plan*, const Arguments*)) {
    calls.functions.insert(name);
    Arguments arguments{};
    arguments.size = sizeof(arguments);
    weft_plan* const other = plan == "Sort" ? map : sort;
    auto* const no_recorder = reinterpret_cast<weft_recorder*>(sort);
    auto* const no_plan = reinterpret_cast<weft_plan*>(opened.buffer);
    expect(WEFT_INVALID_ARGUMENT, record(nullptr, other, &arguments), name + ", without a recorder");
    expect(WEFT_INVALID_ARGUMENT, record(no_recorder, other, &arguments), name + ", another handle");
    expect(WEFT_INVALID_ARGUMENT, record(opened.recorder, nullptr, &arguments), name + ", without a plan");
    expect(WEFT_INVALID_ARGUMENT, record(opened.recorder, no_plan, &arguments), name + ", another handle");
    expect(WEFT_INVALID_ARGUMENT, record(opened.recorder, other, nullptr), name + ", without arguments");
    expect(WEFT_INVALID_ARGUMENT, record(opened.recorder, other, &arguments), name + ", another plan");
    const std::string message = weft_error_message(), given = plan == "Sort" ? "Map" : "Sort";
    CHECK_EQ(message, name + ": 'plan' takes a plan " + plan + "; this is a " + given + ".");
  };
#define WEFT_RECORD(name, plan) refuse("weft_record_" #name, #plan, weft_record_##name);
#define WEFT_REFIT(name, plan) refuse("weft_record_" #name "_refit", #plan, weft_record_##name##_refit);
#include "c/src/recorded_plans.h"
#undef WEFT_RECORD
#undef WEFT_REFIT
  weft_destroy_plan(sort);
  weft_destroy_plan(map);
}

void call_all(Calls& calls, const Opened& opened) {
  call_packs(calls);
  call_streams(calls, opened);
  call_kernels(calls, opened);
  call_plans(calls, opened);
}

}  // namespace

DEVICE_TEST("every function refuses wrong arguments, and does what is asked with right ones") {
  const Opened opened(device);
  Calls calls(opened.device, opened.list, opened.small);
  call_devices(calls, selector_of(device));
  call_all(calls, opened);
  refuse_plans(calls, opened);
  // These cannot fail; a cache's callback calls the last.
  for (const char* name : {"weft_error_message", "weft_error_log", "weft_result_name", "weft_version"}) {
    calls.functions.insert(name);
  }
  calls.functions.insert("weft_set_cache_entry");
  check_all_called(calls, {"weft_c.h", "weft_kernels_c.h", "weft_plans_c.h"});
}

DEVICE_TEST("streams and packs survive a lack of memory") {
  if (no_allocations(device) != 0) unsupported("the validation layer does not survive");
  const Opened opened(device);
  Calls calls(opened.device, opened.list, opened.small);
  call_streams(calls, opened);  // A Vulkan device compiles with its first copy.
  calls.fail_allocations = true;
  call_streams(calls, opened);
  call_packs(calls);
}

DEVICE_TEST("plans and kernels survive a lack of memory") {
  // Drivers of GPUs allocate by operator new too when they compile, and end the process if it fails.
  if (device.info().backend != "host") unsupported("its driver does not survive");
  const Opened opened(device);
  Calls calls(opened.device, opened.list, opened.small);
  const auto call = [&] {
    call_kernels(calls, opened);
    weft_plan* plan = nullptr;
    uint64_t bytes = 0;
    CALL(weft_create_plan, 0, opened.device, "Map element=uint expression=\"uint(i)\" max_count=16", &plan);
    CHECK_EQ(weft_get_plan_property(plan, "size", &bytes), WEFT_INVALID_ARGUMENT);
    CHECK_EQ(weft_destroy_plan(plan), WEFT_OK);
  };
  call();  // compiles what is then in the cache
  calls.fail_allocations = true;
  call();
}
