#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include <weft/scan.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Memory and semaphores that devices share by file descriptor: here two VkDevices of one driver. lavapipe and
/// SwiftShader share memory; neither exports a timeline semaphore. tests/interop/cuda_vulkan.cpp tests CUDA's side.

namespace {

constexpr const char* memory_extension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
constexpr const char* semaphore_extension = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;

bool is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

size_t open_descriptors() {
  DIR* const folder = opendir("/proc/self/fd");
  REQUIRE(folder);
  size_t count = 0;
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

std::vector<uint32_t> random_words(uint64_t count, const char* what) {
  std::mt19937_64 generator = random_generator(what);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = uint32_t(generator());
  return words;
}

bool exports_semaphores(const Host& host, VkSemaphoreType of_type) {
  const auto properties_of = reinterpret_cast<PFN_vkGetPhysicalDeviceExternalSemaphoreProperties>(
      loader_get_proc_addr()(host.instance, "vkGetPhysicalDeviceExternalSemaphoreProperties"));
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = of_type;
  VkPhysicalDeviceExternalSemaphoreInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, &type};
  info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkExternalSemaphoreProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  properties_of(host.physical, &info, &properties);
  return properties.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
}

struct Exported {
  explicit Exported(const Region& region) : fd(vulkan::export_fd(region, &bytes, &offset)) {
    REQUIRE_EQ(fstat(fd, &file), 0);
  }
  /// Whether the descriptor still stands for the memory: a thread of the driver's may have opened another file with the
  /// number.
  bool is_open() const {
    struct stat now{};
    return fstat(fd, &now) == 0 && now.st_dev == file.st_dev && now.st_ino == file.st_ino;
  }

  uint64_t bytes = 0, offset = 0;
  int fd;
  struct stat file{};
};

}  // namespace

