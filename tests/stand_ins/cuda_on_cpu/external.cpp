#include "tests/stand_ins/cuda_on_cpu/external.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "tests/stand_ins/cuda_on_cpu/misuse.h"

namespace weft::test::cuda_on_cpu {

TakenDescriptor::TakenDescriptor(int fd) : fd_(fd) {
  struct stat status{};
  fstat(fd, &status);
  device_ = status.st_dev;
  file_ = status.st_ino;
}

TakenDescriptor::~TakenDescriptor() {
  struct stat status{};
  if (fstat(fd_, &status) != 0 || status.st_dev != device_ || status.st_ino != file_) {
    report_misuse("a descriptor was closed after an import had taken it over");
    return;
  }
  close(fd_);
}

std::shared_ptr<void> map_file(int fd, uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return nullptr;
  return {memory, [bytes](void* mapped) { munmap(mapped, bytes); }};
}

uint64_t file_bytes(int fd) {
  struct stat status{};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? uint64_t(status.st_size) : 0;
}

ExternalMemory::ExternalMemory(std::shared_ptr<Context> context, int descriptor, uint64_t size)
    : owner(std::move(context)), fd(descriptor), bytes(size), memory(map_file(descriptor, size)) {}

ExternalSemaphore::ExternalSemaphore(std::shared_ptr<Context> context, int descriptor)
    : owner(std::move(context)), fd(descriptor), memory(map_file(descriptor, sizeof(uint64_t))) {}

}  // namespace weft::test::cuda_on_cpu
