#include <algorithm>
#include <string>

#include <weft/interop/cuda.h>

#include "backends/cuda/open.h"
#include "backends/cuda_hip/interop.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/process.h"
#include "core/src/runtime/sharing.h"

namespace weft::cuda {

namespace {

using DevicePtr = std::shared_ptr<cuda_hip::Device>;
using DriverPtr = std::shared_ptr<const DriverFunctions>;

DevicePtr cuda_device(const Device& device) { return cuda_hip::device_of(device, "cuda"); }

core::Uuid uuid_of(const DriverFunctions& cu, const cuda_hip::Device& device) {
  CUuuid uuid{};
  check(cu, cu.cuDeviceGetUuid(&uuid, device.setup().ordinal), "querying a CUDA device's UUID");
  core::Uuid bytes;
  std::ranges::copy(uuid.bytes, bytes.begin());
  return bytes;
}

void check_exporter(const char* what, const DriverFunctions& cu, const cuda_hip::Device& device,
                    std::span<const uint8_t> exporter) {
  if (!exporter.empty()) core::check_same_gpu(what, device.info(), uuid_of(cu, device), exporter);
}

/// Memory that another API exported, released when this is destroyed.
class ImportedMemory final : public core::Remains {
 public:
  ImportedMemory(const cuda_hip::Device& device, DriverPtr cu) : device_(device), cu_(std::move(cu)) {}
  ~ImportedMemory() override {
    device_.clean_up([&] {
      if (address_ != 0) cu_->cuMemFree(address_);
      if (memory_) cu_->cuDestroyExternalMemory(memory_);
    });
  }

  void import(core::HandedOver& fd, uint64_t bytes) {
    device_.call([&] {
      import(fd.duplicate(), bytes);
      map(bytes);
    });
    fd.accept();
  }
  uint64_t address() const { return address_; }

 private:
  void import(core::Handle& fd, uint64_t bytes) {
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
    description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = fd.number();
    description.size = bytes;
    check(*cu_, cu_->cuImportExternalMemory(&memory_, &description), "importing memory by file descriptor");
    fd.release();
  }

  void map(uint64_t bytes) {
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{};
    description.size = bytes;
    CUdeviceptr address = 0;
    check(*cu_, cu_->cuExternalMemoryGetMappedBuffer(&address, memory_, &description), "mapping imported memory");
    address_ = address;
  }

  const cuda_hip::Device& device_;
  DriverPtr cu_;
  CUexternalMemory memory_ = nullptr;
  uint64_t address_ = 0;
};

class ImportedBuffer final : public backend::Buffer {
 public:
  ImportedBuffer(DevicePtr device, std::unique_ptr<ImportedMemory> memory, uint64_t bytes)
      : backend::Buffer(std::move(device), memory->address(), bytes), memory_(std::move(memory)) {}
  ~ImportedBuffer() override {
    auto& device = static_cast<cuda_hip::Device&>(*device_);
    device.clean_up([&] { device.retire(std::move(memory_)); });
  }

 private:
  std::unique_ptr<ImportedMemory> memory_;
};

}  // namespace

std::array<uint8_t, 16> device_uuid(const Device& device) {
  const DevicePtr on = cuda_device(device);
  return uuid_of(*open_driver(device.options().libraries), *on);
}

Buffer<std::byte> import_fd(const Device& device, int fd, uint64_t bytes, std::span<const uint8_t> exporter_uuid) {
  const DevicePtr on = cuda_device(device);
  if (bytes == 0) core::invalid("import_fd", "the size of the memory is 0; vulkan::export_fd() returns it");
  const DriverPtr cu = open_driver(device.options().libraries);
  check_exporter("import_fd", *cu, *on, exporter_uuid);
  core::HandedOver handed("import_fd", fd);
  auto memory = std::make_unique<ImportedMemory>(*on, cu);
  memory->import(handed, bytes);
  return Buffer<std::byte>(core::make_here<ImportedBuffer>(on, std::move(memory), bytes), bytes);
}

namespace {

/// An imported semaphore, destroyed with this.
struct ImportedSemaphore final : core::Remains {
  ImportedSemaphore(const cuda_hip::Device& owner, DriverPtr driver) : device(owner), cu(std::move(driver)) {}
  ~ImportedSemaphore() override {
    if (handle) device.clean_up([&] { cu->cuDestroyExternalSemaphore(handle); });
  }

