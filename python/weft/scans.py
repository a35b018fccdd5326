"""Prefix scans."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, result, stream_for
from weft.dtypes import ELEMENTS, adding_type, combined_type, sum_type
from weft.mapping import convert
from weft.plans import kept_count, kept_plan
from weft.reductions import operator_key


def _scan(x: Array, op: Any, kind: str, initial: str | None, within: str, dtype: str, out: Any,
          stream: Stream | None) -> Array:
    device, most = x.device, kept_count(x.size)
    stream = stream_for(x, stream)
    to = result(out, device, x.size, dtype)
    sums = to if within == dtype else Array.empty(device, x.size, within)
    key = ("Scan", x.dtype_name, within, operator_key(op), kind, initial, most)
    plan = device.plans.get(key) or kept_plan(
        device, key, "Scan", element=ELEMENTS[within], op=op, kind=kind, initial=initial, max_count=most,
        transform=None if within == x.dtype_name else {"from": x.element, "expression": "T(x)"})
    plan.record(stream, input=x, output=sums, count=x.size)
    if sums is not to:
        convert(sums, to, stream)
    return to if out is None else out


def cumsum(x: Any, *, dtype: Any = None, out: Any = None, stream: Stream | None = None) -> Array:
    """The sums of all elements up to each. Types are those of sum()."""
    x = argument(x)
    total = sum_type(x.dtype_name, dtype)
    return _scan(x, "sum", "inclusive", None, adding_type(total), total, out, stream)


def scan(x: Any, op: Any = "sum", *, exclusive: bool = False, initial: str | None = None, dtype: Any = None,
         out: Any = None, stream: Stream | None = None) -> Array:
    """A prefix scan by any associative operator; operators and types are those of reduce().

    exclusive: without the element itself. initial: a GLSL expression of a `T` that precedes all elements.
    """
    x = argument(x, structs=True)
    total = combined_type(op, x.dtype_name, dtype)
    return _scan(x, op, "exclusive" if exclusive else "inclusive", initial, adding_type(total), total, out, stream)
