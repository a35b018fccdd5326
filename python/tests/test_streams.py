"""Waiting: progress, Ctrl-C, time-outs and the device's clock."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import weft

LONG = weft.kernel("""
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint turns; };
void main() {
  for (uint i = 0; i < turns; ++i) data[0] = data[0] * 1664525u + 1013904223u;
}
""")


@pytest.fixture
def long_work(device):
    """Work of about a second or more on the device; how long it takes is measured."""
    data = weft.asarray([1], "uint32")
    LONG(1, data, push={"turns": 1000})
    data.wait()
    turns, seconds = 1 << 16, 0.0
    while seconds < 0.2:
        turns *= 4
        start = time.perf_counter()
        LONG(1, data, push={"turns": turns})
        data.wait()
        seconds = time.perf_counter() - start
    turns = min(int(turns * 1.5 / seconds), 2**32 - 1)

    def record():
        LONG(1, data, push={"turns": turns})
        return data

    yield record
    data.wait()


def test_waits_tell_their_progress(device, long_work):
    long_work()
    seen = []
    device.stream.synchronize(progress=seen.append)
    assert len(seen) >= 3 and seen == sorted(seen) and 0 < seen[0] < 0.5


def test_a_progress_callback_may_end_the_wait(device, long_work):
    class Enough(Exception):
        pass

    def stop(seconds):
        raise Enough

    long_work()
    start = time.perf_counter()
    with pytest.raises(Enough):
        device.stream.synchronize(progress=stop)
    assert time.perf_counter() - start < 1


def test_control_c_ends_waits(device, long_work):
    for wait in [lambda data: data.item(), lambda data: device.stream.synchronize()]:
        data = long_work()
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
        start = time.perf_counter()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            wait(data)
        assert time.perf_counter() - start < 1
        timer.join()
        data.wait()  # the work goes on, and so does the device


def test_other_threads_run_while_one_waits(device, long_work):
    data, counted, done = long_work(), [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    data.wait()
    done.set()
    thread.join()
    assert counted[0] > 50


def test_waits_end_in_time(device, long_work):
    data = long_work()
    event = device.stream.record()
    with pytest.raises(TimeoutError) as caught:
        event.wait(0.01)
    assert isinstance(caught.value, weft.Timeout) and caught.value.code == "timeout"
    event.wait()
    assert event.done and isinstance(data.item(), int)


def test_the_devices_clock(device):
    stream = device.stream
    start = stream.timestamp()
    weft.sort(np.arange(10000, dtype="uint32"))
    end = stream.timestamp()
    stream.synchronize()
    assert 0 < end.seconds_since(start) < 10
