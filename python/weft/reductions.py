"""Reductions of all elements to one, an array of no dimension, which waits only when it is read."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, result, stream_for
from weft.dtypes import ELEMENTS, adding_type, extreme_operator, sum_type
from weft.mapping import convert
from weft.plans import kept_count, kept_plan


def _operator_key(op: Any) -> Any:
    return tuple(op.items()) if isinstance(op, dict) else op


def _reduce(x: Array, op: Any, within: str, dtype: str, out: Any, stream: Stream | None) -> Array:
    """Combines the elements in the type `within`; the result has `dtype`."""
    device, most = x.device, kept_count(x.size)
    stream = stream_for(x, stream)
    to = result(out, device, 1, dtype, True)
    total = to if within == dtype else Array.empty(device, 1, within, True)
    key = ("Reduce", x.dtype_name, within, _operator_key(op), most)
    plan = device.plans.get(key) or kept_plan(
        device, key, "Reduce", element=ELEMENTS[within], op=op, max_count=most,
        transform=None if within == x.dtype_name else {"from": x.element, "expression": "T(x)"})
    plan.record(stream, input=x, output=total, count=x.size)
    if total is not to:
        convert(total, to, stream)
    return to if out is None else out


def sum(x: Any, *, dtype: Any = None, out: Any = None, stream: Stream | None = None) -> Array:
    """The sum. Integers narrower than 64 bits add up in 64, unless `dtype` says otherwise; integers wrap."""
    x = argument(x)
    total = sum_type(x.dtype_name, dtype)
    return _reduce(x, "sum", adding_type(total), total, out, stream)


def min(x: Any, *, out: Any = None, stream: Stream | None = None) -> Array:
    """The smallest element; NaN if there is one. Raises ValueError for no elements."""
    return _extreme("min", x, out, stream)


def max(x: Any, *, out: Any = None, stream: Stream | None = None) -> Array:
    """The largest element; NaN if there is one. Raises ValueError for no elements."""
    return _extreme("max", x, out, stream)


def _extreme(name: str, x: Any, out: Any, stream: Stream | None) -> Array:
    x = argument(x)
    if x.size == 0:
        raise ValueError(f"{name}() of no elements has no value")
    return _reduce(x, extreme_operator(name, x.dtype_name), x.dtype_name, x.dtype_name, out, stream)


def reduce(x: Any, op: Any = "sum", *, out: Any = None, stream: Stream | None = None) -> Array:
    """Combines all elements in their own type, which does not widen.

    op: "sum", "min" or "max", where NaN gives way to numbers; or an operator of your own in GLSL, a dictionary:

        weft.reduce(x, {"name": "xor", "combine": "a ^ b", "identity": "T(0)", "commutative": True})
    """
    x = argument(x)
    return _reduce(x, op, x.dtype_name, x.dtype_name, out, stream)
