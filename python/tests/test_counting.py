"""Histograms, searches and runs beside NumPy's."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import weft
from conftest import TYPES, drawn
from random_arrays import arrays, cases, values

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
NUMBERS = [*INTEGERS, "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", drawn("histogram", NUMBERS, TYPES))
def test_histogram(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype, [1, 2, 100, 4097]).filter(len), st.sampled_from([1, 2, 10, 33]), st.integers(0, 3),
                      st.integers(0, 2**32 - 1))
    def check(x, bins, kind, seed):
        rng = np.random.default_rng(seed)
        if x.dtype.kind == "f":
            x = np.clip(x, -1e4, 1e4)
        else:
            x = (x % min(1000, np.iinfo(x.dtype).max)).astype(x.dtype)
        limits = None
        if kind == 1:
            limits = sorted(rng.integers(-50, 200, 2).tolist())
            limits[1] += 1
        if kind == 2:
            bins = np.sort(rng.choice(400, bins + 1, replace=False) - 100) / 3
        if kind == 3:
            bins = np.sort(rng.integers(0, 30, bins + 1))  # some are equal
        expected, expected_edges = np.histogram(x, bins, limits)
        got, edges = weft.histogram(x, bins, limits)
        assert np.array_equal(edges, expected_edges) and edges.dtype == expected_edges.dtype
        assert got.dtype == expected.dtype and np.array_equal(got.numpy(), expected)

    check()


def test_histograms_at_the_ends_of_a_type():
    x = np.array([0, 1, 254, 255, 255], "uint8")
    for bins, limits in [(256, (0, 256)), (255, (0, 255)), (5, None), ([250, 255], None)]:
        assert np.array_equal(weft.histogram(x, bins, limits)[0].numpy(), np.histogram(x, bins, limits)[0])
    assert np.array_equal(weft.histogram(x > 200, 2)[0].numpy(), [2, 3])
    empty = weft.histogram(np.empty(0, "float32"), 3)
    assert empty[0].tolist() == [0, 0, 0] and np.array_equal(empty[1], np.histogram(np.empty(0, "float32"), 3)[1])


@pytest.mark.parametrize("dtype", ["int32", "uint32", "uint8", "int16"])
def test_bins_of_a_whole_number_each(rng, dtype):
    x = np.concatenate([rng.integers(-5, 262, 3000), [256, 256, 0, 257]]).astype(dtype)
    most = int(np.iinfo(dtype).max)
    x[:3] = most, most - 1, np.iinfo(dtype).min
    for bins, limits in [(256, (0, 256)), (10, (-3, 7)), (1, (5, 6)), ([1, 2, 3], None), (4, (most - 4, most))]:
        assert np.array_equal(weft.histogram(x, bins, limits)[0].numpy(), np.histogram(x, bins, limits)[0])


def test_wrong_bins_are_refused():
    for bins in [0, [3, 2, 1], [1], np.zeros((2, 2))]:
        with pytest.raises(ValueError, match="bins"):
            weft.histogram(np.arange(5), bins)
    with pytest.raises(TypeError):
        weft.histogram(np.arange(5), 2.5)
    with pytest.raises(ValueError):
        weft.histogram(np.array([1, np.nan]), 5)


@pytest.mark.parametrize("dtype", drawn("bincount", ["bool", *INTEGERS], TYPES))
def test_bincount(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), st.integers(0, 40))
    def check(x, minlength):
        x = x if dtype == "bool" else (x % 100).astype(dtype)
        got = weft.bincount(x, minlength)
        expected = np.bincount(x.astype("int64"), minlength=minlength)
        assert got.dtype == expected.dtype and np.array_equal(got.numpy(), expected)

    check()


def test_bincount_of_large_numbers(rng):
    x = rng.integers(0, 1200000, 2000).astype("uint32")
    assert np.array_equal(weft.bincount(x).numpy(), np.bincount(x))


def test_what_bincount_refuses():
    with pytest.raises(ValueError, match="not negative"):
        weft.bincount(np.array([1, -1]))
    with pytest.raises(TypeError, match="float32"):
        weft.bincount(np.zeros(3, "float32"))
    with pytest.raises(MemoryError):
        weft.bincount(np.array([2**50]))


def test_searchsorted(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), arrays(dtype), st.sampled_from(["left", "right"]))
    def check(x, wanted, side):
        x = np.sort(x)
        got = weft.searchsorted(x, wanted, side)
        assert got.dtype == "int64" and np.array_equal(got.numpy(), np.searchsorted(x, wanted, side))

    check()


def test_searchsorted_of_nan_and_in_the_common_type():
    x = np.array([-np.inf, 1, 2, np.nan], "float32")
    for side in ["left", "right"]:
        assert np.array_equal(weft.searchsorted(x, x, side).numpy(), np.searchsorted(x, x, side))
    assert weft.searchsorted(np.array([1, 3, 5]), np.array([2.5, 5])).tolist() == [1, 2]
    with pytest.raises(ValueError, match="'left' or 'right'"):
        weft.searchsorted([1, 2], [1], "middle")


def test_unique(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype))
    def check(x):
        x = x if x.dtype == bool else (x % x.dtype.type(9)).astype(dtype)
        if x.dtype.kind == "f":
            x = x + x.dtype.type(0)  # -0 becomes 0, and NaNs have one sign
            x[: x.size // 8] = np.nan
        expected = np.unique(x, return_inverse=True, return_counts=True)
        got = weft.unique(x, return_inverse=True, return_counts=True)
        for mine, reference in zip(got, expected):
            assert mine.dtype == reference.dtype and np.array_equal(mine.numpy(), reference, equal_nan=x.dtype.kind == "f")
        assert np.array_equal(weft.unique(x).numpy(), expected[0], equal_nan=x.dtype.kind == "f")

    check()


def test_run_lengths(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype))
    def check(x):
        x = np.repeat(x[: x.size // 3], np.arange(x.size // 3) % 4)
        first, lengths = weft.run_length_encode(x)
        assert lengths.dtype == "int64" and lengths.numpy().sum() == x.size
        runs = np.concatenate([[True], x[1:] != x[:-1]]) if x.size else np.empty(0, bool)
        assert np.array_equal(first.numpy(), x[runs])
        assert np.array_equal(weft.run_length_decode(first, lengths).numpy(), x)

    check()


def test_lengths_that_are_refused():
    for lengths, error in [([-1, 2], ValueError), ([1], ValueError), ([0.5, 1], TypeError)]:
        with pytest.raises(error, match="lengths"):
            weft.run_length_decode(np.arange(2), np.array(lengths))
    assert weft.run_length_decode(np.array([5, 6, 7]), np.array([2, 0, 1], "uint8")).tolist() == [5, 5, 7]


@pytest.mark.parametrize("dtype", drawn("map", NUMBERS, TYPES))
def test_map(rng, dtype):
    x, y = (values(rng, 1000, dtype) for _ in range(2))
    assert np.array_equal(weft.map("x < y ? T(1) : T(0)", x, y, dtype="uint8").numpy(), x < y)
    assert np.array_equal(weft.map("max(x, y)" if dtype not in ("int8", "uint8") else "x > y ? x : y", x, y).numpy(),
                          np.maximum(x, y))
    got = weft.map("T(x) + T(i)", x.astype("uint8"), dtype="uint32").numpy()
    assert np.array_equal(got, x.astype("uint8") + np.arange(1000, dtype="uint32"))


def test_maps_in_the_common_type_and_in_place(rng):
    x, y = rng.integers(0, 100, 500, "int32"), rng.random(500)
    assert np.allclose(weft.map("x * x + y", x, y).numpy(), x * x + y)
    a = weft.asarray(x, copy=True)
    assert weft.map("x + 1", a, out=a) is a and np.array_equal(a.numpy(), x + 1)
    with pytest.raises(ValueError, match="as many"):
        weft.map("x + y", x, y[:5])
    with pytest.raises(TypeError, match="GLSL"):
        weft.map(x, x)
    with pytest.raises(weft.CompileFailed):
        weft.map("x +", x)
