#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/src/pack/pack_writer.h"
#include "tests/c/objects.h"
#include "tests/support/environment.h"

using namespace weft;
using namespace weft::test;

/// How a device is opened through C: callbacks, packs; and what errors say.

namespace {

/// What callbacks saw.
struct Seen {
  std::mutex mutex;
  std::map<std::string, std::vector<std::byte>> entries;
  size_t loads = 0, stores = 0;
  std::vector<std::string> lines, messages;
};
Seen& seen_of(void* user) { return *static_cast<Seen*>(user); }

void load(void* user, const char* kind, const char* key, weft_cache_entry* entry) {
  Seen& seen = seen_of(user);
  const std::lock_guard lock(seen.mutex);
  ++seen.loads;
  const auto found = seen.entries.find(std::string(kind) + key);
  if (found == seen.entries.end()) return;
  CHECK_EQ(weft_set_cache_entry(entry, found->second.data(), found->second.size()), WEFT_OK);
  CHECK_EQ(weft_set_cache_entry(nullptr, found->second.data(), found->second.size()), WEFT_INVALID_ARGUMENT);
  CHECK_EQ(weft_set_cache_entry(entry, nullptr, 1), WEFT_INVALID_ARGUMENT);
}
void store(void* user, const char* kind, const char* key, const void* bytes, size_t size) {
  Seen& seen = seen_of(user);
  const std::lock_guard lock(seen.mutex);
  ++seen.stores;
  const auto* const begin = static_cast<const std::byte*>(bytes);
  seen.entries[std::string(kind) + key].assign(begin, begin + size);
}
void plan_made(void* user, const char* line) {
  Seen& seen = seen_of(user);
  const std::lock_guard lock(seen.mutex);
  seen.lines.emplace_back(line);
}
void message(void* user, int32_t, const char* text) {
  Seen& seen = seen_of(user);
  const std::lock_guard lock(seen.mutex);
  seen.messages.emplace_back(text);
}

weft_device_options with(Seen& seen) {
  weft_device_options options{};
  options.size = sizeof(options);
  options.load = load;
  options.store = store;
  options.plan = plan_made;
  options.message = message;
  options.cache_user = options.plan_user = options.message_user = &seen;
  return options;
}

}  // namespace

DEVICE_TEST("a device keeps its kernels in the program's own cache, and tells of its plans") {
  Seen seen;
  const weft_device_options options = with(seen);
  for (int time = 0; time < 2; ++time) {
    weft_device* opened = nullptr;
    weft_plan* plan = nullptr;
    REQUIRE_EQ(weft_open_device(selector_of(device).c_str(), &options, &opened), WEFT_OK);
    const size_t stores = seen.stores, loads = seen.loads;
    const char* const line = "Map element=uint expression=\"3u * uint(i)\" max_count=16";
    REQUIRE_EQ(weft_create_plan(opened, line, &plan), WEFT_OK);
    CHECK_GT(seen.loads, loads);
    CHECK((seen.stores > stores) == (time == 0));
    REQUIRE_EQ(seen.lines.size(), time + 1);
    CHECK_EQ(seen.lines.back(), line);
    weft_destroy_plan(plan);
    weft_destroy_device(opened);
  }
  CHECK(seen.messages.empty());
}

DEVICE_TEST("options of a device are checked") {
  Seen seen;
  const std::string selector = selector_of(device);
  weft_device* opened = nullptr;
  const auto refused = [&](const weft_device_options& options, weft_result result, const std::string& words) {
    CHECK_EQ(weft_open_device(selector.c_str(), &options, &opened), result);
    CHECK(opened == nullptr);
    const std::string text = weft_error_message();
    CHECK_MESSAGE(text.find(words) != std::string::npos, text);
  };
  weft_device_options options = with(seen);
  options.store = nullptr;
  refused(options, WEFT_INVALID_ARGUMENT, "both functions");
  options = with(seen);
  options.cache_folder = "folder";
  refused(options, WEFT_INVALID_ARGUMENT, "either");
  options = with(seen);
  options.plans_file = "plans.txt";
  refused(options, WEFT_INVALID_ARGUMENT, "plans_file");
  options = with(seen);
  options.tuning = "nonsense";
  refused(options, WEFT_INVALID_ARGUMENT, "options.tuning");
  options = with(seen);
  options.pack_count = 1;
  refused(options, WEFT_INVALID_ARGUMENT, "'options.packs' is null");
  const weft_pack* none = nullptr;
  options.packs = &none;
  refused(options, WEFT_INVALID_ARGUMENT, "takes a weft_pack");
}

