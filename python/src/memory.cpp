#include "python/src/array.h"
#include "python/src/bytes_of.h"
#include "python/src/stream.h"

#ifdef WEFT_PYTHON_HOST
#include <weft/interop/host.h>
#endif

namespace weft::python {

Memory::Memory(const std::shared_ptr<OpenDevice>& device, uint64_t bytes) : device_(device) {
  MemoryPool::Block block = device->pool.take(device->device, bytes);
  buffer_ = std::move(block.buffer);
  stream = std::move(block.stream);
  point = std::move(block.point);
}

Memory::Memory(const std::shared_ptr<OpenDevice>& device, Buffer<std::byte> buffer, nb::object owner, bool is_writable)
    : device_(device), buffer_(std::move(buffer)), owner_(std::move(owner)), is_writable_(is_writable) {}

Memory::~Memory() {
  if (!owner_.is_valid() && !is_shared_ && buffer_.size() > 0) {
    if (stream && stream->is_foreign()) stream.reset();
    device_->pool.give(device_->device, {std::move(buffer_), std::move(stream), std::move(point)});
  }
}

Event Memory::last_point() const { return stream && !stream->is_foreign() ? stream->record() : point; }

Array Array::of_host([[maybe_unused]] const std::shared_ptr<OpenDevice>& device, [[maybe_unused]] nb::handle data,
                     [[maybe_unused]] const SharedDType& dtype, [[maybe_unused]] bool is_single) {
#ifdef WEFT_PYTHON_HOST
  // The view keeps the object's memory where it is.
  const nb::object view = nb::steal(PyMemoryView_FromObject(data.ptr()));
  if (!view.is_valid()) throw nb::python_error();
  const bool is_writable = !nb::cast<bool>(view.attr("readonly"));
  const BytesOf bytes(view, BytesOf::Access::read);
  const auto address = reinterpret_cast<uintptr_t>(bytes.bytes().data());
  if (address % dtype->align != 0) throw nb::value_error("the data is not aligned to its elements");
  const uint64_t before = address % host::wrapped_alignment, size = bytes.bytes().size();
  auto buffer = host::wrap_pointer(device->device, const_cast<std::byte*>(bytes.bytes().data()) - before,
                                   size == 0 ? 0 : before + size);
  auto memory = std::make_shared<Memory>(device, std::move(buffer), view, is_writable);
  memory->views = 1;
  return {std::move(memory), dtype, size == 0 ? 0 : before, size / dtype->bytes, is_single};
#else
  throw nb::type_error("this build of Weft has no host device");
#endif
}

}  // namespace weft::python
