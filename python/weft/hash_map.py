"""Hash maps and sets in device memory."""

from __future__ import annotations

import operator
from typing import Any

from weft._core import Array, Device, Stream
from weft.arrays import beside
from weft.devices import as_device
from weft.dtypes import ELEMENTS, dtype_name
from weft.errors import OutOfMemory
from weft.plans import kept_plan

_KEYS = ("int32", "uint32", "int64", "uint64")
_VALUES = (*_KEYS, "float32", "float64")


class HashMap:
    """A map from integers of 32 or 64 bits to numbers of that size, or without values a set.

    capacity: how many keys it holds at most. update: what an insertion does to the value of a key that is there: "keep"
    or "replace" it; or `combine` is an operator as for reduce(), such as "sum", by which values are combined:

        counts = weft.HashMap("uint32", "uint32", 1000, combine="sum")
        counts.insert(words, "T(1)")
    """

    def __init__(self, key: Any, value: Any = None, capacity: int = 1 << 16, *, update: str = "keep",
                 combine: Any = None, device: Device | str | None = None):
        self.key, self.value = dtype_name(key), None if value is None else dtype_name(value)
        if self.key not in _KEYS or self.value not in (None, *_VALUES):
            raise TypeError(f"keys have one of {', '.join(_KEYS)}, and values one of {', '.join(_VALUES)}")
        if update not in ("keep", "replace"):
            raise ValueError(f"'update' is 'keep' or 'replace', not {update!r}")
        self.capacity, self.device = operator.index(capacity), as_device(device)
        if self.capacity < 1:
            raise ValueError("'capacity' must be positive")
        self._table: dict[str, Any] = {
            "key": ELEMENTS[self.key], "value": None if self.value is None else ELEMENTS[self.value],
            "capacity": self.capacity, "update": update if combine is None else "combine", "op": combine}
        table = self._plan("HashTable", **self._table)
        self._clear = table
        self._memory = Array.empty(self.device, table.properties["bytes"] // 4, "uint32")
        self.clear()

    def _plan(self, name: str, **parameters: Any) -> Any:
        key = ("hash", name, repr(parameters))
        return self.device.plans.get(key) or kept_plan(self.device, key, name, **parameters)

    def _over(self, name: str, **options: Any) -> Any:
        return self._plan(name, table=self._table, **options)

    def _keys(self, keys: Any) -> Array:
        keys = beside(keys, self._memory, "keys")
        if keys.dtype_name != self.key:
            raise TypeError(f"the table has keys of {self.key}, not {keys.dtype_name}")
        return keys

    def _results(self, count: int) -> Array:
        return Array.empty(self.device, count, "uint32")

    @property
    def stream(self) -> Stream:
        return self._memory.stream

    def clear(self) -> None:
        """Removes all keys."""
        self._clear.record(self.stream, table=self._memory)

    def insert(self, keys: Any, values: Any = None) -> Array:
        """Inserts keys with their values. For each key, whether it is new: of equal keys one is. Waits.

        values: an array, or a GLSL expression of the key's index `i`. Raises OutOfMemory if the table is full; the keys
        that it has room for are in it then.
        """
        keys = self._keys(keys)
        expression = values if isinstance(values, str) else None
        if expression is not None:
            values = None
        if (self.value is None) != (values is None and expression is None):
            raise TypeError("a set has no values" if self.value is None else f"values of {self.value} are missing")
        if values is not None:
            values = beside(values, keys, "values")
            if values.dtype_name != self.value:
                raise TypeError(f"the table has values of {self.value}, not {values.dtype_name}")
            if values.size != keys.size:
                raise ValueError(f"there are {keys.size} keys and {values.size} values; there must be as many")
        results, counts = self._results(keys.size), Array.empty(self.device, 3, "uint64")
        self._over("HashInsert", value=expression).record(self.stream, table=self._memory, keys=keys, values=values,
                                                          results=results, counts=counts, count=keys.size)
        full = counts.at(2).item()
        if full:
            raise OutOfMemory(f"the table is full: {full} of {keys.size} keys have no place; its capacity is "
                              f"{self.capacity}")
        return self._as_bools(results)

    def _as_bools(self, results: Array) -> Array:
        from weft.mapping import converted

        return converted(results, "bool", self.stream)

    def find(self, keys: Any) -> tuple[Array, Array]:
        """For each key its value, undefined if it is not there, and whether it is."""
        if self.value is None:
            raise TypeError("a set has no values; use contains()")
        keys, found = self._keys(keys), None
        values, found = Array.empty(self.device, keys.size, self.value), self._results(keys.size)
        self._over("HashFind").record(self.stream, table=self._memory, keys=keys, values=values, found=found,
                                      count=keys.size)
        return values, self._as_bools(found)

    def contains(self, keys: Any) -> Array:
        """For each key, whether it is there."""
        keys = self._keys(keys)
        found = self._results(keys.size)
        self._over("HashFind").record(self.stream, table=self._memory, keys=keys, found=found, count=keys.size)
        return self._as_bools(found)

    def erase(self, keys: Any) -> Array:
        """Removes keys. For each key, whether it was there: of equal keys one was."""
        keys = self._keys(keys)
        erased = self._results(keys.size)
        self._over("HashErase").record(self.stream, table=self._memory, keys=keys, erased=erased, count=keys.size)
        return self._as_bools(erased)

    def __len__(self) -> int:
        number = Array.empty(self.device, 1, "uint64")
        self._over("HashEntries").record(self.stream, table=self._memory, entries=number)
        return number.read_count()

    def items(self) -> Array | tuple[Array, Array]:
        """All keys, in any order, and their values unless this is a set. Waits for their number."""
        size = len(self)
        keys = Array.empty(self.device, size, self.key)
        values = None if self.value is None else Array.empty(self.device, size, self.value)
        self._over("HashEntries").record(self.stream, table=self._memory, keys=keys, values=values,
                                         entries=Array.empty(self.device, 1, "uint64"))
        return keys if values is None else (keys, values)
