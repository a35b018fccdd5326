"""Weft: the parallel primitives, and your own kernels, on CUDA, HIP, Vulkan and the CPU.

Functions take arrays of Weft, NumPy and others, and give arrays of Weft, which numpy.asarray() reads:

    import numpy as np, weft
    x = weft.asarray(np.random.rand(1 << 20).astype("float32"))
    print(np.asarray(weft.sort(x)), float(weft.sum(x)))
"""

from weft._core import Array, Device, Event, Kernel, Plan, Stream, Timestamp, __version__, list_devices
from weft.arrays import asarray, empty
from weft.counting import bincount, histogram
from weft.devices import default_device, set_default_device
from weft.errors import (CompileFailed, CopyWarning, DeviceLost, Error, InvalidArgument, IoFailed, KernelFailed,
                         OutOfMemory, Timeout, Unsupported)
from weft.hash_map import HashMap
from weft.images import mipmaps
from weft.kernels import compile, kernel
from weft.mapping import map
from weft.plans import plan
from weft.reductions import argmax, argmin, max, min, reduce, sum
from weft.runs import run_length_decode, run_length_encode, unique
from weft.scans import cumsum, scan
from weft.searching import searchsorted
from weft.segments import reduce_by_key, scan_by_key, segmented_reduce, segmented_scan, segmented_sort
from weft.selecting import compact, flatnonzero, nonzero, partition
from weft.sorting import argsort, merge, sort, sort_pairs, top_k
from weft.spatial import Bvh, KdTree, find_neighbours, find_pairs

__all__ = [
    "Array", "Bvh", "CompileFailed", "CopyWarning", "Device", "DeviceLost", "Error", "Event", "HashMap",
    "InvalidArgument", "IoFailed", "KdTree", "Kernel", "KernelFailed", "OutOfMemory", "Plan", "Stream", "Timeout",
    "Timestamp", "Unsupported", "argmax", "argmin", "argsort", "asarray", "bincount", "compact", "compile", "cumsum",
    "default_device", "empty", "find_neighbours", "find_pairs", "flatnonzero", "histogram", "kernel", "list_devices",
    "map", "max", "merge", "min", "mipmaps", "nonzero", "partition", "plan", "reduce", "reduce_by_key",
    "run_length_decode", "run_length_encode", "scan", "scan_by_key", "searchsorted", "segmented_reduce",
    "segmented_scan", "segmented_sort", "set_default_device", "sort", "sort_pairs", "sum", "top_k", "unique",
    "__version__",
]


def __getattr__(name: str):
    if name in ("spatial", "testing"):
        import importlib

        return importlib.import_module("weft." + name)
    raise AttributeError(f"module 'weft' has no attribute {name!r}")
