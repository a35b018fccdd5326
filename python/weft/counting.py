"""Histograms."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from weft._core import Array, Device, Plan, Stream
from weft.arrays import argument, stream_for
from weft.dtypes import is_float
from weft.exchange import from_host
from weft.mapping import converted
from weft.plans import kept_count, kept_plan
from weft.searching import searchsorted
from weft.sorting import sort

if TYPE_CHECKING:
    import numpy

_MOST_BINS = 1 << 20


def _histogram_plan(x: Array, **bins: Any) -> Plan:
    device, most = x.device, kept_count(x.size)
    key = ("Histogram", x.element, *bins.items(), most)
    return device.plans.get(key) or kept_plan(device, key, "Histogram", element=x.element, max_count=most, wide=True,
                                              **bins)


def _counted(x: Array, stream: Stream, plan: Plan, bins: int, edges: Array | None = None) -> Array:
    """The counts of the bins, int64."""
    counts = Array.empty(x.device, bins, "int64")
    plan.record(stream, input=x, edges=edges, output=counts, count=x.size)
    return counts


def bincount(x: Any, minlength: int = 0, *, stream: Stream | None = None) -> Array:
    """How often each number from 0 on occurs, int64: as many counts as the largest needs, but at least `minlength`.

    Waits for the smallest and the largest. Raises ValueError for negative numbers.
    """
    from weft.reductions import max, min

    x = argument(x)
    if is_float(x.dtype_name):
        raise TypeError(f"bincount() counts integers, not {x.dtype_name}")
    minlength = operator.index(minlength)
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    stream = stream_for(x, stream)
    length = minlength
    if x.size:
        if x.dtype_name.startswith("int") and min(x, stream=stream).item() < 0:
            raise ValueError("bincount() counts numbers that are not negative")
        largest = max(x, stream=stream).item()
        length = length if length > largest else int(largest) + 1
    if x.size == 0 or length == 0:
        return converted(from_host([0] * length, x.device, True, True), "int64", stream)
    if length <= _MOST_BINS:
        bins = 256 if length <= 256 else 1 << (length - 1).bit_length()  # few plans for all lengths
        plan = _histogram_plan(x, bins=bins, lower=0.0, upper=float(bins))
        return _counted(x, stream, plan, bins).part(0, length)
    if length > 1 << 40:
        raise MemoryError(f"bincount() of numbers up to {length - 1} has too many counts")
    import numpy as np

    numbers = from_host(np.arange(length + 1, dtype=np.result_type(x.dtype, "int64")), x.device, None, True)
    return _differences(searchsorted(sort(x, stream=stream), numbers, stream=stream), stream)


def _differences(x: Array, stream: Stream) -> Array:
    from weft.mapping import map_into

    first, last = x.part(0, x.size - 1), x.part(1, x.size - 1)
    return map_into("y - x", first, last, Array.empty(x.device, first.size, "int64"), stream)


def histogram(x: Any, bins: Any = 10, range: tuple[float, float] | None = None, *,
              stream: Stream | None = None) -> tuple[Array, numpy.ndarray]:
    """How many elements are in each bin, int64, and the bins' edges, as numpy.histogram(), bin for bin.

    bins: a number of bins of equal width, or ascending edges. range: the first and the last edge of bins of equal width;
    by default the smallest and the largest element, which are waited for. The last bin has its upper edge too.
    """
    x = argument(x)
    stream = stream_for(x, stream)
    if x.dtype_name == "bool":
        x = x.view("uint8")
    key = None
    if type(bins) is int and type(range) is tuple:
        key = ("histogram of whole bins", x.dtype_name, bins, range, kept_count(x.size))
        if kept := x.device.plans.get(key):
            return _counted(x, stream, kept[0], bins), kept[1].copy()
    prepared = _bins_for(x, bins, range, stream)
    if prepared.samples != x.dtype_name:
        x = converted(x, prepared.samples, stream)
    if prepared.searched:
        places = searchsorted(sort(x, stream=stream), prepared.within, stream=stream)
        return _differences(places, stream), prepared.edges.copy()
    plan = _histogram_plan(x, **prepared.bins)
    if key and prepared.within is None:
        x.device.plans[key] = plan, prepared.edges
    return _counted(x, stream, plan, prepared.edges.size - 1, prepared.within), prepared.edges.copy()


class _Bins:
    """Bins as a plan or a search takes them: the type of samples to compare, and edges of that type on the device."""

    def __init__(self, x: Array, edges: numpy.ndarray):
        import numpy as np

        self.edges, self.searched, self.within = edges, False, None
        self.samples = {"float16": "float32"}.get(x.dtype_name, x.dtype_name)
        if _are_whole(edges, x):  # counted without a search for the edge
            self.bins = dict(bins=edges.size - 1, lower=float(edges[0]), upper=float(edges[-1]), closed=True)
            return
        if x.itemsize < 8 and x.dtype.kind in "iu" and edges[-1] >= np.iinfo(x.dtype).max:
            self.samples = "int64"  # which has a number behind the last bin
        within = _edges_within(edges, np.dtype(self.samples))
        # Equal edges have empty bins between them, which a search finds and the plan does not.
        self.searched = (self.samples == "float64" or edges.size > _MOST_BINS + 1
                         or bool((within[1:] <= within[:-1]).any()))
        self.within = from_host(within, x.device, True, True)
        self.bins = dict(bins=edges.size - 1, by_edges=True)


def _are_whole(edges: numpy.ndarray, x: Array) -> bool:
    """Whether bins of integers of up to 32 bits have a whole number each, the last one two."""
    import numpy as np

    if x.dtype.kind not in "iu" or x.itemsize > 4 or edges.size > _MOST_BINS + 1:
        return False
    limits = np.iinfo(x.dtype if x.itemsize == 4 else "int32")
    return bool(limits.min <= edges[0] == np.floor(edges[0]) and edges[-1] <= limits.max and (np.diff(edges) == 1).all())


_kept: WeakKeyDictionary[Device, dict[tuple, _Bins]] = WeakKeyDictionary()
"""Bins of equal width, since callers have the same ones again and again."""


def _bins_for(x: Array, bins: Any, range: tuple[float, float] | None, stream: Stream) -> _Bins:
    """Prepares bins, those of a range only once."""
    import numpy as np

    if type(bins) is not int and np.ndim(bins) != 0:
        edges = np.asarray(bins)
        if edges.ndim != 1 or edges.size < 2 or not (edges[:-1] <= edges[1:]).all():
            raise ValueError("'bins' must be a number, or at least two edges that ascend")
        return _Bins(x, edges)
    number = operator.index(bins)
    if number < 1:
        raise ValueError("'bins' must be positive")
    device = x.device
    kept = _kept.get(device)
    if kept is None:
        kept = _kept[device] = {}
    ends = _ends(x, stream) if range is None and x.size else ()
    key = (x.dtype_name, number, ends, None if range is None else tuple(range))
    prepared = kept.get(key)
    if prepared is None:
        edges = np.histogram_bin_edges(np.array(ends, x.dtype), number, range)
        if len(kept) >= 64:
            kept.clear()
        prepared = kept[key] = _Bins(x, edges)
    return prepared


def _ends(x: Array, stream: Stream) -> tuple:
    """The smallest and the largest element."""
    from weft.reductions import max, min

    return min(x, stream=stream).item(), max(x, stream=stream).item()


def _edges_within(edges: numpy.ndarray, dtype: numpy.dtype) -> numpy.ndarray:
    """The same bins by edges of the elements' type, with the last edge behind the last bin, as Weft's plans have it."""
    import numpy as np

    if dtype.kind == "f":
        within = edges.astype(dtype)
        # A rounded edge must not move past the numbers that are beside the exact one.
        within = np.where(within.astype("float64") < edges.astype("float64"), np.nextafter(within, np.inf), within)
        last = dtype.type(edges[-1])
        if float(last) > float(edges[-1]):
            last = np.nextafter(last, dtype.type(-np.inf))
        within[-1] = np.nextafter(last, dtype.type(np.inf))
        return within.astype(dtype)
    limits = np.iinfo(dtype)
    whole = [math.ceil(edge) for edge in edges[:-1].tolist()] + [math.floor(edges[-1].item()) + 1]
    return np.array([sorted((limits.min, edge, limits.max))[1] for edge in whole], dtype)
