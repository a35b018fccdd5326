#include <span>

#include "c/src/objects.h"
#include "c/src/options.h"
#include "c/src/regions.h"

using namespace weft::c;

weft_result weft_create_stream(const weft_device* device, weft_stream** stream) {
  return create(__func__, stream, [&] {
    return std::unique_ptr<weft_stream>(new weft_stream{.stream = checked(device, "device").device.stream()});
  });
}

weft_result weft_destroy_stream(weft_stream* stream) { return destroy(__func__, stream); }

weft_result weft_get_stream_recorder(weft_stream* stream, weft_recorder** recorder) {
  return guarded(__func__, [&] { *given(recorder, "recorder") = &checked(stream, "stream").recorder; });
}

weft_result weft_upload(weft_stream* stream, weft_region destination, const void* data, size_t size) {
  return guarded(__func__, [&] {
    const std::span bytes(static_cast<const std::byte*>(given(data, "data", size)), size);
    checked(stream, "stream").stream.upload_region(region_of(destination, "destination"), bytes);
  });
}

weft_result weft_download(weft_stream* stream, weft_region source, void* data, size_t size) {
  return guarded(__func__, [&] {
    const std::span bytes(static_cast<std::byte*>(given(data, "data", size)), size);
    checked(stream, "stream").stream.download_region(region_of(source, "source"), bytes);
  });
}

weft_result weft_submit(weft_stream* stream) {
  return guarded(__func__, [&] { checked(stream, "stream").stream.submit(); });
}

weft_result weft_synchronize(weft_stream* stream, uint64_t timeout_ns) {
  return guarded(__func__, [&] {
    weft::Stream& all = checked(stream, "stream").stream;
    if (timeout_ns == WEFT_DEVICE_TIMEOUT) {
      all.synchronize();
    } else {
      all.synchronize(nanoseconds(timeout_ns));
    }
  });
}

weft_result weft_create_event(weft_stream* stream, weft_event** event) {
  return create(__func__, event, [&] {
    return std::unique_ptr<weft_event>(new weft_event{.event = checked(stream, "stream").stream.record()});
  });
}

weft_result weft_destroy_event(weft_event* event) { return destroy(__func__, event); }

weft_result weft_is_event_done(const weft_event* event, int32_t* done) {
  return guarded(__func__, [&] { *given(done, "done") = checked(event, "event").event.done() ? 1 : 0; });
}

weft_result weft_wait_for_event(const weft_event* event, uint64_t timeout_ns) {
  return guarded(__func__, [&] {
    const weft::Event& point = checked(event, "event").event;
    if (timeout_ns == WEFT_DEVICE_TIMEOUT) {
      point.wait();
    } else {
      point.wait(nanoseconds(timeout_ns));
    }
  });
}

weft_result weft_wait_on_device(weft_stream* stream, const weft_event* event) {
  return guarded(__func__, [&] { checked(stream, "stream").stream.wait(checked(event, "event").event); });
}
