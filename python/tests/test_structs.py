"""Structured dtypes: arrays of structs, by field and by expression."""

import numpy as np
import pytest

import weft

PARTICLE = np.dtype([("mass", "float32"), ("kind", "uint32"), ("at", "float32", 3)])


def particles(rng, count):
    made = np.zeros(count, PARTICLE)
    made["mass"], made["kind"], made["at"] = rng.random(count), rng.integers(0, 9, count), rng.random((count, 3))
    return made


def test_structs_come_and_go(rng, device):
    given = particles(rng, 50)
    a = weft.asarray(given)
    assert a.dtype == PARTICLE and a.itemsize == 20 and a.element == "struct{float mass; uint kind; vec3 at;}"
    assert np.array_equal(a.numpy(), given) and np.array_equal(np.asarray(a[10:20]), given[10:20])
    assert a[7].item()[1] == given["kind"][7] and a.tolist()[7][0] == given["mass"][7]
    assert np.array_equal(a["kind"], given["kind"]) and a["mass"].dtype == "float32"
    assert weft.empty(3, PARTICLE).nbytes == 60
    pair = np.dtype([("low", "int32"), ("high", "int32")])
    assert weft.asarray([(1, 2), (3, 4)], pair)["high"].tolist() == [2, 4]
    swapped = given.astype(PARTICLE.newbyteorder(">"))
    assert np.array_equal(weft.asarray(swapped).numpy(), given)
    assert np.array_equal(weft.asarray(given[::2]).numpy(), given[::2])
    assert np.array_equal(weft.asarray(given, copy=True).numpy(), given)


def test_structs_are_padded_as_in_c(rng):
    dtype = np.dtype([("flag", "?"), ("value", "float64"), ("rank", "int16")], align=True)
    given = np.zeros(20, dtype)
    given["flag"], given["value"], given["rank"] = rng.random(20) < 0.5, rng.random(20), np.arange(20)
    a = weft.asarray(given)
    assert a.itemsize == 24 and np.array_equal(a["value"], given["value"]) and np.array_equal(a["rank"], np.arange(20))


def test_structs_are_selected_by_expression(rng):
    given = particles(rng, 1000)
    a = weft.asarray(given)
    heavy = given["mass"] > 0.5
    assert np.array_equal(weft.compact(a, "x.mass > 0.5").numpy(), given[heavy])
    assert np.array_equal(weft.compact(a, heavy).numpy(), given[heavy])
    assert [part.size for part in weft.partition(a, "x.kind == 3u")] == [
        (given["kind"] == 3).sum(), (given["kind"] != 3).sum()]


def test_structs_are_sorted_by_fields_and_expressions(rng):
    given = particles(rng, 1000)
    a = weft.asarray(given)
    assert np.array_equal(weft.sort(a, by="kind").numpy(), given[np.argsort(given["kind"], kind="stable")])
    farthest = given[np.argsort(-given["at"][:, 1], kind="stable")]
    in_place = weft.sort(a, by=("x.at.y", "float32"), descending=True, out=a)
    assert in_place is a and np.array_equal(a.numpy(), farthest)
    keys, values = weft.sort_pairs(np.arange(1000, dtype="uint32")[::-1].copy(), a)
    assert np.array_equal(values.numpy()[::-1], a.numpy())


def test_structs_are_mapped_and_combined(rng):
    given = particles(rng, 300)
    weight = weft.map("x.mass * float(x.kind)", given, dtype="float32")
    assert np.allclose(weight, given["mass"] * given["kind"])
    moved = weft.map("T(x.mass, x.kind, x.at + 1.0)", given).numpy()
    assert np.allclose(moved["at"], given["at"] + 1) and np.array_equal(moved["kind"], given["kind"])
    pair = np.dtype([("low", "uint32"), ("high", "uint32")])
    ranges = weft.map("T(x, x)", np.array([5, 2, 9, 4], "uint32"), dtype=pair)
    span = weft.reduce(ranges, {"name": "span", "combine": "T(min(a.low, b.low), max(a.high, b.high))",
                                "identity": "T(0xFFFFFFFFu, 0u)", "commutative": True})
    assert span.item() == (2, 9)


def test_other_structs_are_refused(rng):
    for fields, words in [
        ([("a", "uint8"), ("b", "float32")], "lies at byte 1, and kernels have it at 4"),
        ([("a", "float64"), ("b", "uint8")], "has 9 bytes, and kernels have 16"),
        ([("a", [("b", "int32")])], "numbers, or 2 to 4 of them"), ([("a", "float32", 5)], "numbers, or 2 to 4"),
        ([("a", "U3")], "numbers, or 2 to 4"), ([("a b", "int32")], "a b"), ([("a", "object")], "numbers, or 2 to 4"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            weft.empty(3, fields)
    given = particles(rng, 5)
    a = weft.asarray(given)
    for call, error, words in [
        (lambda: weft.sort(a), TypeError, "has structs"), (lambda: weft.sum(given), TypeError, "has structs"),
        (lambda: weft.cumsum(a), TypeError, "has structs"), (lambda: weft.unique(a), TypeError, "has structs"),
        (lambda: weft.reduce(a, "min"), TypeError, "operator of your own"),
        (lambda: weft.sort(a, by="weight"), ValueError, "mass, kind, at"),
        (lambda: weft.sort(a, by="at"), TypeError, "has 3 numbers"),
        (lambda: weft.sort(a, by=3), TypeError, "name of a field"),
        (lambda: weft.sort(np.zeros(3), by="mass"), ValueError, "no fields"), (lambda: a["at"], TypeError, "3 numbers"),
        (lambda: weft.asarray(a, "float32"), TypeError, "do not convert"),
        (lambda: weft.map("x", a, np.zeros(5, "float32")), TypeError, "no common type"),
        (lambda: weft.sort_pairs(a, a), TypeError, "'keys' has structs"),
        (lambda: weft.HashMap("uint32", PARTICLE), TypeError, "values one of"),
    ]:
        with pytest.raises(error, match=words):
            call()


def test_structs_are_used_in_place_on_the_host(rng):
    device = weft.Device("host")
    given = particles(rng, 20)
    a = weft.asarray(given, device=device, copy=False)
    assert a.dtype == PARTICLE and np.shares_memory(np.asarray(a), given)
    view = memoryview(a)
    assert view.format == memoryview(given).format and view.itemsize == 20
    with pytest.raises((BufferError, TypeError)):
        np.from_dlpack(a)
    apart = np.frombuffer(bytes(2) + given.tobytes(), PARTICLE, offset=2)  # aligned for NumPy, not for kernels
    with pytest.raises(ValueError, match="not aligned"):
        weft.asarray(apart, device=device, copy=False)
    assert np.array_equal(weft.asarray(apart, device=device).numpy(), given)
