#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weft/error.h>

/// The shared implementation of CUDA and HIP: devices, buffers, kernels and streams over the interfaces in api.h and
/// compiler.h, which backends/cuda and backends/hip implement.
namespace weft::cuda_hip {

// The vendors' handles, opaque here: CUcontext, hipStream_t, ...
using ContextHandle = struct ContextTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;

/// One launch of a kernel.
struct Launch {
  FunctionHandle function = nullptr;
  uint32_t groups[3] = {1, 1, 1};
  uint32_t group_size[3] = {1, 1, 1};
  uint32_t dynamic_memory_bytes = 0;
  bool may_start_early = false;  ///< While the launch before it ends. The function waits for that.
  void** parameters = nullptr;   ///< Addresses of the function's parameters.
};

/// What a driver knows about an address.
struct PointerInfo {
  int ordinal = -1;    ///< Of the device that owns the memory; -1 if it is not device memory.
  uint64_t base = 0;   ///< Start of its allocation.
  uint64_t bytes = 0;  ///< Size of its allocation.
};

/// A vendor's driver. All functions except enter(), leave() and those about contexts use the context that is current on
/// the calling thread. They throw with the driver's name for the error: out_of_memory, device_lost for errors that a
/// context does not survive, else unsupported. Functions that free something do not throw: on a lost device there is
/// nothing to free. Thread-safe.
class Api {
 public:
  virtual ~Api() = default;

  /// The context that a process shares by default (CUDA's primary context, HIP's only one). Each retain_context() needs
  /// a release_context().
  virtual ContextHandle retain_context(int ordinal) const = 0;
  virtual void release_context(int ordinal) const noexcept = 0;
  /// Makes a context current on this thread. Returns the previous one, which leave() restores.
  virtual ContextHandle enter(ContextHandle context) const = 0;
  virtual void leave(ContextHandle previous) const noexcept = 0;

  virtual uint64_t allocate(uint64_t bytes) const = 0;
  virtual void release(uint64_t address) const noexcept = 0;
  /// Host memory that the device can copy from and to by itself.
  virtual std::byte* allocate_pinned(uint64_t bytes) const = 0;
  virtual void release_pinned(std::byte* memory) const noexcept = 0;
  virtual uint64_t free_memory_bytes() const = 0;
  virtual PointerInfo pointer_info(uint64_t address) const = 0;

  virtual void copy_to_device(uint64_t to, const std::byte* from, uint64_t bytes, StreamHandle stream) const = 0;
  virtual void copy_to_host(std::byte* to, uint64_t from, uint64_t bytes, StreamHandle stream) const = 0;
  virtual void copy_on_device(uint64_t to, uint64_t from, uint64_t bytes, StreamHandle stream) const = 0;
  virtual void fill(uint64_t to, uint32_t word, uint64_t words, StreamHandle stream) const = 0;

  /// Creates a stream that does not synchronize with the default stream.
  virtual StreamHandle create_stream() const = 0;
  virtual void destroy(StreamHandle stream) const noexcept = 0;
  /// Whether all work of the stream is done.
  virtual bool done(StreamHandle stream) const = 0;
  /// Work added to the stream from now on starts after `event`.
  virtual void wait(StreamHandle stream, EventHandle event) const = 0;

  virtual EventHandle create_event(bool timed) const = 0;
  virtual void destroy(EventHandle event) const noexcept = 0;
  virtual void record(EventHandle event, StreamHandle stream) const = 0;
  virtual bool done(EventHandle event) const = 0;
  /// The time between two timed events, both done.
  virtual double seconds_between(EventHandle start, EventHandle end) const = 0;

  virtual ModuleHandle load(std::span<const std::byte> code) const = 0;
  virtual void unload(ModuleHandle module) const noexcept = 0;
  virtual FunctionHandle function(ModuleHandle module, const char* name) const = 0;
  /// Maximum number of invocations in a workgroup of this function.
  virtual uint32_t max_group_invocations(FunctionHandle function) const = 0;
  /// Allows launches of the function with this much dynamic workgroup memory.
  virtual void allow_dynamic_memory(FunctionHandle function, uint32_t bytes) const = 0;
  /// Number of workgroups that one multiprocessor runs at once.
  virtual uint32_t resident_groups(FunctionHandle function, uint32_t invocations,
                                   uint32_t dynamic_memory_bytes) const = 0;
  virtual void launch(const Launch& launch, StreamHandle stream) const = 0;
};

/// Makes a context current on this thread while it lives.
class Current {
 public:
  Current(const Api& api, ContextHandle context) : api_(api), previous_(api.enter(context)) {}
  ~Current() { api_.leave(previous_); }
  Current(const Current&) = delete;

 private:
  const Api& api_;
  ContextHandle previous_;
};

/// For destructors: runs `work` with the context current, unless the context and everything in it are gone.
template <typename Work>
void clean_up(const Api& api, ContextHandle context, Work&& work) {
  try {
    const Current current(api, context);
    work();
  } catch (...) {
    // Everything in the context was freed with it. The error may have found no memory for its text.
  }
}

}  // namespace weft::cuda_hip
