"""Which type a result has: NumPy's rules."""

from __future__ import annotations

from typing import Any

NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64")
"""NumPy's names of the types that arrays have."""


def dtype_name(dtype: Any) -> str:
    """NumPy's name of a dtype that is given in any of NumPy's ways."""
    if isinstance(dtype, str) and dtype in NAMES:
        return dtype
    import numpy as np

    name = np.dtype(dtype).name
    if name not in NAMES:
        raise TypeError(f"Weft has no elements of {name}; it takes {', '.join(NAMES)}")
    return name


# The type that a sum of elements has, and the one in which they are added up.
_SUMS = {"bool": "int64", "int8": "int64", "int16": "int64", "int32": "int64", "int64": "int64",
         "uint8": "uint64", "uint16": "uint64", "uint32": "uint64", "uint64": "uint64",
         "float16": "float16", "float32": "float32", "float64": "float64"}

ELEMENTS = {"bool": "uint8_t", "int8": "int8_t", "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t",
            "int32": "int", "uint32": "uint", "int64": "int64_t", "uint64": "uint64_t",
            "float16": "float16_t", "float32": "float", "float64": "double"}
"""The types' names in GLSL."""

_LARGEST = {"bool": "T(1)", "int8": "T(127)", "uint8": "T(255)", "int16": "T(32767)", "uint16": "T(65535)",
            "int32": "0x7FFFFFFF", "uint32": "0xFFFFFFFFu", "int64": "T(0x7FFFFFFFFFFFFFFFL)",
            "uint64": "T(0xFFFFFFFFFFFFFFFFUL)", "float16": "T(uintBitsToFloat(0x7F800000u))",
            "float32": "uintBitsToFloat(0x7F800000u)", "float64": "packDouble2x32(uvec2(0u, 0x7FF00000u))"}


def common_type(first: str, second: str) -> str:
    """The type in which elements of two types are put together, as numpy.result_type()."""
    if first == second:
        return first
    import numpy as np

    return np.result_type(first, second).name


def combined_type(op: Any, dtype: str, wanted: Any = None) -> str:
    """The type in which an operator combines elements: their own, but sums widen as NumPy's do."""
    if wanted is not None:
        return dtype_name(wanted)
    return sum_type(dtype) if op == "sum" else dtype


def sum_type(dtype: str, wanted: Any = None) -> str:
    """The type of a sum: narrow integers widen, unless another type is wanted."""
    return _SUMS[dtype] if wanted is None else dtype_name(wanted)


def adding_type(total: str) -> str:
    """The type in which a sum is added up: halves as float32, as NumPy does; truth as a count."""
    return {"float16": "float32", "bool": "uint32"}.get(total, total)


def is_float(dtype: str) -> bool:
    return dtype.startswith("float")


def extreme_operator(name: str, dtype: str) -> Any:
    """The operator of min or max. NaN wins, as in NumPy; Weft's own operators skip it."""
    if not is_float(dtype):
        return name
    function = {"min": "weft_lower", "max": "weft_upper"}[name]
    infinity = _LARGEST[dtype] if name == "min" else f"-{_LARGEST[dtype]}"
    return {"name": f"nan_{name}", "combine": f"isnan(a) ? a : isnan(b) ? b : {function}(a, b)",
            "identity": infinity, "commutative": True}


# How a number is stored in a struct of words: the field's type, from the field to the number, from the number to the
# field.
_WORDS = {"int64": ("uvec2", "int64_t(packUint2x32({}))", "unpackUint2x32(uint64_t({}))"),
          "uint64": ("uvec2", "packUint2x32({})", "unpackUint2x32({})"),
          "float64": ("uvec2", "packDouble2x32({})", "unpackDouble2x32({})")}


def arg_extreme_operator(name: str, before: str, dtype: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The element, the operator and the transform that find the index of an extreme. NaN comes before numbers."""
    wide = "float" if is_float(dtype) else "int" if dtype.startswith("int") else "uint"
    field, number, word = _WORDS.get(dtype, (wide, "{}", wide + "({})"))
    a, b = number.format("a.value"), number.format("b.value")
    first, same = f"{b} {before} {a}", f"{b} == {a}"
    if is_float(dtype):
        first = f"(isnan({b}) ? !isnan({a}) : {first})"
        same = f"({same} || isnan({a}) && isnan({b}))"
    none = f"T(0xFFFFFFFFu, 0xFFFFFFFFu, {field}(0))"
    earlier = "(b.high < a.high || (b.high == a.high && b.low < a.low))"
    combine = (f"(b.low & b.high) == 0xFFFFFFFFu ? a : (a.low & a.high) == 0xFFFFFFFFu || {first} || "
               f"({same} && {earlier}) ? b : a")
    return (f"struct{{uint low; uint high; {field} value;}}",
            {"name": f"arg{name}", "combine": combine, "identity": none, "commutative": True},
            {"from": ELEMENTS[dtype], "expression": f"T(i, i_high, {word.format('x')})"})
