"""Segments and keys beside NumPy's."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import weft
from conftest import TYPES, drawn
from random_arrays import cases, values

INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@st.composite
def segments(draw, dtype):
    """An array, and offsets of its segments, of which some are empty."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, count = draw(st.sampled_from([0, 1, 100, 512, 4097])), draw(st.integers(0, 60))
    cuts = np.sort(rng.integers(0, size + 1, count))
    offsets = np.concatenate([[0], cuts, [size]]).astype(draw(st.sampled_from(["uint32", "int32", "int64", "uint64"])))
    return values(rng, size, dtype), offsets


def parts(x, offsets):
    return [x[first:last] for first, last in zip(offsets[:-1].astype(int), offsets[1:].astype(int))]


@pytest.mark.parametrize("dtype", drawn("segments", INTEGERS, TYPES))
def test_segments(dtype):
    @cases(12)
    @hypothesis.given(segments(dtype))
    def check(given):
        x, offsets = given
        each = parts(x, offsets)
        sums = weft.segmented_reduce(x, offsets)
        assert sums.dtype == np.sum(x).dtype and sums.tolist() == [int(part.sum()) for part in each]
        scanned = weft.segmented_scan(x, offsets)
        assert scanned.dtype == np.cumsum(x).dtype
        assert np.array_equal(scanned.numpy(), np.concatenate([np.cumsum(part) for part in each]))
        ordered = weft.segmented_sort(x, offsets, descending=True)
        assert np.array_equal(ordered.numpy(), np.concatenate([np.sort(part)[::-1] for part in each]))

    check()


def test_segments_by_other_operators(rng):
    x, offsets = rng.integers(0, 1000, 100, "uint32"), np.array([0, 10, 10, 60, 100], "uint32")
    largest = weft.segmented_reduce(x, offsets, "max").tolist()
    assert largest == [max(part.tolist(), default=0) for part in parts(x, offsets)]
    shifted = weft.segmented_scan(x, offsets, exclusive=True, initial="T(7)").numpy()
    assert np.array_equal(shifted, np.concatenate([np.cumsum(part) - part + 7 for part in parts(x, offsets)]))
    halves = np.ones(100, "float16")
    assert weft.segmented_reduce(halves, offsets).tolist() == [10, 0, 50, 40]
    assert weft.segmented_reduce(halves, offsets).dtype == "float16"


def test_wrong_offsets_are_refused():
    x = np.arange(5)
    with pytest.raises(ValueError, match="empty"):
        weft.segmented_reduce(x, np.empty(0, "uint32"))
    with pytest.raises(TypeError, match="float64"):
        weft.segmented_reduce(x, np.array([0.0, 5.0]))


@pytest.mark.parametrize("dtype", drawn("keys", INTEGERS, TYPES))
def test_by_key(dtype):
    @cases(12)
    @hypothesis.given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 300, 4097]))
    def check(seed, size):
        rng = np.random.default_rng(seed)
        keys = np.sort(rng.integers(0, 40, size)).astype("uint32")
        x = values(rng, size, dtype)
        different, totals = weft.reduce_by_key(keys, x)
        expected = np.unique(keys)
        assert np.array_equal(different.numpy(), expected)
        assert totals.dtype == np.sum(x).dtype
        assert totals.tolist() == [int(x[keys == key].sum()) for key in expected]
        scanned = weft.scan_by_key(keys, x)
        assert scanned.dtype == np.cumsum(x).dtype
        assert np.array_equal(scanned.numpy(), np.concatenate([np.cumsum(x[keys == key]) for key in expected])
                              if size else [])

    check()


def test_keys_and_values_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="3 keys and 2 values"):
        weft.reduce_by_key(np.arange(3), np.arange(2))
