"""Plans: primitives compiled for a device, element types and a maximum count, and those that functions keep."""

from __future__ import annotations

from typing import Any

from weft import _core
from weft._core import Device, Plan


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _fields(parameters: dict[str, Any], prefix: str = "") -> list[str]:
    fields = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, dict):
            fields += _fields(value, f"{prefix}{name}.")
        else:
            fields.append(f"{prefix}{name}={_text(value)}")
    return fields


def plan(device: Device, name: str, /, **parameters: Any) -> Plan:
    """Makes a plan of the class `name` of the C++ interface, such as "Sort", from the parameters of its constructor.

    Element types are GLSL's names, "uint" or "struct{float lo; float hi;}". What has parts is a dictionary, but for
    Weft's own operators, "sum", "min" and "max":

        weft.plan(device, "Reduce", element="uint", op="sum", max_count=1 << 20)
        weft.plan(device, "Compact", element="float", selection={"where": "x > 0.5"}, max_count=4096)

    Raises InvalidArgument, with the names that there are, for a wrong name.
    """
    return _core.Plan(device, " ".join([name, *_fields(parameters)]))


def kept_plan(device: Device, kept_as: tuple, name: str, /, **parameters: Any) -> Plan:
    """Makes a plan, and keeps it with the device under a key, from which callers look it up first."""
    made = plan(device, name, **parameters)
    device.plans[kept_as] = made
    return made


def kept_count(count: int) -> int:
    """The maximum count of a plan that is kept: the next power of two, so that few plans serve all counts."""
    return 65536 if count <= 65536 else 1 << (count - 1).bit_length()
