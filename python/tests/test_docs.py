"""The programs in docs/python*.md."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("python*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_run(page):
    """The blocks of a page, one after the other, as one program."""
    text = page.read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert blocks
    names = {"__name__": page.name}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), names)


def test_there_are_pages():
    assert [page.name for page in PAGES] == ["python-recipes.md", "python.md"]
