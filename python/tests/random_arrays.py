"""Random arrays for tests beside NumPy."""

import hypothesis
import numpy as np
from hypothesis import strategies as st

from conftest import CASES, TYPES

# Few sizes above 512, since plans for more elements have other kernels, which take time to compile.
SIZES = [0, 1, 2, 3, 7, 31, 64, 255, 256, 257, 512, 4097]


def cases(tests):
    """Settings of one of so many tests over types that share the run's random cases."""
    return hypothesis.settings(max_examples=max(1, CASES // (tests * TYPES)))


def values(rng, size, dtype):
    """Numbers of the type over all of its range, or few different ones, or sorted ones."""
    dtype = np.dtype(dtype)
    kind = rng.integers(4)
    if dtype == bool:
        made = rng.random(size) < rng.random()
    elif kind == 0 or dtype.kind in "iu":
        bits = rng.integers(0, 256, size * dtype.itemsize, "uint8").view(dtype)
        made = np.where(np.isnan(bits), dtype.type(1), bits) if dtype.kind == "f" else bits
        if kind == 1:
            made = (made % 7).astype(dtype)
    else:
        made = (rng.standard_normal(size) * 10.0 ** rng.integers(-3, 4)).astype(dtype)
    return np.sort(made) if kind == 3 else made


@st.composite
def arrays(draw, dtype, sizes=None):
    size = draw(st.sampled_from(sizes or SIZES) | st.integers(0, 512))
    return values(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), size, dtype)
