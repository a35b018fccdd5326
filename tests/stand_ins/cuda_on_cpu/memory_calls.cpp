#include <cstring>
#include <vector>

#include "tests/stand_ins/cuda_on_cpu/driver.h"

namespace weft::test::cuda_on_cpu {
namespace {

std::byte* memory_at(uint64_t address) { return reinterpret_cast<std::byte*>(address); }

bool is_device_memory(CUdeviceptr address, size_t bytes, const Context& context) {
  const auto block = driver().memory.find(address, bytes);
  return block && block->kind == MemoryKind::device && block->context == &context;
}

bool is_pinned(const void* memory, size_t bytes) {
  const auto block = driver().memory.find(reinterpret_cast<uint64_t>(memory), bytes);
  return block && block->kind == MemoryKind::pinned;
}

// Runs `body` with the stream if all of `ranges` are memory of the current context.
struct Range {
  CUdeviceptr address;
  size_t bytes;
};
template <class Body>
CUresult on_stream(CUstream handle, std::initializer_list<Range> ranges, Body&& body) {
  return with(driver().streams, handle, [&](Stream& stream) {
    for (const Range& range : ranges) {
      if (range.bytes == 0) return CUDA_SUCCESS;
      if (!is_device_memory(range.address, range.bytes, *stream.context())) {
        return misused("a copy or fill outside the memory of the current context");
      }
    }
    return body(stream);
  });
}

// Checks again when the command runs: the memory may have been freed too early.
void push(Stream& stream, std::vector<Range> ranges, std::function<void()> work) {
  stream.push([context = stream.context(), ranges = std::move(ranges), work = std::move(work)] {
    for (const Range& range : ranges) {
      if (driver().memory.find(range.address, range.bytes)) continue;
      report_misuse("memory was freed before a copy or fill of it completed");
      context->fail(CUDA_ERROR_ILLEGAL_ADDRESS, "a copy or fill of freed memory");
      return;
    }
    work();
  });
}

template <class Value>
CUresult give(void* data, Value value) {
  std::memcpy(data, &value, sizeof(value));
  return CUDA_SUCCESS;
}

CUresult allocate(uint64_t bytes, MemoryKind kind, uint64_t& address) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    address = driver().memory.allocate(bytes, kind, *context);
    return address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

CUresult release(uint64_t address, MemoryKind kind) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    if (address == 0 || driver().memory.release(address, kind, *context)) return CUDA_SUCCESS;
    return misused("the freed address is not an allocation of the current context");
  });
}

}  // namespace
}  // namespace weft::test::cuda_on_cpu

using namespace weft::test::cuda_on_cpu;

CUDA_ON_CPU_CALL cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  uint64_t given = 0;
  const CUresult result = allocate(bytes, MemoryKind::device, given);
  *address = given;
  return result;
}

CUDA_ON_CPU_CALL cuMemFree_v2(CUdeviceptr address) { return release(address, MemoryKind::device); }

CUDA_ON_CPU_CALL cuMemHostAlloc(void** memory, size_t bytes, unsigned int) {
  uint64_t address = 0;
  const CUresult result = allocate(bytes, MemoryKind::pinned, address);
  *memory = memory_at(address);
  return result;
}

CUDA_ON_CPU_CALL cuMemFreeHost(void* memory) { return release(reinterpret_cast<uint64_t>(memory), MemoryKind::pinned); }

CUDA_ON_CPU_CALL cuMemGetInfo_v2(size_t* free, size_t* total) {
  return in_context([&](const std::shared_ptr<Context>& context) {
    *total = driver().device(context->ordinal()).total_bytes;
    *free = *total - driver().memory.used_bytes(context->ordinal());
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr address) {
  return in_context([&](const std::shared_ptr<Context>&) {
    const auto block = driver().memory.find(address, 1);
    if (!block) return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return give(data, unsigned(block->kind == MemoryKind::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST));
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return give(data, block->context->ordinal());
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return give(data, CUdeviceptr(block->address));
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return give(data, size_t(block->bytes));
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

// The driver copies memory that is not pinned before it returns.
CUDA_ON_CPU_CALL cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream handle) {
  return on_stream(handle, {{to, bytes}}, [&](Stream& stream) {
    if (is_pinned(from, bytes)) {
      push(stream, {{to, bytes}, {CUdeviceptr(from), bytes}}, [=] { std::memcpy(memory_at(to), from, bytes); });
      return CUDA_SUCCESS;
    }
    const auto* const first = static_cast<const std::byte*>(from);
    push(stream, {{to, bytes}}, [to, data = std::vector<std::byte>(first, first + bytes)] {
      std::memcpy(memory_at(to), data.data(), data.size());
    });
    return CUDA_SUCCESS;
  });
}

// The driver copies to memory that is not pinned before it returns.
CUDA_ON_CPU_CALL cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream handle) {
  return on_stream(handle, {{from, bytes}}, [&](Stream& stream) {
    std::vector<Range> ranges{{from, bytes}};
    const bool pinned = is_pinned(to, bytes);
    if (pinned) ranges.push_back({CUdeviceptr(to), bytes});
    push(stream, ranges, [=] { std::memcpy(to, memory_at(from), bytes); });
    if (pinned) return CUDA_SUCCESS;
    stream.drain();
    return stream.context()->error();
  });
}

CUDA_ON_CPU_CALL cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream handle) {
  return on_stream(handle, {{to, bytes}, {from, bytes}}, [&](Stream& stream) {
    push(stream, {{to, bytes}, {from, bytes}}, [=] { std::memmove(memory_at(to), memory_at(from), bytes); });
    return CUDA_SUCCESS;
  });
}

CUDA_ON_CPU_CALL cuMemsetD32Async(CUdeviceptr to, unsigned int word, size_t words, CUstream handle) {
  if (to % sizeof(word) != 0) return misused("a fill of words at an unaligned address");
  return on_stream(handle, {{to, words * sizeof(word)}}, [&](Stream& stream) {
    push(stream, {{to, words * sizeof(word)}}, [=] {
      auto* const first = reinterpret_cast<unsigned int*>(to);
      std::fill(first, first + words, word);
    });
    return CUDA_SUCCESS;
  });
}
