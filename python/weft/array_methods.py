"""Methods of weft.Array: NumPy's habits. src/array_methods.cpp has them call these functions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from weft._core import Array
from weft.exchange import dlpack, dlpack_device


def numpy(self: Array) -> np.ndarray:
    host = np.empty(self.shape, self.dtype)
    self.download(host)
    return host


def __array__(self: Array, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    if self.device.backend == "host" and not copy:
        host = np.frombuffer(self, self.dtype).reshape(self.shape)
    elif copy is False:
        raise ValueError(f"copy=False: the array lies on {self.device.selector}, and NumPy needs a copy of it")
    else:
        host = numpy(self)
    return host if dtype is None else host.astype(dtype, copy=False)


def __dlpack__(self: Array, *, stream: Any = None, max_version: Any = None, dl_device: Any = None,
               copy: bool | None = None) -> Any:
    return dlpack(self, stream, max_version, dl_device, copy)


def __dlpack_device__(self: Array) -> tuple[int, int]:
    return dlpack_device(self)


def item(self: Array, index: int | None = None) -> Any:
    if index is not None:
        return numpy(_element(self, index)).item()
    if self.size != 1:
        raise ValueError(f"only an array of one element is a number; this has {self.size}")
    return numpy(self).item()


def tolist(self: Array) -> list:
    return numpy(self).tolist()


def _element(self: Array, index: Any) -> Array:
    at = operator.index(index)
    if not -self.size <= at < self.size:
        raise IndexError(f"index {at} is out of bounds for {self.size} elements")
    return self.at(at % self.size)


def __getitem__(self: Array, index: Any) -> Array:
    if isinstance(index, str):
        return _field(self, index)
    if self.ndim == 0:
        raise IndexError("an array of no dimension has no indices")
    if not isinstance(index, slice):
        return _element(self, index)
    first, last, step = index.indices(self.size)
    if step != 1:
        raise ValueError("parts of Weft's arrays are contiguous: the step of a slice must be 1")
    return self.part(first, max(last - first, 0))


def _field(self: Array, name: str) -> Array:
    """A copy of a struct's field: the memory of one is not contiguous."""
    from weft.dtypes import field_type
    from weft.mapping import map_into

    out = Array.empty(self.device, self.size, field_type(self.dtype, name), self.ndim == 0)
    return map_into("x." + name, self, None, out, self.stream)


def __repr__(self: Array) -> str:
    return f"<weft.Array of {self.size} {self.dtype_name} on {self.device.selector}>"


def __eq__(self: Array, other: Any) -> bool:
    if self.ndim == 0 and getattr(other, "ndim", 0) == 0:
        return item(self) == (item(other) if isinstance(other, Array) else other)
    raise TypeError("Weft compares no arrays by ==; compare numpy.asarray(x)")


def __reduce_ex__(self: Array, protocol: int) -> Any:
    raise TypeError("a weft.Array lies on a device and cannot be pickled; pickle numpy.asarray(x)")


def __iter__(self: Array) -> Any:
    raise TypeError("iterating over a weft.Array would copy each element by itself; iterate over numpy.asarray(x)")


def __int__(self: Array) -> int:
    return int(item(self))


def __float__(self: Array) -> float:
    return float(item(self))


def __bool__(self: Array) -> bool:
    return bool(item(self))
