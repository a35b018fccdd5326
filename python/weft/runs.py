"""Runs of equal elements, and the different elements of an array."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, beside, stream_for
from weft.dtypes import is_float
from weft.mapping import converted
from weft.plans import kept_count, kept_plan
from weft.searching import searchsorted
from weft.sorting import sort


def _same(x: Array) -> str | None:
    """When neighbours are equal. NaNs are, as in numpy.unique()."""
    return "a == b || (isnan(a) && isnan(b))" if is_float(x.dtype_name) else None


def run_length_encode(x: Any, *, stream: Stream | None = None) -> tuple[Array, Array]:
    """The first element of each run of equal elements, and the runs' lengths, int64. Waits for their number."""
    x = argument(x)
    device, stream, most = x.device, stream_for(x, stream), kept_count(x.size)
    key = ("RunLengthEncode", x.dtype_name, most)
    plan = device.plans.get(key) or kept_plan(device, key, "RunLengthEncode", element=x.element, max_count=most,
                                              same=_same(x))
    values = Array.empty(device, x.size, x.dtype_name)
    lengths = Array.empty(device, x.size, "uint32" if plan.properties["length_bytes"] == 4 else "uint64")
    runs = Array.empty(device, 1, "uint64")
    plan.record(stream, input=x, output=values, lengths=lengths, runs=runs, count=x.size)
    number = runs.read_count()
    return values.part(0, number), converted(lengths.part(0, number), "int64", stream)


def run_length_decode(values: Any, lengths: Any, *, stream: Stream | None = None) -> Array:
    """Repeats each value as often as its length says, as numpy.repeat(). Waits for the sum of the lengths."""
    from weft.reductions import min, sum

    values = argument(values, "values", structs=True)
    lengths = beside(lengths, values, "lengths")
    if is_float(lengths.dtype_name) or lengths.dtype_name == "bool":
        raise TypeError(f"lengths are integers, not {lengths.dtype_name}")
    if lengths.size != values.size:
        raise ValueError(f"there are {values.size} values and {lengths.size} lengths; there must be as many")
    device, stream = values.device, stream_for(values, stream)
    if lengths.dtype_name.startswith("int") and lengths.size and min(lengths, stream=stream).item() < 0:
        raise ValueError("lengths must not be negative")
    count = int(sum(lengths, stream=stream))
    most, most_runs = kept_count(count), kept_count(values.size)
    key = ("RunLengthDecode", values.element, most, most_runs)
    plan = device.plans.get(key) or kept_plan(device, key, "RunLengthDecode", element=values.element, max_count=most,
                                              max_runs=most_runs)
    short = "uint32" if plan.properties["length_bytes"] == 4 else "uint64"
    out = Array.empty(device, count, values.dtype_name)
    plan.record(stream, values=values, lengths=converted(lengths, short, stream), output=out,
                decoded=Array.empty(device, 1, "uint64"), runs=values.size)
    return out


def unique(x: Any, *, return_inverse: bool = False, return_counts: bool = False,
           stream: Stream | None = None) -> Array | tuple[Array, ...]:
    """The different elements in the order of sort(). Waits for their number.

    return_inverse: also, for each element of `x`, its index among them. return_counts: also how often each occurs.
    """
    x = argument(x)
    stream = stream_for(x, stream)
    ordered = sort(x, stream=stream)
    if return_counts:
        different, counts = run_length_encode(ordered, stream=stream)
    else:
        different, counts = _first_of_runs(ordered, stream), None
    results = [different]
    if return_inverse:
        results.append(searchsorted(different, x, stream=stream))
    if counts is not None:
        results.append(counts)
    return results[0] if len(results) == 1 else tuple(results)


def _first_of_runs(x: Array, stream: Stream) -> Array:
    device, most = x.device, kept_count(x.size)
    key = ("Compact of runs", x.dtype_name, most)
    plan = device.plans.get(key) or kept_plan(device, key, "Compact", element=x.element, max_count=most,
                                              selection={"of_runs": True, "same": _same(x)})
    out, number = Array.empty(device, x.size, x.dtype_name), Array.empty(device, 1, "uint64")
    plan.record(stream, input=x, output=out, selected=number, count=x.size)
    return out.part(0, number.read_count())
