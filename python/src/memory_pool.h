#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/stream.h>

namespace weft::python {

class OpenStream;

/// Keeps memory that arrays have left, for later ones of about that size: devices take long to give and take it. Work
/// on it may still run on the stream that used it last; who takes it waits for that, as for an array's. Needs the GIL.
class MemoryPool {
 public:
  struct Block {
    Buffer<std::byte> buffer;
    std::shared_ptr<OpenStream> stream{};
    Event point{};  ///< Of work on another library's stream, which may be gone.
  };

  /// At least so many bytes. If the device has no more, gives back what is kept and tries again.
  Block take(const Device& device, uint64_t bytes);
  void give(const Device& device, Block block);
  void clear();
  uint64_t bytes() const { return bytes_; }

 private:
  std::multimap<uint64_t, Block> by_size_;
  uint64_t bytes_ = 0;
};

}  // namespace weft::python
