#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <weft/weft_c.h>

#include "tests/c/allocation.h"
#include "tests/support/test.h"

namespace weft::test {

/// A device, and what all sequences on it use.
struct ModelDevice {
  static constexpr size_t most_words = 300;

  explicit ModelDevice(const Device& like);
  ~ModelDevice();
  ModelDevice(const ModelDevice&) = delete;

  weft_device *device = nullptr, *other = nullptr;
  weft_buffer* others = nullptr;  ///< A buffer of the other device.
  weft_plan* sort = nullptr;
  uint64_t sort_bytes = 0;
  weft_kernel* kernel = nullptr;
  int64_t no_allocations;  ///< See no_allocations().
};

/// A few objects on a device, made and used by random calls, and what their values must be. Each call may be without
/// memory: it then fails and changes nothing, or it succeeds. What is destroyed never needs memory.
class Model {
 public:
  Model(const ModelDevice& device, std::mt19937_64& random) : on_(device), random_(random) {}

  /// Makes one random call, or a few that belong together.
  void step();
  /// Compares all values, and destroys everything in random order.
  void finish();

 private:
  using Word = std::optional<uint32_t>;  ///< None: of no known value.
  struct Buffer {
    weft_buffer* handle = nullptr;
    std::vector<Word> words{};
    uint64_t stream = 0;  ///< The last to use it.
  };
  struct Stream {
    weft_stream* handle = nullptr;
    weft_recorder* recorder = nullptr;
    weft_buffer* temporary = nullptr;
    uint64_t number = 0;
  };
  struct Event {
    weft_event* handle = nullptr;
    uint64_t stream = 0;
    bool done = false;
  };
  struct Timestamp {
    weft_timestamp* handle = nullptr;
    uint64_t stream = 0;
    bool passed = false;
  };
  /// Words of a buffer.
  struct Part {
    Buffer* buffer = nullptr;
    size_t first = 0, count = 0;

    weft_region region() const { return {buffer->handle, 4 * first, 4 * count}; }
  };

  void create_buffer();
  void create_stream();
  void create_event();
  void create_timestamp();
  void upload();
  void download();
  void copy();
  void fill();
  void sort();
  void dispatch();
  void independent();
  void synchronize();
  void ask_events();
  void ask_timestamps();
  void refuse();
  void destroy_one();

  uint64_t below(uint64_t bound) { return random_() % bound; }
  template <typename T>
  T& any(std::vector<T>& objects) {
    return objects[below(objects.size())];
  }
  Stream& a_stream();
  Buffer& a_buffer();
  /// Words of any buffer, which the stream may use from now on.
  Part a_part(Stream& stream);
  Part a_part(Stream& stream, Buffer& buffer);
  void order(Buffer& buffer, Stream& stream);
  void compare(Stream& stream, const Part& part);
  void work_done(uint64_t stream);

  /// Whether the call succeeded. If not, it was without memory.
  bool call(const std::function<weft_result()>& function);
  void insist(const std::function<weft_result()>& function);
  void expect_refusal(const std::function<weft_result()>& function);
  void destroy(const std::function<weft_result()>& function);
  void destroy(Buffer buffer);
  void destroy(Stream stream);
  void destroy(Event event);
  void destroy(Timestamp timestamp);
  template <typename T>
  bool destroy_any(std::vector<T>& objects);

  const ModelDevice& on_;
  std::mt19937_64& random_;
  std::vector<Buffer> buffers_;
  std::vector<Stream> streams_;
  std::vector<Event> events_;
  std::vector<Timestamp> timestamps_;
  uint64_t streams_made_ = 0;
};

}  // namespace weft::test
