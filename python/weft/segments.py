"""Reductions, scans and sorts of segments, and by key."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, beside, result, stream_for
from weft.dtypes import ELEMENTS, adding_type, combined_type
from weft.mapping import convert, converted
from weft.plans import kept_count, kept_plan
from weft.reductions import operator_key

_SHORT = 1 << 31
"""Plans for fewer elements and segments take offsets of 32 bits."""


def _offsets_for(x: Array, offsets: Any, stream: Stream) -> Array:
    """Offsets as plans take them. What they hold is not looked at: larger ones count as the number of elements."""
    offsets = beside(offsets, x, "offsets")
    if offsets.dtype_name not in ("int32", "uint32", "int64", "uint64"):
        raise TypeError(f"offsets are integers of 32 or 64 bits, not {offsets.dtype_name}")
    if offsets.size == 0:
        raise ValueError("'offsets' is empty; it has one offset more than there are segments")
    if x.size >= _SHORT or offsets.size >= _SHORT:
        return converted(offsets, "uint64", stream)
    return offsets.view("uint32") if offsets.itemsize == 4 else converted(offsets, "uint32", stream)


def _most(x: Array, offsets: Array) -> dict[str, int]:
    return {"max_count": kept_count(x.size), "max_segments": kept_count(offsets.size - 1)}


def segmented_reduce(x: Any, offsets: Any, op: Any = "sum", *, dtype: Any = None, out: Any = None,
                     stream: Stream | None = None) -> Array:
    """Combines the elements of each segment: segment s has those from offsets[s] up to offsets[s + 1], or none.

    There is one offset more than there are segments; offsets ascend. Operators and types are those of reduce().
    """
    x = argument(x, structs=True)
    device, stream = x.device, stream_for(x, stream)
    offsets = _offsets_for(x, offsets, stream)
    total = combined_type(op, x.dtype_name, dtype)
    within = adding_type(total)
    x, most = converted(x, within, stream), _most(x, offsets)
    to = result(out, device, offsets.size - 1, total)
    sums = to if within == total else Array.empty(device, to.size, within)
    key = ("SegmentedReduce", within, operator_key(op), *most.values())
    plan = device.plans.get(key) or kept_plan(device, key, "SegmentedReduce", element=ELEMENTS[within], op=op,
                                              by="offsets", **most)
    plan.record(stream, input=x, heads=offsets, output=sums, segment_count=offsets.size - 1, count=x.size)
    if sums is not to:
        convert(sums, to, stream)
    return to if out is None else out


def segmented_scan(x: Any, offsets: Any, op: Any = "sum", *, exclusive: bool = False, initial: str | None = None,
                   dtype: Any = None, out: Any = None, stream: Stream | None = None) -> Array:
    """A scan that starts anew in each segment; segments are those of segmented_reduce(), the rest as scan()."""
    x = argument(x, structs=True)
    device, stream = x.device, stream_for(x, stream)
    offsets = _offsets_for(x, offsets, stream)
    total = combined_type(op, x.dtype_name, dtype)
    within, kind = adding_type(total), "exclusive" if exclusive else "inclusive"
    x, most = converted(x, within, stream), _most(x, offsets)
    to = result(out, device, x.size, total)
    sums = to if within == total else Array.empty(device, to.size, within)
    key = ("SegmentedScan", within, operator_key(op), kind, initial, *most.values())
    plan = device.plans.get(key) or kept_plan(device, key, "SegmentedScan", element=ELEMENTS[within], op=op, kind=kind,
                                              by="offsets", initial=initial, **most)
    plan.record(stream, input=x, heads=offsets, output=sums, segment_count=offsets.size - 1, count=x.size)
    if sums is not to:
        convert(sums, to, stream)
    return to if out is None else out


def segmented_sort(x: Any, offsets: Any, *, descending: bool = False, out: Any = None,
                   stream: Stream | None = None) -> Array:
    """Sorts each segment by itself; segments are those of segmented_reduce(), the order is that of sort(). Stable."""
    x = argument(x)
    device, stream = x.device, stream_for(x, stream)
    offsets, to = _offsets_for(x, offsets, stream), result(out, device, x.size, x.dtype_name)
    most = _most(x, offsets)
    key = ("SegmentedSort", x.element, descending, *most.values())
    plan = device.plans.get(key) or kept_plan(
        device, key, "SegmentedSort", element=x.element, **most,
        before="weft_ascending(b, a)" if descending else "weft_ascending(a, b)")
    plan.record(stream, input=x, offsets=offsets, output=to, segment_count=offsets.size - 1, count=x.size)
    return to if out is None else out


def _keys_and_values(keys: Any, values: Any) -> tuple[Array, Array]:
    keys = argument(keys, "keys")
    values = beside(values, keys, "values", structs=True)
    if values.size != keys.size:
        raise ValueError(f"there are {keys.size} keys and {values.size} values; there must be as many")
    return keys, values


def reduce_by_key(keys: Any, values: Any, op: Any = "sum", *, dtype: Any = None,
                  stream: Stream | None = None) -> tuple[Array, Array]:
    """The first key of each run of equal keys, and the combined values of the run. Waits for the number of runs.

    Sort the keys first (sort_pairs) for one total of each key. Operators and types are those of reduce().
    """
    keys, values = _keys_and_values(keys, values)
    device, stream, most = keys.device, stream_for(keys, stream), kept_count(keys.size)
    total = combined_type(op, values.dtype_name, dtype)
    within = adding_type(total)
    values = converted(values, within, stream)
    key = ("ReduceByKey", keys.element, within, operator_key(op), most)
    plan = device.plans.get(key) or kept_plan(device, key, "ReduceByKey", key=keys.element, value=ELEMENTS[within],
                                              op=op, max_count=most)
    unique, totals = Array.empty(device, keys.size, keys.dtype_name), Array.empty(device, keys.size, within)
    runs = Array.empty(device, 1, "uint64")
    plan.record(stream, keys=keys, values=values, unique_keys=unique, output=totals, runs=runs, count=keys.size)
    number = runs.read_count()
    return unique.part(0, number), converted(totals.part(0, number), total, stream)


def scan_by_key(keys: Any, values: Any, op: Any = "sum", *, exclusive: bool = False, initial: str | None = None,
                dtype: Any = None, stream: Stream | None = None) -> Array:
    """A scan of the values that starts anew at each run of equal keys; the rest as scan()."""
    keys, values = _keys_and_values(keys, values)
    device, stream, most = keys.device, stream_for(keys, stream), kept_count(keys.size)
    total = combined_type(op, values.dtype_name, dtype)
    within, kind = adding_type(total), "exclusive" if exclusive else "inclusive"
    values = converted(values, within, stream)
    key = ("ScanByKey", keys.element, within, operator_key(op), kind, initial, most)
    plan = device.plans.get(key) or kept_plan(device, key, "ScanByKey", key=keys.element, value=ELEMENTS[within],
                                              op=op, kind=kind, initial=initial, max_count=most)
    sums = Array.empty(device, keys.size, within)
    plan.record(stream, keys=keys, input=values, output=sums, count=keys.size)
    return converted(sums, total, stream)
