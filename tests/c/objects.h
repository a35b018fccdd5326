#pragma once

#include <limits>

#include <weft/weft_c.h>

#include "tests/support/test.h"

namespace weft::test {

/// The number of allocations for calls that need none. The validation layer has its own.
inline int64_t no_allocations(const Device& device) {
  return device.options().validation ? std::numeric_limits<int64_t>::max() : 0;
}

/// A device of its own, with what most calls need.
struct Opened {
  explicit Opened(const Device& like) {
    REQUIRE_EQ(weft_open_device(selector_of(like).c_str(), nullptr, &device), WEFT_OK);
    REQUIRE_EQ(weft_list_devices(&list), WEFT_OK);
    REQUIRE_EQ(weft_create_buffer(device, 16, &small), WEFT_OK);
    REQUIRE_EQ(weft_create_buffer(device, 4096, &buffer), WEFT_OK);
    REQUIRE_EQ(weft_create_stream(device, &stream), WEFT_OK);
    REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
  }
  ~Opened() {
    CHECK_EQ(weft_destroy_stream(stream), WEFT_OK);
    CHECK_EQ(weft_destroy_buffer(buffer), WEFT_OK);
    CHECK_EQ(weft_destroy_buffer(small), WEFT_OK);
    CHECK_EQ(weft_destroy_device_list(list), WEFT_OK);
    CHECK_EQ(weft_destroy_device(device), WEFT_OK);
  }
  Opened(const Opened&) = delete;

  weft_device* device = nullptr;
  weft_device_list* list = nullptr;
  weft_buffer *small = nullptr, *buffer = nullptr;  ///< Of 16 and of 4,096 bytes.
  weft_stream* stream = nullptr;
  weft_recorder* recorder = nullptr;
};

}  // namespace weft::test
