"""Trees of points and boxes, and pairs of what is near."""

from __future__ import annotations

import math
import operator
from typing import Any

from weft._core import Array, Device
from weft.arrays import asarray
from weft.devices import as_device
from weft.exchange import device_of, from_host
from weft.mapping import converted
from weft.plans import kept_count, kept_plan

NONE = 0xFFFFFFFF
"""The index where there is no point or primitive."""


def rows(data: Any, width: int, name: str, device: Device | None) -> tuple[Array, int]:
    """An array of float32, so many in a row, and the number of rows. NumPy's may have two dimensions."""
    if not isinstance(data, Array) and device_of(data) is None:
        import numpy as np

        host = np.asarray(data)
        if host.dtype.kind not in "biuf":
            raise TypeError(f"'{name}' has {width} numbers in a row, not elements of {host.dtype}")
        if host.ndim == 2 and host.shape[1] == width:
            host = host.reshape(-1)
        if host.ndim != 1:
            raise ValueError(f"'{name}' has rows of {width} numbers: a shape (n, {width}), or one dimension")
        data = from_host(np.ascontiguousarray(host, "float32"), as_device(device), None, True)
    data = asarray(data)
    data = converted(data, "float32", data.stream)
    if device is not None and data.device is not device:
        raise ValueError(f"'{name}' lies on {data.device.selector}, and the tree on {device.selector}")
    if data.size % width:
        raise ValueError(f"'{name}' has {data.size} numbers, which make no rows of {width}")
    return data, data.size // width


def _kept(device: Device, name: str, **parameters: Any) -> Any:
    key = (name, repr(parameters))
    return device.plans.get(key) or kept_plan(device, key, name, **parameters)


class KdTree:
    """A left-balanced kd-tree of points of 2 or 3 float32: an array of shape (n, dimensions), or of one dimension."""

    def __init__(self, points: Any, dimensions: int = 3, *, device: Device | str | None = None):
        if dimensions not in (2, 3):
            raise ValueError("points have 2 or 3 dimensions")
        to = None if device is None else as_device(device)
        points, self.size = rows(points, dimensions, "points", to)
        self.dimensions, self.device = dimensions, points.device
        self.nodes = Array.empty(self.device, self.size * (dimensions + 1), "uint32")
        """A node for each point: its coordinates, and its index among the points."""
        _kept(self.device, "KdTree", dimensions=dimensions, max_count=kept_count(self.size)).record(
            points.stream, points=points, nodes=self.nodes, count=self.size)

    def nearest(self, queries: Any, neighbours: int = 1, *, radius: float = math.inf) -> tuple[Array, Array]:
        """The nearest points of each query: their indices, uint32, and their squared distances, float32.

        There are `neighbours` of them for each query, from the nearest on; weft.spatial.NONE and infinity where there
        is no more within the radius.
        """
        neighbours = operator.index(neighbours)
        if not 1 <= neighbours <= 32:
            raise ValueError("'neighbours' is from 1 to 32")
        if not radius >= 0:
            raise ValueError("'radius' must not be negative")
        queries, count = rows(queries, self.dimensions, "queries", self.device)
        indices = Array.empty(self.device, count * neighbours, "uint32")
        distances = Array.empty(self.device, count * neighbours, "float32")
        _kept(self.device, "KdNearest", dimensions=self.dimensions, neighbours=neighbours,
              max_count=kept_count(count)).record(
            self.nodes.stream, nodes=self.nodes, node_count=self.size, queries=queries, indices=indices,
            squared_distances=distances, count=count, squared_radius=float(radius) * float(radius))
        return indices, distances


_BOXES = {"element": "struct{vec3 low; vec3 high;}", "low": "x.low", "high": "x.high",
          "center": "0.5 * (x.low) + 0.5 * (x.high)"}
_TRIANGLES = {"element": "struct{vec3 a; vec3 b; vec3 c;}", "low": "weft_lower(weft_lower(x.a, x.b), x.c)",
              "high": "weft_upper(weft_upper(x.a, x.b), x.c)",
              "center": "0.5 * min(min(x.a, x.b), x.c) + 0.5 * max(max(x.a, x.b), x.c)"}
_TESTS = {"rays": "weft_ray_triangle(query, x.a, x.b, x.c)", "points": "weft_squared_distance(query, x.a, x.b, x.c)"}
_WIDTHS = {"boxes": 6, "points": 4, "rays": 8}


