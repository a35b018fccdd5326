#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "tests/conformance/long_work.h"
#include "tests/support/files.h"
#include "tests/support/memory_cache.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

/// Devices of one process, each with options of its own.

namespace {

class BrokenCache final : public KernelCache {
 public:
  std::optional<std::vector<std::byte>> load(std::string_view, std::string_view) override {
    throw Error(ErrorCode::io_failed, "the archive is closed");
  }
  void store(std::string_view, std::string_view, std::span<const std::byte>) override {}
};

/// Takes messages, from any thread.
class Messages {
 public:
  MessageCallback callback() {
    return [this](MessageSeverity severity, const std::string& text) {
      const std::lock_guard lock(mutex_);
      texts_.push_back((severity == MessageSeverity::error ? "error: " : "warning: ") + text);
    };
  }
  std::vector<std::string> texts() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

Device open_with(const Device& device, std::shared_ptr<KernelCache> cache) {
  DeviceOptions options = DeviceOptions::from_environment();
  options.cache = std::move(cache);
  return open_device(selector_of(device), options);
}

/// Compiles a kernel, runs it and fails unless it computes what it should.
void check_computes(const Device& device) {
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { target.v[0] = 391; })");
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
  CHECK_EQ(stream.download(target).at(0), 391);
}

std::map<std::string, std::filesystem::file_time_type> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::filesystem::file_time_type> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().string()] = entry.last_write_time();
  }
  return files;
}

}  // namespace

DEVICE_TEST("devices of one process have caches of their own, or none") {
  const TemporaryFolder folder;
  const std::filesystem::path a = folder.path() / "a", b = folder.path() / "b";
  const Device first = open_with(device, KernelCache::in_folder(a));
  const Device second = open_with(device, KernelCache::in_folder(b));
  const Device without = open_with(device, nullptr);
  check_computes(without);
  CHECK_EQ(without.options().cache, nullptr);
  check_computes(first);
  const auto stored = files_of(a);
  CHECK_GE(stored.size(), 3);  // the SPIR-V, that it is valid, and the device's code
  CHECK(files_of(b).empty());
  check_computes(second);
  CHECK_EQ(files_of(b).size(), stored.size());
  check_computes(open_with(device, KernelCache::in_folder(a)));
  CHECK((files_of(a) == stored));
}

DEVICE_TEST("a cache of the caller's holds what is compiled, and damaged entries count as missing") {
  const auto cache = std::make_shared<MemoryCache>();
  check_computes(open_with(device, cache));
  const size_t stores = cache->stores, loads = cache->loads;
  CHECK_GE(cache->entries.size(), 3);
  CHECK_EQ(cache->entries.size(), stores);
  check_computes(open_with(device, cache));
  CHECK_EQ(cache->stores, stores);
  CHECK_GT(cache->loads, loads);
  const auto good = cache->entries;
  std::mt19937_64 generator = random_generator("damaged entries");
  for (auto& [name, bytes] : cache->entries) {
    INFO(name);
    bytes[generator() % bytes.size()] ^= std::byte(1 << generator() % 8);
    check_computes(open_with(device, cache));
    CHECK_EQ(bytes.size(), good.at(name).size());
  }
  for (auto& [name, bytes] : cache->entries) bytes.resize(generator() % 64);
  check_computes(open_with(device, cache));
  for (const auto& [name, bytes] : cache->entries) CHECK_EQ(bytes.size(), good.at(name).size());
}

DEVICE_TEST("options that shape a kernel have entries of their own in the cache") {
  const auto cache = std::make_shared<MemoryCache>();
  const Device other = open_with(device, cache);
  const Spirv module = compile_glsl(
      "#version 450\nlayout(local_size_x_id = 1) in;\nlayout(constant_id = 2) const uint n = 3;\n"
      "layout(push_constant) uniform P { float x; uint y; };\n"
      "void main() { if (x * x + float(n) == 0.5 && y > n) barrier(); }\n",
      GlslOptions{});
  std::vector<KernelOptions> variants(5);
  variants[1].specialize(1, 4u);
  variants[2].specialize(2, 4u);
  variants[3].specialize(1, 4u).specialize(2, 4u);
  variants[4].contraction = Contraction::forbidden;
  const auto prepared = [&] {
    return size_t(
        std::ranges::count_if(cache->entries, [](const auto& entry) { return entry.first.starts_with("prepared "); }));
  };
  static_cast<void>(other.kernel(module));
  const size_t others = prepared() - 1;  // a backend's own kernels
  for (size_t i = 0; i < variants.size(); ++i) {
    static_cast<void>(other.kernel(module, variants[i]));
    static_cast<void>(other.kernel(module, variants[i]));
    CHECK_EQ(prepared(), others + i + 1);
  }
}

