#include <sys/mman.h>
#include <unistd.h>

#include "tests/stand_ins/cuda_on_cpu/selftest.h"

using namespace weft::test::cuda_calls;

TEST_CASE("imports of the wrong type or size are refused, and so are ends that come too early") {
  const Primary primary(0);
  const Stream stream;
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC from{};
  from.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  from.handle.fd = memfd_create("memory", 0);
  REQUIRE_EQ(ftruncate(from.handle.fd, 8), 0);
  CUexternalMemory memory = nullptr;
  for (const uint64_t size : {0, 9}) {
    from.size = size;
    CHECK_EQ(CU(cuImportExternalMemory)(&memory, &from), CUDA_ERROR_INVALID_VALUE);
  }
  from.size = 8;
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC semaphore_from{};
  semaphore_from.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
  semaphore_from.handle.fd = dup(from.handle.fd);
  CUexternalSemaphore semaphore = nullptr;
  CHECK_EQ(CU(cuImportExternalSemaphore)(&semaphore, &semaphore_from), CUDA_ERROR_INVALID_VALUE);
  semaphore_from.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  REQUIRE_EQ(CU(cuImportExternalMemory)(&memory, &from), CUDA_SUCCESS);
  REQUIRE_EQ(CU(cuImportExternalSemaphore)(&semaphore, &semaphore_from), CUDA_SUCCESS);

  CUdeviceptr value = 0;
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
  part.offset = 4;
  part.size = 8;
  CHECK_EQ(CU(cuExternalMemoryGetMappedBuffer)(&value, memory, &part), CUDA_ERROR_INVALID_VALUE);
  part.offset = 0;
  REQUIRE_EQ(CU(cuExternalMemoryGetMappedBuffer)(&value, memory, &part), CUDA_SUCCESS);
  CHECK_EQ(CU(cuDestroyExternalMemory)(memory), CUDA_ERROR_INVALID_VALUE);
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait{};
  wait.params.fence.value = 1;
  REQUIRE_EQ(CU(cuWaitExternalSemaphoresAsync)(&semaphore, &wait, 1, stream.handle), CUDA_SUCCESS);
  CHECK_EQ(CU(cuDestroyExternalSemaphore)(semaphore), CUDA_ERROR_INVALID_VALUE);
  *reinterpret_cast<volatile uint64_t*>(value) = 1;
  wait_for(stream);
  CHECK_EQ(CU(cuDestroyExternalSemaphore)(semaphore), CUDA_SUCCESS);
  CHECK_EQ(CU(cuMemFree_v2)(value), CUDA_SUCCESS);
  CHECK_EQ(CU(cuDestroyExternalMemory)(memory), CUDA_SUCCESS);
  CHECK_EQ(CU(cuDestroyExternalMemory)(memory), CUDA_ERROR_INVALID_HANDLE);
}
