#pragma once

#include "tests/c/allocation.h"
#include "tests/c/objects.h"

namespace weft::test {

/// Records work on `stream`, which wraps the stream of `opened`, and destroys it and a buffer that the work uses while
/// every allocation fails: the work is done all the same.
inline void check_destroyed_in_use(const Opened& opened, weft_stream* stream) {
  weft_recorder* recorder = nullptr;
  weft_buffer *written = nullptr, *copied = nullptr;
  constexpr uint64_t bytes = 1 << 20;
  REQUIRE_EQ(weft_create_buffer(opened.device, bytes, &written), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(opened.device, bytes, &copied), WEFT_OK);
  REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
  for (uint32_t i = 0; i < 100; ++i) {
    CHECK_EQ(weft_fill(recorder, {written, 0, WEFT_REST}, i), WEFT_OK);
    CHECK_EQ(weft_copy(recorder, {written, 0, WEFT_REST}, {copied, 0, WEFT_REST}), WEFT_OK);
  }
  weft_result of_stream = WEFT_OK, of_buffer = WEFT_OK;
  {
    const FailingAllocations none(0);
    of_stream = weft_destroy_stream(stream);
    of_buffer = weft_destroy_buffer(written);
  }
  CHECK_EQ(of_stream, WEFT_OK);
  CHECK_EQ(of_buffer, WEFT_OK);
  uint32_t last = 0;
  CHECK_EQ(weft_download(opened.stream, {copied, bytes - 4, 4}, &last, 4), WEFT_OK);
  CHECK_EQ(last, 99);
  CHECK_EQ(weft_destroy_buffer(copied), WEFT_OK);
}

}  // namespace weft::test
