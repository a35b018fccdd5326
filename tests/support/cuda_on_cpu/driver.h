#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api.h"
#include "memory.h"
#include "misuse.h"
#include "registry.h"
#include "stream.h"
#include "tests/support/emulated_gpu/emulated_code.h"

namespace weft::test::cuda_on_cpu {

/// A context with all that is lost with it. Kept until the work of its streams is over.
class Context {
 public:
  explicit Context(int ordinal) : ordinal_(ordinal) {}
  ~Context();
  Context(const Context&) = delete;

  int ordinal() const { return ordinal_; }
  CUcontext handle = nullptr;
  /// What every call answers since a kernel failed.
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
  int major = 0, minor = 0;
  uint64_t total_bytes = 0;
  uint32_t block_memory_bytes = 0;  ///< That a block may have if its kernel asks for it.
  std::mutex mutex;
  CUcontext primary = nullptr;
  int retained = 0;
};

/// What the process shares. The environment changes it: WEFT_CUDA_ON_CPU_DEVICES is the number of devices,
/// WEFT_CUDA_ON_CPU_MEMORY the bytes of each, WEFT_CUDA_ON_CPU_VERSION the version of CUDA.
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
  Memory memory;

 private:
  std::vector<std::unique_ptr<Device>> devices_;
  int version_ = 0;
};

/// Lives until the process ends, as kernels may.
Driver& driver();

/// The current context, if there is one and it is in order.
CUresult find_current(std::shared_ptr<Context>& context);

/// Does `body` with the current context, or returns what is wrong with it.
template <class Body>
CUresult in_context(Body&& body) {
  std::shared_ptr<Context> context;
  const CUresult result = find_current(context);
  return result == CUDA_SUCCESS ? body(context) : result;
}

/// Does `body` with the object behind a handle, which has to be the current context's.
template <class Handle, class Object, class Body>
CUresult with(const Registry<Handle, Object>& registry, Handle handle, Body&& body) {
  return in_context([&](const std::shared_ptr<Context>& context) -> CUresult {
    const std::shared_ptr<Object> object = registry.find(handle);
    if (!object || object->context() != context) {
      report_misuse(object ? "a handle is not the current context's" : "a handle is of nothing that there is");
      return CUDA_ERROR_INVALID_HANDLE;
    }
    return body(*object);
  });
}

}  // namespace weft::test::cuda_on_cpu