  const cuda_hip::Device& device;
  const DriverPtr cu;
  CUexternalSemaphore handle = nullptr;
};

}  // namespace

struct ExternalSemaphore::Impl {
  Impl(DevicePtr on, DriverPtr cu, core::HandedOver& fd)
      : device(std::move(on)), semaphore(std::make_unique<ImportedSemaphore>(*device, cu)) {
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
    description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    description.handle.fd = fd.duplicate().number();
    device->call([&] {
      check(*cu, cu->cuImportExternalSemaphore(&semaphore->handle, &description),
            "importing a semaphore by file descriptor");
    });
    fd.duplicate().release();
    fd.accept();
  }
  ~Impl() {
    device->clean_up([&] { device->retire(std::move(semaphore)); });
  }

  const DevicePtr device;
  std::unique_ptr<ImportedSemaphore> semaphore;
};

ExternalSemaphore::ExternalSemaphore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ExternalSemaphore::ExternalSemaphore(ExternalSemaphore&&) noexcept = default;
ExternalSemaphore& ExternalSemaphore::operator=(ExternalSemaphore&&) noexcept = default;
ExternalSemaphore::~ExternalSemaphore() = default;

ExternalSemaphore import_semaphore_fd(const Device& device, int fd, std::span<const uint8_t> exporter_uuid) {
  const DevicePtr on = cuda_device(device);
  const DriverPtr cu = open_driver(device.options().libraries);
  check_exporter("import_semaphore_fd", *cu, *on, exporter_uuid);
  core::HandedOver handed("import_semaphore_fd", fd);
  return ExternalSemaphore(std::make_unique<ExternalSemaphore::Impl>(on, cu, handed));
}

namespace {

CUstream stream_on_device_of(Stream& stream, const ExternalSemaphore& semaphore, const char* what) {
  const CUstream handle = cuda::stream(stream);
  if (!semaphore) core::invalid(what, "the semaphore was moved from");
  const cuda_hip::Device& device = *semaphore.impl().device;
  if (&stream.device().impl() != &device) {
    core::invalid(what, "the semaphore was imported into another device (" + device.info().selector +
                            ") than the stream's (" + stream.device().info().selector + ")");
  }
  return handle;
}

}  // namespace

void wait(Stream& stream, ExternalSemaphore& semaphore, uint64_t value) {
  const CUstream handle = stream_on_device_of(stream, semaphore, "wait");
  const ExternalSemaphore::Impl& impl = semaphore.impl();
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
  parameters.params.fence.value = value;
  impl.device->call([&] {
    const ImportedSemaphore& imported = *impl.semaphore;
    check(*imported.cu, imported.cu->cuWaitExternalSemaphoresAsync(&imported.handle, &parameters, 1, handle),
          "waiting for an imported semaphore");
  });
}

void signal(Stream& stream, ExternalSemaphore& semaphore, uint64_t value) {
  const CUstream handle = stream_on_device_of(stream, semaphore, "signal");
  const ExternalSemaphore::Impl& impl = semaphore.impl();
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
  parameters.params.fence.value = value;
  impl.device->call([&] {
    const ImportedSemaphore& imported = *impl.semaphore;
    check(*imported.cu, imported.cu->cuSignalExternalSemaphoresAsync(&imported.handle, &parameters, 1, handle),
          "signalling an imported semaphore");
  });
}

}  // namespace weft::cuda
