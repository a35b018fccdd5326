"""Plans as Python makes and records them, devices, and the command."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import weft


def test_a_plan_records_its_arguments_by_name(device, rng):
    x = rng.integers(0, 2**32, 1000, "uint32")
    a, out = weft.asarray(x), weft.empty(1000, "uint32")
    plan = weft.plan(device, "Sort", key="uint", max_count=5000, descending=True)
    assert plan.name == "Sort" and plan.properties["temporary_bytes"] >= 0
    plan.record(device.stream, keys=a, keys_out=out, count=1000)
    assert np.array_equal(out.numpy(), np.sort(x)[::-1])


def test_counts_may_lie_on_the_device(device):
    x = np.arange(1000, dtype="uint32")
    out, count = weft.empty(1, "uint32"), weft.asarray(np.array([10], "uint32"))
    plan = weft.plan(device, "Reduce", element="uint", op="sum", max_count=1000)
    plan.record(device.stream, input=weft.asarray(x), output=out, count=count)
    assert out.item() == x[:10].sum()


def test_wrong_plans_are_refused(device):
    for line in [("Sorting", {}), ("Sort", {"kkey": "uint"}), ("Sort", {"key": "uint", "max_count": "many"})]:
        with pytest.raises(weft.InvalidArgument) as caught:
            weft.plan(device, line[0], **line[1])
        assert isinstance(caught.value, ValueError) and caught.value.code == "invalid_argument"


def test_wrong_arguments_are_refused(device):
    plan = weft.plan(device, "Sort", key="uint", max_count=100)
    a = weft.empty(100, "uint32")
    for arguments in [{"keys": 5}, {"keys": a, "keys_out": a, "count": "many"}, {"keys": a, "count": -1},
                      {"keys": a, "keys_out": a, "count": 1, "other": a}]:
        with pytest.raises(TypeError):
            plan.record(device.stream, **arguments)
    with pytest.raises(weft.InvalidArgument, match="count"):
        plan.record(device.stream, keys=a, keys_out=a, count=101)
    with pytest.raises(weft.InvalidArgument):
        plan.record(device.stream, keys=a[:5], keys_out=a, count=50)


def test_devices_are_named(device):
    assert device.backend in device.selector and device.info["name"] == device.name
    assert device.info["limits"]["subgroup_size"] >= 1 and device.info["features"]["int64"] in (True, False)
    assert any(backend["devices"] for backend in weft.list_devices())
    with pytest.raises(weft.InvalidArgument, match="no-such-device"):
        weft.Device("no-such-device")
    with pytest.raises(ValueError, match="timeout"):
        weft.Device(device.selector, timeout=0)
    with pytest.raises(TypeError, match="selector"):
        weft.set_default_device(5)


def test_the_command_lists_devices(device):
    listed = subprocess.run([sys.executable, "-m", "weft", "devices"], capture_output=True, text=True, check=True)
    assert device.name in listed.stdout


def test_importing_is_quick(tmp_path):
    """Without NumPy, which takes longer than Weft: in 50 ms of the processor's time, once compiled to bytecode."""
    code = ("import sys, time; start = time.process_time(); import weft; "
            "print('numpy' in sys.modules, time.process_time() - start)")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    runs = [subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True,
                           text=True).stdout.split() for _ in range(5)]
    assert all(numpy == "False" for numpy, _ in runs)
    assert min(float(seconds) for _, seconds in runs) < 0.05


def test_every_module_has_types():
    """The stubs of the extension module are built, and name what it has."""
    stubs = (pathlib.Path(weft.__file__).parent / "_core.pyi").read_text()
    for name, value in vars(weft._core).items():
        if name.startswith("__") or not callable(value):
            continue
        kind, members = ("class", vars(value)) if isinstance(value, type) else ("def", ())
        assert re.search(rf"^{kind} {name}\b", stubs, re.MULTILINE), name
        for member in members:
            assert member.startswith("_") or re.search(rf"def {member}\b", stubs), (name, member)
    assert (pathlib.Path(weft.__file__).parent / "py.typed").exists()
