// CUDA and Vulkan on one GPU: memory and a timeline semaphore that Vulkan exports and CUDA imports. Run by hand on a
// GPU: WEFT_TEST_DEVICES=cuda ./cuda_vulkan_interop. On CPUs, SwiftShader shares memory with the tests' own CUDA
// driver; it exports no timeline semaphore.
#define VK_NO_PROTOTYPES
#include <fcntl.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <thread>

#include <weft/interop/cuda.h>
#include <weft/interop/vulkan.h>
#include <weft/scan.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/host.h"

namespace weft::test {
namespace {

bool is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

/// The Vulkan device on the GPU of a CUDA device.
Device vulkan_of(const Device& device) {
  if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
  for (const BackendInfo& backend : list_devices()) {
    if (backend.name != "vulkan") continue;
    for (const DeviceInfo& info : backend.devices) {
      if (!info.refusal.empty()) continue;
      Device found = open_device(info.selector);
      if (vulkan::device_uuid(found) == cuda::device_uuid(device)) return found;
    }
  }
  REQUIRE_MESSAGE(!std::getenv("WEFT_CUDA_ON_CPU_UUID"), "no Vulkan device has the UUID of WEFT_CUDA_ON_CPU_UUID");
  unsupported("no Vulkan device on this GPU");
}

/// As vulkan_of(), if the device also exports timeline semaphores.
Device vulkan_with_semaphores(const Device& device) {
  Device found = vulkan_of(device);
  try {
    vulkan::exportable_semaphore(found);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    unsupported(error.what());
  }
  return found;
}

struct Imported {
  Imported(const Region& region, const Device& from, const Device& to) {
    const int fd = vulkan::export_fd(region, &bytes, &offset);
    buffer = cuda::import_fd(to, fd, bytes, vulkan::device_uuid(from));
    CHECK_FALSE(is_open(fd));
  }
  template <typename T>
  View<T> elements(uint64_t count) const {
    return buffer.part(offset, count * sizeof(T)).template as<T>();
  }

