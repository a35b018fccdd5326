#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "python/src/array.h"

/// Memory and streams of CUDA and HIP that are another library's, such as PyTorch's and CuPy's.
namespace weft::python {

/// Whether it is a device of such a backend.
bool shares_memory(const OpenDevice& device);

/// Memory at an address, in place. `owner` is kept; `home` is the stream that its library uses it on.
Array array_at(const std::shared_ptr<OpenDevice>& device, uint64_t address, uint64_t size, const SharedDType& dtype,
               bool is_single, bool is_writable, nb::object owner, const std::shared_ptr<OpenStream>& home);

/// The library's stream with this handle: 0 and 1 are the default stream, as cudaStreamLegacy is.
/// `owner`, unless it is None, is the object that keeps it.
std::shared_ptr<OpenStream> stream_at(const std::shared_ptr<OpenDevice>& device, uint64_t handle, nb::object owner);
/// The stream's handle; 1 for the default stream.
uint64_t handle_of(OpenStream& stream);

/// Consumes a capsule of DLPack's, which keeps its memory.
Array array_of_capsule(const std::shared_ptr<OpenDevice>& device, nb::handle capsule,
                       const std::shared_ptr<OpenStream>& home);
/// A capsule that shares the array, on a device of CUDA or HIP.
nb::object capsule_of(nb::handle array);

}  // namespace weft::python
