#include "c/src/options.h"

#include <algorithm>
#include <span>

#include <weft/plan_recorder.h>

#include "c/src/objects.h"
#include "c/src/structs.h"

namespace weft::c {
namespace {

std::shared_ptr<KernelCache> cache_of(const weft_device_options& given) {
  if (!given.load || !given.store) refuse("a cache needs both functions, 'load' and 'store'.");
  if (given.cache_folder) refuse("a cache is either 'cache_folder', or 'load' and 'store'.");
  return KernelCache::of(
      [load = given.load, user = given.cache_user](std::string_view kind, std::string_view key) {
        weft_cache_entry entry;
        load(user, std::string(kind).c_str(), std::string(key).c_str(), &entry);
        return std::move(entry.bytes);
      },
      [store = given.store, user = given.cache_user](std::string_view kind, std::string_view key,
                                                     std::span<const std::byte> bytes) {
        store(user, std::string(kind).c_str(), std::string(key).c_str(), bytes.data(), bytes.size());
      });
}

/// Tells a callback of plans. Kernels of the program's own have no line.
class PlanCallback final : public PlanRecorder {
 public:
  PlanCallback(weft_plan_callback callback, void* user) : callback_(callback), user_(user) {}

  void plan(const std::string& line) override { callback_(user_, line.c_str()); }
  void kernel(const Spirv&, const KernelOptions&) override {}

 private:
  weft_plan_callback callback_;
  void* user_;
};

std::shared_ptr<PlanRecorder> recorder_of(const weft_device_options& given) {
  if (given.plan && given.plans_file) refuse("plans go either to the callback 'plan' or to 'plans_file'.");
  if (given.plan) return std::make_shared<PlanCallback>(given.plan, given.plan_user);
  return PlanRecorder::to_file(given.plans_file);
}

}  // namespace

std::chrono::nanoseconds nanoseconds(uint64_t given) {
  constexpr uint64_t hundred_years = uint64_t{100} * 365 * 24 * 3600 * 1'000'000'000;
  return std::chrono::nanoseconds(int64_t(std::min(given, hundred_years)));
}

DeviceOptions options_of(const weft_device_options* const options) {
  const weft_device_options given = copy_of(options, "options");
  DeviceOptions all = given.ignore_environment ? DeviceOptions{} : DeviceOptions::from_environment();
  if (given.validation) all.validation = true;
  if (given.timeout_ns) all.timeout = nanoseconds(given.timeout_ns);
  if (given.queues) all.queues = uint32_t(std::min<uint64_t>(given.queues, UINT32_MAX));
  if (given.load || given.store) {
    all.cache = cache_of(given);
  } else if (given.cache_folder) {
    all.cache = *given.cache_folder ? KernelCache::in_folder(given.cache_folder) : nullptr;
  }
  if (given.pack_count) all.packs.clear();
  for (size_t i = 0; i < given.pack_count; ++i) {
    all.packs.push_back(checked(c::given(given.packs, "options.packs")[i], "options.packs").pack);
  }
  if (given.tuning) all.tuning = Tuning::parse(given.tuning, "options.tuning");
  if (given.compiler) all.compiler = given.compiler;
  if (given.message) {
    all.messages = [message = given.message, user = given.message_user](MessageSeverity severity,
                                                                        const std::string& text) {
      message(user, severity == MessageSeverity::warning ? WEFT_MESSAGE_WARNING : WEFT_MESSAGE_ERROR, text.c_str());
    };
  }
  if (given.plan || given.plans_file) all.recorder = recorder_of(given);
  return all;
}

}  // namespace weft::c

using namespace weft::c;

weft_result weft_set_cache_entry(weft_cache_entry* entry, const void* bytes, size_t size) {
  return guarded(__func__, [&] {
    const auto* const first = static_cast<const std::byte*>(given(bytes, "bytes", size));
    checked(entry, "entry").bytes.emplace(first, first + size);
  });
}
