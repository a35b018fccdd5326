"""Maps: each element of the result from one of each input."""

from __future__ import annotations

from weft._core import Array, Stream
from weft.plans import kept_count, kept_plan


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
