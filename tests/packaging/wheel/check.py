"""Runs the package of a wheel on the named devices, on a system without a compiler. wheel.sh calls this."""

import subprocess
import sys
import time

import numpy as np

start = time.perf_counter()
import weft  # noqa: E402

print(f"import: {1e3 * (time.perf_counter() - start):.1f} ms after NumPy; {weft.__file__}")
assert "/build/" in weft.__file__, "another weft than the wheel's"


def check(device):
    weft.set_default_device(device)
    rng = np.random.default_rng(1)
    for dtype in ("uint32", "int64", "float32", "float64"):
        x = rng.integers(0, 100, 100_000).astype(dtype)  # whose sums are exact
        a = weft.asarray(x)
        assert np.array_equal(weft.sort(a), np.sort(x))
        assert np.array_equal(weft.argsort(a), np.argsort(x, kind="stable"))
        assert np.array_equal(weft.cumsum(a), np.cumsum(x)) and weft.sum(a) == x.sum()
        assert weft.max(a) == x.max() and weft.argmin(a).item() == np.argmin(x)
        assert np.array_equal(weft.compact(a, x > 50), x[x > 50])
        assert np.array_equal(weft.flatnonzero(a), np.flatnonzero(x))
        for given, expected in zip(weft.unique(a, return_counts=True), np.unique(x, return_counts=True)):
            assert np.array_equal(given, expected)
        assert np.array_equal(weft.unique(a, return_inverse=True)[1], np.unique(x, return_inverse=True)[1])
        if dtype.startswith("float"):
            assert np.array_equal(weft.histogram(a, 10)[0], np.histogram(x, 10)[0])
        if dtype == "uint32":
            assert np.array_equal(weft.bincount(a), np.bincount(x))
    print(f"{weft.default_device()!r}: 4 types of elements beside NumPy")


def check_expressions(device):
    """They are compiled: for Vulkan by the wheel and the driver, for the host by a C++ compiler that is not there."""
    weft.set_default_device(device)
    x = np.arange(1000, dtype="float32")
    if weft.default_device().backend != "host":
        assert np.array_equal(weft.map("x * x + 1", x), x * x + 1)
        return
    try:
        weft.map("x * x + 1", x)
    except weft.Error as error:
        assert error.code == "unsupported" and "g++" in str(error), repr(error)
        print(f"refused: {error}")
    else:
        raise AssertionError("an expression was compiled without a compiler")


def check_reasons():
    """Each backend has devices, or says in words why it has none."""
    for backend in weft.list_devices():
        assert backend["devices"] or len(backend["reason"].split()) > 3, backend
    listed = subprocess.run([sys.executable, "-m", "weft", "devices"], capture_output=True, text=True)
    print(listed.stdout, end="")
    assert listed.returncode == 0 and "cuda: " in listed.stdout and not listed.stderr, listed


check_reasons()
for selector in sys.argv[1:]:
    check(selector)
    check_expressions(selector)