class Bvh:
    """A bounding volume hierarchy over boxes (low corner, high corner: 6 float32) or triangles (3 corners: 9)."""

    def __init__(self, boxes: Any = None, *, triangles: Any = None, builder: str = "one_pass",
                 device: Device | str | None = None):
        if (boxes is None) == (triangles is None):
            raise TypeError("a hierarchy is over boxes, or over triangles")
        to = None if device is None else as_device(device)
        self._primitive = _BOXES if triangles is None else _TRIANGLES
        given, width = (boxes, 6) if triangles is None else (triangles, 9)
        self._width, self._name = width, "boxes" if width == 6 else "triangles"
        self.primitives, self.size = rows(given, width, self._name, to)
        self.device = self.primitives.device
        self._words = {name: Array.empty(self.device, words, "uint32") for name, words in {
            "nodes": 16 * max(self.size - 1, 0), "indices": self.size, "leaf_parents": self.size, "bounds": 6}.items()}
        self._plan = _kept(self.device, "Lbvh", primitive=self._primitive, max_count=kept_count(self.size),
                           builder=builder)
        self._plan.record(self.primitives.stream, primitives=self.primitives, count=self.size, **self._words)

    def refit(self, primitives: Any) -> None:
        """Takes primitives that have moved, as many in the same order: quicker than another tree, which is better."""
        primitives, size = rows(primitives, self._width, self._name, self.device)
        if size != self.size:
            raise ValueError(f"the tree is over {self.size} {self._name}, and here are {size}")
        self.primitives = primitives
        self._plan.record_refit(self._words["nodes"].stream, primitives=primitives, count=size, **self._words)

    def _query(self, of: str, find: str, queries: Any) -> tuple[Any, dict[str, Any], int]:
        if of not in _WIDTHS:
            raise ValueError(f"'of' is one of {', '.join(_WIDTHS)}, not {of!r}")
        queries, count = rows(queries, _WIDTHS[of], "queries", self.device)
        test = None
        if self._primitive is _TRIANGLES and of in _TESTS:
            test = {"element": _TRIANGLES["element"], "expression": _TESTS[of]}
        plan = _kept(self.device, "BvhQuery", of=of, find=find, max_count=kept_count(count), test=test)
        arguments = {name: self._words[name] for name in ("nodes", "indices", "bounds")}
        arguments.update(leaves=self.size, queries=queries, count=count)
        if test is not None:
            arguments["primitives"] = self.primitives
        return plan, arguments, count

    def nearest(self, of: str, queries: Any) -> tuple[Array, Array]:
        """For each query the nearest primitive, weft.spatial.NONE if there is none, and its distance, infinity then.

        of: "rays" (origin, t_min, direction, t_max: 8 float32), whose distance is t; or "points" (a point and the
        largest squared distance: 4), whose distance is squared.
        """
        return self._first(of, "nearest", queries)

    def any(self, of: str, queries: Any) -> tuple[Array, Array]:
        """As nearest(), but of any primitive that is found; also of "boxes" (6 float32)."""
        return self._first(of, "any", queries)

    def _first(self, of: str, find: str, queries: Any) -> tuple[Array, Array]:
        plan, arguments, count = self._query(of, find, queries)
        hits = Array.empty(self.device, 2 * count, "uint32")
        stream = self._words["nodes"].stream
        plan.record(stream, hits=hits, **arguments)
        return _every_second(hits, 0, "uint32"), _every_second(hits, 1, "float32")

    def all(self, of: str, queries: Any) -> tuple[Array, Array]:
        """All primitives of each query: ends of the queries' lists, uint64, and the lists, uint32. Waits."""
        plan, arguments, count = self._query(of, "all", queries)
        stream = self._words["nodes"].stream
        ends, found = Array.empty(self.device, count, "uint64"), Array.empty(self.device, 1, "uint64")
        plan.record(stream, ends=ends, found=found, **arguments)
        hits = Array.empty(self.device, found.read_count(), "uint32")
        if hits.size:
            plan.record(stream, hits=hits, ends=ends, found=found, **arguments)
        return ends, hits


def _every_second(pairs: Array, first: int, dtype: str) -> Array:
    from weft.mapping import map_into

    out = Array.empty(pairs.device, pairs.size // 2, dtype)
    expression = {0: "uint(x)", 1: "uintBitsToFloat(uint(x >> 32))"}[first]
    return map_into(expression, pairs.view("uint64"), None, out, pairs.stream)


def find_pairs(boxes: Any, *, method: str = "automatic", device: Device | str | None = None) -> Array:
    """All pairs of boxes (low corner, high corner: 6 float32) that overlap: two indices, uint32, for each. Waits."""
    boxes, count = rows(boxes, 6, "boxes", None if device is None else as_device(device))
    plan = _kept(boxes.device, "FindPairs", primitive=_BOXES, max_count=kept_count(count), method=method)
    found = Array.empty(boxes.device, 1, "uint64")
    plan.record(boxes.stream, primitives=boxes, found=found, count=count)
    pairs = Array.empty(boxes.device, 2 * found.read_count(), "uint32")
    if pairs.size:
        plan.record(boxes.stream, primitives=boxes, pairs=pairs, found=found, count=count)
    return pairs


def find_neighbours(points: Any, radius: float, *, device: Device | str | None = None) -> tuple[Array, Array]:
    """The points (3 float32) within a radius of each: offsets, uint64, and indices, uint32. Waits for their number.

    Those of point i are the indices from offsets[i] up to offsets[i + 1].
    """
    points, count = rows(points, 3, "points", None if device is None else as_device(device))
    if not 0 <= radius < math.inf:
        raise ValueError("'radius' is a number that is not negative")
    plan = _kept(points.device, "FindNeighbours", max_count=kept_count(count))
    offsets, found = Array.empty(points.device, count + 1, "uint64"), Array.empty(points.device, 1, "uint64")
    plan.record(points.stream, points=points, offsets=offsets, found=found, count=count, radius=float(radius))
    neighbours = Array.empty(points.device, found.read_count(), "uint32")
    if neighbours.size:
        plan.record(points.stream, points=points, offsets=offsets, neighbours=neighbours, found=found, count=count,
                    radius=float(radius))
    return offsets, neighbours
