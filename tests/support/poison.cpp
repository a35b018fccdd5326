#include "tests/support/poison.h"

#include <atomic>
#include <string>

#include "core/src/runtime/backend.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

namespace weft::test {

namespace {

constexpr uint64_t end_bytes = 512 * 1024;

void poison(backend::Buffer& buffer) {
  static std::atomic<uint64_t> buffers = 0;
  std::mt19937_64 generator = random_generator("buffer " + std::to_string(buffers++));
  Stream stream = Device(buffer.device().shared_from_this()).stream();
  const auto fill = [&](uint64_t offset, uint64_t bytes) {
    stream.upload_region({&buffer, offset, bytes}, random_bytes(bytes, generator));
  };
  if (buffer.bytes() <= 2 * end_bytes) {
    fill(0, buffer.bytes());
  } else {
    fill(0, end_bytes);
    fill(buffer.bytes() - end_bytes, end_bytes);
  }
  stream.synchronize();  // Any stream may use the buffer next.
}

}  // namespace

void poison_new_buffers(const Device& device) { device.impl().on_new_buffer = poison; }

}  // namespace weft::test
