"""Binary search."""

from __future__ import annotations

from typing import Any

from weft import _core
from weft._core import Array, Stream
from weft.arrays import argument, beside, result, stream_for
from weft.dtypes import common_type, is_float
from weft.mapping import converted

_SOURCE = """
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = BYTES) readonly buffer Elements { T v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Indices { int64_t v[]; };
layout(push_constant) uniform Push { Elements x; Elements values; Indices indices; uint size; uint count; };

// NaN is the largest, as for NumPy.
bool before(T a, T b) { return BEFORE; }

void main() {
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * 256u) {
    const T value = values.v[i];
    uint low = 0, high = size;
    while (low < high) {
      const uint middle = low + (high - low) / 2;
      if (SIDE) low = middle + 1; else high = middle;
    }
    indices.v[i] = int64_t(low);
  }
}
"""


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
    key = ("searchsorted", both, side)
    kernel = device.plans.get(key)
    if kernel is None:
        defines = {"T": x.element, "BYTES": str(x.itemsize),
                   "BEFORE": "isnan(a) ? false : isnan(b) || a < b" if is_float(both) else "a < b",
                   "SIDE": "before(x.v[middle], value)" if side == "left" else "!before(value, x.v[middle])"}
        kernel = device.plans[key] = _core.Kernel(device, _SOURCE, "searchsorted", defines, {}, 0)
    if max(x.size, values.size) >= 1 << 32:
        raise ValueError("searchsorted() takes fewer than 2^32 elements")
    if values.size:
        kernel.record(stream, min(-(-values.size // 256), 65535),
                      {"x": x, "values": values, "indices": to, "size": x.size, "count": values.size})
    return to if out is None else out
