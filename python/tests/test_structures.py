"""Hash maps, trees, pairs and pyramids beside plain Python."""

import numpy as np
import pytest

import weft


def test_a_map_beside_a_dictionary(rng):
    keys = rng.permutation(5000)[:1500].astype("uint32")
    values = rng.random(1500).astype("float32")
    table = weft.HashMap("uint32", "float32", 2000)
    assert len(table) == 0
    assert table.insert(keys[:1000], values[:1000]).numpy().all()
    again = table.insert(keys, values + 1)
    assert np.array_equal(again.numpy(), np.arange(1500) >= 1000)
    expected = dict(zip(keys.tolist(), np.concatenate([values[:1000], (values + 1)[1000:]]).tolist()))
    found_values, found = table.find(np.arange(5000, dtype="uint32"))
    assert found.dtype == "bool" and set(np.flatnonzero(found.numpy())) == set(expected)
    assert {key: found_values.numpy()[key].item() for key in expected} == expected
    assert table.erase(keys[:500]).numpy().all() and not table.contains(keys[:500]).numpy().any()
    assert len(table) == 1000
    left, values_left = table.items()
    assert dict(zip(left.tolist(), values_left.tolist())) == {key: expected[key] for key in keys[500:].tolist()}
    table.clear()
    assert len(table) == 0


def test_maps_that_replace_and_combine(rng):
    keys = rng.integers(0, 50, 3000).astype("uint32")
    counts = weft.HashMap("uint32", "uint32", 100, combine="sum")
    counts.insert(keys, "T(1)")
    found, numbers = counts.items()
    different, expected = np.unique(keys, return_counts=True)
    assert dict(zip(found.tolist(), numbers.tolist())) == dict(zip(different.tolist(), expected.tolist()))
    last = weft.HashMap("uint32", "uint32", 10, update="replace")
    last.insert(np.array([1, 2], "uint32"), np.array([5, 6], "uint32"))
    last.insert(np.array([2], "uint32"), np.array([7], "uint32"))
    assert last.find(np.array([1, 2], "uint32"))[0].tolist() == [5, 7]


def test_sets(rng):
    known = weft.HashMap("uint32", capacity=100)
    known.insert(np.array([1, 5, 5], "uint32"))
    assert known.contains(np.array([1, 2, 5], "uint32")).tolist() == [True, False, True] and len(known) == 2
    assert sorted(known.items().tolist()) == [1, 5]
    with pytest.raises(TypeError, match="no values"):
        known.find(np.array([1], "uint32"))
    with pytest.raises(TypeError, match="no values"):
        known.insert(np.array([1], "uint32"), np.array([1], "uint32"))


def test_wrong_maps_are_refused():
    for arguments, error in [({"key": "float32"}, TypeError), ({"key": "uint32", "value": "int8"}, TypeError),
                             ({"key": "uint32", "capacity": 0}, ValueError),
                             ({"key": "uint32", "update": "never"}, ValueError)]:
        with pytest.raises(error):
            weft.HashMap(**arguments)
    table = weft.HashMap("uint32", "uint32", 4)
    with pytest.raises(TypeError, match="keys of uint32"):
        table.insert(np.arange(3), np.arange(3))
    with pytest.raises(TypeError, match="missing"):
        table.insert(np.arange(3, dtype="uint32"))
    with pytest.raises(ValueError, match="3 keys and 2 values"):
        table.insert(np.arange(3, dtype="uint32"), np.arange(2, dtype="uint32"))
    with pytest.raises(weft.OutOfMemory, match="6 of 10"):
        table.insert(np.arange(10, dtype="uint32"), np.arange(10, dtype="uint32"))
    assert len(table) == 4


