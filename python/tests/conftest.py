"""Which device the tests run on, which types, and which random inputs: as for the tests in C++ (tests/README.md)."""

import os
import random
import zlib

import hypothesis
import numpy as np
import pytest

import weft

SEED = int(os.environ.get("WEFT_TEST_SEED") or random.SystemRandom().getrandbits(32))
CASES = int(os.environ.get("WEFT_TEST_CASES", "2000"))
"""Random cases of a run, which its tests share."""

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "float32", "float64"]

TYPES = int(os.environ.get("WEFT_TEST_TYPES", len(DTYPES)))
"""How many of these a test over types takes."""

hypothesis.core.global_force_seed = SEED
hypothesis.settings.register_profile(
    "weft", deadline=None, database=None, derandomize=False, print_blob=False,
    suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("weft")


def pytest_report_header(config):
    return f"WEFT_TEST_SEED={SEED} on {os.environ.get('WEFT_TEST_DEVICES', 'the default device')}"


def drawn(name, choices, number):
    """`number` of the choices, drawn by the run's seed."""
    return random.Random(SEED ^ zlib.crc32(name.encode())).sample(choices, min(number, len(choices)))


def pytest_generate_tests(metafunc):
    """A test over types takes all, or as many as WEFT_TEST_TYPES says, drawn by the seed."""
    if "dtype" in metafunc.fixturenames and not any(
            mark.args[0] == "dtype" for mark in metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("dtype", drawn(metafunc.module.__name__, DTYPES, TYPES))


@pytest.fixture(scope="session", autouse=True)
def device():
    selectors = os.environ.get("WEFT_TEST_DEVICES", "").replace(",", ";").split(";")
    return weft.set_default_device(weft.Device(selectors[0], timeout=300.0))  # a machine may be busy


@pytest.fixture
def rng(request):
    return np.random.default_rng([SEED, zlib.crc32(request.node.nodeid.encode())])
