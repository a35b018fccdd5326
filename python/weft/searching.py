"""Binary search."""

from __future__ import annotations

from typing import Any

from weft import _core
from weft._core import Array, Stream
from weft.arrays import argument, beside, result, stream_for
from weft.dtypes import common_type
from weft.mapping import converted


def searchsorted(x: Any, values: Any, side: str = "left", *, out: Any = None, stream: Stream | None = None) -> Array:
    """For each value the index, int64, at which it keeps the sorted array `x` sorted: before equal elements, or after.

    side: "left" or "right". Both are compared in their common type.
    """
    if side not in ("left", "right"):
        raise ValueError(f"'side' is 'left' or 'right', not {side!r}")
    x = argument(x)
    values = beside(values, x, "values")
    device, stream = x.device, stream_for(x, stream)
    both = common_type(x.dtype_name, values.dtype_name)
    x, values = converted(x, both, stream), converted(values, both, stream)
    to = result(out, device, values.size, "int64")
    key = ("searchsorted", x.element)
    kernel = device.plans.get(key)
    if kernel is None:
        kernel = device.plans[key] = _core.Kernel(device, _core.search_module(x.element), "searchsorted", {}, {}, 0)
    if max(x.size, values.size) >= 1 << 32:
        raise ValueError("searchsorted() takes fewer than 2^32 elements")
    if values.size:
        kernel.record(stream, min(-(-values.size // 256), 65535),
                      {"x": x, "values": values, "indices": to, "size": x.size, "count": values.size,
                       "after": int(side == "right")})
    return to if out is None else out
