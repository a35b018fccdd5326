#include <weft/weft_cuda_c.h>

#include "tests/c/declared.h"
#include "tests/c/interop/wrapped_stream.h"
#include "tests/c/objects.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("contexts, streams and memory of CUDA code, through C") {
  if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
  const Opened opened(device);
  Calls calls(opened.device, opened.list, opened.small);
  constexpr uint32_t first = 1, second = 2;  // parameters that may be null
  CUctx_st* context = nullptr;
  CUstream_st *native = nullptr, *again = nullptr;
  weft_device* wrapped = nullptr;
  weft_stream* stream = nullptr;
  weft_buffer* buffer = nullptr;
  weft_recorder* recorder = nullptr;
  CALL(weft_cuda_get_context, 0, opened.device, &context);
  CALL(weft_cuda_wrap_context, second, context, nullptr, &wrapped);
  CALL(weft_cuda_get_stream, 0, opened.stream, &native);
  CALL(weft_cuda_wrap_stream, second, opened.device, native, &stream);
  REQUIRE_EQ(weft_cuda_get_stream(stream, &again), WEFT_OK);
  CHECK(again == native);
  uint64_t address = 0;
  REQUIRE_EQ(weft_get_buffer_address(opened.buffer, &address), WEFT_OK);
  CALL(weft_cuda_wrap_pointer, 0, opened.device, reinterpret_cast<void*>(address + 16), 8, &buffer);
  REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
  CHECK_EQ(weft_fill(recorder, {buffer, 0, WEFT_REST}, 5), WEFT_OK);
  uint32_t word = 0;
  CHECK_EQ(weft_download(opened.stream, {opened.buffer, 20, 4}, &word, 4), WEFT_OK);
  CHECK_EQ(word, 5);
  CALL(weft_destroy_buffer, first, buffer);
  CALL(weft_destroy_stream, first, stream);
  CALL(weft_destroy_device, first, wrapped);
  check_all_called(calls, {"weft_cuda_c.h"});
}

DEVICE_TEST("a wrapped stream of CUDA is destroyed without memory, before its work is done") {
  if (device.info().backend != "cuda") unsupported("not a device of the cuda backend");
  const Opened opened(device);
  CUstream_st* native = nullptr;
  weft_stream* stream = nullptr;
  REQUIRE_EQ(weft_cuda_get_stream(opened.stream, &native), WEFT_OK);
  REQUIRE_EQ(weft_cuda_wrap_stream(opened.device, native, &stream), WEFT_OK);
  check_destroyed_in_use(opened, stream);
}
