#include "python/src/array.h"

#include <span>

#include "python/src/bytes_of.h"
#include "python/src/stream.h"

namespace weft::python {

Array Array::empty(const std::shared_ptr<OpenDevice>& device, const SharedDType& dtype, uint64_t size, bool is_single) {
  if (size > UINT64_MAX / dtype->bytes) throw std::bad_alloc();
  return {std::make_shared<Memory>(device, size * dtype->bytes), dtype, 0, size, is_single};
}

Array Array::part(uint64_t first, uint64_t count) const {
  if (first > size_ || count > size_ - first) throw nb::index_error("the part reaches past the array's end");
  return {memory_, dtype_, offset_ + first * dtype_->bytes, count, false};
}

Array Array::at(uint64_t index) const {
  if (index >= size_) throw nb::index_error("the index is past the array's end");
  return {memory_, dtype_, offset_ + index * dtype_->bytes, 1, true};
}

Array Array::as(const SharedDType& dtype) const {
  if (bytes() % dtype->bytes != 0) throw nb::value_error("the array's bytes are no whole number of such elements");
  if (size_ > 0 && region().address() % dtype->bytes != 0) {
    throw nb::value_error("the array is not aligned to such elements");
  }
  const uint64_t size = bytes() / dtype->bytes;
  return {memory_, dtype, offset_, size, is_single_ && size == 1};
}

void Array::wait() const {
  if (memory_->stream) memory_->stream->synchronize();
}

void Array::require_writable() const {
  if (!memory_->is_writable()) throw nb::value_error("the array is read-only");
}

void Array::copy_from(const Array& other) {
  require_writable();
  if (other.bytes() != bytes()) throw nb::value_error("the arrays have different sizes");
  if (!memory_->stream) memory_->stream = memory_->device()->stream();
  OpenStream& stream = *memory_->stream;
  const auto before =
      other.memory_->stream && other.memory_->stream.get() != &stream ? other.memory_->stream->record() : Event();
  stream.alone([&](Stream& inner) {
    inner.wait(before);
    inner.copy_region(other.region(), region());
  });
  other.memory_->stream = memory_->stream;
  if (memory_->is_seen()) wait();
}

void Array::upload(nb::handle data) {
  require_writable();
  const BytesOf given(data, BytesOf::Access::read);
  if (given.bytes().size() != bytes()) throw nb::value_error("the data has another size than the array");
  if (!memory_->stream) memory_->stream = memory_->device()->stream();
  memory_->stream->alone_without_gil([&](Stream& stream) { stream.upload_region(region(), given.bytes()); });
  if (memory_->is_seen()) wait();
}

void Array::download(nb::handle data) const {
  const BytesOf given(data, BytesOf::Access::write);
  if (given.bytes().size() != bytes()) throw nb::value_error("the memory has another size than the array");
  wait();
  const auto& stream = memory_->stream ? memory_->stream : memory_->device()->stream();
  stream->alone_without_gil([&](Stream& inner) { inner.download_region(region(), given.writable()); });
}

}  // namespace weft::python
