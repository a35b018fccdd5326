"""Arguments and results of functions."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Device, Stream
from weft.devices import as_device
from weft.dtypes import check_number, dtype_name
from weft.exchange import device_of, from_other, is_array
from weft.mapping import convert


def asarray(data: Any, dtype: Any = None, *, device: Device | str | None = None, copy: bool | None = None) -> Array:
    """An array of `data`: a weft.Array, one of another library, a list or a number.

    It shares the memory of `data` where it can: of NumPy's arrays on a host device, and of what lies on a device of
    CUDA or HIP there. dtype: converts the elements. device: where the array lies; by default where it is, or on the
    default device. copy: False refuses to copy; True always copies.
    """
    to = None if device is None else as_device(device)
    if type(data) is not Array:
        if not is_array(data):  # what is made of it is Weft's alone
            import numpy as np

            if copy is False:
                raise ValueError("copy=False: what is no array has no memory to share")
            data, copy = np.asarray(data, dtype), True
        data = from_other(data, to, copy, quiet=True)
        copy = None if data.writable and copy and device_of(data) is None else copy
    if dtype is not None and data.dtype_name != dtype_name(dtype):
        if copy is False:
            raise ValueError(f"copy=False: the array has elements of {data.dtype_name}")
        converted = Array.empty(data.device, data.size, dtype_name(dtype), data.ndim == 0)
        data, copy = convert(data, converted, data.stream), None
    if to is not None and to is not data.device:
        if copy is False:
            raise ValueError(f"copy=False: the array lies on {data.device.selector}")
        return from_other(data.numpy(), to, True, quiet=True)
    if not copy:
        return data
    made = Array.empty(data.device, data.size, data.dtype_name, data.ndim == 0)
    made.copy_from(data)
    return made


def argument(data: Any, name: str = "x", structs: bool = False) -> Array:
    """An argument of a function, on its own device, or else on the default one. It must have a dimension."""
    if type(data) is not Array:
        data = from_other(data, None)
    if not structs:
        check_number(data.dtype_name, name)
    if data.ndim == 0:
        raise ValueError(f"'{name}' has no dimension; this function takes arrays of one")
    return data


def beside(data: Any, first: Array, name: str, structs: bool = False) -> Array:
    """A further argument, which lies on the device of the first."""
    if type(data) is not Array:
        data = from_other(data, first.device)
    if not structs:
        check_number(data.dtype_name, name)
    if data.device is not first.device:
        raise ValueError(f"'{name}' lies on {data.device.selector}, and the first argument on {first.device.selector}; "
                         "weft.asarray(x, device=...) copies it")
    if data.ndim == 0:
        raise ValueError(f"'{name}' has no dimension; this function takes arrays of one")
    return data


def result(out: Any, device: Device, size: int, dtype: str, single: bool = False) -> Array:
    """The array for a result: a new one, or `out` in place, which must fit."""
    if out is None:
        return Array.empty(device, size, dtype, single)
    if type(out) is not Array:
        if isinstance(out, (list, tuple)):
            raise TypeError(f"'out' takes an array, not {type(out).__name__}")
        try:
            out = from_other(out, device, copy=False)
        except ValueError as error:
            raise ValueError(f"'out' cannot be written in place on {device.selector}: {error}") from None
    if out.device is not device:
        raise ValueError(f"'out' lies on {out.device.selector}, and the result on {device.selector}")
    if out.dtype_name != dtype or out.size != size:
        raise ValueError(f"'out' has {out.size} elements of {out.dtype_name}, and the result {size} of {dtype}")
    if not out.writable:
        raise ValueError("'out' is read-only")
    return out


def empty(size: int, dtype: Any = "float64", *, device: Device | str | None = None) -> Array:
    """Uninitialised memory for `size` elements. Without a device, on the default one."""
    return Array.empty(as_device(device), size, dtype_name(dtype))


def stream_for(x: Array, stream: Stream | None) -> Stream:
    """Functions go on with the stream that used their first argument last, unless they are given another."""
    return x.stream if stream is None else stream
