#include "python/src/buffer_protocol.h"

#include <memory>

#include "python/src/array.h"

namespace weft::python {
namespace {

/// What a view points to.
struct Shape {
  std::shared_ptr<Memory> memory;
  Py_ssize_t size, stride;
  SharedDType dtype;
};

int refuse(Py_buffer* view, const std::string& sentence) {
  view->obj = nullptr;
  PyErr_SetString(PyExc_BufferError, sentence.c_str());
  return -1;
}

// Takes and counts a view, after the work on the array.
int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  const Array& array = *nb::inst_ptr<Array>(object);
  Memory& memory = *array.memory();
  if (!memory.device()->is_host()) {
    return refuse(view,
                  "the array lies on " + memory.device()->device.info().selector + "; numpy.asarray(x) copies it");
  }
  if ((flags & PyBUF_WRITABLE) != 0 && !memory.is_writable()) return refuse(view, "the array is read-only");
  try {
    array.wait();
    auto shape = std::make_unique<Shape>(
        Shape{array.memory(), Py_ssize_t(array.size()), Py_ssize_t(array.dtype()->bytes), array.dtype()});
    *view = {};
    // Of no elements there is no memory.
    view->buf = array.size() > 0 ? reinterpret_cast<void*>(array.region().address()) : shape.get();
    view->obj = Py_NewRef(object);
    view->len = Py_ssize_t(array.bytes());
    view->itemsize = shape->stride;
    view->readonly = !memory.is_writable();
    view->ndim = array.is_single() ? 0 : 1;
    view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(shape->dtype->code.c_str()) : nullptr;
    if ((flags & PyBUF_ND) != 0) view->shape = &shape->size;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) view->strides = &shape->stride;
    view->internal = shape.release();
    ++memory.views;
    return 0;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  view->obj = nullptr;
  return -1;
}

void release_buffer(PyObject*, Py_buffer* view) {
  const std::unique_ptr<Shape> shape(static_cast<Shape*>(view->internal));
  --shape->memory->views;
}

}  // namespace

PyType_Slot buffer_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                              {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                              {0, nullptr}};

}  // namespace weft::python
