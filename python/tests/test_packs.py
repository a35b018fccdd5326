"""The lists of the wheel's packs."""

import pathlib
import runpy

import weft

FOLDER = pathlib.Path(__file__).parents[1] / "packs"


def test_lists_have_the_plans_of_functions(device):
    script = runpy.run_path(str(FOLDER / "list_plans.py"))
    listed = {line for path in FOLDER.glob("*.txt") for line in path.read_text().splitlines()}
    plans = script["plans_of_functions"](weft.default_device().selector, ["uint32"], [])
    assert len(plans) > 20 and not plans - listed, "run python/packs/list_plans.py"