DEVICE_TEST("what a cache throws reaches who asked for the kernel") {
  check_error(ErrorCode::io_failed, {"the archive is closed"},
              [&] { check_computes(open_with(device, std::make_shared<BrokenCache>())); });
  check_computes(device);
}

DEVICE_TEST("a folder that others can write is an error for the device that names it, and for no other") {
  const TemporaryFolder folder;
  const std::filesystem::path open = folder.path() / "open";
  std::filesystem::create_directory(open);
  REQUIRE_EQ(chmod(open.c_str(), 0777), 0);
  check_error(ErrorCode::io_failed, {open.string(), "every user can write it", "chmod", "DeviceOptions::cache"},
              [&] { check_computes(open_with(device, KernelCache::in_folder(open))); });
  CHECK(files_of(open).empty());
  check_computes(open_with(device, KernelCache::in_folder(folder.path() / "closed")));
}

DEVICE_TEST("each device reports to its own callback") {
  Messages first, second;
  DeviceOptions options = DeviceOptions::from_environment();
  options.validation = false;
  options.timeout = 20ms;
  options.messages = first.callback();
  const Device impatient = open_device(selector_of(device), options);
  options.timeout = 60s;
  options.messages = second.callback();
  const Device patient = open_device(selector_of(device), options);
  LongWork work(impatient, 500ms);
  {
    Stream stuck = impatient.stream(), stream = patient.stream();
    work.record(stuck);
  }
  const std::vector<std::string> texts = first.texts();
  REQUIRE_EQ(texts.size(), 1);
  CHECK(texts[0].starts_with("error: closing a stream: "));
  CHECK(texts[0].find("DeviceOptions::timeout") != std::string::npos);
  CHECK(second.texts().empty());
  Stream stream = impatient.stream();
  stream.synchronize(60s);
}

DEVICE_TEST("the streams of a device with one queue take turns") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.queues = 1;
  const Device one = open_device(selector_of(device), options);
  const Buffer<uint32_t> words = one.buffer<uint32_t>(1000);
  Stream first = one.stream(), second = one.stream();
  for (uint32_t i = 0; i < 20; ++i) {
    first.fill(words, i);
    second.wait(first.record());
    check_same(second.download(words), std::vector<uint32_t>(1000, i));
  }
  if (device.info().backend != "vulkan") return;
  options.queues = 0;
  check_error(ErrorCode::invalid_argument, {"DeviceOptions::queues is 0"},
              [&] { open_device(selector_of(device), options); });
}

DEVICE_TEST("what a message callback throws goes no further") {
  DeviceOptions options = DeviceOptions::from_environment();
  options.validation = false;
  options.timeout = 20ms;
  options.messages = [](MessageSeverity, const std::string&) { throw 7; };
  const Device impatient = open_device(selector_of(device), options);
  LongWork work(impatient, 500ms);
  {
    Stream stuck = impatient.stream();
    work.record(stuck);
  }
  Stream stream = impatient.stream();
  stream.synchronize(60s);
}

DEVICE_TEST("validation that a device cannot have is one warning to its callback") {
  if (device.info().backend == "vulkan") unsupported("Vulkan has a validation layer");
  Messages messages;
  DeviceOptions options = DeviceOptions::from_environment();
  options.validation = true;
  options.messages = messages.callback();
  open_device(selector_of(device), options);
  const std::vector<std::string> texts = messages.texts();
  REQUIRE_EQ(texts.size(), 1);
  CHECK(texts[0].starts_with("warning: validation"));
}

DEVICE_TEST("messages of the validation layer go to the callback of the device") {
  if (device.info().backend != "vulkan") unsupported("it has no validation layer");
  Messages messages;
  DeviceOptions options = DeviceOptions::from_environment();
  options.validation = true;
  options.messages = messages.callback();
  std::optional<Device> validated;
  try {
    validated = open_device(selector_of(device), options);
  } catch (const Error& error) {
    unsupported(error.what());
  }
  {
    Stream stream = validated->stream();
    const Buffer<uint8_t> source = validated->buffer<uint8_t>(4), target = validated->buffer<uint8_t>(4);
    stream.fill(source, uint8_t{1});
    const auto scope = stream.independent();  // wrong: both copies write the same byte
    stream.copy<uint8_t>(source.part(0, 1), target.part(1, 1));
    stream.copy<uint8_t>(source.part(1, 1), target.part(1, 1));
  }
  CHECK(std::ranges::any_of(messages.texts(), [](const std::string& text) {
    return text.starts_with("error: validation: ") && text.find("SYNC-HAZARD") != std::string::npos;
  }));
}