DEVICE_TEST("a device takes packs, and leaves the environment alone on request") {
  const std::vector<std::byte> bytes = core::PackWriter().bytes("what it holds\n", {});
  weft_pack* pack = nullptr;
  REQUIRE_EQ(weft_open_pack_in_memory(bytes.data(), bytes.size(), nullptr, &pack), WEFT_OK);
  const weft_pack* const packs[] = {pack};
  weft_device_options options{};
  options.size = sizeof(options);
  options.ignore_environment = 1;
  options.packs = packs;
  options.pack_count = 1;
  options.timeout_ns = 30'000'000'000;
  const Environment wrong("WEFT_PACKS", "no/such.weftpack");
  weft_device* opened = nullptr;
  CHECK_EQ(weft_open_device(selector_of(device).c_str(), nullptr, &opened), WEFT_IO_FAILED);
  CHECK_EQ(weft_open_device(selector_of(device).c_str(), &options, &opened), WEFT_OK);
  CHECK_EQ(weft_destroy_pack(pack), WEFT_OK);  // the device has what it needs
  CHECK_EQ(weft_destroy_device(opened), WEFT_OK);
}

DEVICE_TEST("an error is of the thread that made it, and has the compiler's log") {
  const Opened opened(device);
  weft_kernel* kernel = nullptr;
  CHECK_EQ(weft_create_kernel_from_glsl(opened.device, "void main() { nothing; }", nullptr, &kernel),
           WEFT_COMPILE_FAILED);
  CHECK(kernel == nullptr);
  CHECK(std::string(weft_error_log()).find("nothing") != std::string::npos);
  const std::string failure = weft_error_message();
  std::thread([] {
    CHECK_EQ(std::string(weft_error_message()), "");
    CHECK_EQ(weft_submit(nullptr), WEFT_INVALID_ARGUMENT);
    CHECK_EQ(std::string(weft_error_message()), "weft_submit: 'stream' is null; it takes a weft_stream.");
    CHECK_EQ(std::string(weft_error_log()), "");
  }).join();
  CHECK_EQ(weft_submit(opened.stream), WEFT_OK);
  CHECK_EQ(std::string(weft_error_message()), failure);
  CHECK_EQ(std::string(weft_result_name(WEFT_COMPILE_FAILED)), to_string(ErrorCode::compile_failed));
  CHECK_EQ(std::string(weft_result_name(99)), "unknown");
  CHECK_EQ(std::string(weft_result_name(-1)), "unknown");
}

DEVICE_TEST("a plan keeps its device open; objects of another device are refused") {
  const Opened opened(device), other(device);
  weft_plan* plan = nullptr;
  const char* const line = "Map element=uint expression=\"uint(i)\" max_count=16";
  REQUIRE_EQ(weft_create_plan(other.device, line, &plan), WEFT_OK);
  weft_map_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.output = {opened.buffer, 0, 64};
  arguments.count.value = 16;
  CHECK_EQ(weft_record_map(opened.recorder, plan, &arguments), WEFT_INVALID_ARGUMENT);
  CHECK_EQ(weft_record_map(other.recorder, plan, &arguments), WEFT_INVALID_ARGUMENT);
  CHECK_EQ(weft_copy(opened.recorder, {opened.buffer, 0, 16}, {other.buffer, 0, 16}), WEFT_INVALID_ARGUMENT);
  weft_event* event = nullptr;
  REQUIRE_EQ(weft_create_event(other.stream, &event), WEFT_OK);
  CHECK_EQ(weft_wait_on_device(opened.stream, event), WEFT_INVALID_ARGUMENT);
  weft_destroy_event(event);
  weft_destroy_plan(plan);

  weft_device* alone = nullptr;
  REQUIRE_EQ(weft_open_device(selector_of(device).c_str(), nullptr, &alone), WEFT_OK);
  REQUIRE_EQ(weft_create_plan(alone, line, &plan), WEFT_OK);
  weft_stream* stream = nullptr;
  REQUIRE_EQ(weft_create_stream(alone, &stream), WEFT_OK);
  CHECK_EQ(weft_destroy_device(alone), WEFT_OK);
  CHECK_EQ(weft_synchronize(stream, WEFT_DEVICE_TIMEOUT), WEFT_OK);
  CHECK_EQ(weft_destroy_stream(stream), WEFT_OK);
  CHECK_EQ(weft_destroy_plan(plan), WEFT_OK);
}
