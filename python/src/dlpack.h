#pragma once

#include <cstdint>

// The structures of DLPack, version 1, as far as arrays of one dimension need them.
namespace weft::python::dlpack {

enum DeviceType : int32_t {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,
  vulkan = 7,
  rocm = 10,
  rocm_host = 11,
  cuda_managed = 13
};
enum TypeCode : uint8_t { signed_integer = 0, unsigned_integer = 1, floating_point = 2, boolean = 6 };

struct Device {
  int32_t type, id;
};
struct Type {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  int32_t dimensions;
  Type type;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct ManagedVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  uint64_t flags;
  Tensor tensor;
};
constexpr uint64_t read_only = 1;

}  // namespace weft::python::dlpack
