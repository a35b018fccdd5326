"""Lists the plans that the wheel's packs hold: those of common functions and types.

    python python/packs/list_plans.py       # writes sorts.txt and others.txt beside this file

Functions run on a device and record their plans, with a larger maximum count, since a pack serves every smaller one too.
Run this after a change of the functions; python/tests/test_packs.py finds what the lists lack.
"""

import os
import pathlib
import re
import tempfile

FOLDER = pathlib.Path(__file__).parent
TYPES = ("int32", "uint32", "int64", "float32", "float64")
MOST = 1 << 32


def run_functions(device, types, small_types):
    import numpy as np

    import weft

    for dtype in types:
        x = weft.asarray(np.arange(5).astype(dtype), device=device)
        weft.sort(x)
        weft.sort(x, descending=True)
        weft.argsort(x)
        weft.sort_pairs(x, np.arange(5, dtype="uint32"))
        weft.top_k(x, 3)
        weft.merge(x, x)
        for to in types:
            weft.asarray(x, to)
    for dtype in (*types, *small_types):
        x = weft.asarray(np.arange(5).astype(dtype), device=device)
        for function in (weft.sum, weft.cumsum, weft.min, weft.max, weft.argmin, weft.argmax, weft.flatnonzero):
            function(x)
        for function in (weft.compact, weft.partition):
            function(x, np.ones(5, bool))
        weft.reduce(x, "min")
        weft.reduce(x, "max")
        for bins in (10, 100, 256):
            weft.histogram(x, bins)
            weft.histogram(x, bins, (0, bins))
        weft.run_length_encode(x)
        weft.unique(x, return_counts=True)
        weft.unique(x, return_inverse=True)
        if x.dtype.kind in "iu":
            weft.bincount(x)
            weft.bincount(x, 1000)
    device.synchronize()


def plans_of_functions(selector, types, small_types):
    """The lines of all plans that functions make."""
    import weft

    with tempfile.TemporaryDirectory() as folder:
        recorded = os.path.join(folder, "plans.txt")
        before = os.environ.get("WEFT_RECORD_PLANS")
        os.environ["WEFT_RECORD_PLANS"] = recorded
        try:
            device = weft.Device(selector, timeout=300.0)
        finally:
            if before is None:
                del os.environ["WEFT_RECORD_PLANS"]
            else:
                os.environ["WEFT_RECORD_PLANS"] = before
        run_functions(device, types, small_types)
        lines = pathlib.Path(recorded).read_text().splitlines()
    return {re.sub(r" max_count=\d+", f" max_count={MOST}", line) for line in lines
            if line and not line.startswith(("#", "kernel"))}


def main():
    plans = sorted(plans_of_functions("host", TYPES, ("bool", "uint8")))
    for name, is_in in (("sorts", True), ("others", False)):
        text = "".join(line + "\n" for line in plans if line.startswith("Sort ") == is_in)
        (FOLDER / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
