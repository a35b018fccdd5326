"""Kernels of one's own."""

import numpy as np
import pytest

import weft

AXPY = """
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { float a; uint count; };
void main() {
  if (gl_GlobalInvocationID.x < count) y[gl_GlobalInvocationID.x] += a * x[gl_GlobalInvocationID.x];
}
"""

REFERENCES = """
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 2;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(push_constant) uniform Push { Words to; uvec2 add; int sign; };
void main() { to.v[gl_GlobalInvocationID.x] = (gl_GlobalInvocationID.x * factor + add.y) * STEP * sign; }
"""


def test_a_kernel_with_bindings(device, rng):
    x, y = rng.random(1000, "float32"), rng.random(1000, "float32")
    axpy = weft.kernel(AXPY)
    a, b = weft.asarray(x), weft.asarray(y, copy=True)
    axpy(16, a, b, push={"a": 2, "count": 1000})
    assert np.allclose(b.numpy(), y + 2 * x)
    names = [name for name, _ in axpy.on(device).arguments]
    assert names[2:] == ["a", "count"] and axpy.on(device).workgroup_size == (64, 1, 1)
    axpy((16, 1), push={"a": -2.0, "count": 1000}, **{names[0]: a, names[1]: b}, stream=weft.Stream(device))
    assert np.allclose(b.numpy(), y, atol=1e-6)


def test_a_kernel_with_references_and_constants(device):
    fill = weft.kernel(REFERENCES, defines={"STEP": 3}, specialization={0: 32, "factor": 5})
    out = weft.empty(64, "uint32")
    fill(2, out, push={"add": (0, 7), "sign": 1})
    assert np.array_equal(out.numpy(), (np.arange(64) * 5 + 7) * 3)
    groups = weft.asarray([1, 1, 1], "uint32")
    fill(groups, out, push={"add": [0, 0], "sign": 1})
    assert np.array_equal(out.numpy()[:32], np.arange(32) * 15) and out.numpy()[32] == (32 * 5 + 7) * 3


def test_arguments_are_checked_by_name(device):
    axpy, fill = weft.kernel(AXPY), weft.kernel(REFERENCES, defines={"STEP": 1})
    a = weft.asarray(np.zeros(64, "float32"), copy=True)
    right = {"a": 1.0, "count": 64}
    for call, words in [(lambda: axpy(1, a, push=right), "missing"),
                        (lambda: axpy(1, a, a, a, push=right), "2 buffers"),
                        (lambda: axpy(1, a, a), "'a' is missing"),
                        (lambda: axpy(1, a, a, push={**right, "b": 5}), "no argument"),
                        (lambda: axpy(1, a, a, push={**right, "count": 1.5}), "'count'"),
                        (lambda: axpy(1, a, a, push={**right, "count": -1}), "'count'"),
                        (lambda: axpy(1, a, a, push={**right, "a": "one"}), "'a'"),
                        (lambda: axpy("many", a, a, push=right), "groups"),
                        (lambda: axpy((1, 1, 1, 1), a, a, push=right), "groups"),
                        (lambda: fill(1, a, push={"add": 5, "sign": 1}), "'add' takes 2 numbers"),
                        (lambda: fill(1, a, push={"add": (1, 2, 3), "sign": 1}), "'add' takes 2 numbers"),
                        (lambda: weft.kernel(5), "GLSL source"),
                        (lambda: weft.kernel(AXPY, specialization={"none": 1}).on(device), "constant none")]:
        with pytest.raises(TypeError, match=words):
            call()
    with pytest.raises(ValueError, match="copy=False"):
        axpy(1, [1, 2], a, push=right)
    with pytest.raises(weft.CompileFailed) as caught:
        weft.kernel("void main() { nothing; }", name="wrong.comp").on(device)
    assert "wrong.comp" in caught.value.log
    with pytest.raises(weft.InvalidArgument):
        weft.kernel(b"no SPIR-V").on(device)


def test_kernels_work_on_numpy_in_place(rng):
    host = weft.Device("host")
    x = np.ones(64, "float32")
    y = np.zeros(64, "float32")
    axpy = weft.kernel(AXPY)
    axpy(1, weft.asarray(x, device=host), y, push={"a": 3, "count": 64})
    assert y.tolist() == [3] * 64
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        axpy(1, weft.asarray(x, device=host), y, push={"a": 3, "count": 64})


def test_what_becomes_of_a_kernel(device):
    compiled = weft.compile(AXPY)
    assert [kind for _, kind in compiled.arguments] == ["buffer", "buffer", "float", "uint"]
    assert "OpEntryPoint GLCompute" in compiled.disassembly()
    for target in ["lanes", "host", "cuda", "hip"]:
        assert "weft_kernel" in compiled.translation(target)
    with pytest.raises(ValueError, match="targets?; there are|no target"):
        compiled.translation("metal")
    assert weft.kernel(compiled.spirv).on(device).workgroup_size == (64, 1, 1)
    with pytest.raises(weft.CompileFailed):
        weft.compile("nothing")


def test_read_only_arrays_are_for_read_only_buffers(rng):
    device = weft.Device("host")
    x = rng.random(64, "float32")
    x.flags.writeable = False
    y = np.zeros(64, "float32")
    weft.kernel(AXPY)(1, weft.asarray(x, device=device), y, push={"a": 3.0, "count": 64})
    assert np.array_equal(y, 3 * x)
    source = AXPY.replace("readonly buffer X { float x[]; }", "buffer X { float x[]; }")
    with pytest.raises(ValueError, match="declare its buffer readonly"):
        weft.kernel(source)(1, weft.asarray(x, device=device), y, push={"a": 3.0, "count": 64})
    assert np.array_equal(y, 3 * x)


def test_read_only_arrays_are_for_read_only_references(rng):
    device = weft.Device("host")
    x, y = rng.integers(0, 9, 32).astype("uint32"), np.zeros(32, "uint32")
    x.flags.writeable = False
    source = REFERENCES.replace("Words to; uvec2", "Words to; Given from; uvec2").replace(
        "layout(push", "layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Given { uint v[]; };"
                       "\nlayout(push").replace("add.y) * STEP", "add.y) + from.v[gl_GlobalInvocationID.x]")
    copy = weft.kernel(source, specialization={0: 32, "factor": 1})
    push = {"add": (0, 0), "sign": 1}
    copy(1, weft.asarray(y, device=device), x, push=push)
    assert np.array_equal(y, np.arange(32) + x)
    with pytest.raises(ValueError, match="'to' is read-only"):
        copy(1, weft.asarray(x, device=device), x, push=push)
