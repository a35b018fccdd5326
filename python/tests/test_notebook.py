"""The notebook, run by its own kernel: no cell fails, among them comparisons with NumPy, and its pictures show something."""

import base64
import io
import pathlib

import nbclient
import nbformat
from matplotlib import image

import weft

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "notebook" / "weft.ipynb"


def pictures_of(notebook):
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "stream", output.text  # a warning
            if "image/png" in output.get("data", {}):
                yield image.imread(io.BytesIO(base64.b64decode(output["data"]["image/png"])))


def test_the_notebook_draws_its_pictures(monkeypatch, tmp_path):
    for folder in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(folder, str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    kept = list(pictures_of(notebook))
    selector = weft.default_device().selector
    chosen = nbformat.v4.new_code_cell(f"import weft; weft.set_default_device({selector!r}).backend")
    notebook.cells.insert(0, chosen)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert notebook.cells[0].outputs[0]["data"]["text/plain"] == repr(weft.default_device().backend)
    drawn = list(pictures_of(notebook))
    assert len(drawn) == len(kept) == 3
    for picture, expected in zip(drawn, kept):
        assert picture.shape[:2] == expected.shape[:2] and picture[..., :3].std() > 0.1
        assert abs(picture - expected).mean() < 0.05
