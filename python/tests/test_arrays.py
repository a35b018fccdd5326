"""weft.Array: what makes one, what it gives, what it refuses."""

import gc
import pickle
import threading

import numpy as np
import pytest

import weft
from weft import _core
from random_arrays import values


def test_what_goes_in_comes_out(rng, dtype):
    for size in [0, 1, 1000]:
        x = values(rng, size, dtype)
        a = weft.asarray(x)
        assert a.dtype == x.dtype and a.shape == x.shape and a.nbytes == x.nbytes and len(a) == size
        assert np.asarray(a).tobytes() == x.tobytes()


def test_numbers_and_lists():
    assert weft.asarray(5).shape == () and int(weft.asarray(5)) == 5 and float(weft.asarray(2.5)) == 2.5
    assert weft.asarray([1, 2, 3]).tolist() == [1, 2, 3] and weft.asarray([1, 2, 3]).dtype == np.asarray([1]).dtype
    assert weft.asarray([0.5], "float32").dtype == "float32"


def test_parts_share_memory(device):
    a = weft.asarray(np.arange(10, dtype="uint32"))
    assert a[2:5].numpy().tolist() == [2, 3, 4] and a[-1] == 9 and a[3].shape == ()
    weft.sort(a[2:5], descending=True, out=a[2:5])
    assert a.tolist() == [0, 1, 4, 3, 2, 5, 6, 7, 8, 9]
    with pytest.raises(IndexError, match="out of bounds"):
        a[10]
    with pytest.raises(ValueError, match="contiguous"):
        a[::2]


@pytest.mark.parametrize("wrong, error, words", [
    (np.ma.masked_array([1, 2], [True, False]), TypeError, "masked"),
    (np.zeros((2, 2)), ValueError, "one dimension"),
    (np.array(5), ValueError, "no dimension"),
    (np.zeros(3, "complex64"), TypeError, "complex64"),
    (np.array(["a"]), TypeError, "no elements of"),
    (np.array([None]), TypeError, "no elements of object"),
    (np.zeros(3, "datetime64[s]"), TypeError, "datetime64"),
    (object(), TypeError, "no elements of object"),
])
def test_what_is_refused(wrong, error, words):
    with pytest.raises(error, match=words):
        weft.sort(wrong)


def test_wrong_outputs_are_refused():
    x = weft.asarray(np.arange(5, dtype="uint32"))
    with pytest.raises(ValueError, match="4 elements"):
        weft.sort(x, out=weft.empty(4, "uint32"))
    with pytest.raises(ValueError, match="int32"):
        weft.sort(x, out=weft.empty(5, "int32"))
    with pytest.raises(TypeError, match="not list"):
        weft.sort(x, out=[0] * 5)


def test_copies_only_when_it_may():
    a = weft.asarray(np.arange(5, dtype="uint32"))
    assert weft.asarray(a) is a and weft.asarray(a, copy=False) is a
    b = weft.asarray(a, copy=True)
    assert b.address != a.address and b.tolist() == a.tolist()
    with pytest.raises(ValueError, match="copy=False"):
        weft.asarray(a, "float32", copy=False)


def test_memory_that_there_is_not():
    for size in [2**62, 2**48]:
        with pytest.raises(MemoryError):
            weft.empty(size, "float64")
    with pytest.raises(ValueError, match="negative"):
        weft.empty(-1)


def test_memory_is_used_again(device):
    device.release_memory()
    a = weft.empty(100000, "uint32")
    address = a.address
    del a
    kept = device.kept_bytes
    assert kept >= 400000
    assert weft.empty(99000, "uint32").address == address
    device.release_memory()
    assert device.kept_bytes == 0


def test_memory_that_is_used_again_is_not_written_early(device, rng):
    """A block goes to another stream while the first stream's work on it may still run."""
    x = rng.integers(0, 2**32, 200000, "uint32")
    a, streams = weft.asarray(x), [weft.Stream(device), weft.Stream(device)]
    results = []
    for turn in range(10):
        results.append(weft.sort(weft.sort(a, stream=streams[turn % 2]), descending=True, stream=streams[1 - turn % 2]))
        if turn % 3 == 2:
            results.pop(0)
    assert all(np.array_equal(r.numpy(), np.sort(x)[::-1]) for r in results)


def test_pickling_and_iterating_are_refused():
    a = weft.asarray(np.arange(3))
    with pytest.raises(TypeError, match="pickle numpy.asarray"):
        pickle.dumps(a)
    with pytest.raises(TypeError, match="iterate over numpy.asarray"):
        list(a)
    with pytest.raises(TypeError, match="compares no arrays"):
        a == a[:2]


def test_objects_go_in_any_order(device, rng):
    x = rng.integers(0, 1000, 100000, "uint32")
    gc.collect()
    before = _core.open_devices()
    for _ in range(5):
        own = weft.Device(device.selector)
        a = weft.asarray(x, device=own)
        stream = weft.Stream(own)
        b = weft.sort(a, stream=stream)
        keep = {"device": own, "array": a, "stream": stream, "result": b}
        del own, a, stream, b
        for name in rng.permutation(list(keep)):
            kept = keep.pop(name)
            if name == "result":
                assert np.array_equal(kept.numpy(), np.sort(x))
            del kept
            gc.collect()
    assert _core.open_devices() == before


def test_arrays_of_two_devices(device):
    other = weft.Device(device.selector)
    a = weft.asarray(np.arange(5, dtype="uint32"))
    b = weft.asarray(a, device=other)
    assert b.device is other and b.tolist() == a.tolist()
    with pytest.raises(ValueError, match="lies on"):
        weft.sort_pairs(a, b)
    plan = weft.plan(device, "Sort", key="uint", max_count=5)
    with pytest.raises(weft.InvalidArgument):
        plan.record(device.stream, keys=b, keys_out=b, count=5)


def test_streams_wait_for_each_other(device, rng):
    x = rng.integers(0, 2**32, 50000, "uint32")
    streams = [weft.Stream(device) for _ in range(3)]
    a = weft.asarray(x)
    for turn in range(9):
        a = weft.sort(a, descending=turn % 2 == 0, stream=streams[turn % 3])
    assert np.array_equal(a.numpy(), np.sort(x)[::-1])
    event = streams[0].record()
    event.wait()
    assert event.done


def test_threads(device, rng):
    """Threads share a device and its stream, and each gets its own results."""
    inputs = [rng.integers(0, 2**32, 3000, "uint32") for _ in range(6)]
    failures = []

    def work(x):
        try:
            for _ in range(20):
                assert np.array_equal(weft.sort(x).numpy(), np.sort(x))
                assert weft.sum(x) == x.sum()
        except BaseException as error:  # reported by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(x,)) for x in inputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
