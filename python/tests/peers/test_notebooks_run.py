"""The notebooks of the docs run from top to bottom, with the results of their cells: needs nbclient and ipykernel (./dev test --peers)."""
import os
import pathlib

import nbformat
import pytest
from nbclient import NotebookClient

notebooks = sorted((pathlib.Path(os.environ["TRAMMEL_SOURCE"]) / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", notebooks, ids=lambda path: path.stem)
def test_it_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "text/html" in kinds or "image/png" in kinds  # a table, a figure or a page
    assert not [output for output in shown if output.output_type == "error"]
    for cell in notebook.cells:  # a figure is shown once
        assert sum("image/png" in output.get("data", {}) for output in cell.get("outputs", [])) <= 1, cell.source
