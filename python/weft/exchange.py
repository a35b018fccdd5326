"""Arrays of other libraries: NumPy's, and those of what shares memory by DLPack or CUDA's array interface."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from weft import _core
from weft._core import Array, Device, Stream
from weft.devices import default_device, device_with_number
from weft.dtypes import dtype_name
from weft.errors import CopyWarning

if TYPE_CHECKING:
    import numpy

CPU, CUDA, VULKAN, ROCM = 1, 2, 7, 10
"""DLPack's types of devices."""

_said: set[str] = set()
_PACKAGE = os.path.dirname(__file__)


def say_copied(reason: str) -> None:
    """Warns once for each reason, at the line that called Weft."""
    if reason in _said:
        return
    _said.add(reason)
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{reason}; weft.asarray() copies without this warning", CopyWarning, stacklevel=level)


def is_array(data: Any) -> bool:
    """Whether it has memory that can be shared, other than a list or a number."""
    return any(hasattr(data, name) for name in ("__array__", "__dlpack__", "__cuda_array_interface__"))


def check_dimensions(number: int) -> None:
    if number > 1:
        raise ValueError(f"Weft's arrays have one dimension, and this has {number}; x.ravel() makes it one")


def host_array(data: Any) -> numpy.ndarray:
    """A NumPy array of what NumPy takes: one, a list, a number, a tensor on the CPU."""
    import numpy as np

    if isinstance(data, np.ma.MaskedArray):
        raise TypeError("Weft has no masked arrays; fill the masked elements first, by x.filled(value)")
    if not hasattr(data, "__array__") and hasattr(data, "__dlpack__"):
        data = np.from_dlpack(data)
    host = np.asarray(data)
    dtype_name(host.dtype)  # or a TypeError
    check_dimensions(host.ndim)
    return host


def _fits_in_place(host: numpy.ndarray) -> bool:
    return host.flags.c_contiguous and _is_aligned(host) and host.dtype.isnative


def _is_aligned(host: numpy.ndarray) -> bool:
    """A struct that NumPy packs is aligned to bytes for NumPy; kernels want more."""
    return host.flags.aligned and (host.dtype.names is None or host.ctypes.data % 8 == 0)


def from_host(data: Any, device: Device, copy: bool | None, quiet: bool) -> Array:
    """An array of what NumPy takes, in place on the host device if it can be.

    A list has no memory of its own to share, so its copy is Weft's alone, and no function waits for it.
    """
    host = host_array(data)
    name = dtype_name(host.dtype)
    in_place = device.backend == "host" and is_array(data) and _fits_in_place(host)
    if in_place and not copy:
        return Array.of_host(device, host, name, host.ndim == 0)
    if copy is False:
        raise ValueError("copy=False: " + _reason(host, device))
    if not quiet and is_array(data):
        say_copied(_reason(host, device))
    import numpy as np

    native = np.ascontiguousarray(host, host.dtype.newbyteorder("=")).reshape(host.shape)
    made = Array.empty(device, host.size, name, host.ndim == 0)
    made.upload(native)
    return made


def _reason(host: numpy.ndarray, device: Device) -> str:
    if not host.flags.c_contiguous:
        return "an array that is not contiguous was copied"
    if not host.dtype.isnative:
        return "an array of the other byte order was converted"
    if not _is_aligned(host):
        return "an array that is not aligned was copied"
    return f"memory of the host was copied to {device.selector}"


# ---- memory of CUDA and HIP -----------------------------------------------------------------------------------------


def device_of(data: Any) -> tuple[int, int] | None:
    """DLPack's type and number of a device of CUDA or HIP that the array lies on; None elsewhere."""
    if hasattr(data, "__dlpack_device__"):
        kind, number = data.__dlpack_device__()
        return (int(kind), int(number)) if int(kind) in (CUDA, ROCM) else None
    interface = getattr(data, "__cuda_array_interface__", None)
    return None if interface is None else (CUDA, _ordinal(data))


def _ordinal(data: Any) -> int:
    """The device of an array that has no DLPack: where its library says, else the first."""
    number = getattr(getattr(data, "device", None), "id", 0)
    return number if isinstance(number, int) else 0


def from_device(data: Any, where: tuple[int, int], device: Device | None = None) -> Array:
    """An array of CUDA's or HIP's memory, in place, on the stream that its owner uses it on."""
    backend = "hip" if where[0] == ROCM else "cuda"
    on = device_with_number(backend, where[1], device)
    interface = getattr(data, "__cuda_array_interface__", None) if where[0] == CUDA else None
    # An interface that names no stream does not say when the data is there; DLPack does.
    if interface is not None and (interface.get("stream") is not None or not hasattr(data, "__dlpack__")):
        return _from_interface(data, interface, on)
    stream = _stream_of_torch(data)
    home = _core.stream_at(on, stream) if stream is not None else on.stream
    handle = _core.stream_handle(home)
    capsule = data.__dlpack__(stream=0 if where[0] == ROCM and handle == 1 else handle)
    return _core.array_of_capsule(on, capsule, home)


