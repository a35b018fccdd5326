"""Weft: the parallel primitives, and your own kernels, on CUDA, HIP, Vulkan and the CPU.

Functions take arrays of Weft and NumPy, and give arrays of Weft, which numpy.asarray() reads:

    import numpy as np, weft
    x = weft.asarray(np.random.rand(1 << 20).astype("float32"))
    print(np.asarray(weft.sort(x)), float(weft.sum(x)))
"""

from weft._core import Array, Device, Event, Plan, Stream, __version__, list_devices
from weft.arrays import asarray, empty
from weft.devices import default_device, set_default_device
from weft.errors import (CompileFailed, CopyWarning, DeviceLost, Error, InvalidArgument, IoFailed, KernelFailed,
                         OutOfMemory, Timeout, Unsupported)
from weft.plans import plan
from weft.reductions import max, min, reduce, sum
from weft.scans import cumsum, scan
from weft.selecting import compact
from weft.sorting import argsort, sort, sort_pairs

__all__ = [
    "Array", "CompileFailed", "CopyWarning", "Device", "DeviceLost", "Error", "Event", "InvalidArgument", "IoFailed",
    "KernelFailed", "OutOfMemory", "Plan", "Stream", "Timeout", "Unsupported", "argsort", "asarray", "compact",
    "cumsum", "default_device", "empty", "list_devices", "max", "min", "plan", "reduce", "scan", "set_default_device",
    "sort", "sort_pairs", "sum", "__version__",
]
