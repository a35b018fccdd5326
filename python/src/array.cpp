#include "python/src/array.h"

#include <chrono>
#include <span>

#include "python/src/bytes_of.h"
#include "python/src/recording.h"
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
  if (size_ > 0 && region().address() % dtype->align != 0) {
    throw nb::value_error("the array is not aligned to such elements");
  }
  const uint64_t size = bytes() / dtype->bytes;
  return {memory_, dtype, offset_, size, is_single_ && size == 1};
}

void Array::wait() const {
  if (memory_->stream && !memory_->stream->is_foreign()) {
    memory_->stream->synchronize();
  } else {
    wait_for(memory_->point, memory_->device()->device.options().timeout);
  }
}

OpenStream& Array::own_stream() const {
  const bool is_own = memory_->stream && !memory_->stream->is_foreign();
  return is_own ? *memory_->stream : *memory_->device()->stream();
}

void Array::require_writable() const {
  if (!memory_->is_writable()) throw nb::value_error("the array is read-only");
}

void Array::copy_from(const Array& other) {
  require_writable();
  if (other.bytes() != bytes()) throw nb::value_error("the arrays have different sizes");
  OpenStream& stream = own_stream();
  const std::vector<Memory*> used{memory_.get(), other.memory_.get()};
  const std::vector<Event> before = points_before(stream, used);
  stream.alone([&](Stream& inner) {
    for (const Event& event : before) inner.wait(event);
    inner.copy_region(other.region(), region());
  });
  follow(stream, used);
}

void Array::upload(nb::handle data) {
  require_writable();
  const BytesOf given(data, BytesOf::Access::read);
  if (given.bytes().size() != bytes()) throw nb::value_error("the data has another size than the array");
  OpenStream& stream = own_stream();
  const std::vector<Memory*> used{memory_.get()};
  const std::vector<Event> before = points_before(stream, used);
  stream.alone_without_gil([&](Stream& inner) {
    for (const Event& event : before) inner.wait(event);
    inner.upload_region(region(), given.bytes());
  });
  follow(stream, used);
}

void Array::download(nb::handle data) const {
  const BytesOf given(data, BytesOf::Access::write);
  if (given.bytes().size() != bytes()) throw nb::value_error("the memory has another size than the array");
  download_to(given.writable());
}

uint64_t Array::read_count() const {
  uint64_t count = 0;
  if (bytes() != sizeof count) throw nb::value_error("a count is one uint64");
  download_to(std::as_writable_bytes(std::span(&count, 1)));
  return count;
}

void Array::download_to(std::span<std::byte> data) const {
  if (download_soon(data)) return;
  wait();  // Others may record meanwhile, and Ctrl-C interrupts it.
  own_stream().alone_without_gil([&](Stream& inner) { inner.download_region(region(), data); });
}

bool Array::download_soon(std::span<std::byte> data) const {
  constexpr size_t few_bytes = 4096;
  constexpr std::chrono::milliseconds soon(2);
  if (data.size() > few_bytes || !memory_->stream || memory_->stream->is_foreign()) return false;
  try {
    memory_->stream->alone_without_gil([&](Stream& inner) { inner.download_region(region(), data, soon); });
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::timeout) throw;
    return false;
  }
}

}  // namespace weft::python
