"""Memory and streams of CUDA and HIP that are another library's. Here Weft's own arrays stand for such a library."""

import gc
import weakref

import numpy as np
import pytest

import weft
from weft import _core, exchange


@pytest.fixture(autouse=True)
def shared(device):
    """These tests are for devices of CUDA and HIP alone; tests/CMakeLists.txt runs them on no other."""
    assert device.backend in ("cuda", "hip")


class Tensor:
    """What has DLPack alone, as JAX's arrays. Records the streams that it was asked for."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream)


class Interface:
    """What has CUDA's array interface alone, as Numba's arrays."""

    def __init__(self, array, keep=None, **changed):
        self.array, self.stream = array, keep
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changed}


def default_streams(device):
    """How consumers name the default stream, which the drivers of stand_ins/ do not have."""
    return [] if "on CPU" in device.name else [None, 1]


def other(device, x):
    """An array on the device, as another library has it."""
    return Tensor(weft.asarray(x, device=device, copy=True))


def test_a_tensor_is_sorted_where_it_lies(device, rng):
    x = rng.integers(0, 2**32, 5000, "uint32")
    tensor = other(device, x)
    a = weft.asarray(tensor, copy=False)
    assert a.address == tensor.array.address and a.device is device and a.dtype == "uint32"
    assert weft.sort(tensor, out=tensor) is tensor
    assert np.array_equal(tensor.array.numpy(), np.sort(x))
    assert set(tensor.streams) == {_core.stream_handle(device.stream)}


def test_types_survive(device):
    for dtype in ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                  "float16", "float32", "float64"]:
        tensor = other(device, np.array([0, 1], dtype))
        a = weft.asarray(tensor)
        assert a.dtype == dtype and a.tolist() == [0, 1] and a.address == tensor.array.address
    single = weft.asarray(Tensor(weft.sum(weft.asarray(np.arange(5)))))
    assert single.shape == () and single == 10
    assert weft.asarray(other(device, np.empty(0, "uint32"))).shape == (0,)


def test_a_tensor_lives_as_long_as_it_is_used(device):
    tensor = other(device, np.arange(1000, dtype="uint32"))
    alive = weakref.ref(tensor.array)
    a = weft.asarray(tensor)
    del tensor
    gc.collect()
    assert alive() is not None and a.numpy().sum() == 499500
    del a
    gc.collect()
    assert alive() is None


def test_capsules_go_unused_or_are_used_once(device):
    array = weft.asarray(np.arange(10, dtype="uint32"))
    alive = weakref.ref(array)
    capsule = array.__dlpack__(stream=-1)
    del array
    gc.collect()
    assert alive() is not None
    taken = _core.array_of_capsule(device, capsule, device.stream)
    with pytest.raises(TypeError, match="used before"):
        _core.array_of_capsule(device, capsule, device.stream)
    del capsule
    assert taken.tolist() == list(range(10))
    del taken
    gc.collect()
    assert alive() is None
    unused = weft.empty(5).__dlpack__(stream=-1)
    del unused
    with pytest.raises(TypeError, match="capsule"):
        _core.array_of_capsule(device, 5, device.stream)


def test_given_memory_is_not_used_again(device):
    device.release_memory()
    a = weft.empty(1000)
    capsule = a.__dlpack__(stream=-1)
    del a, capsule
    assert device.kept_bytes == 0
    weft.empty(1000)
    assert device.kept_bytes > 0


def test_consumers_name_their_stream(device):
    a = weft.sort(np.arange(100000, dtype="uint32")[::-1].copy())
    own = weft.Stream(device)
    for stream in [-1, _core.stream_handle(own), *default_streams(device)]:
        assert _core.array_of_capsule(device, a.__dlpack__(stream=stream), device.stream).tolist() == a.tolist()
    if device.backend == "cuda":
        with pytest.raises(BufferError, match="ambiguous"):
            a.__dlpack__(stream=0)
    with pytest.raises(BufferError, match="another device"):
        a.__dlpack__(dl_device=(exchange.VULKAN, 0))
    with pytest.raises(BufferError, match="copy=False"):
        a.__dlpack__(dl_device=(1, 0), copy=False)
    assert np.from_dlpack(a, device="cpu").tolist() == a.tolist()


def test_work_goes_on_the_stream_that_the_owner_names(device, rng):
    if device.backend != "cuda":
        with pytest.raises(AttributeError, match="CUDA"):
            weft.empty(5).__cuda_array_interface__
        return
    x = rng.integers(0, 2**32, 3000, "uint32")
    stream = weft.Stream(device)
    handle = _core.stream_handle(stream)
    owned = Interface(weft.asarray(x, copy=True), keep=stream, stream=handle)
    result = weft.sort(owned)
    assert _core.stream_handle(result.stream) == handle == result.__cuda_array_interface__["stream"]
    assert np.array_equal(result.numpy(), np.sort(x))
    home = _core.stream_handle(device.stream)
    out = Interface(weft.empty(3000, "uint32"), stream=home)
    assert weft.sort(owned, stream=weft.Stream(device), out=out) is out
    assert np.array_equal(out.array.numpy(), np.sort(x))
    assert _core.stream_handle(weft.asarray(out).stream) == home


def test_structs_by_interface_and_not_by_dlpack(device):
    dtype = np.dtype([("flag", "uint8"), ("value", "float32"), ("at", "float32", 2)], align=True)
    a = weft.asarray(np.zeros(4, dtype))
    with pytest.raises(BufferError, match="no structs"):
        a.__dlpack__(stream=-1)
    if device.backend == "cuda":
        b = weft.asarray(Interface(a))
        assert b.address == a.address and b.dtype == dtype and b.size == 4


def test_interfaces_that_are_refused(device):
    if device.backend != "cuda":
        return
    a = weft.asarray(np.arange(10, dtype="uint32"))
    shown = a.__cuda_array_interface__
    assert shown["data"] == (a.address, False) and shown["shape"] == (10,) and shown["version"] == 3
    assert weft.asarray(Interface(a)).address == a.address
    for changed, error, words in [({"shape": (5, 2)}, ValueError, "one dimension"),
                                  ({"shape": (5,), "strides": (8,)}, ValueError, "not contiguous"),
                                  ({"mask": a}, TypeError, "masked"), ({"typestr": "<c8"}, TypeError, "complex64"),
                                  ({"typestr": ">u4"}, TypeError, "byte order"),
                                  ({"shape": (1 << 40,)}, ValueError, "allocation"),
                                  ({"data": (1 << 60, False)}, ValueError, "not device memory")]:
        with pytest.raises(error, match=words):
            weft.asarray(Interface(a, **changed))
    read_only = Interface(a, data=(a.address, True))
    with pytest.raises(ValueError, match="read-only"):
        weft.sort(read_only, out=read_only)


def test_another_librarys_array_on_the_wrong_device(device):
    tensor, host = other(device, np.arange(5)), weft.asarray(np.arange(5), device="host")
    with pytest.raises(ValueError, match="lies on"):
        weft.sort_pairs(host, tensor)
    with pytest.raises(ValueError, match="lies on"):
        weft.sort(host, out=tensor)
    moved = weft.asarray(tensor, device=host.device)
    assert moved.device is host.device and moved.tolist() == list(range(5))
