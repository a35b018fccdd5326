"""Arrays: weft.Array's habits of NumPy, and what else functions take for one."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from weft._core import Array, Device
from weft.devices import as_device
from weft.errors import CopyWarning

if TYPE_CHECKING:
    import numpy

_said: set[str] = set()


def say_copied(reason: str) -> None:
    """Warns once for each reason."""
    if reason not in _said:
        _said.add(reason)
        warnings.warn(f"{reason}; weft.asarray() copies without this warning", CopyWarning, stacklevel=4)


def _host_array(data: Any) -> numpy.ndarray:
    """A NumPy array of what NumPy takes: one, a list, a number."""
    import numpy as np

    if isinstance(data, np.ma.MaskedArray):
        raise TypeError("Weft has no masked arrays; fill the masked elements first, by x.filled(value)")
    host = np.asarray(data)
    if host.dtype.kind not in "biuf" or host.dtype.itemsize > 8:
        raise TypeError(f"Weft has no elements of {host.dtype}; it takes bool, integers of 8 to 64 bits, float16, "
                        "float32 and float64")
    if host.ndim > 1:
        raise ValueError(f"Weft's arrays have one dimension, and this has {host.ndim}; x.ravel() makes it one")
    return host


def asarray(data: Any, dtype: Any = None, *, device: Device | str | None = None, copy: bool | None = None) -> Array:
    """An array of `data`: a weft.Array, a NumPy array, a list or a number.

    dtype: converts the elements. device: where the array lies; by default where it is, or on the default device.
    copy: False refuses to copy; True always copies.
    """
    if isinstance(data, Array):
        return _array_of_array(data, dtype, device, copy)
    host = _host_array(data)
    if copy is False:
        raise ValueError("copy=False: memory of the host has to be copied to the device")
    native = host.dtype.newbyteorder("=") if dtype is None else dtype
    import numpy as np

    host = np.ascontiguousarray(host, native).reshape(host.shape)
    _host_array(host)
    made = Array.empty(as_device(device), host.size, host.dtype.name, host.ndim == 0)
    made.upload(host)
    return made


def _array_of_array(data: Array, dtype: Any, device: Device | str | None, copy: bool | None) -> Array:
    to = data.device if device is None else as_device(device)
    same_type = dtype is None or data.dtype == dtype
    if to is data.device and same_type and not copy:
        return data
    if copy is False:
        raise ValueError("copy=False: the array has another type, or lies on another device")
    if same_type and to is data.device:
        made = Array.empty(to, data.size, data.dtype_name, data.ndim == 0)
        made.copy_from(data)
        return made
    return asarray(data.numpy(), dtype, device=to)


def argument(data: Any, name: str = "x") -> Array:
    """An argument of a function, on its own device, or else on the default one. It must have a dimension."""
    if type(data) is not Array:
        host = _host_array(data)
        if not host.flags.c_contiguous:
            say_copied("an array that is not contiguous was copied")
        elif not host.dtype.isnative:
            say_copied("an array of the other byte order was converted")
        data = asarray(host)
    if data.ndim == 0:
        raise ValueError(f"'{name}' has no dimension; this function takes arrays of one")
    return data


def beside(data: Any, first: Array, name: str) -> Array:
    """A further argument, which lies on the device of the first."""
    if type(data) is not Array:
        data = asarray(_host_array(data), device=first.device)
    elif data.device is not first.device:
        raise ValueError(f"'{name}' lies on {data.device.selector}, and 'x' on {first.device.selector}; "
                         "weft.asarray(x, device=...) copies it")
    if data.ndim == 0:
        raise ValueError(f"'{name}' has no dimension; this function takes arrays of one")
    return data


def result(out: Array | None, device: Device, size: int, dtype: str, single: bool = False) -> Array:
    """The array for a result: a new one, or `out`, which must fit."""
    if out is None:
        return Array.empty(device, size, dtype, single)
    if type(out) is not Array:
        raise TypeError(f"'out' takes a weft.Array, not {type(out).__name__}")
    if out.device is not device:
        raise ValueError(f"'out' lies on {out.device.selector}, and the result on {device.selector}")
    if out.dtype_name != dtype or out.size != size:
        raise ValueError(f"'out' has {out.size} elements of {out.dtype_name}, and the result {size} of {dtype}")
    return out


def empty(size: int, dtype: Any = "float64", *, device: Device | str | None = None) -> Array:
    """Uninitialised memory for `size` elements. Without a device, on the default one."""
    return Array.empty(as_device(device), size, dtype_name(dtype))


def dtype_name(dtype: Any) -> str:
    """NumPy's name of a dtype that is given in any of NumPy's ways."""
    if isinstance(dtype, str) and dtype in _NAMES:
        return dtype
    import numpy as np

    name = np.dtype(dtype).name
    if name not in _NAMES:
        raise TypeError(f"Weft has no elements of {name}; it takes {', '.join(_NAMES)}")
    return name


_NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64")
