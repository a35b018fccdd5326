#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "tests/stand_ins/cuda_on_cpu/driver.h"

namespace weft::test::cuda_on_cpu {
namespace {

template <class Description>
bool has_reserved(const Description& description) {
  return description.flags != 0 || std::any_of(std::begin(description.reserved), std::end(description.reserved),
                                               [](unsigned word) { return word != 0; });
}

// Runs `body` with the stream and the semaphore of each call of a list, which must belong to the same context.
template <class Parameters, class Body>
CUresult on_semaphores(const CUexternalSemaphore* handles, const Parameters* parameters, unsigned count,
                       CUstream stream, Body&& body) {
  return with(driver().streams, stream, [&](Stream& recorder) -> CUresult {
    for (unsigned i = 0; i < count; ++i) {
      const auto semaphore = driver().external_semaphores.find(handles[i]);
      if (!semaphore || semaphore->owner != recorder.context()) {
        report_misuse("a stream uses an external semaphore that does not exist in its context");
        return CUDA_ERROR_INVALID_HANDLE;
      }
      if (has_reserved(parameters[i])) return misused("flags of a signal or wait of an external semaphore");
      ++semaphore->pending;
      body(recorder, semaphore, parameters[i].params.fence.value);
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace
}  // namespace weft::test::cuda_on_cpu

using namespace weft::test::cuda_on_cpu;

// The file may be larger than the memory by less than a page.
CUDA_ON_CPU_CALL cuImportExternalMemory(CUexternalMemory* memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* from) {
  return in_context([&](const std::shared_ptr<Context>& context) -> CUresult {
    if (from->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) return misused("the type of a memory handle");
    if (has_reserved(*from)) return misused("flags of imported memory");
    const uint64_t bytes = file_bytes(from->handle.fd);
    if (bytes == 0) return CUDA_ERROR_INVALID_HANDLE;
    if (from->size == 0 || from->size > bytes || bytes - from->size >= 4096) {
      return misused("the size of imported memory differs from that of the exported memory");
    }
    const auto imported = std::make_shared<ExternalMemory>(context, from->handle.fd, from->size);
    if (!imported->memory) return CUDA_ERROR_INVALID_HANDLE;
    *memory = driver().external_memory.add(imported);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory handle,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* part) {
  return with(driver().external_memory, handle, [&](ExternalMemory& memory) -> CUresult {
    if (has_reserved(*part)) return misused("flags of a mapped buffer");
    if (part->size == 0 || part->offset > memory.bytes || part->size > memory.bytes - part->offset) {
      return misused("a mapped buffer exceeds its imported memory");
    }
    *address = reinterpret_cast<CUdeviceptr>(memory.memory.get()) + part->offset;
    driver().memory.add(*address, part->size, *memory.owner, memory.memory);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuDestroyExternalMemory(CUexternalMemory handle) {
  return with(driver().external_memory, handle, [&](ExternalMemory& memory) -> CUresult {
    if (memory.memory.use_count() > 1) return misused("imported memory is destroyed before its buffers are freed");
    driver().external_memory.remove(handle);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                           const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* from) {
  return in_context([&](const std::shared_ptr<Context>& context) -> CUresult {
    if (from->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD) {
      return misused("the type of a semaphore's handle");
    }
    if (has_reserved(*from)) return misused("flags of an imported semaphore");
    if (file_bytes(from->handle.fd) != sizeof(uint64_t)) return CUDA_ERROR_INVALID_HANDLE;
    const auto imported = std::make_shared<ExternalSemaphore>(context, from->handle.fd);
    if (!imported->memory) return CUDA_ERROR_INVALID_HANDLE;
    *semaphore = driver().external_semaphores.add(imported);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuDestroyExternalSemaphore(CUexternalSemaphore handle) {
  return with(driver().external_semaphores, handle, [&](ExternalSemaphore& semaphore) -> CUresult {
    if (semaphore.pending > 0) return misused("an external semaphore is destroyed before its waits and signals ran");
    driver().external_semaphores.remove(handle);
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                                 const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters,
                                                 unsigned int count, CUstream stream) {
  return on_semaphores(semaphores, parameters, count, stream,
                       [](Stream& recorder, const std::shared_ptr<ExternalSemaphore>& semaphore, uint64_t value) {
                         recorder.push([semaphore, value] {
                           const uint64_t before = semaphore->value().exchange(value);
                           if (value <= before) report_misuse("a timeline semaphore's value does not rise");
                           --semaphore->pending;
                         });
                       });
}

CUDA_ON_CPU_CALL cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters,
                                               unsigned int count, CUstream stream) {
  return on_semaphores(semaphores, parameters, count, stream,
                       [](Stream& recorder, const std::shared_ptr<ExternalSemaphore>& semaphore, uint64_t value) {
                         recorder.push([semaphore, value] {
                           while (semaphore->value() < value && semaphore->owner->error() == CUDA_SUCCESS) {
                             std::this_thread::sleep_for(std::chrono::microseconds(100));
                           }
                           --semaphore->pending;
                         });
                       });
}
