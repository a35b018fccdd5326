"""Image pyramids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft._core import Array, Device
from weft.devices import as_device
from weft.exchange import from_host
from weft.plans import kept_plan

if TYPE_CHECKING:
    import numpy

_TYPES = {"uint8": "unorm8", "float16": "float16", "float32": "float32"}


def mipmaps(image: Any, *, filter: str = "box", srgb: bool = False,
            device: Device | str | None = None) -> list[tuple[Array, tuple[int, ...]]]:
    """The levels of an image below itself, each with its shape: half the height and width of the one above, at least 1.

    image: shape (height, width), or (height, width, channels) of up to 4 channels; uint8, float16 or float32. filter:
    "box", the mean of the texels covered; "min", "max"; "min_max" of the channels in turn. srgb: the first three
    channels of uint8 have sRGB's curve.
    """
    import numpy as np

    host = np.asarray(image)
    if host.ndim not in (2, 3) or 0 in host.shape:
        raise ValueError("an image has the shape (height, width) or (height, width, channels)")
    if host.dtype.name not in _TYPES:
        raise TypeError(f"an image has uint8, float16 or float32, not {host.dtype}")
    if srgb and host.dtype != np.uint8:
        raise TypeError("'srgb' is for images of uint8")
    channels = host.shape[2] if host.ndim == 3 else 1
    if channels > 4:
        raise ValueError(f"an image has up to 4 channels, not {channels}")
    on = as_device(device)
    parameters = {"type": "srgb8" if srgb else _TYPES[host.dtype.name], "channels": channels, "width": host.shape[1],
                  "height": host.shape[0], "filter": filter}
    key = ("Mipmaps", *parameters.values())
    plan = on.plans.get(key) or kept_plan(on, key, "Mipmaps", **parameters)
    sizes = plan.properties
    name, texel = host.dtype.name, host.itemsize
    # Kernels load and store words.
    flat = from_host(np.ascontiguousarray(host).reshape(-1), on, None, True)
    levels = Array.empty(on, sizes["level_bytes"] // texel, name)
    counters = from_host(np.zeros(sizes["counter_bytes"] // 4, "uint32"), on, True, True)
    plan.record(on.stream, image=flat, levels=levels, counters=counters)
    return _split(levels, host.shape, sizes["levels"])


def _split(levels: Array, shape: tuple[int, ...], count: int) -> list[tuple[Array, tuple[int, ...]]]:
    result, first = [], 0
    for level in range(1, count):
        below = (max(shape[0] >> level, 1), max(shape[1] >> level, 1), *shape[2:])
        size = 1
        for length in below:
            size *= length
        result.append((levels.part(first, size), below))
        first += size
    return result
