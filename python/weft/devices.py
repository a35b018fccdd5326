"""The device that functions use for memory of the host."""

from __future__ import annotations

from weft._core import Device

_default: Device | None = None
_numbered: dict[tuple[str, int], Device] = {}


def default_device() -> Device:
    """The device for what is on no device yet. Unless set_default_device() chose one: the best that opens."""
    global _default
    if _default is None:
        _default = Device()
    return _default


def set_default_device(device: Device | str) -> Device:
    """Chooses the default device, by a selector such as "cuda:1" or "host". Returns it."""
    global _default
    _default = as_device(device)
    return _default


def as_device(device: Device | str | None) -> Device:
    """The device itself, the one that a selector opens, or the default device."""
    if device is None:
        return default_device()
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return Device(device)
    raise TypeError(f"a device is a weft.Device or a selector such as 'cuda:1', not {type(device).__name__}")


def device_with_number(backend: str, number: int, wanted: Device | None) -> Device:
    """The device "backend:number": the one that is wanted or the default device if it is that, else one for all."""
    selector = f"{backend}:{number}"
    for device in (wanted, _default):
        if device is not None and device.selector == selector:
            return device
    if (backend, number) not in _numbered:
        _numbered[backend, number] = Device(selector)
    return _numbered[backend, number]
