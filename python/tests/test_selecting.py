"""Selections beside NumPy's."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import weft
from random_arrays import arrays, cases


def test_compact_by_a_mask(dtype):
    @cases(6)
    @hypothesis.given(arrays(dtype), st.integers(0, 2**32 - 1))
    def check(x, seed):
        rng = np.random.default_rng(seed)
        mask = rng.random(x.size) < rng.random()
        got = weft.compact(x, mask).numpy()
        assert got.dtype == x.dtype and got.tobytes() == x[mask].tobytes()

    check()


def test_compact_by_an_expression(rng):
    x = rng.standard_normal(5000).astype("float32")
    assert np.array_equal(weft.compact(x, "x > 0.5 && i % 2 == 0").numpy(), x[(x > 0.5) & (np.arange(5000) % 2 == 0)])


def test_a_wrong_expression_shows_the_compilers_message():
    with pytest.raises(weft.CompileFailed) as caught:
        weft.compact(np.arange(5, dtype="uint32"), "x > nothing")
    assert caught.value.code == "compile_failed" and "nothing" in caught.value.log


def test_partition(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), st.integers(0, 2**32 - 1))
    def check(x, seed):
        rng = np.random.default_rng(seed)
        mask = rng.random(x.size) < rng.random()
        selected, others = weft.partition(x, mask)
        assert selected.numpy().tobytes() == x[mask].tobytes() and others.numpy().tobytes() == x[~mask].tobytes()

    check()


def test_nonzero(dtype):
    @cases(12)
    @hypothesis.given(arrays(dtype), st.integers(0, 2**32 - 1))
    def check(x, seed):
        x = np.where(np.random.default_rng(seed).random(x.size) < 0.5, x, np.zeros_like(x))
        x[: x.size // 4] *= x.dtype.type(-1 if x.dtype.kind == "f" else 1)  # with -0
        got = weft.flatnonzero(x)
        assert got.dtype == np.flatnonzero(x).dtype and np.array_equal(got.numpy(), np.flatnonzero(x))
        assert isinstance(weft.nonzero(x), tuple) and np.array_equal(weft.nonzero(x)[0].numpy(), np.nonzero(x)[0])

    check()


def test_wrong_masks_are_refused():
    x = np.arange(5, dtype="uint32")
    with pytest.raises(ValueError, match="mask has 4 elements"):
        weft.compact(x, np.ones(4, bool))
    with pytest.raises(TypeError, match="not float64"):
        weft.compact(x, np.ones(5))
    with pytest.raises(ValueError, match="empty"):
        weft.compact(x, "")
