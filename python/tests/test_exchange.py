"""Memory that Weft shares with NumPy and other libraries."""

import gc
import warnings

import numpy as np
import pytest

import weft
from weft import exchange

SECTIONS = ["uint32", "float64", "int8", "bool"]


@pytest.fixture
def host(device):
    """A host device: the one under test, or another."""
    return device if device.backend == "host" else weft.Device("host")


@pytest.fixture
def said():
    """Warnings are said once; here once for each test."""
    exchange._said.clear()


# ---- NumPy's memory in place ----------------------------------------------------------------------------------------


def test_numpy_is_used_in_place_on_the_host(host):
    for dtype in SECTIONS:
        x = np.arange(10).astype(dtype)
        a = weft.asarray(x, device=host, copy=False)
        assert a.address == x.ctypes.data and a.writable and a.dtype == x.dtype
        x[:] = x[::-1].copy()
        assert a.tolist() == x.tolist()
        b = weft.asarray(x, device=host, copy=True)
        assert b.address != x.ctypes.data and b.tolist() == x.tolist()


def test_parts_of_numpy_are_used_in_place(host):
    x = np.arange(100, dtype="uint8")
    for first in range(20):
        a = weft.asarray(x[first:first + 7], device=host, copy=False)
        assert a.address == x.ctypes.data + first and a.tolist() == list(range(first, first + 7))


def test_results_stand_in_numpys_memory_when_a_function_returns(host, rng):
    for turn in range(20):
        x = rng.integers(0, 2**32, 3000 + turn, "uint32")
        out = np.empty_like(x)
        assert weft.sort(weft.asarray(x, device=host), out=out) is out
        assert np.array_equal(out, np.sort(x))


def test_read_only_memory_is_read_and_not_written(host):
    x = np.array([3, 1, 2], "uint32")
    x.flags.writeable = False
    a = weft.asarray(x, device=host, copy=False)
    assert not a.writable and weft.sort(a).tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        weft.sort(a, out=a)
    plan = weft.plan(host, "Sort", key="uint", max_count=3)
    with pytest.raises(ValueError, match="keys_out.*read-only"):
        plan.record(host.stream, keys=a, keys_out=a, count=3)
    for refused in [lambda: a.upload(x), lambda: a.copy_from(weft.asarray([1, 2, 3], "uint32", device=host))]:
        with pytest.raises(ValueError, match="read-only"):
            refused()
    assert x.tolist() == [3, 1, 2] and not np.asarray(a).flags.writeable


def test_the_owner_may_go_first(host):
    x = np.arange(100000, dtype="uint32")
    a = weft.asarray(x, device=host, copy=False)
    view = np.asarray(a)
    del x
    gc.collect()
    assert a.numpy().sum() == view.sum() == 4999950000
    del a
    gc.collect()
    assert view.sum() == 4999950000


# ---- views of Weft's memory -----------------------------------------------------------------------------------------


def test_numpy_sees_memory_of_the_host(host):
    for dtype in SECTIONS + ["float16"]:
        a = weft.asarray([3, 1, 2, 0], dtype, device=host)
        view = np.asarray(a)
        assert view.ctypes.data == a.address and view.dtype == a.dtype and view.tolist() == a.tolist()
        assert memoryview(a).nbytes == a.nbytes and bytes(memoryview(a)) == view.tobytes()
        view[0] = 1
        assert a[0] == 1
        weft.sort(a, out=a)  # is waited for, since it is seen
        assert view.tolist() == sorted(view.tolist())
    assert np.asarray(weft.empty(0, device=host)).shape == (0,)
    assert np.asarray(weft.sum(weft.asarray([1, 2], device=host))).shape == ()


def test_views_keep_memory(host):
    view = np.asarray(weft.asarray(list(range(1000)), "uint32", device=host))
    gc.collect()
    others = [weft.asarray([7] * 1000, "uint32", device=host) for _ in range(5)]
    assert view.tolist() == list(range(1000)) and len(others) == 5


def test_other_devices_have_no_buffer(device):
    a = weft.asarray([1, 2, 3])
    if device.backend == "host":
        assert memoryview(a).tolist() == [1, 2, 3]
        assert np.array(a, copy=False).ctypes.data == a.address
    else:
        with pytest.raises(BufferError, match="numpy.asarray"):
            memoryview(a)
        with pytest.raises(ValueError, match="copy=False"):
            np.array(a, copy=False)
        with pytest.raises(ValueError, match="copy=False"):
            weft.asarray(np.arange(3), copy=False)
    assert np.array(a, copy=True).tolist() == np.asarray(a).tolist() == [1, 2, 3]


# ---- copies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make, words", [
    (lambda: np.arange(20, dtype="int32")[::-2], "not contiguous"),
    (lambda: np.arange(20).astype(">i4"), "byte order"),
    (lambda: np.frombuffer(bytes(81), "uint8")[1:].view("int32"), "not aligned"),
])
def test_layouts_that_need_a_copy(device, said, make, words):
    x = make()
    with pytest.raises(ValueError, match=words):
        weft.asarray(x, copy=False)
    with pytest.warns(weft.CopyWarning, match=words):
        assert weft.sort(x).tolist() == sorted(x.tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert weft.sort(x).tolist() == sorted(x.tolist())  # it was said
        assert weft.asarray(x).tolist() == x.tolist()


def test_a_copy_to_the_device_is_said_once(device, said):
    x = np.arange(5)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weft.sort(x), weft.sum(x), weft.sort([1, 2])
    assert len(caught) == (0 if device.backend == "host" else 1)
    if caught:
        assert "memory of the host was copied" in str(caught[0].message) and caught[0].filename == __file__


# ---- DLPack ---------------------------------------------------------------------------------------------------------


def test_dlpack_of_the_host(host):
    a = weft.asarray([1, 2, 3], "float32", device=host)
    assert a.__dlpack_device__() == (1, 0)
    shared = np.from_dlpack(a)
    assert shared.ctypes.data == a.address and shared.tolist() == [1, 2, 3]
    copied = np.from_dlpack(a, copy=True)
    assert copied.ctypes.data != a.address and copied.tolist() == [1, 2, 3]
    for stream in [None, -1]:
        a.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="no stream"):
        a.__dlpack__(stream=5)
    with pytest.raises(AttributeError, match="CUDA"):
        a.__cuda_array_interface__


def test_dlpack_of_vulkan_is_refused_or_copied(device):
    if device.backend != "vulkan":
        return
    a = weft.asarray([1, 2, 3])
    assert a.__dlpack_device__()[0] == 7
    with pytest.raises(BufferError, match="numpy.asarray"):
        a.__dlpack__()
    assert np.from_dlpack(a, device="cpu").tolist() == [1, 2, 3]


class Exporter:
    """An array that has only DLPack, as some libraries have."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def test_what_has_only_dlpack_is_taken(device, said):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert weft.sort(Exporter(np.array([3, 1, 2]))).tolist() == [1, 2, 3]
    x = np.array([3, 1, 2])
    if device.backend == "host":
        assert weft.asarray(Exporter(x), copy=False).address == x.ctypes.data
