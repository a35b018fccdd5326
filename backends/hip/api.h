#pragma once

#include "backends/driver/api.h"
#include "backends/hip/functions.h"

namespace weft::hip {

/// AMD's HIP runtime as driver::Api asks for it. HIP has one context for each device, and a thread has it current by
/// the device's number.
class Api final : public driver::Api {
 public:
  explicit Api(std::shared_ptr<const DriverFunctions> functions) : hip_(std::move(functions)) {}

  driver::ContextHandle retain_context(int ordinal) const override;
  void release_context(int ordinal) const noexcept override;
  driver::ContextHandle enter(driver::ContextHandle context) const override;
  void leave(driver::ContextHandle previous) const noexcept override;

  uint64_t allocate(uint64_t bytes) const override;
  void release(uint64_t address) const noexcept override;
  std::byte* allocate_pinned(uint64_t bytes) const override;
  void release_pinned(std::byte* memory) const noexcept override;
  uint64_t free_memory_bytes() const override;
  driver::PointerInfo pointer_info(uint64_t address) const override;

  void copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, driver::StreamHandle stream) const override;
  void copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, driver::StreamHandle stream) const override;
  void copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, driver::StreamHandle stream) const override;
  void fill(uint64_t to, uint32_t word, uint64_t words, driver::StreamHandle stream) const override;

  driver::StreamHandle create_stream() const override;
  void destroy(driver::StreamHandle stream) const noexcept override;
  bool done(driver::StreamHandle stream) const override;
  void wait(driver::StreamHandle stream, driver::EventHandle event) const override;

  driver::EventHandle create_event(bool timed) const override;
  void destroy(driver::EventHandle event) const noexcept override;
  void record(driver::EventHandle event, driver::StreamHandle stream) const override;
  bool done(driver::EventHandle event) const override;
  double seconds_between(driver::EventHandle start, driver::EventHandle end) const override;

  driver::ModuleHandle load(std::span<const std::byte> code) const override;
  void unload(driver::ModuleHandle module) const noexcept override;
  driver::FunctionHandle function(driver::ModuleHandle module, const char* name) const override;
  uint32_t max_group_invocations(driver::FunctionHandle function) const override;
  void allow_dynamic_memory(driver::FunctionHandle function, uint32_t bytes) const override;
  uint32_t resident_groups(driver::FunctionHandle function, uint32_t invocations,
                           uint32_t dynamic_memory_bytes) const override;
  void launch(const driver::Launch& launch, driver::StreamHandle stream) const override;

 private:
  void check(hipError_t result, const char* what) const {
    if (result != hipSuccess) hip::check(*hip_, result, what);
  }

  std::shared_ptr<const DriverFunctions> hip_;
};

}  // namespace weft::hip
