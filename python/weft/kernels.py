"""Kernels of your own, in GLSL or any language that compiles to SPIR-V."""

from __future__ import annotations

from typing import Any

from weft import _core
from weft._core import Array, Device, Kernel, Stream
from weft.arrays import stream_for
from weft.devices import as_device, default_device
from weft.exchange import from_other


class KernelFunction:
    """A kernel that can be called, on any device: it is compiled for each on first use. Made by weft.kernel()."""

    def __init__(self, source: str | bytes, name: str, defines: dict[str, str], specialization: dict[str | int, Any],
                 subgroup_size: int):
        self._source, self._name, self._subgroup_size = source, name, subgroup_size
        self._defines, self._specialization = defines, specialization

    def on(self, device: Device | str | None = None) -> Kernel:
        """The kernel compiled for a device."""
        device = as_device(device)
        compiled = device.plans.get(self)
        if compiled is None:
            compiled = Kernel(device, self._source, self._name, self._defines, self._specialization,
                              self._subgroup_size)
            device.plans[self] = compiled
        return compiled

    def __call__(self, groups: Any, *arrays: Any, push: dict[str, Any] | None = None, stream: Stream | None = None,
                 **named: Any) -> None:
        """Records a dispatch of so many workgroups: a number, up to three of them, or an array of three uint32.

        arrays: for the kernel's buffers in order, bindings first, then buffer references in push constants; or by name.
        They are used in place. push: the other push constants by name.
        """
        first = next((array for array in (*arrays, *named.values()) if isinstance(array, Array)), None)
        device = default_device() if first is None else first.device
        compiled = self.on(device)
        buffers = [name for name, kind in compiled.arguments if kind in ("buffer", "buffer reference")]
        free = [name for name in buffers if name not in named]
        if len(arrays) > len(free):
            raise TypeError(f"{compiled.name} has {len(buffers)} buffers ({', '.join(buffers)}), and "
                            f"{len(arrays) + len(buffers) - len(free)} arrays were given")
        given = {**dict(zip(free, arrays)), **named, **(push or {})}
        twice = named.keys() & (push or {}).keys()
        if twice:
            raise TypeError(f"{compiled.name}: '{sorted(twice)[0]}' was given twice")
        for name in buffers:
            if name in given and not isinstance(given[name], Array):
                given[name] = from_other(given[name], device, copy=False)
        on = stream_for(first, stream) if first is not None else stream or device.stream
        compiled.record(on, groups, given)


def kernel(source: str | bytes, *, name: str = "kernel.comp", defines: dict[str, Any] | None = None,
           specialization: dict[str | int, Any] | None = None, subgroup_size: int = 0) -> KernelFunction:
    """A kernel of GLSL source, or of the bytes of a SPIR-V module, as a function: kernel(groups, a, b, push={"n": 5}).

    defines: macros. specialization: constants by name or number. subgroup_size: in lanes; 0 leaves it to the device.
    `#include "weft/..."` finds Weft's shader library.
    """
    if not isinstance(source, (str, bytes, bytearray)):
        raise TypeError(f"a kernel is GLSL source or the bytes of SPIR-V, not {type(source).__name__}")
    texts = {str(key): str(value) for key, value in (defines or {}).items()}
    return KernelFunction(source, name, texts, dict(specialization or {}), subgroup_size)


class Compiled:
    """What becomes of a kernel. Made by weft.compile()."""

    def __init__(self, spirv: bytes):
        self.spirv = spirv
        """The bytes of the SPIR-V module."""
        self.arguments: list[tuple[str, str]] = _core.arguments_of(spirv)
        """Names and types, bindings first."""

    def disassembly(self) -> str:
        """SPIR-V as text."""
        return _core.disassemble(self.spirv)

    def translation(self, target: str = "host") -> str:
        """C++ as it is compiled on a device of "cuda", "hip" or the host: by "lanes", or by fibers for "host"."""
        return _core.translate(self.spirv, target)


def compile(source: str, *, name: str = "kernel.comp", defines: dict[str, Any] | None = None) -> Compiled:
    """Compiles a kernel for no device, to see what becomes of it. Raises CompileFailed with the compiler's log."""
    return Compiled(_core.compile_glsl(source, name, {str(key): str(value) for key, value in (defines or {}).items()}))
