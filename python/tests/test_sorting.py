"""Sorts beside NumPy's."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import weft
from conftest import TYPES, drawn
from random_arrays import arrays, cases, values


def ordered(x):
    """Bits that order floats as Weft does: by value, with -0 before +0."""
    if x.dtype.kind != "f":
        return x
    bits = x.view(f"i{x.itemsize}")
    return np.where(bits < 0, ~bits ^ np.iinfo(bits.dtype).min, bits)


def test_sort(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype), st.booleans())
    def check(x, descending):
        got = weft.sort(x, descending=descending).numpy()
        expected = x[np.argsort(ordered(x), kind="stable")]
        assert got.dtype == x.dtype
        assert np.array_equal(ordered(got), ordered(expected[::-1] if descending else expected))

    check()


def test_argsort(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype))
    def check(x):
        got = weft.argsort(x).numpy()
        assert got.dtype == np.argsort(x).dtype
        assert np.array_equal(got, np.argsort(ordered(x), kind="stable"))

    check()


def test_sort_pairs(rng, dtype):
    keys = values(rng, 1000, dtype)
    order = np.argsort(ordered(keys), kind="stable")
    for value_type in drawn("values", ["uint8", "float32", "int64"], TYPES):
        with_keys = values(rng, 1000, value_type)
        sorted_keys, moved = weft.sort_pairs(keys, with_keys)
        assert np.array_equal(ordered(sorted_keys.numpy()), ordered(keys[order]))
        assert moved.numpy().tobytes() == with_keys[order].tobytes()


def test_sorts_in_place(rng):
    x = rng.integers(0, 1000, 5000, "uint32")
    a = weft.asarray(x)
    assert weft.sort(a, out=a) is a
    assert np.array_equal(a.numpy(), np.sort(x))


def test_argsort_in_other_types(rng):
    x = rng.integers(0, 50, 3000, "uint32")
    for dtype in drawn("indices", ["uint32", "int32", "uint64"], TYPES):
        got = weft.argsort(x, dtype=dtype).numpy()
        assert got.dtype == dtype
        assert np.array_equal(got, np.argsort(x, kind="stable"))


def test_merge(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), arrays(dtype))
    def check(x, y):
        x, y = (each[np.argsort(ordered(each), kind="stable")] for each in (x, y))
        both = np.concatenate([x, y])
        assert np.array_equal(ordered(weft.merge(x, y).numpy()), np.sort(ordered(both)))

    check()


def test_merge_in_the_common_type():
    merged = weft.merge(np.array([1, 300], "int16"), np.array([2.5], "float32"))
    assert merged.dtype == "float32" and merged.tolist() == [1, 2.5, 300]


def test_top_k(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), st.sampled_from([0, 1, 5, 40]), st.booleans())
    def check(x, k, smallest):
        values, indices = weft.top_k(x, k, smallest=smallest, indices=True)
        order = np.sort(ordered(x))
        expected = order[:k] if smallest else order[::-1][:k]
        assert np.array_equal(ordered(values.numpy()), expected)
        assert indices.dtype == "int64" and len(set(indices.tolist())) == min(k, x.size)
        assert np.array_equal(ordered(x[indices.numpy()]), expected)

    check()


def test_wrong_numbers_for_top_k_are_refused():
    with pytest.raises(ValueError, match="negative"):
        weft.top_k([1, 2], -1)
    with pytest.raises(TypeError):
        weft.top_k([1, 2], 1.5)


def test_nans_come_last_but_for_those_with_a_sign():
    x = np.array([np.nan, 2, -np.inf, -np.nan, 0.0, -0.0], "float32")
    got = weft.sort(x).numpy()
    assert np.isnan(got[[0, 5]]).all() and np.signbit(got[0]) and not np.signbit(got[5])
    assert got[1] == -np.inf and np.signbit(got[2]) and not np.signbit(got[3]) and got[4] == 2


def test_pairs_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="3 keys and 2 values"):
        weft.sort_pairs(np.arange(3), np.arange(2))
