"""Arrays of PyTorch, CuPy and JAX on a GPU, by hand where those are installed:

    WEFT_TEST_DEVICES=cuda python -m pytest python/tests/test_libraries.py
"""

import gc
import pathlib
import re

import numpy as np
import pytest

import weft
from weft import _core

torch = pytest.importorskip("torch")
cupy = pytest.importorskip("cupy")
jax = pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def on_cuda(device):
    assert device.backend == "cuda"


def test_torch_is_sorted_where_it_lies(rng):
    x = rng.integers(-2**31, 2**31, 1 << 20).astype("int32")
    t = torch.from_numpy(x).cuda()
    a = weft.asarray(t, copy=False)
    assert a.address == t.data_ptr()
    result = torch.from_dlpack(weft.sort(t))
    assert result.is_cuda and np.array_equal(result.cpu().numpy(), np.sort(x))
    assert weft.sort(t, out=t) is t
    assert np.array_equal(t.cpu().numpy(), np.sort(x))


def test_work_goes_on_torchs_stream(rng):
    x = torch.from_numpy(rng.random(1 << 22).astype("float32")).cuda()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(20):  # each step needs the one before
            y = (x * 1.5).contiguous()
            s = weft.cumsum(y)
            assert _core.stream_handle(s.stream) == stream.cuda_stream
            z = torch.from_dlpack(s) + 1
            del y, s
        stream.synchronize()
    expected = np.cumsum(x.cpu().numpy().astype("float64") * 1.5) + 1
    assert np.allclose(z.cpu().numpy(), expected, rtol=1e-3)


def test_torch_on_another_stream_waits(rng):
    x = rng.integers(0, 2**31, 1 << 22).astype("int32")
    other = weft.Stream(weft.default_device())
    for _ in range(10):
        t = torch.from_numpy(x).cuda()
        weft.sort(t, out=t, stream=other)
        result = t + 0
        assert np.array_equal(result.cpu().numpy(), np.sort(x))


def test_cupy_in_and_out(rng):
    x = rng.random(1 << 20)
    c = cupy.asarray(x)
    assert weft.asarray(c).address == c.data.ptr
    assert np.array_equal(cupy.asnumpy(cupy.asarray(weft.sort(c))), np.sort(x))
    assert np.array_equal(cupy.asnumpy(cupy.from_dlpack(weft.sort(c))), np.sort(x))
    with cupy.cuda.Stream(non_blocking=True) as stream:
        c = cupy.asarray(x) * 2
        result = weft.sort(c)
        assert _core.stream_handle(result.stream) == stream.ptr
        assert np.array_equal(cupy.asnumpy(cupy.asarray(result)), np.sort(x * 2))


def test_jax_in_and_out(rng):
    x = rng.integers(-2**31, 2**31, 1 << 20).astype("int32")
    j = jax.device_put(x, jax.devices("gpu")[0])
    result = weft.sort(j)
    assert np.array_equal(result.numpy(), np.sort(x)) and np.array_equal(np.asarray(j), x)
    back = jax.dlpack.from_dlpack(result)
    assert np.array_equal(np.asarray(back), np.sort(x))
    assert weft.sum(jax.numpy.arange(10)) == 45


def test_types_of_torch():
    for name in ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]:
        t = torch.tensor([1, 0, 1]).to(getattr(torch, name)).cuda()
        a = weft.asarray(t)
        assert a.dtype == name and a.tolist() == t.cpu().tolist() and a.address == t.data_ptr()
    for wrong in [torch.zeros(3, dtype=torch.complex64).cuda(), torch.zeros(3, dtype=torch.bfloat16).cuda()]:
        with pytest.raises(TypeError):
            weft.asarray(wrong)
    with pytest.raises(ValueError, match="one dimension"):
        weft.asarray(torch.zeros(2, 2).cuda())
    with pytest.raises(ValueError, match="not contiguous"):
        weft.asarray(torch.zeros(10).cuda()[::2])


def test_memory_goes_back_and_forth():
    """Tensors of torch's pool, and arrays of Weft's, over and over."""
    for turn in range(200):
        t = torch.full((1 << 16,), turn, dtype=torch.int32, device="cuda")
        total = weft.sum(t)
        shared = torch.from_dlpack(weft.map("x + 1", t))
        del t
        assert int(total) == turn << 16 and int(shared.sum()) == (turn + 1) << 16
    gc.collect()


def test_a_kernel_on_torch():
    scale = weft.kernel("""
        #version 460
        layout(local_size_x = 256) in;
        layout(set = 0, binding = 0) buffer Data { float data[]; };
        layout(push_constant) uniform Push { float factor; };
        void main() { data[gl_GlobalInvocationID.x] *= factor; }
    """)
    t = torch.ones(1024, device="cuda")
    scale(4, weft.asarray(t), push={"factor": 3.0})
    assert t.sum().item() == 3072


@pytest.mark.parametrize("library", ["torch", "cupy", "jax", "numba"])
def test_programs_in_the_docs(library):
    pytest.importorskip(library)
    text = (pathlib.Path(__file__).parents[2] / "docs/python-recipes.md").read_text()
    blocks = re.findall(rf"^```python {library}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "python-recipes.md", "exec"), {})
