"""Maps: each element of the result from one of each input."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.dtypes import common_type, dtype_name, is_struct
from weft.plans import kept_count, kept_plan


def map(expression: str, x: Any, y: Any = None, *, dtype: Any = None, out: Any = None,
        stream: Stream | None = None) -> Array:
    """The values of a GLSL expression of each element `x`, its index `i`, and `y` of a second array as long as the first.

    Two arrays are computed with in their common type. Results have that type, or `dtype`, which `T` names: "T(x) / 3".
    """
    from weft.arrays import argument, beside, result, stream_for

    if not isinstance(expression, str) or not expression:
        raise TypeError("the first argument of map() is a GLSL expression, such as 'x * x'")
    x = argument(x, structs=True)
    stream = stream_for(x, stream)
    if y is not None:
        y = beside(y, x, "y", structs=True)
        if y.size != x.size:
            raise ValueError(f"'x' has {x.size} elements, and 'y' {y.size}; they must be as many")
        both = common_type(x.dtype_name, y.dtype_name)
        x, y = converted(x, both, stream), converted(y, both, stream)
    wanted = x.dtype_name if dtype is None else dtype_name(dtype)
    to = result(out, x.device, x.size, wanted)
    map_into(expression, x, y, to, stream)
    return to if out is None else out


def converted(x: Array, dtype: str, stream: Stream) -> Array:
    """The array itself, or a copy with elements of another type."""
    if x.dtype_name == dtype:
        return x
    return convert(x, Array.empty(x.device, x.size, dtype, x.ndim == 0), stream)


def iota(out: Array, stream: Stream) -> Array:
    """Writes 0, 1, 2 and so on."""
    wide = out.size > 1 << 32
    expression = "T(i) | T(i_high) << 32" if wide else "T(i)"
    return tabulate(expression, out, stream)


def tabulate(expression: str, out: Array, stream: Stream) -> Array:
    """Computes each element of `out` from its index `i`."""
    device, most = out.device, kept_count(out.size)
    key = ("Map", out.element, expression, most)
    plan = device.plans.get(key) or kept_plan(device, key, "Map", element=out.element, expression=expression,
                                              max_count=most)
    plan.record(stream, output=out, count=out.size)
    return out


def convert(x: Array, out: Array, stream: Stream) -> Array:
    """Writes the elements of `x` to `out` in that array's type. A number is True unless it is 0."""
    if is_struct(x.dtype_name) or is_struct(out.dtype_name):
        raise TypeError(f"elements of {x.dtype_name} do not convert to {out.dtype_name}; weft.map(expression, x, "
                        "dtype=...) says how")
    if out.dtype_name == "bool" and x.dtype_name != "bool":
        return map_into("x != {0}(0) ? T(1) : T(0)".format(x.element), x, None, out, stream)
    return map_into("T(x)", x, None, out, stream)


def map_into(expression: str, x: Array, y: Array | None, out: Array, stream: Stream) -> Array:
    """Computes each element of `out` from `x`, and `y` of the same type if there is one."""
    device, most = out.device, kept_count(out.size)
    key = ("Map", out.element, expression, x.element, y is not None, most)
    plan = device.plans.get(key) or kept_plan(
        device, key, "Map", element=out.element, max_count=most,
        transform={"from": x.element, "expression": expression, "two": y is not None})
    plan.record(stream, input=x, second=y, output=out, count=out.size)
    return out
