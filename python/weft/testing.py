"""Runs kernels under the checking host device: races, accesses out of bounds and uninitialised reads are exceptions.

    weft.testing.run(kernel, groups, a, b, push={"count": 5})

It takes what the kernel takes. NumPy's arrays are used in place; arrays of Weft are copied there and back.
"""

from __future__ import annotations

import re
from typing import Any

from weft._core import Array, Device
from weft.arrays import asarray
from weft.errors import KernelFailed
from weft.kernels import KernelFunction


class Fault(KernelFailed):
    """What a kernel did wrong. `file` and `line` say where in its source; None if it has no lines."""

    def __init__(self, message: str = "", log: str = ""):
        super().__init__(message, log)
        found = re.search(r" at ([^\s:]+):(\d+)\b", message) or re.search(r" at (line) (\d+)\b", message)
        self.file: str | None = found[1] if found and found[1] != "line" else None
        self.line: int | None = int(found[2]) if found else None


class OutOfBounds(Fault):
    """An access outside the array, the binding or workgroup memory."""


class DataRace(Fault):
    """Two accesses of one word that nothing orders, of which one writes."""


class UninitialisedRead(Fault):
    """A read of workgroup memory that nobody wrote."""


class Misaligned(Fault):
    """An access at an address that its type does not allow."""


class Deadlock(Fault):
    """No invocation of a workgroup can go on, or barriers do not match."""


_KINDS = (("a data race", DataRace), ("out of bounds", OutOfBounds), ("not initialised", UninitialisedRead),
          ("misaligned", Misaligned), ("align", Misaligned), ("deadlock", Deadlock), ("barrier", Deadlock))


def fault_of(error: KernelFailed) -> Fault:
    """The fault that a checking device's error is about."""
    message = str(error)
    for words, kind in _KINDS:
        if words in message:
            return kind(message, error.log)
    return Fault(message, error.log)


def device(*, subgroup_size: int | None = None, schedule: int | None = None, timeout: float = 60.0) -> Device:
    """A checking host device. schedule: a number that draws the order in which invocations advance."""
    settings = ["check=on"]
    if subgroup_size is not None:
        settings.append(f"subgroup={int(subgroup_size)}")
    if schedule is not None:
        settings.append(f"schedule={int(schedule)}")
    return Device("host:" + ",".join(settings), timeout=timeout)


def run(kernel: KernelFunction, groups: Any, *arrays: Any, push: dict[str, Any] | None = None,
        on: Device | None = None, subgroup_size: int | None = None, schedule: int | None = None, **named: Any) -> None:
    """Runs a kernel on a checking device, which is made unless `on` names one, and waits. Raises a Fault.

    What the kernel wrote before a fault stands in the arrays.
    """
    on = on or device(subgroup_size=subgroup_size, schedule=schedule)
    copies: list[tuple[Array, Array]] = []

    def there(array: Any) -> Array:
        if not isinstance(array, Array):
            return asarray(array, device=on, copy=False)
        copy = asarray(array, device=on, copy=True)
        copies.append((array, copy))
        return copy

    given = [there(array) for array in arrays]
    by_name = {name: there(array) for name, array in named.items()}
    first = [] if given or by_name else [asarray([0], device=on)]
    try:
        if first:
            kernel.on(on).record(on.stream, groups, push or {})
        else:
            kernel(groups, *given, push=push, stream=on.stream, **by_name)
        on.stream.synchronize()
    except KernelFailed as error:
        raise fault_of(error) from None
    finally:
        for original, copy in copies:
            if original.writable:
                original.upload(copy.numpy())
