// Imports of weft/interop/cuda.h on the tests' own CUDA driver, whose other side is the test: an anonymous file is the
// memory, another one of eight bytes the timeline semaphore. cuda_vulkan.cpp has Vulkan as the other side.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <optional>
#include <thread>

#include <weft/interop/cuda.h>
#include <weft/scan.h>

#include "tests/support/test.h"

namespace weft::test {
namespace {

void require_emulated(const Device& device) {
  if (device.info().name.find("CUDA on CPU") == std::string::npos) unsupported("files are no memory of a GPU");
}

bool is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

/// An exporter: an anonymous file, mapped into the test.
class File {
 public:
  explicit File(uint64_t bytes) : bytes_(bytes), fd_(memfd_create("exported", MFD_CLOEXEC)) {
    REQUIRE_EQ(ftruncate(fd_, off_t(bytes)), 0);
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    REQUIRE_NE(memory_, MAP_FAILED);
  }
  ~File() {
    munmap(memory_, bytes_);
    close(fd_);
  }
  File(const File&) = delete;

  int descriptor() const { return fcntl(fd_, F_DUPFD_CLOEXEC, 0); }
  uint32_t* words() const { return static_cast<uint32_t*>(memory_); }
  std::atomic<uint64_t>& value() const { return *static_cast<std::atomic<uint64_t>*>(memory_); }

 private:
  uint64_t bytes_;
  int fd_;
  void* memory_;
};

DEVICE_TEST("imported memory is the exporter's, until the buffer is gone") {
  require_emulated(device);
  constexpr uint64_t count = 100'003;
  const File file(count * 4);
  std::iota(file.words(), file.words() + count, 5u);
  std::vector<uint32_t> expected(file.words(), file.words() + count);
  Stream stream = device.stream();
  const int fd = file.descriptor();
  {
    const auto imported = cuda::import_fd(device, fd, count * 4, cuda::device_uuid(device));
    CHECK_FALSE(is_open(fd));
    const View<uint32_t> words = imported.view().as<uint32_t>();
    check_same(stream.download(words), expected);
    inclusive_scan(stream, words, words);  // The buffer goes first, and its memory stays until the scan is done.
  }
  stream.synchronize();
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  check_same(std::vector(file.words(), file.words() + count), expected);
  const auto unchecked = cuda::import_fd(device, file.descriptor(), count * 4);
  check_same(stream.download(unchecked.view().as<uint32_t>()), expected);
}

DEVICE_TEST("a failed import leaves the descriptor to the caller") {
  require_emulated(device);
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  check_error(ErrorCode::unsupported, {"importing memory", "CUDA_ERROR_INVALID_HANDLE"},
              [&] { cuda::import_fd(device, ends[0], 4096); });
  check_error(ErrorCode::unsupported, {"importing a semaphore", "CUDA_ERROR_INVALID_HANDLE"},
              [&] { cuda::import_semaphore_fd(device, ends[0]); });
  check_error(ErrorCode::invalid_argument, {"UUID"},
              [&] { cuda::import_fd(device, ends[0], 4096, std::array<uint8_t, 3>{}); });
  CHECK(is_open(ends[0]));
  close(ends[0]);
  close(ends[1]);
}

DEVICE_TEST("a stream waits for an imported semaphore, and signals it behind its work") {
  require_emulated(device);
  const File file(8), data(4000);
  const auto words = cuda::import_fd(device, data.descriptor(), 4000);
  Stream stream = device.stream();
  Event done;
  {
    cuda::ExternalSemaphore first = cuda::import_semaphore_fd(device, file.descriptor(), cuda::device_uuid(device));
    cuda::ExternalSemaphore semaphore = std::move(first);
    check_error(ErrorCode::invalid_argument, {"moved"}, [&] { cuda::wait(stream, first, 1); });
    check_error(ErrorCode::invalid_argument, {"moved"}, [&] { cuda::signal(stream, first, 1); });
    cuda::wait(stream, semaphore, 3);
    stream.fill(words.view().as<uint32_t>(), 7u);
    cuda::signal(stream, semaphore, 5);
    done = stream.record();
  }
  for (const uint64_t value : {0, 2}) {
    file.value() = value;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // Time for work that does not wait.
    CHECK_FALSE(done.done());
    CHECK_EQ(file.value(), value);
    CHECK_EQ(data.words()[999], 0);
  }
  file.value() = 3;
  done.wait();
  CHECK_EQ(file.value(), 5);
  CHECK_EQ(data.words()[999], 7);
}

DEVICE_TEST("a semaphore of another device is refused") {
  require_emulated(device);
  const File file(8);
  const Device other = open_device("cuda:1");
  cuda::ExternalSemaphore semaphore = cuda::import_semaphore_fd(other, file.descriptor());
  CHECK_NE(cuda::device_uuid(other), cuda::device_uuid(device));
  Stream stream = device.stream();
  for (const auto use : {&cuda::wait, &cuda::signal}) {
    check_error(ErrorCode::invalid_argument, {"cuda:1", "cuda:0"}, [&] { use(stream, semaphore, 1); });
  }
}

}  // namespace
}  // namespace weft::test