def _from_interface(data: Any, interface: dict[str, Any], device: Device) -> Array:
    import numpy as np

    if interface.get("mask") is not None:
        raise TypeError("Weft has no masked arrays; fill the masked elements first")
    dtype, shape = np.dtype(interface["typestr"]), interface["shape"]
    if dtype.kind == "V" and "descr" in interface:
        dtype = np.lib.format.descr_to_dtype(interface["descr"])
    name = dtype_name(dtype)
    check_dimensions(len(shape))
    strides = interface.get("strides")
    if strides is not None and shape and shape[0] > 1 and strides[0] != dtype.itemsize:
        raise ValueError("the array is not contiguous; copy it first")
    if not dtype.isnative:
        raise TypeError("the array has the other byte order; convert it first")
    address, read_only = interface["data"]
    stream = interface.get("stream")
    if stream is None:
        stream = _stream_of_torch(data)
    home = _core.stream_at(device, stream or 0, _owner_of_stream(data, stream))
    size = shape[0] if shape else 1
    return _core.array_at(device, address or 0, size, name, not shape, not read_only, data, home)


def _owner_of_stream(data: Any, stream: int | None) -> Any:
    """The object that keeps a stream: CuPy and Numba destroy a stream with its object, and PyTorch never does."""
    cupy = sys.modules.get("cupy")
    if cupy is None or not isinstance(data, cupy.ndarray):
        return getattr(data, "stream", None)
    current = cupy.cuda.get_current_stream()
    return current if current.ptr == stream else None


def _stream_of_torch(data: Any) -> int | None:
    """The stream on which PyTorch, whose interfaces name none, uses its tensor."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(data, torch.Tensor):
        return None
    return torch.cuda.current_stream(data.device).cuda_stream


def from_other(data: Any, device: Device | None, copy: bool | None = None, quiet: bool = False) -> Array:
    """An array of another library's, in place where its memory is a device's that Weft has."""
    where = device_of(data)
    if where is not None:
        return from_device(data, where, device)
    return from_host(data, device or default_device(), copy, quiet)


# ---- weft.Array for others ------------------------------------------------------------------------------------------


def dlpack_device(x: Array) -> tuple[int, int]:
    selector = x.device.selector
    number = int(selector.split(":")[1]) if x.device.backend != "host" and ":" in selector else 0
    return {"cuda": CUDA, "hip": ROCM, "vulkan": VULKAN}.get(x.device.backend, CPU), number


def dlpack(x: Array, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """A capsule of DLPack's. On the host it is that of a NumPy array in place."""
    own = dlpack_device(x)
    to = own if dl_device is None else (int(dl_device[0]), int(dl_device[1]))
    if to[0] == CPU:
        if own[0] != CPU and copy is False:
            raise BufferError(f"the array lies on {x.device.selector}; copy=False forbids to copy it to the host")
        if stream not in (None, -1):
            raise BufferError("an array of the host has no stream; leave 'stream' out")
        import numpy as np

        host = np.asarray(x) if own[0] == CPU and not copy else x.numpy()
        return host.__dlpack__() if max_version is None else host.__dlpack__(max_version=max_version)
    if to != own:
        raise BufferError(f"the array lies on {x.device.selector}, and cannot be copied to another device here")
    if own[0] == VULKAN:
        raise BufferError("memory of Vulkan is shared with no library by DLPack; numpy.asarray(x) copies it")
    if copy:
        raise BufferError("copy=True: weft.asarray(x, copy=True) copies an array on its device")
    if stream != -1:
        _core.wait_on(_core.stream_at(x.device, _handle(stream, own[0])), x)
    return _core.capsule_of(x)


def _handle(stream: Any, kind: int) -> int:
    if stream is None:
        return 1
    if stream == 0 and kind == CUDA or stream == -1:
        raise BufferError("a consumer names its stream: 1 is the default stream, and 0 is ambiguous")
    return int(stream)


def cuda_array_interface(x: Array) -> dict[str, Any]:
    """CUDA's array interface, version 3."""
    if x.device.backend != "cuda":
        raise AttributeError(f"an array on {x.device.selector} has no __cuda_array_interface__; CUDA's arrays have one")
    x.share()
    return {"shape": x.shape, "typestr": x.dtype.str, "descr": x.dtype.descr, "data": (x.address, not x.writable), "version": 3,
            "strides": None, "stream": _core.stream_handle(x.stream)}
