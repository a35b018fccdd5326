#pragma once

#include "backends/cuda/functions.h"
#include "backends/cuda_hip/api.h"

namespace weft::cuda {

/// cuda_hip::Api over the CUDA driver.
class Api final : public cuda_hip::Api {
 public:
  explicit Api(std::shared_ptr<const DriverFunctions> functions) : cu_(std::move(functions)) {}

  cuda_hip::ContextHandle retain_context(int ordinal) const override;
  void release_context(int ordinal) const noexcept override;
  cuda_hip::ContextHandle enter(cuda_hip::ContextHandle context) const override;
  void leave(cuda_hip::ContextHandle previous) const noexcept override;

  uint64_t allocate(uint64_t bytes) const override;
  void release(uint64_t address) const noexcept override;
  std::byte* allocate_pinned(uint64_t bytes) const override;
  void release_pinned(std::byte* memory) const noexcept override;
  uint64_t free_memory_bytes() const override;
  cuda_hip::PointerInfo pointer_info(uint64_t address) const override;

  void copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, cuda_hip::StreamHandle stream) const override;
  void copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const override;
  void copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, cuda_hip::StreamHandle stream) const override;
  void fill(uint64_t to, uint32_t word, uint64_t words, cuda_hip::StreamHandle stream) const override;

  cuda_hip::StreamHandle create_stream() const override;
  void destroy(cuda_hip::StreamHandle stream) const noexcept override;
  bool done(cuda_hip::StreamHandle stream) const override;
  void wait(cuda_hip::StreamHandle stream, cuda_hip::EventHandle event) const override;

  cuda_hip::EventHandle create_event(bool timed) const override;
  void destroy(cuda_hip::EventHandle event) const noexcept override;
  void record(cuda_hip::EventHandle event, cuda_hip::StreamHandle stream) const override;
  bool done(cuda_hip::EventHandle event) const override;
  double seconds_between(cuda_hip::EventHandle start, cuda_hip::EventHandle end) const override;

  cuda_hip::ModuleHandle load(std::span<const std::byte> code) const override;
  void unload(cuda_hip::ModuleHandle module) const noexcept override;
  cuda_hip::FunctionHandle function(cuda_hip::ModuleHandle module, const char* name) const override;
  uint32_t max_group_invocations(cuda_hip::FunctionHandle function) const override;
  void allow_dynamic_memory(cuda_hip::FunctionHandle function, uint32_t bytes) const override;
  uint32_t resident_groups(cuda_hip::FunctionHandle function, uint32_t invocations,
                           uint32_t dynamic_memory_bytes) const override;
  void launch(const cuda_hip::Launch& launch, cuda_hip::StreamHandle stream) const override;

 private:
  void check(CUresult result, const char* what) const {
    if (result != CUDA_SUCCESS) cuda::check(*cu_, result, what);
  }

  const std::shared_ptr<const DriverFunctions> cu_;
};

}  // namespace weft::cuda
