"""Sorts: by radix, stable, keys that are numbers."""

from __future__ import annotations

import operator
from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, beside, result, stream_for
from weft.dtypes import NAMES, check_number, common_type, dtype_name, field_type
from weft.mapping import convert, converted, iota, map_into
from weft.plans import kept_count, kept_plan

# Up to these counts, single dispatches of plans for that many keys are quicker than of one for 65536.
_FEW = (512, 2048, 65536)


def _sort_count(count: int) -> int:
    for few in _FEW:
        if count <= few:
            return few
    return 1 << (count - 1).bit_length()


def _sort_plan(device: Any, key: str, value: str | None, count: int, descending: bool) -> Any:
    most = _sort_count(count)
    name = ("Sort", key, value, most, descending)
    return device.plans.get(name) or kept_plan(device, name, "Sort", key=key, value=value, max_count=most,
                                               descending=descending)


def _keys_of(x: Array, by: Any, stream: Stream) -> Array:
    """The number of each struct by which it is sorted: a field, or the value of an expression."""
    if isinstance(by, str):
        by = ("x." + by, field_type(x.dtype, by))
    if not (isinstance(by, tuple) and len(by) == 2 and isinstance(by[0], str)):
        raise TypeError("'by' is the name of a field, or an expression and its type: ('x.a * x.b', 'float32')")
    name = dtype_name(by[1])
    check_number(name, "by")
    return map_into(by[0], x, None, Array.empty(x.device, x.size, name), stream)


def _sort_by(x: Any, by: Any, descending: bool, out: Any, stream: Stream | None) -> Array:
    x = argument(x, structs=True)
    stream = stream_for(x, stream)
    to = result(out, x.device, x.size, x.dtype_name)
    keys = _keys_of(x, by, stream)
    plan = _sort_plan(x.device, keys.element, x.element, x.size, descending)
    plan.record(stream, keys=keys, values=x, keys_out=keys, values_out=to, count=x.size)
    return to if out is None else out


def sort(x: Any, *, by: Any = None, descending: bool = False, out: Any = None, stream: Stream | None = None) -> Array:
    """The elements in ascending order, or descending. Stable. `out` may be `x`, which is then sorted in place.

    by: of structs, the name of a field, or an expression of `x` and its type, ("x.a * x.b", "float32").

    Floats have IEEE 754's total order: -0 before +0; NaNs with a sign come first, others last, where NumPy has all.
    """
    if by is not None:
        return _sort_by(x, by, descending, out, stream)
    if type(x) is not Array or x.ndim == 0 or x.dtype_name not in NAMES:
        x = argument(x)
    device = x.device
    to = result(out, device, x.size, x.dtype_name)
    plan = _sort_plan(device, x.element, None, x.size, descending)
    plan.record(stream_for(x, stream), keys=x, keys_out=to, count=x.size)
    return to if out is None else out


def sort_pairs(keys: Any, values: Any, *, descending: bool = False, out: tuple[Any, Any] | None = None,
               stream: Stream | None = None) -> tuple[Array, Array]:
    """Sorts keys, and values with them: the value of each key moves with it. Stable."""
    keys = argument(keys, "keys")
    values = beside(values, keys, "values", structs=True)
    if values.size != keys.size:
        raise ValueError(f"there are {keys.size} keys and {values.size} values; there must be as many")
    device = keys.device
    keys_out, values_out = (None, None) if out is None else out
    keys_to = result(keys_out, device, keys.size, keys.dtype_name)
    values_to = result(values_out, device, keys.size, values.dtype_name)
    plan = _sort_plan(device, keys.element, values.element, keys.size, descending)
    plan.record(stream_for(keys, stream), keys=keys, values=values, keys_out=keys_to, values_out=values_to,
                count=keys.size)
    return (keys_to, values_to) if out is None else (keys_out, values_out)


def argsort(x: Any, *, descending: bool = False, dtype: Any = "int64", out: Any = None,
            stream: Stream | None = None) -> Array:
    """The indices that sort `x`. Stable. Indices have NumPy's type, int64; uint32 is quicker."""
    x = argument(x)
    name = dtype_name(dtype)
    device, stream = x.device, stream_for(x, stream)
    to = result(out, device, x.size, name)
    # Indices of 32 bits are sorted with the keys, and widened then.
    narrow = "uint32" if x.size < 1 << 32 else "uint64"
    indices = to if narrow == name else Array.empty(device, x.size, narrow)
    iota(indices, stream)
    plan = _sort_plan(device, x.element, indices.element, x.size, descending)
    plan.record(stream, keys=x, values=indices, keys_out=Array.empty(device, x.size, x.dtype_name),
                values_out=indices, count=x.size)
    if indices is not to:
        convert(indices, to, stream)
    return to if out is None else out


def merge(x: Any, y: Any, *, out: Any = None, stream: Stream | None = None) -> Array:
    """The elements of two sorted arrays, sorted, in their common type. Stable; the order is that of sort()."""
    x = argument(x)
    y = beside(y, x, "y")
    device, stream = x.device, stream_for(x, stream)
    both = common_type(x.dtype_name, y.dtype_name)
    x, y = converted(x, both, stream), converted(y, both, stream)
    to = result(out, device, x.size + y.size, both)
    most = kept_count(to.size)
    key = ("Merge", x.element, most)
    plan = device.plans.get(key) or kept_plan(device, key, "Merge", element=x.element, max_count=most,
                                              before="weft_ascending(a, b)")
    plan.record(stream, first=x, first_count=x.size, second=y, second_count=y.size, output=to)
    return to if out is None else out


def top_k(x: Any, k: int, *, smallest: bool = False, indices: bool = False,
          stream: Stream | None = None) -> Array | tuple[Array, Array]:
    """The k largest elements, from the largest on, or the k smallest. With `indices` also their indices, int64.

    Of equal elements any may be chosen. If there are fewer than k, all are found. NaNs without a sign are the largest.
    """
    x = argument(x)
    k = operator.index(k)
    if k < 0:
        raise ValueError("'k' must not be negative")
    device, stream, k = x.device, stream_for(x, stream), min(k, x.size)
    most, most_k = kept_count(x.size), _sort_count(k)
    key = ("TopK", x.element, most, most_k, smallest, indices)
    plan = device.plans.get(key) or kept_plan(device, key, "TopK", key=x.element, max_count=most, max_k=most_k,
                                              smallest=smallest, indices=indices)
    values = Array.empty(device, k, x.dtype_name)
    at = Array.empty(device, k, "uint32" if most < 1 << 32 else "uint64") if indices else None
    plan.record(stream, input=x, output=values, indices=at, found=Array.empty(device, 1, "uint64"), k=k, count=x.size)
    return (values, converted(at, "int64", stream)) if at is not None else values
