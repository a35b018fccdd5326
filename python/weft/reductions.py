"""Reductions of all elements to one, an array of no dimension, which waits only when it is read."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, result, stream_for
from weft.dtypes import ELEMENTS, adding_type, arg_extreme_operator, combined_type, extreme_operator, sum_type
from weft.mapping import convert
from weft.plans import kept_count, kept_plan


def operator_key(op: Any) -> Any:
    """What a kept plan's key has of an operator."""
    return tuple(op.items()) if isinstance(op, dict) else op


def _reduce(x: Array, op: Any, within: str, dtype: str, out: Any, stream: Stream | None) -> Array:
    """Combines the elements in the type `within`; the result has `dtype`."""
    device, most = x.device, kept_count(x.size)
    stream = stream_for(x, stream)
    to = result(out, device, 1, dtype, True)
    total = to if within == dtype else Array.empty(device, 1, within, True)
    key = ("Reduce", x.dtype_name, within, operator_key(op), most)
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


def reduce(x: Any, op: Any = "sum", *, dtype: Any = None, out: Any = None, stream: Stream | None = None) -> Array:
    """Combines all elements by an operator, in their own type, or in `dtype`. Sums widen as those of sum().

    op: "sum", "min" or "max", where NaN gives way to numbers; or an operator of your own in GLSL, a dictionary:

        weft.reduce(x, {"name": "xor", "combine": "a ^ b", "identity": "T(0)", "commutative": True})
    """
    x = argument(x, structs=True)
    total = combined_type(op, x.dtype_name, dtype)
    return _reduce(x, op, adding_type(total), total, out, stream)


def argmin(x: Any, *, stream: Stream | None = None) -> Array:
    """The index of the smallest element, of the first NaN if there is one. Raises ValueError for no elements."""
    return _arg_extreme("min", "<", x, stream)


def argmax(x: Any, *, stream: Stream | None = None) -> Array:
    """The index of the largest element, of the first NaN if there is one. Raises ValueError for no elements."""
    return _arg_extreme("max", ">", x, stream)


def _arg_extreme(name: str, before: str, x: Any, stream: Stream | None) -> Array:
    x = argument(x)
    if x.size == 0:
        raise ValueError(f"arg{name}() of no elements has no index")
    device, most = x.device, kept_count(x.size)
    key = ("arg", name, x.dtype_name, most)
    plan = device.plans.get(key)
    if plan is None:
        element, op, transform = arg_extreme_operator(name, before, x.dtype_name)
        plan = kept_plan(device, key, "Reduce", element=element, op=op, transform=transform, max_count=most)
    # The result is a struct: two words of the index, then the value.
    words = Array.empty(device, 4, "uint32")
    plan.record(stream_for(x, stream), input=x, output=words.part(0, 3 if x.itemsize < 8 else 4), count=x.size)
    return words.part(0, 2).view("int64").at(0)
