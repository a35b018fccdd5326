#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <weft/device.h>

#include "python/src/memory_pool.h"

namespace weft::python {

namespace nb = nanobind;

class OpenStream;

/// A device as Python has it: with the stream that functions use unless they are given another, and with the plans that
/// they have made. Arrays and streams keep it.
class OpenDevice : public std::enable_shared_from_this<OpenDevice> {
 public:
  explicit OpenDevice(Device opened) : device(std::move(opened)) { ++number; }
  ~OpenDevice() { --number; }
  OpenDevice(const OpenDevice&) = delete;

  const Device device;
  /// Plans by what they are made from, as python/weft keeps them.
  nb::dict plans;
  MemoryPool pool;
  /// Streams of other libraries by their handles, while an array or Python refers to them.
  std::map<uint64_t, std::weak_ptr<OpenStream>> others;

  /// Of open devices, for tests.
  static inline std::atomic<int> number = 0;

  /// Made on first use. Call it with the GIL.
  const std::shared_ptr<OpenStream>& stream();
  /// Whether its memory is the process's own, so that Python can read it in place.
  bool is_host() const { return device.info().backend == "host"; }

 private:
  std::shared_ptr<OpenStream> stream_;
};

}  // namespace weft::python