  uint64_t bytes = 0, offset = 0;
  Buffer<std::byte> buffer;
};

cuda::ExternalSemaphore imported_semaphore(VkSemaphore semaphore, const Device& from, const Device& to) {
  const int fd = vulkan::export_semaphore_fd(from, semaphore);
  cuda::ExternalSemaphore imported = cuda::import_semaphore_fd(to, fd, vulkan::device_uuid(from));
  CHECK_FALSE(is_open(fd));
  return imported;
}

std::vector<uint32_t> random_words(uint64_t count, const char* what) {
  std::mt19937_64 generator = random_generator(what);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = uint32_t(generator());
  return words;
}

}  // namespace

DEVICE_TEST("CUDA and Vulkan see the same bits in exported memory, in both directions") {
  const Device from = vulkan_of(device);
  Stream writer = from.stream(), reader = device.stream();
  std::vector<uint64_t> counts = {1, 63, 1024, 100'003};
  if (!computes_on_cpu(device)) counts.push_back(30'000'001);
  for (const uint64_t count : counts) {
    CAPTURE(count);
    std::vector<uint32_t> words = random_words(count, "shared words");
    const auto exported = vulkan::exportable_buffer<uint32_t>(from, count);
    const Imported imported(exported, from, device);
    CHECK_GE(imported.bytes, 4 * count);
    CHECK_EQ(imported.offset, 0);
    CHECK_EQ(imported.buffer.size(), imported.bytes);
    writer.upload(exported, words);
    writer.synchronize();
    const View<uint32_t> all = imported.elements<uint32_t>(count);
    check_same(reader.download(all), words);
    inclusive_scan(reader, all, all);
    reader.synchronize();
    std::partial_sum(words.begin(), words.end(), words.begin());
    check_same(writer.download(exported), words);
  }
}

DEVICE_TEST("a shared part is at the offset that the export returns, to the byte") {
  const Device from = vulkan_of(device);
  Stream writer = from.stream(), reader = device.stream();
  std::mt19937_64 generator = random_generator("shared bytes");
  const std::vector<std::byte> bytes = random_bytes(12'345, generator);
  const auto exported = vulkan::exportable_buffer<std::byte>(from, bytes.size());
  writer.upload(exported, bytes);
  writer.synchronize();
  for (const uint64_t first : {0, 1, 4'097, 12'344}) {
    const Imported part(exported.view().from(first), from, device);
    CHECK_EQ(part.offset, first);
    check_same(reader.download(part.elements<std::byte>(bytes.size() - first)),
               std::vector(bytes.begin() + long(first), bytes.end()));
  }
}

DEVICE_TEST("exported memory outlives its exporter, and goes when no work uses it") {
  std::optional<Imported> imported;
  const std::vector<uint32_t> words = random_words(100'003, "words of a closed device");
  {
    const Device from = vulkan_of(device);
    const auto exported = vulkan::exportable_buffer<uint32_t>(from, words.size());
    Stream stream = from.stream();
    stream.upload(exported, words);
    stream.synchronize();
    imported.emplace(exported.view(), from, device);
  }
  Stream stream = device.stream();
  const auto copy = device.buffer<uint32_t>(words.size());
  stream.copy<uint32_t>(imported->elements<uint32_t>(words.size()), copy.view());
  imported.reset();
  check_same(stream.download(copy), words);
}

DEVICE_TEST("imports that cannot work are refused by name, and the descriptor stays the caller's") {
  const Device from = vulkan_of(device);
  const auto exported = vulkan::exportable_buffer<uint32_t>(from, 1000);
  uint64_t bytes = 0;
  const int fd = vulkan::export_fd(exported, &bytes, nullptr);
  const auto uuid = vulkan::device_uuid(from);
  auto other = uuid;
  other[15] ^= 0x80;
  check_error(ErrorCode::invalid_argument, {"import_fd", "UUID", device.info().name, "GPU that exported"},
              [&] { cuda::import_fd(device, fd, bytes, other); });
  check_error(ErrorCode::invalid_argument, {"import_semaphore_fd", "UUID"},
              [&] { cuda::import_semaphore_fd(device, fd, other); });
  check_error(ErrorCode::invalid_argument, {"import_fd", "size", "0"}, [&] { cuda::import_fd(device, fd, 0, uuid); });
  check_error(ErrorCode::invalid_argument, {"cuda backend"}, [&] { cuda::import_fd(from, fd, bytes, uuid); });
  check_error(ErrorCode::invalid_argument, {"no Vulkan device"}, [&] { vulkan::import_fd(device, fd, bytes, uuid); });
  CHECK(is_open(fd));
  close(fd);
  check_error(ErrorCode::invalid_argument, {"import_fd", "not an open file descriptor"},
              [&] { cuda::import_fd(device, fd, bytes, uuid); });
}

DEVICE_TEST("a timeline semaphore orders CUDA's and Vulkan's work without the host") {
  const Device from = vulkan_with_semaphores(device);
  constexpr uint64_t count = 4'000'000, rounds = 40;
  const auto exported = vulkan::exportable_buffer<uint32_t>(from, count);
  const Imported imported(exported, from, device);
  const View<uint32_t> shared = imported.elements<uint32_t>(count);
  VkSemaphore_T* const semaphore = vulkan::exportable_semaphore(from);
  cuda::ExternalSemaphore in_cuda = imported_semaphore(semaphore, from, device);
  const auto seen_by_vulkan = from.buffer<uint32_t>(rounds), seen_by_cuda = device.buffer<uint32_t>(rounds);
  Stream vulkan_stream = from.stream(), cuda_stream = device.stream();
  for (uint64_t round = 0; round < rounds; ++round) {
    if (round > 0) vulkan::wait(vulkan_stream, {semaphore, 2 * round});
    if (round > 0) vulkan_stream.copy<uint32_t>(exported.part(count - 1, 1), seen_by_vulkan.part(round - 1, 1));
    vulkan_stream.fill(exported, uint32_t(round + 1));
    inclusive_scan(vulkan_stream, exported, exported);
    vulkan::signal(vulkan_stream, {semaphore, 2 * round + 1});
    cuda::wait(cuda_stream, in_cuda, 2 * round + 1);
    cuda_stream.copy<uint32_t>(shared.part(count - 1, 1), seen_by_cuda.part(round, 1));
    inclusive_scan(cuda_stream, shared, shared);
    cuda::signal(cuda_stream, in_cuda, 2 * round + 2);
  }
  vulkan::wait(vulkan_stream, {semaphore, 2 * rounds});
  vulkan_stream.copy<uint32_t>(exported.part(count - 1, 1), seen_by_vulkan.part(rounds - 1, 1));
  std::vector<uint32_t> once, twice;
  for (uint64_t round = 1; round <= rounds; ++round) {
    once.push_back(uint32_t(round * count));
    twice.push_back(uint32_t(round * (count * (count + 1) / 2)));
  }
  check_same(vulkan_stream.download(seen_by_vulkan), twice, "what Vulkan saw");
  check_same(cuda_stream.download(seen_by_cuda), once, "what CUDA saw");
}

DEVICE_TEST("a wait may come before its signal, on either side, and outlives the imported semaphore") {
  const Device from = vulkan_with_semaphores(device);
  const auto exported = vulkan::exportable_buffer<uint32_t>(from, 1000);
  const Imported imported(exported, from, device);
  VkSemaphore_T* const semaphore = vulkan::exportable_semaphore(from);
  Stream vulkan_stream = from.stream(), cuda_stream = device.stream();
  vulkan_stream.fill(exported, 1u);
  vulkan_stream.synchronize();
  const auto copy = device.buffer<uint32_t>(1000);
  Event done;
  {
    cuda::ExternalSemaphore in_cuda = imported_semaphore(semaphore, from, device);
    cuda::wait(cuda_stream, in_cuda, 3);
    cuda_stream.copy<uint32_t>(imported.elements<uint32_t>(1000), copy.view());
    cuda::signal(cuda_stream, in_cuda, 7);
    done = cuda_stream.record();
  }
  Stream third = from.stream();
  vulkan::wait(third, {semaphore, 7});
  third.fill(exported, 9u);
  const Event filled = third.record();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // Time for work that does not wait.
  CHECK_FALSE(done.done());
  CHECK_FALSE(filled.done());
  vulkan_stream.fill(exported, 2u);
  vulkan::signal(vulkan_stream, {semaphore, 3});
  check_same(cuda_stream.download(copy), std::vector<uint32_t>(1000, 2));
  check_same(third.download(exported), std::vector<uint32_t>(1000, 9));
}

DEVICE_TEST("an engine's own device and semaphore share with CUDA") {
  if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
  Host host({.descriptors = true});
  const Device from = vulkan::wrap_device(host.description());
  if (vulkan::device_uuid(from) != cuda::device_uuid(device)) unsupported("the first Vulkan device is not this GPU");
  const auto exported = vulkan::exportable_buffer<uint32_t>(from, 1000);
  const Imported imported(exported, from, device);
  Stream vulkan_stream = from.stream(), cuda_stream = device.stream();
  vulkan_stream.fill(exported, 5u);
  vulkan_stream.synchronize();
  check_same(cuda_stream.download(imported.elements<uint32_t>(1000)), std::vector<uint32_t>(1000, 5));
  vulkan_with_semaphores(device);
  VkExportSemaphoreCreateInfo exportable{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  exportable.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, &exportable,
                                       VK_SEMAPHORE_TYPE_TIMELINE, 10};
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  REQUIRE_EQ(host.vkCreateSemaphore(host.device, &info, nullptr, &semaphore), VK_SUCCESS);
  {
    cuda::ExternalSemaphore in_cuda = imported_semaphore(semaphore, from, device);
    vulkan_stream.fill(exported, 6u);
    vulkan::signal(vulkan_stream, {semaphore, 11});
    cuda::wait(cuda_stream, in_cuda, 11);
    inclusive_scan(cuda_stream, imported.elements<uint32_t>(1000), imported.elements<uint32_t>(1000));
    cuda::signal(cuda_stream, in_cuda, 12);
    vulkan::wait(vulkan_stream, {semaphore, 12});
    CHECK_EQ(vulkan_stream.download(exported)[999], 6000);
    cuda_stream.synchronize();
  }
  host.vkDestroySemaphore(host.device, semaphore, nullptr);
  CHECK_EQ(host.messages(), 0);
}

}  // namespace weft::test
