"""Times Weft's functions beside those of NumPy, PyTorch, CuPy and JAX, each where it is installed, on the same data.

    python python/bench/beside_peers.py --device host --log2 16 20 24
    python python/bench/beside_peers.py --device cuda --log2 20 24 28

Microseconds of a call, without the copy to the device: the median of several series, each of calls in a row and one
wait at its end. Peers take turns in every round. Keys are random and of 32 bits, int32 since PyTorch lacks functions
of uint32. Before it is timed, each result is compared with the first peer's.

The last table is what a call of one element takes in Python beyond the same call in C++, which records the same plan.
"""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import time

import numpy as np

import weft

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX leaves memory to the others


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Weft:
    name = "weft"

    def __init__(self, device, on_gpu):
        self.device = weft.set_default_device(device)

    def put(self, x):
        return weft.asarray(x, copy=True)

    def wait(self, result):
        self.device.stream.synchronize()

    def get(self, x):
        return np.asarray(x)

    def functions(self):
        return {
            "sort": weft.sort, "argsort": weft.argsort, "cumsum": weft.cumsum, "sum": weft.sum,
            "nonzero": weft.flatnonzero, "unique": weft.unique, "top 100": lambda x: weft.top_k(x, 100),
            "histogram": lambda x: weft.histogram(x, 256, (0, 256))[0], "compact": lambda x: weft.compact(x, "x < 128"),
        }


class NumPy:
    name = "numpy"

    def put(self, x):
        return x

    def wait(self, result):
        pass

    def get(self, x):
        return np.asarray(x)

    def functions(self):
        return {
            "sort": np.sort, "argsort": lambda x: np.argsort(x, kind="stable"), "cumsum": np.cumsum, "sum": np.sum,
            "nonzero": np.flatnonzero, "unique": np.unique, "top 100": lambda x: -np.sort(-np.partition(x, -100)[-100:]),
            "histogram": lambda x: np.histogram(x, 256, (0, 256))[0], "compact": lambda x: x[x < 128],
        }


class Torch:
    name = "torch"

    def __init__(self, on_gpu):
        self.torch, self.on_gpu = importlib.import_module("torch"), on_gpu

    def put(self, x):
        return self.torch.from_numpy(x.copy()).to("cuda" if self.on_gpu else "cpu")

    def wait(self, result):
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def get(self, x):
        return x.cpu().numpy()

    def functions(self):
        torch = self.torch
        return {
            "sort": lambda x: torch.sort(x)[0], "argsort": lambda x: torch.argsort(x, stable=True),
            "cumsum": lambda x: torch.cumsum(x, 0), "sum": torch.sum, "nonzero": lambda x: torch.nonzero(x)[:, 0],
            "unique": torch.unique, "top 100": lambda x: torch.topk(x, 100)[0],
            "histogram": lambda x: torch.histc(x.float(), 256, 0, 256) if not self.on_gpu else torch.histc(x, 256, 0, 255),
            "compact": lambda x: x[x < 128],
        }


class CuPy:
    name = "cupy"

    def __init__(self):
        self.cupy = importlib.import_module("cupy")

    def put(self, x):
        return self.cupy.asarray(x)

    def wait(self, result):
        self.cupy.cuda.runtime.deviceSynchronize()

    def get(self, x):
        return self.cupy.asnumpy(x)

    def functions(self):
        cp = self.cupy
        return {
            "sort": cp.sort, "argsort": cp.argsort, "cumsum": cp.cumsum, "sum": cp.sum, "nonzero": cp.flatnonzero,
            "unique": cp.unique, "top 100": lambda x: cp.sort(cp.partition(x, x.size - 100)[-100:])[::-1],
            "histogram": lambda x: cp.histogram(x, 256, (0, 256))[0], "compact": lambda x: x[x < 128],
        }


class Jax:
    name = "jax"

    def __init__(self, on_gpu):
        self.jax = importlib.import_module("jax")
        self.where = self.jax.devices("gpu" if on_gpu else "cpu")[0]

    def put(self, x):
        return self.jax.device_put(x, self.where)

    def wait(self, result):
        self.jax.block_until_ready(result)

    def get(self, x):
        return np.asarray(x)

    def functions(self):
        jnp, jit, lax = self.jax.numpy, self.jax.jit, self.jax.lax
        return {"sort": jit(jnp.sort), "argsort": jit(jnp.argsort), "cumsum": jit(jnp.cumsum), "sum": jit(jnp.sum),
                "top 100": jit(lambda x: lax.top_k(x, 100)[0]), "unique": jnp.unique, "nonzero": jnp.flatnonzero,
                "histogram": jit(lambda x: jnp.histogram(x, 256, (0, 256))[0])}


def peers_for(device, on_gpu):
    found = [Weft(device, on_gpu)]
    if not on_gpu:
        found.append(NumPy())
    if load("torch") is not None:
        found.append(Torch(on_gpu))
    if on_gpu and load("cupy") is not None:
        found.append(CuPy())
    if load("jax") is not None:
        found.append(Jax(on_gpu))
    return found