TEST_CASE("two VkDevices share memory, in both directions and at any offset") {
  Host one({.descriptors = true}), two({.descriptors = true});
  REQUIRE(one.has(memory_extension));
  {
    const Device from = vulkan::wrap_device(one.description()), to = vulkan::wrap_device(two.description());
    CHECK_EQ(vulkan::device_uuid(from), vulkan::device_uuid(to));
    Stream writer = from.stream(), reader = to.stream();
    for (const uint64_t count : {1, 63, 1024, 100'003}) {
      std::vector<uint32_t> words = random_words(count, "shared words");
      const auto exported = vulkan::exportable_buffer<uint32_t>(from, count);
      CHECK_EQ(exported.size(), count);
      writer.upload(exported, words);
      const Exported whole(exported), end(exported.part(count - 1, 1));
      CHECK_GE(whole.bytes, 4 * count);
      CHECK_EQ(end.bytes, whole.bytes);
      CHECK_EQ(whole.offset, 0);
      CHECK_EQ(end.offset, 4 * (count - 1));
      CHECK_NE(end.fd, whole.fd);
      const auto first = vulkan::import_fd(to, whole.fd, whole.bytes, vulkan::device_uuid(from));
      CHECK_FALSE(whole.is_open());
      const auto second = vulkan::import_fd(to, end.fd, end.bytes, vulkan::device_uuid(from));
      CHECK_EQ(first.size(), whole.bytes);
      CHECK_FALSE(end.is_open());
      writer.synchronize();
      const View<uint32_t> all = first.part(0, 4 * count).as<uint32_t>();
      check_same(reader.download(all), words);
      check_same(reader.download(second.part(end.offset, 4).as<uint32_t>()), {words.back()});
      inclusive_scan(reader, all, all);
      reader.synchronize();
      std::partial_sum(words.begin(), words.end(), words.begin());
      check_same(writer.download(exported), words);
    }
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(one.messages() + two.messages(), 0);
}

TEST_CASE("exported memory outlives its exporter, and a device of Weft's own shares it too") {
  Host host({.descriptors = true});
  const Device to = vulkan::wrap_device(host.description());
  const std::vector<uint32_t> words = random_words(5000, "words of a closed device");
  std::optional<Exported> exported;
  std::array<uint8_t, 16> uuid{};
  {
    const Device from = open_device("vulkan");
    uuid = vulkan::device_uuid(from);
    const auto buffer = vulkan::exportable_buffer<uint32_t>(from, words.size());
    Stream stream = from.stream();
    stream.upload(buffer, words);
    exported.emplace(buffer.view());
    stream.synchronize();
  }
  auto imported = vulkan::import_fd(to, exported->fd, exported->bytes, uuid);
  std::vector<int> others(8);
  for (int& fd : others) fd = fcntl(0, F_DUPFD_CLOEXEC, 0);
  Stream stream = to.stream();
  check_same(stream.download(imported.part(0, 4 * words.size()).as<uint32_t>()), words);
  imported = {};
  stream.synchronize();
  for (const int fd : others) {  // The driver closed its own descriptor alone.
    CHECK(is_open(fd));
    close(fd);
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("shared buffers may go while work uses them, and a thousand leave nothing behind") {
  Host one({.descriptors = true}), two({.descriptors = true});
  size_t descriptors = 0;
  {
    const Device from = vulkan::wrap_device(one.description()), to = vulkan::wrap_device(two.description());
    Stream writer = from.stream(), reader = to.stream();
    for (uint32_t round = 0; round < 1000; ++round) {
      auto buffer = vulkan::exportable_buffer<uint32_t>(from, 1000);
      const Exported exported(buffer);
      auto imported = vulkan::import_fd(to, exported.fd, exported.bytes, vulkan::device_uuid(from));
      writer.fill(buffer, round);
      reader.fill(imported.part(0, 2000).as<uint32_t>(), ~round);
      buffer = {};
      imported = {};
      if (round % 20 == 19) {
        writer.synchronize();
        reader.synchronize();
      }
      if (round == 99) descriptors = open_descriptors();
      if (round > 99 && round % 100 == 99) CHECK_EQ(open_descriptors(), descriptors);
    }
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(one.messages() + two.messages(), 0);
}

TEST_CASE("memory that cannot be shared is refused by name, and the descriptor stays the caller's") {
  Host host({.descriptors = true}), plain;
  const Device device = vulkan::wrap_device(host.description()), without = vulkan::wrap_device(plain.description());
  const auto uuid = vulkan::device_uuid(device);
  check_error(ErrorCode::unsupported, {"exportable_buffer", memory_extension, "enabled_extensions"},
              [&] { vulkan::exportable_buffer<uint32_t>(without, 10); });
  CHECK(vulkan::exportable_buffer<uint32_t>(device, 0).empty());
  check_error(ErrorCode::invalid_argument, {"bytes than 64 bits"},
              [&] { vulkan::exportable_buffer<uint32_t>(device, ~uint64_t{0} / 2); });
  check_error(ErrorCode::invalid_argument, {"export_fd", "empty"}, [] { vulkan::export_fd({}, nullptr, nullptr); });
  const auto ordinary = device.buffer<uint32_t>(100);
  const auto wrapped = vulkan::wrap_buffer<uint32_t>(device, host.make_buffer(4096).all(), 100);
  for (const Region& region : {Region(ordinary), Region(wrapped)}) {
    check_error(ErrorCode::invalid_argument, {"export_fd", "exportable_buffer()"},
                [&] { vulkan::export_fd(region, nullptr, nullptr); });
  }
  const auto buffer = vulkan::exportable_buffer<uint32_t>(device, 100'000);
  const Exported exported(buffer);
  auto other = uuid;
  other[3] ^= 1;
  check_error(ErrorCode::invalid_argument, {"import_fd", "UUID", device.info().name, "GPU that exported"},
              [&] { vulkan::import_fd(device, exported.fd, exported.bytes, other); });
  check_error(ErrorCode::invalid_argument, {"import_fd", "size", "0"},
              [&] { vulkan::import_fd(device, exported.fd, 0, uuid); });
  check_error(ErrorCode::unsupported, {"import_fd", memory_extension},
              [&] { vulkan::import_fd(without, exported.fd, exported.bytes, uuid); });
  round_up_buffers(4096);  // as GPUs do
  check_error(ErrorCode::invalid_argument, {"imported memory has 399999 bytes", "401408", "size of the whole memory"},
              [&] { vulkan::import_fd(device, exported.fd, 399'999, uuid); });
  const auto rounded = vulkan::exportable_buffer<uint32_t>(device, 100'000);
  const Exported larger(rounded);
  CHECK_EQ(larger.bytes, 401'408);
  CHECK_EQ(vulkan::import_fd(device, larger.fd, larger.bytes, uuid).size(), 401'408);
  round_up_buffers(1);
  CHECK(is_open(exported.fd));
  close(exported.fd);
  if (device.info().name.find("llvmpipe") != std::string::npos) {  // SwiftShader takes every file
    const int file = memfd_create("nobody's memory", 0);
    REQUIRE_EQ(ftruncate(file, 1 << 20), 0);
    check_error(ErrorCode::invalid_argument, {"importing memory", "VK_ERROR_INVALID_EXTERNAL_HANDLE"},
                [&] { vulkan::import_fd(device, file, exported.bytes, uuid); });
    CHECK(is_open(file));
    close(file);
  }
  for (const int wrong : {-1, exported.fd}) {
    check_error(ErrorCode::invalid_argument, {"import_fd", std::to_string(wrong), "not an open file descriptor"},
                [&] { vulkan::import_fd(device, wrong, exported.bytes, uuid); });
  }
  CHECK_EQ(host.messages() + plain.messages(), 0);
}

TEST_CASE("semaphores are exported if the driver can, else refused by name") {
  Host host({.descriptors = true}), plain;
  const Device device = vulkan::wrap_device(host.description()), without = vulkan::wrap_device(plain.description());
  check_error(ErrorCode::invalid_argument, {"export_semaphore_fd", "null"},
              [&] { vulkan::export_semaphore_fd(device, nullptr); });
  check_error(ErrorCode::unsupported, {"exportable_semaphore", semaphore_extension, "enabled_extensions"},
              [&] { vulkan::exportable_semaphore(without); });
  const VkSemaphore timeline = plain.make_timeline();
  check_error(ErrorCode::unsupported, {"export_semaphore_fd", semaphore_extension},
              [&] { vulkan::export_semaphore_fd(without, timeline); });
  if (!host.has(semaphore_extension)) {  // lavapipe
    check_error(ErrorCode::unsupported, {semaphore_extension}, [&] { vulkan::exportable_semaphore(device); });
    return;
  }
  if (exports_semaphores(host, VK_SEMAPHORE_TYPE_TIMELINE)) {
    const int fd = vulkan::export_semaphore_fd(device, vulkan::exportable_semaphore(device));
    CHECK(is_open(fd));
    close(fd);
  } else {  // SwiftShader
    check_error(ErrorCode::unsupported, {"does not export timeline semaphores"},
                [&] { vulkan::exportable_semaphore(device); });
  }
  if (!exports_semaphores(host, VK_SEMAPHORE_TYPE_BINARY)) return;
  VkExportSemaphoreCreateInfo exportable{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  exportable.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &exportable, 0};
  VkSemaphore binary = VK_NULL_HANDLE;
  REQUIRE_EQ(host.vkCreateSemaphore(host.device, &info, nullptr, &binary), VK_SUCCESS);
  const int one = vulkan::export_semaphore_fd(device, binary), two = vulkan::export_semaphore_fd(device, binary);
  CHECK(is_open(one));
  CHECK_NE(one, two);
  close(one);
  close(two);
  host.vkDestroySemaphore(host.device, binary, nullptr);
}

TEST_CASE("the extensions for sharing are named among the optional ones") {
  const auto optional = vulkan::requirements().extensions(false), required = vulkan::requirements().extensions(true);
  for (const char* const name : {memory_extension, semaphore_extension}) {
    CHECK_EQ(std::ranges::count(optional, name), 1);
    CHECK_EQ(std::ranges::count(required, name), 0);
  }
}
