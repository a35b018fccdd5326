#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace weft::test::cuda_on_cpu {

class Context;

/// A file descriptor that the driver took over from an import, and that nobody else may close.
class TakenDescriptor {
 public:
  explicit TakenDescriptor(int fd);
  /// Reports misuse if the descriptor was closed meanwhile, or is another file's.
  ~TakenDescriptor();
  TakenDescriptor(const TakenDescriptor&) = delete;
  int number() const { return fd_; }

 private:
  int fd_;
  uint64_t device_, file_;
};

/// Bytes of a file, mapped for reading and writing.
std::shared_ptr<void> map_file(int fd, uint64_t bytes);
/// Size of the file behind a descriptor; 0 if it is no file.
uint64_t file_bytes(int fd);

/// Memory of another API: an anonymous file, as SwiftShader exports it.
struct ExternalMemory {
  ExternalMemory(std::shared_ptr<Context> context, int fd, uint64_t size);
  const std::shared_ptr<Context>& context() const { return owner; }

  std::shared_ptr<Context> owner;
  TakenDescriptor fd;
  uint64_t bytes;
  std::shared_ptr<void> memory;
};

/// A timeline semaphore of another API: a file of eight bytes with its value. No Vulkan driver on the CPU exports one,
/// so tests create the file themselves.
struct ExternalSemaphore {
  ExternalSemaphore(std::shared_ptr<Context> context, int fd);
  const std::shared_ptr<Context>& context() const { return owner; }
  std::atomic<uint64_t>& value() const { return *static_cast<std::atomic<uint64_t>*>(memory.get()); }

  std::shared_ptr<Context> owner;
  TakenDescriptor fd;
  std::shared_ptr<void> memory;
  std::atomic<int> pending = 0;  ///< Waits and signals in streams.
};

}  // namespace weft::test::cuda_on_cpu
