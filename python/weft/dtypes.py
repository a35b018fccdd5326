"""Which type a result has: NumPy's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft import _core

if TYPE_CHECKING:
    import numpy

NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64")
"""NumPy's names of the numbers that arrays have."""


def dtype_name(dtype: Any) -> str:
    """The name of a dtype that is given in any of NumPy's ways: NumPy's; of a struct, the dtype as text."""
    if isinstance(dtype, str) and dtype in ELEMENTS:
        return dtype
    import numpy as np

    dtype = np.dtype(dtype)
    if dtype.names is not None:
        return _struct_name(dtype)
    if dtype.name not in NAMES:
        raise TypeError(f"Weft has no elements of {dtype}; it takes {', '.join(NAMES)}, and structs of these")
    return dtype.name


# The type that a sum of elements has, and the one in which they are added up.
_SUMS = {"bool": "int64", "int8": "int64", "int16": "int64", "int32": "int64", "int64": "int64",
         "uint8": "uint64", "uint16": "uint64", "uint32": "uint64", "uint64": "uint64",
         "float16": "float16", "float32": "float32", "float64": "float64"}

ELEMENTS = {"bool": "uint8_t", "int8": "int8_t", "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t",
            "int32": "int", "uint32": "uint", "int64": "int64_t", "uint64": "uint64_t",
            "float16": "float16_t", "float32": "float", "float64": "double"}
"""The types' names in GLSL. Structs are added by name."""

_VECTORS = {"float32": "vec", "float64": "dvec", "int32": "ivec", "uint32": "uvec", "float16": "f16vec",
            "int8": "i8vec", "uint8": "u8vec", "int16": "i16vec", "uint16": "u16vec", "int64": "i64vec",
            "uint64": "u64vec"}


def _struct_name(dtype: numpy.dtype) -> str:
    """The name of a structured dtype, which is known from then on: in ELEMENTS too."""
    import numpy as np

    plain = np.dtype((np.void, dtype.newbyteorder("=")))
    name = str(plain)
    if name not in ELEMENTS:
        fields = [(_field_element(field, plain.fields[field][0]), field, plain.fields[field][1])
                  for field in plain.names]
        code = memoryview(np.empty(0, plain)).format
        ELEMENTS[name] = _core.add_struct(name, code, plain.itemsize, plain, fields)
    return name


def _field_element(name: str, dtype: numpy.dtype) -> str:
    """A field's type in GLSL: that of a number, or a vector of 2 to 4."""
    base, shape = dtype.subdtype or (dtype, ())
    if base.name in NAMES and not shape:
        return ELEMENTS[base.name]
    if base.name in _VECTORS and len(shape) == 1 and 2 <= shape[0] <= 4:
        return f"{_VECTORS[base.name]}{shape[0]}"
    raise TypeError(f"field '{name}' has {dtype}; fields of Weft's structs are numbers, or 2 to 4 of them")


def field_type(dtype: numpy.dtype, name: str) -> str:
    """NumPy's name of the type of a struct's field that is a number."""
    if dtype.names is None or name not in dtype.names:
        has = "no fields" if dtype.names is None else f"the fields {', '.join(dtype.names)}"
        raise ValueError(f"there is no field '{name}': the array's elements have {has}")
    field = dtype.fields[name][0]
    if field.subdtype is not None:
        raise TypeError(f"field '{name}' has {field.shape[0]} numbers; weft.map('x.{name}[0]', x, dtype=...) copies one")
    return field.name


def is_struct(dtype: str) -> bool:
    return dtype not in NAMES


def check_number(dtype: str, name: str) -> None:
    if is_struct(dtype):
        raise TypeError(f"'{name}' has structs; this function takes numbers, such as those of a field: x['name']")


_LARGEST = {"bool": "T(1)", "int8": "T(127)", "uint8": "T(255)", "int16": "T(32767)", "uint16": "T(65535)",
            "int32": "0x7FFFFFFF", "uint32": "0xFFFFFFFFu", "int64": "T(0x7FFFFFFFFFFFFFFFL)",
            "uint64": "T(0xFFFFFFFFFFFFFFFFUL)", "float16": "T(uintBitsToFloat(0x7F800000u))",
            "float32": "uintBitsToFloat(0x7F800000u)", "float64": "packDouble2x32(uvec2(0u, 0x7FF00000u))"}


def common_type(first: str, second: str) -> str:
    """The type in which elements of two types are put together, as numpy.result_type()."""
    if first == second:
        return first
    if is_struct(first) or is_struct(second):
        raise TypeError(f"elements of {first} and {second} have no common type")
    import numpy as np

    return np.result_type(first, second).name


def combined_type(op: Any, dtype: str, wanted: Any = None) -> str:
    """The type in which an operator combines elements: their own, but sums widen as NumPy's do."""
    if wanted is not None:
        return dtype_name(wanted)
    if is_struct(dtype) and not isinstance(op, dict):
        raise TypeError("structs are combined by an operator of your own, a dictionary; see weft.reduce()")
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
