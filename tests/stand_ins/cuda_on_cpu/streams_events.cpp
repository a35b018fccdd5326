#include "tests/stand_ins/cuda_on_cpu/driver.h"

using namespace weft::test::cuda_on_cpu;

// Streams. There is no default stream: Weft's streams do not synchronize with it.

CUDA_ON_CPU_CALL cuStreamCreate(CUstream* stream, unsigned int) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    *stream = driver().streams.add(std::make_shared<Stream>(context));
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuStreamDestroy_v2(CUstream handle) {
  return with(driver().streams, handle, [&](Stream&) { return driver().streams.remove(handle), CUDA_SUCCESS; });
}

CUDA_ON_CPU_CALL cuStreamQuery(CUstream handle) {
  return with(driver().streams, handle, [](Stream& stream) {
    const bool idle = stream.idle();
    const CUresult error = stream.context()->error();
    return error != CUDA_SUCCESS ? error : idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUDA_ON_CPU_CALL cuStreamSynchronize(CUstream handle) {
  return with(driver().streams, handle, [](Stream& stream) {
    stream.drain();
    return stream.context()->error();
  });
}

CUDA_ON_CPU_CALL cuStreamGetCtx(CUstream handle, CUcontext* context) {
  const std::shared_ptr<Stream> stream = driver().streams.find(handle);
  if (!stream) return CUDA_ERROR_INVALID_HANDLE;
  *context = stream->context()->handle;
  return CUDA_SUCCESS;
}

// The event may belong to another context.
CUDA_ON_CPU_CALL cuStreamWaitEvent(CUstream handle, CUevent event, unsigned int) {
  return with(driver().streams, handle, [&](Stream& stream) {
    const std::shared_ptr<Event> found = driver().events.find(event);
    if (!found) {
      report_misuse("a stream waits for an event that does not exist");
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (const auto moment = found->recorded()) stream.push([moment] { moment->wait(); });
    return CUDA_SUCCESS;
  });
}

// Events.

CUDA_ON_CPU_CALL cuEventCreate(CUevent* handle, unsigned int flags) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    auto event = std::make_shared<Event>();
    event->owner = context;
    event->timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    *handle = driver().events.add(std::move(event));
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuEventDestroy_v2(CUevent handle) {
  return with(driver().events, handle, [&](Event&) { return driver().events.remove(handle), CUDA_SUCCESS; });
}

CUDA_ON_CPU_CALL cuEventRecord(CUevent handle, CUstream stream) {
  return with(driver().events, handle, [&](Event& event) {
    return with(driver().streams, stream, [&](Stream& recorder) {
      const auto moment = std::make_shared<Moment>();
      {
        std::lock_guard lock(event.mutex);
        event.moment = moment;
      }
      recorder.push(moment);
      return CUDA_SUCCESS;
    });
  });
}

CUDA_ON_CPU_CALL cuEventQuery(CUevent handle) {
  return with(driver().events, handle, [](Event& event) {
    const auto moment = event.recorded();
    const bool passed = !moment || moment->passed();
    const CUresult error = event.owner->error();
    return error != CUDA_SUCCESS ? error : passed ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUDA_ON_CPU_CALL cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return with(driver().events, start, [&](Event& first) {
    return with(driver().events, end, [&](Event& last) {
      const auto from = first.recorded(), to = last.recorded();
      if (!first.timed || !last.timed || !from || !to) {
        report_misuse("the time between events without timing, or not recorded");
        return CUDA_ERROR_INVALID_HANDLE;
      }
      if (!from->passed() || !to->passed()) return CUDA_ERROR_NOT_READY;
      *milliseconds = std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
      return CUDA_SUCCESS;
    });
  });
}