@pytest.mark.parametrize("dimensions", [2, 3])
def test_nearest_points(rng, dimensions):
    points, queries = rng.random((500, dimensions), "float32"), rng.random((40, dimensions), "float32")
    tree = weft.KdTree(points, dimensions)
    indices, distances = (each.numpy().reshape(40, 5) for each in tree.nearest(queries, 5))
    squared = ((queries[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    expected = np.sort(squared, axis=1)[:, :5]
    assert np.allclose(distances, expected, rtol=1e-5)
    assert np.allclose(np.take_along_axis(squared, indices.astype(int), 1), expected, rtol=1e-5)
    indices, distances = tree.nearest(queries + 100, radius=0.5)
    assert (indices.numpy() == weft.spatial.NONE).all() and np.isinf(distances.numpy()).all()


def test_wrong_points_are_refused():
    for make, error in [(lambda: weft.KdTree(np.zeros((5, 2))), ValueError), (lambda: weft.KdTree(np.zeros(7)), ValueError),
                        (lambda: weft.KdTree(np.zeros(8), 4), ValueError),
                        (lambda: weft.KdTree(np.zeros(6, "complex64")), TypeError),
                        (lambda: weft.KdTree(np.zeros(6)).nearest(np.zeros(3), 0), ValueError),
                        (lambda: weft.KdTree(np.zeros(6)).nearest(np.zeros(3), radius=-1), ValueError)]:
        with pytest.raises(error):
            make()


def boxes_of(rng, count, size):
    low = rng.random((count, 3), "float32")
    return np.concatenate([low, low + rng.random((count, 3), "float32") * size], axis=1).astype("float32")


def overlap(a, b):
    return ((a[:, None, :3] <= b[None, :, 3:]) & (b[None, :, :3] <= a[:, None, 3:])).all(axis=2)


def test_boxes_that_overlap(rng):
    boxes, queries = boxes_of(rng, 300, 0.1), boxes_of(rng, 50, 0.2)
    tree = weft.Bvh(boxes)
    ends, hits = (each.numpy() for each in tree.all("boxes", queries))
    lists = [set(part.tolist()) for part in np.split(hits, ends[:-1].astype(int))]
    expected = overlap(queries, boxes)
    assert lists == [set(np.flatnonzero(row).tolist()) for row in expected]
    some, distance = tree.any("boxes", queries)
    assert np.array_equal(some.numpy() != weft.spatial.NONE, expected.any(axis=1))
    pairs = weft.find_pairs(boxes).numpy().reshape(-1, 2)
    wanted = {(i, j) for i, j in zip(*np.nonzero(overlap(boxes, boxes))) if i < j}
    assert {tuple(pair) for pair in pairs.tolist()} == wanted


def test_boxes_that_have_moved(rng, device):
    boxes, queries = boxes_of(rng, 300, 0.1), boxes_of(rng, 50, 0.2)
    tree = weft.Bvh(boxes)
    moved = boxes[:, [1, 2, 0, 4, 5, 3]] + np.float32(0.01)
    tree.refit(moved)
    some, _ = tree.any("boxes", queries)
    assert np.array_equal(some.numpy() != weft.spatial.NONE, overlap(queries, moved).any(axis=1))
    with pytest.raises(ValueError, match="over 300 boxes, and here are 200"):
        tree.refit(moved[:200])
    with pytest.raises(TypeError, match="no refit"):
        weft.plan(device, "Reduce", element="uint", op="sum", max_count=4).record_refit(device.stream)


def test_rays_hit_triangles():
    triangles = np.array([[0, 0, z, 1, 0, z, 0, 1, z] for z in (3, 1, 2)], "float32")
    tree = weft.Bvh(triangles=triangles)
    rays = np.array([[0.2, 0.2, 0, 0, 0, 0, 1, np.inf], [5, 5, 0, 0, 0, 0, 1, np.inf]], "float32")
    hit, distance = tree.nearest("rays", rays)
    assert hit.tolist() == [1, weft.spatial.NONE] and distance.tolist() == [1, np.inf]
    with pytest.raises(ValueError, match="one of boxes"):
        tree.nearest("lines", rays)
    with pytest.raises(TypeError, match="over boxes, or"):
        weft.Bvh()


def test_neighbours(rng):
    points = rng.random((200, 3), "float32")
    offsets, neighbours = (each.numpy() for each in weft.find_neighbours(points, 0.2))
    squared = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    for i, part in enumerate(np.split(neighbours, offsets[1:-1].astype(int))):
        expected = set(np.flatnonzero(squared[i] <= np.float32(0.2) ** 2)) - {i}
        assert set(part.tolist()) == expected


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_pyramids(rng, dtype):
    image = (rng.random((16, 8, 4)) * 255).astype(dtype)
    levels = weft.mipmaps(image)
    assert [shape for _, shape in levels] == [(8, 4, 4), (4, 2, 4), (2, 1, 4), (1, 1, 4)]
    above = image
    for level, shape in levels[:3]:
        got = level.numpy().reshape(shape)
        mean = above.reshape(shape[0], 2, shape[1], 2 if above.shape[1] > 1 else 1, 4).mean(axis=(1, 3))
        assert got.dtype == dtype and np.allclose(got, mean, atol=0.51 if dtype == "uint8" else 1e-3)
        above = got
    largest = weft.mipmaps(image[:, :, 0], filter="max")
    assert largest[-1][0].tolist() == [image[:, :, 0].max()] and largest[0][1] == (8, 4)


def test_wrong_images_are_refused():
    for image, error in [(np.zeros(5, "uint8"), ValueError), (np.zeros((2, 2, 5), "uint8"), ValueError),
                         (np.zeros((2, 2)), TypeError), (np.zeros((0, 2), "uint8"), ValueError)]:
        with pytest.raises(error):
            weft.mipmaps(image)
