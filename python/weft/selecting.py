"""Selections: the elements for which something is true."""

from __future__ import annotations

from typing import Any

from weft._core import Array, Stream
from weft.arrays import argument, beside, stream_for
from weft.plans import kept_count, kept_plan


def selection_of(x: Array, where: Any) -> tuple[dict[str, Any], Array | None]:
    """The selection of a plan, and its flags, of a mask or an expression."""
    if isinstance(where, str):
        if not where:
            raise ValueError("the expression of what to select is empty")
        return {"where": where}, None
    flags = beside(where, x, "where")
    if flags.dtype_name not in ("bool", "uint8", "uint32"):
        raise TypeError(f"a mask has bools, uint8 or uint32, not {flags.dtype_name}")
    if flags.size != x.size:
        raise ValueError(f"the mask has {flags.size} elements, and 'x' {x.size}; they must be as many")
    return {"flag_bits": 8 * flags.itemsize}, flags


def compact(x: Any, where: Any, *, stream: Stream | None = None) -> Array:
    """The elements that `where` selects, in their order: x[mask], or those for which an expression is true.

    where: a mask of bools, or a GLSL expression of the element `x` and its index `i`: "x > 0.5", "x.mass > 2". Waits for their
    number.
    """
    x = argument(x, structs=True)
    selection, flags = selection_of(x, where)
    device, most = x.device, kept_count(x.size)
    key = ("Compact", x.element, tuple(selection.items()), most)
    plan = device.plans.get(key) or kept_plan(device, key, "Compact", element=x.element, selection=selection,
                                              max_count=most)
    out, number = Array.empty(device, x.size, x.dtype_name), Array.empty(device, 1, "uint64")
    plan.record(stream_for(x, stream), input=x, flags=flags, output=out, selected=number, count=x.size)
    return out.part(0, number.read_count())


def partition(x: Any, where: Any, *, stream: Stream | None = None) -> tuple[Array, Array]:
    """The elements that `where` selects, and the others, each in their order. `where` is that of compact().

    Not numpy.partition(), which selects by rank. Waits for the number of selected elements.
    """
    x = argument(x, structs=True)
    selection, flags = selection_of(x, where)
    device, most = x.device, kept_count(x.size)
    key = ("Partition", x.element, tuple(selection.items()), most)
    plan = device.plans.get(key) or kept_plan(device, key, "Partition", element=x.element, selection=selection,
                                              others="behind", max_count=most)
    out, number = Array.empty(device, x.size, x.dtype_name), Array.empty(device, 1, "uint64")
    plan.record(stream_for(x, stream), input=x, flags=flags, output=out, selected=number, count=x.size)
    selected = number.read_count()
    return out.part(0, selected), out.part(selected, x.size - selected)


def flatnonzero(x: Any, *, stream: Stream | None = None) -> Array:
    """The indices, int64, of the elements that are not zero. Waits for their number."""
    x = argument(x)
    device, most, by_flags = x.device, kept_count(x.size), x.itemsize == 1
    key = ("nonzero", x.element, most)
    plan = device.plans.get(key) or kept_plan(
        device, key, "Compact", element=x.element, max_count=most, index_bits=64,
        selection={"flag_bits": 8} if by_flags else {"where": "x != T(0)"})
    out, number = Array.empty(device, x.size, "int64"), Array.empty(device, 1, "uint64")
    plan.record(stream_for(x, stream), input=None if by_flags else x, flags=x if by_flags else None, output=out,
                selected=number, count=x.size)
    return out.part(0, number.read_count())


def nonzero(x: Any, *, stream: Stream | None = None) -> tuple[Array]:
    """flatnonzero() as the only element of a tuple, as NumPy has it for arrays of one dimension."""
    return (flatnonzero(x, stream=stream),)
