#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/stand_ins/cuda_on_cpu/api.h"
#include "tests/stand_ins/cuda_on_cpu/external.h"
#include "tests/stand_ins/cuda_on_cpu/memory.h"
#include "tests/stand_ins/cuda_on_cpu/misuse.h"
#include "tests/stand_ins/cuda_on_cpu/registry.h"
#include "tests/stand_ins/cuda_on_cpu/stream.h"
#include "tests/stand_ins/emulated_gpu/emulated_code.h"

namespace weft::test::cuda_on_cpu {

/// Reports misuse, and returns what the driver might.
inline CUresult misused(const char* what) {
  report_misuse(what);
  return CUDA_ERROR_INVALID_VALUE;
}

/// A context and all objects that end with it. Kept until its streams have finished their work.
class Context {
 public:
  explicit Context(int ordinal) : ordinal_(ordinal) {}
  ~Context();
  Context(const Context&) = delete;

  int ordinal() const { return ordinal_; }
  CUcontext handle = nullptr;
  /// The result of every call after a kernel failed.
  CUresult error() const { return error_; }
  void fail(CUresult error, const std::string& why);

 private:
  const int ordinal_;
  std::atomic<CUresult> error_ = CUDA_SUCCESS;
};

struct Event {
  std::shared_ptr<Context> owner;
  bool timed = false;
  std::mutex mutex;
  std::shared_ptr<Moment> moment;  ///< Null until it is recorded.

  const std::shared_ptr<Context>& context() const { return owner; }
  std::shared_ptr<Moment> recorded() {
    std::lock_guard lock(mutex);
    return moment;
  }
};

struct Module {
  std::shared_ptr<Context> owner;
  EmulatedCode code;
  const std::shared_ptr<Context>& context() const { return owner; }
};

struct Function {
  std::shared_ptr<Module> module;
  std::atomic<uint32_t> most_dynamic_bytes;
  const std::shared_ptr<Context>& context() const { return module->owner; }
};

struct Device {
  std::string name;
  CUuuid uuid{};
  int major = 0, minor = 0;
  uint64_t total_bytes = 0;
  uint32_t block_memory_bytes = 0;  ///< Limit of a block's shared memory, if its kernel opts in.
  std::mutex mutex;
  CUcontext primary = nullptr;
  int retained = 0;
};

/// The state of the process. The environment configures it: WEFT_CUDA_ON_CPU_DEVICES is the number of devices,
/// WEFT_CUDA_ON_CPU_MEMORY the memory of each in bytes, WEFT_CUDA_ON_CPU_VERSION the version of CUDA,
/// WEFT_CUDA_ON_CPU_UUID the UUID of the first in 32 hexadecimal digits, WEFT_CUDA_ON_CPU_CAPABILITY the compute
/// capability of all but every second device: 86 for 8.6.
class Driver {
 public:
  Driver();
  size_t device_count() const { return devices_.size(); }
  Device& device(int ordinal) const { return *devices_.at(size_t(ordinal)); }
  int version() const { return version_; }

  std::atomic<bool> started = false;
  Registry<CUcontext, Context> contexts;
  Registry<CUstream, Stream> streams;
  Registry<CUevent, Event> events;
  Registry<CUmodule, Module> modules;
  Registry<CUfunction, Function> functions;
  Registry<CUexternalMemory, ExternalMemory> external_memory;
  Registry<CUexternalSemaphore, ExternalSemaphore> external_semaphores;
  Memory memory;

 private:
  std::vector<std::unique_ptr<Device>> devices_;
  int version_ = 0;
};

/// Exists until the process ends, since kernels may run until then.
Driver& driver();

/// Returns the current context, if there is one and it has not failed.
CUresult find_current(std::shared_ptr<Context>& context);

/// Runs `body` with the current context, or returns its error.
template <class Body>
CUresult in_context(Body&& body) {
  std::shared_ptr<Context> context;
  const CUresult result = find_current(context);
  return result == CUDA_SUCCESS ? body(context) : result;
}

/// Runs `body` with the object of a handle, which must belong to the current context.
template <class Handle, class Object, class Body>
CUresult with(const Registry<Handle, Object>& registry, Handle handle, Body&& body) {
  return in_context([&](const std::shared_ptr<Context>& context) -> CUresult {
    const std::shared_ptr<Object> object = registry.find(handle);
    if (!object || object->context() != context) {
      report_misuse(object ? "a handle belongs to another context" : "a handle has no object");
      return CUDA_ERROR_INVALID_HANDLE;
    }
    return body(*object);
  });
}

}  // namespace weft::test::cuda_on_cpu
