#include "python/src/array_methods.h"

namespace weft::python {
namespace {

/// A method that python/weft/array_methods.py has, and how the stubs show it.
struct Method {
  const char *name, *signature, *text;
};

constexpr Method methods[] = {
    {"numpy", "def numpy(self) -> numpy.ndarray", "A copy as a NumPy array. Waits for the work on it."},
    {"item", "def item(self, index: int | None = None) -> typing.Any",
     "One element as a number of Python's. Without an index the array must have one element."},
    {"tolist", "def tolist(self) -> list", "The elements as numbers of Python's."},
    {"__array__",
     "def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None) -> numpy.ndarray",
     "For numpy.asarray()."},
    {"__dlpack__",
     "def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None, "
     "dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> typing.Any",
     "A capsule that shares the array, on a device of CUDA, HIP or the host."},
    {"__dlpack_device__", "def __dlpack_device__(self) -> tuple[int, int]", "The device's type and number."},
    {"__getitem__", "def __getitem__(self, index: int | slice | str) -> Array",
     "An element, as an array of no dimension, or a contiguous part; neither is copied. By name a copy of a field."},
    {"__repr__", "def __repr__(self) -> str", nullptr},
    {"__eq__", "def __eq__(self, other: object, /) -> bool", "Of arrays of no dimension alone."},
    {"__iter__", "def __iter__(self) -> typing.NoReturn", "Refused."},
    {"__reduce_ex__", "def __reduce_ex__(self, protocol: int, /) -> typing.NoReturn", "Refused."},
    {"__int__", "def __int__(self) -> int", nullptr},
    {"__float__", "def __float__(self) -> float", nullptr},
    {"__bool__", "def __bool__(self) -> bool", nullptr},
};

}  // namespace

void bind_methods_of_python(nb::class_<Array>& type) {
  for (const Method& method : methods) {
    type.def(
        method.name,
        [name = method.name](nb::handle self, const nb::args& arguments, const nb::kwargs& named) {
          return nb::module_::import_("weft.array_methods").attr(name)(self, *arguments, **named);
        },
        nb::sig(method.signature), method.text ? method.text : "");
  }
  type.def_prop_ro(
      "__cuda_array_interface__",
      [](nb::handle self) { return nb::module_::import_("weft.exchange").attr("cuda_array_interface")(self); },
      nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"), "Of arrays on a device of CUDA.");
  type.attr("__hash__") = nb::none();
}

}  // namespace weft::python
