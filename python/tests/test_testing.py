"""weft.testing finds what kernels do wrong, and names the line."""

import numpy as np
import pytest

import weft
from weft import testing

HEAD = """#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint count; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex;
"""
LINE = HEAD.count("\n") + 1


@pytest.fixture(scope="module")
def checking():
    return testing.device()


def run(checking, body, **options):
    kernel = weft.kernel(HEAD + body + "\n}\n", name="wrong.comp")
    data = np.zeros(64, "uint32")
    testing.run(kernel, 1, data, push={"count": 64}, on=checking, **options)
    return data


@pytest.mark.parametrize("body, fault, line", [
    ("  data[i + 1] = 1;", testing.OutOfBounds, LINE),
    ("  tile[i] = i;\n  barrier();\n  data[i] = tile[i + 1];", testing.OutOfBounds, LINE + 2),
    ("  tile[i] = i;\n  barrier();\n  tile[7] = i;", testing.DataRace, LINE + 2),
    ("  data[0] = i;", testing.DataRace, LINE),
    ("  if (i > 0) tile[i] = i;\n  barrier();\n  data[i] = tile[i];", testing.UninitialisedRead, LINE + 2),
    ("  if (i < 32) barrier();", testing.Deadlock, LINE),
])
def test_faults_name_their_line(checking, body, fault, line):
    with pytest.raises(fault) as caught:
        run(checking, body)
    assert caught.value.line == line and caught.value.file == "wrong.comp"
    assert isinstance(caught.value, weft.KernelFailed) and caught.value.code == "kernel_failed"


def test_what_is_right_runs(checking):
    data = run(checking, "  tile[i] = i;\n  barrier();\n  data[i] = tile[63 - i] + count;")
    assert data.tolist() == [63 - i + 64 for i in range(64)]


def test_arrays_of_other_devices_come_back(checking, device):
    kernel = weft.kernel(HEAD + "  data[i] += i + count;\n}\n")
    a = weft.asarray(np.ones(64, "uint32"), copy=True)
    testing.run(kernel, 1, a, push={"count": 5}, on=checking)
    assert a.tolist() == [i + 6 for i in range(64)]
    testing.run(kernel, 1, push={"count": 5}, schedule=7, subgroup_size=8, **{kernel.on(checking).arguments[0][0]: a})
    assert a.tolist() == [2 * i + 11 for i in range(64)]


def test_lists_are_refused(checking):
    with pytest.raises(ValueError, match="no memory to share"):
        testing.run(weft.kernel(HEAD + "}\n"), 1, [1, 2], push={"count": 5}, on=checking)
