"""Reductions and scans beside NumPy's."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import weft
from random_arrays import arrays, cases


def close(got, expected, scale):
    """Whether floats agree up to the order of adding; integers are equal."""
    if expected.dtype.kind != "f":
        return np.array_equal(got, expected)
    eps = float(np.finfo(expected.dtype).eps)
    got, expected = np.atleast_1d(got), np.atleast_1d(expected)
    both = np.isfinite(expected) & np.isfinite(got)
    with np.errstate(all="ignore"):
        difference = np.abs(got.astype("float64") - expected.astype("float64"))
    return np.all(difference[both] <= 16 * eps * scale) and np.all(both | (scale > np.finfo(expected.dtype).max / 4))


def magnitude(x):
    """What rounding errors of a sum are proportional to."""
    with np.errstate(all="ignore"):
        return np.sum(np.abs(x.astype("float64"))) if x.dtype.kind == "f" else 0


def test_sum(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype))
    def check(x):
        got = weft.sum(x)
        with np.errstate(all="ignore"):
            expected = np.sum(x)
        assert got.dtype == expected.dtype and got.ndim == 0
        assert close(got.numpy(), expected, magnitude(x))

    check()


def test_min_and_max(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype).filter(len))
    def check(x):
        assert weft.min(x) == np.min(x) and weft.max(x) == np.max(x)
        assert weft.min(x).dtype == x.dtype

    check()


@pytest.mark.parametrize("dtype", ["float32"])
def test_min_and_max_give_nan(dtype):
    x = np.array([1, np.nan, -np.inf, np.inf] * 100, dtype)
    assert np.isnan(weft.min(x).item()) and np.isnan(weft.max(x).item())
    assert weft.reduce(x, "min") == -np.inf and weft.reduce(x, "max") == np.inf


def test_min_of_nothing_is_refused():
    for function in [weft.min, weft.max]:
        with pytest.raises(ValueError, match="no elements"):
            function(np.empty(0, "uint32"))


def test_cumsum(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype))
    def check(x):
        got = weft.cumsum(x)
        with np.errstate(all="ignore"):
            wide = np.cumsum(x, dtype="float32").astype("float16") if x.dtype == "float16" else np.cumsum(x)
        assert got.dtype == np.cumsum(x[:1]).dtype
        assert close(got.numpy(), wide, magnitude(x))

    check()


def test_sums_have_the_type_that_is_wanted(rng):
    x = rng.integers(0, 256, 1000, "uint8")
    for dtype in ["uint8", "int32", "float32"]:
        assert weft.sum(x, dtype=dtype).dtype == dtype
        assert weft.sum(x, dtype=dtype) == np.sum(x, dtype=dtype)
        assert np.array_equal(weft.cumsum(x, dtype=dtype).numpy(), np.cumsum(x, dtype=dtype))


def test_own_operators(rng):
    x = rng.integers(0, 2**32, 3000, "uint32")
    xor = {"name": "xor", "combine": "a ^ b", "identity": "T(0)", "commutative": True}
    assert weft.reduce(x, xor) == np.bitwise_xor.reduce(x)
    assert np.array_equal(weft.scan(x, xor).numpy(), np.bitwise_xor.accumulate(x))
    exclusive = weft.scan(x, "sum", exclusive=True, initial="T(5)").numpy()
    assert exclusive.dtype == "uint64" and np.array_equal(exclusive, np.cumsum(x) - x + 5)
    assert np.array_equal(weft.scan(x, "sum", dtype="uint32").numpy(), np.cumsum(x, dtype="uint32"))


def test_argmin_and_argmax(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype).filter(len), st.booleans())
    def check(x, with_nan):
        if with_nan and x.dtype.kind == "f":
            x[x.size // 3] = x[-1] = np.nan
        for function, reference in [(weft.argmin, np.argmin), (weft.argmax, np.argmax)]:
            assert function(x) == reference(x) and function(x).dtype == reference(x).dtype

    check()


def test_argmin_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no elements"):
        weft.argmin(np.empty(0))