def calls_in(peer, function, x, seconds):
    """How many calls take about so long, after the first, which compiles."""
    peer.wait(function(x))
    peer.wait(function(x))
    start = time.perf_counter()
    peer.wait(function(x))
    return max(1, min(2000, int(seconds / max(time.perf_counter() - start, 1e-7))))


def series(peer, function, x, calls):
    start = time.perf_counter()
    result = None
    for _ in range(calls):
        result = function(x)
    peer.wait(result)
    return (time.perf_counter() - start) / calls * 1e6


def data(row, size, rng):
    if row in ("histogram", "unique", "compact", "nonzero"):
        return rng.integers(0, 256, size).astype("int32")
    if row in ("cumsum", "sum"):
        return rng.integers(0, 5, size).astype("int32")
    return rng.integers(-2**31, 2**31, size).astype("int32")


def measure(row, size, peers, seconds, rounds):
    x = data(row, size, np.random.default_rng(1))
    able, expected = [], None
    for peer in peers:
        function = peer.functions().get(row)
        if function is None:
            continue
        there = peer.put(x)
        got = np.asarray(peer.get(function(there))).astype("float64")
        if expected is None:
            expected = got
        elif not np.array_equal(got, expected):
            print(f"{peer.name} disagrees about {row}")
        able.append((peer, function, there, calls_in(peer, function, there, seconds)))
    times = {peer.name: [] for peer, *_ in able}
    for _ in range(rounds):
        for peer, function, there, calls in able:
            times[peer.name].append(series(peer, function, there, calls))
    return {name: statistics.median(each) for name, each in times.items()}


CALLS = 256
"""Calls in a row, which a device has room for: so that none waits for it."""


def calls_of_one_element(device, rounds):
    """Microseconds of each function: in Python, in C++, and the median difference of pairs that were timed in turns."""
    x = weft.asarray(np.ones(1, "int32"), copy=True)
    total, sums = weft.sum(x), weft.cumsum(x)
    wide = {"from": "int", "expression": "T(x)"}
    for name, call, plan, arguments in [
        ("sort, in place", lambda: weft.sort(x, out=x), weft.plan(device, "Sort", key="int", max_count=512),
         {"keys": x, "keys_out": x}),
        ("sum", lambda: weft.sum(x, out=total),
         weft.plan(device, "Reduce", element="int64_t", op="sum", max_count=65536, transform=wide),
         {"input": x, "output": total}),
        ("cumsum", lambda: weft.cumsum(x, out=sums),
         weft.plan(device, "Scan", element="int64_t", op="sum", max_count=65536, transform=wide),
         {"input": x, "output": sums}),
    ]:
        temporary = weft.empty(max(plan.properties.get("temporary_bytes", 0), 1), "uint8")
        in_python, in_cpp = [], []
        for _ in range(rounds + 1):
            device.stream.synchronize()
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            in_python.append((time.perf_counter() - start) / CALLS * 1e6)
            device.stream.synchronize()
            in_cpp.append(plan.seconds_to_record(device.stream, CALLS, **arguments, count=1, temporary=temporary)
                          / CALLS * 1e6)
        pairs = list(zip(in_python, in_cpp))[1:]  # without the first, which compiles
        yield name, *(statistics.median(each) for each in (*zip(*pairs), [p - c for p, c in pairs]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="host", help="Weft's device; peers run on the GPU for cuda, else on the CPU")
    parser.add_argument("--log2", type=int, nargs="+", default=[0, 16, 20, 24], help="sizes, as powers of two")
    parser.add_argument("--only", nargs="+", help="rows")
    parser.add_argument("--seconds", type=float, default=0.1, help="of a series")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    peers = peers_for(given.device, given.device.startswith("cuda"))
    names = [peer.name for peer in peers]
    print(f"{weft.default_device()!r}, {os.cpu_count()} cores; " + ", ".join(
        f"{name} {load(name).__version__}" for name in names))
    print("| function | elements | " + " | ".join(names) + " |\n|---" + "|---" * (len(names) + 1) + "|")
    for row in given.only or peers[0].functions():
        for power in given.log2:
            if row == "top 100" and power < 7:
                continue
            times = measure(row, 1 << power, peers, given.seconds, given.rounds)
            print(f"| {row} | 2^{power} | " + " | ".join(
                f"{times[name]:.3g}" if name in times else "" for name in names) + " |", flush=True)
    print("\n| call of one element | Python | C++ | beyond |\n|---|---|---|---|")
    for name, *times in calls_of_one_element(weft.default_device(), 10 * given.rounds):
        print(f"| {name} | " + " | ".join(f"{each:.2f}" for each in times) + " |", flush=True)


if __name__ == "__main__":
    main()
