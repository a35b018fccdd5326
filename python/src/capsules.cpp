#include <nanobind/stl/string.h>

#include <cstring>
#include <string>

#include "python/src/device_memory.h"
#include "python/src/dlpack.h"

namespace weft::python {
namespace {

SharedDType dtype_of(const dlpack::Type& type) {
  static constexpr const char* kinds[] = {"int", "uint", "float"};
  if (type.lanes == 1 && type.code == dlpack::boolean && type.bits == 8) return dtype_named("bool");
  if (type.lanes == 1 && type.code < std::size(kinds)) {
    return dtype_named(kinds[type.code] + std::to_string(type.bits));
  }
  throw nb::type_error("Weft has no elements of this type of DLPack's");
}

dlpack::Type type_of(const DType& dtype) {
  if (dtype.numpy.is_valid()) {
    PyErr_SetString(PyExc_BufferError, "DLPack has no structs; share a field, such as x['name']");
    throw nb::python_error();
  }
  const uint8_t bits = uint8_t(8 * dtype.bytes);
  if (dtype.name == "bool") return {dlpack::boolean, bits, 1};
  if (dtype.name.starts_with("uint")) return {dlpack::unsigned_integer, bits, 1};
  if (dtype.name.starts_with("int")) return {dlpack::signed_integer, bits, 1};
  return {dlpack::floating_point, bits, 1};
}

/// Deletes a consumed tensor with the capsule that keeps it.
template <typename Managed>
void delete_consumed(PyObject* capsule) {
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (managed && managed->deleter) managed->deleter(managed);
}

/// Takes the tensor out of a capsule. Returns what keeps it.
template <typename Managed>
nb::object consume(nb::handle capsule, const char* name, const char* used) {
  void* const managed = PyCapsule_GetPointer(capsule.ptr(), name);
  if (!managed) throw nb::python_error();
  const nb::object kept = nb::steal(PyCapsule_New(managed, "weft.consumed", delete_consumed<Managed>));
  if (!kept.is_valid() || PyCapsule_SetName(capsule.ptr(), used) != 0) throw nb::python_error();
  return kept;
}

/// What a capsule of ours points to.
struct Given {
  dlpack::Managed managed{};
  int64_t shape = 0, stride = 1;
  nb::object array;
};

void delete_given(dlpack::Managed* managed) {
  const nb::gil_scoped_acquire gil;
  delete static_cast<Given*>(managed->context);
}

void delete_unused(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;  // consumed
  delete_given(static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule, "dltensor")));
}

}  // namespace

Array array_of_capsule(const std::shared_ptr<OpenDevice>& device, nb::handle capsule,
                       const std::shared_ptr<OpenStream>& home) {
  const bool is_versioned = PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0;
  if (!is_versioned && !PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    throw nb::type_error("this is no capsule of DLPack's, or one that was used before");
  }
  const dlpack::Tensor* tensor;
  bool is_writable = true;
  if (is_versioned) {
    const auto* const managed =
        static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    if (managed->version.major != 1) throw nb::type_error("this is a capsule of another version of DLPack's");
    tensor = &managed->tensor;
    is_writable = (managed->flags & dlpack::read_only) == 0;
  } else {
    tensor = &static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"))->tensor;
  }
  if (tensor->dimensions > 1) {
    throw nb::value_error(("Weft's arrays have one dimension, and this has " + std::to_string(tensor->dimensions) +
                           "; x.ravel() makes it one")
                              .c_str());
  }
  const int64_t size = tensor->dimensions == 0 ? 1 : tensor->shape[0];
  if (tensor->dimensions == 1 && size > 1 && tensor->strides && tensor->strides[0] != 1) {
    throw nb::value_error("the array is not contiguous; copy it first");
  }
  const SharedDType dtype = dtype_of(tensor->type);
  const uint64_t address = reinterpret_cast<uint64_t>(tensor->data) + tensor->byte_offset;
  const bool is_single = tensor->dimensions == 0;
  nb::object kept = is_versioned
                        ? consume<dlpack::ManagedVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned")
                        : consume<dlpack::Managed>(capsule, "dltensor", "used_dltensor");
  return array_at(device, size == 0 ? 0 : address, uint64_t(size), dtype, is_single, is_writable, std::move(kept),
                  home);
}

nb::object capsule_of(nb::handle object) {
  const Array& array = nb::cast<const Array&>(object);
  const DeviceInfo& info = array.memory()->device()->device.info();
  auto given = std::make_unique<Given>();
  given->array = nb::borrow(object);
  given->shape = int64_t(array.size());
  const size_t colon = info.selector.find(':');
  const int32_t id = colon == std::string::npos ? 0 : std::stoi(info.selector.substr(colon + 1));
  given->managed.tensor = {array.size() > 0 ? reinterpret_cast<void*>(array.region().address()) : nullptr,
                           {info.backend == "hip" ? dlpack::rocm : dlpack::cuda, id},
                           array.is_single() ? 0 : 1,
                           type_of(*array.dtype()),
                           &given->shape,
                           &given->stride,
                           0};
  given->managed.context = given.get();
  given->managed.deleter = delete_given;
  array.memory()->share();
  const nb::object capsule = nb::steal(PyCapsule_New(&given->managed, "dltensor", delete_unused));
  if (!capsule.is_valid()) throw nb::python_error();
  static_cast<void>(given.release());  // which the capsule deletes
  return capsule;
}

}  // namespace weft::python
