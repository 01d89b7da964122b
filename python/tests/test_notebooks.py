"""The notebooks of the docs: stored without outputs, listed in docs/python.md, on names that exist. They run with --peers."""
import ast
import json
import os
import pathlib
import re

import pytest

import trammel

docs = pathlib.Path(os.environ["TRAMMEL_SOURCE"]) / "docs"
notebooks = sorted((docs / "notebooks").glob("*.ipynb"))


def cells(path, kind):
    return ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == kind]


def test_all_are_listed():
    listed = re.findall(r"\]\(notebooks/(\w+)\.ipynb\)", (docs / "python.md").read_text())
    assert sorted(listed) == [path.stem for path in notebooks] and len(listed) >= 5


@pytest.mark.parametrize("path", notebooks, ids=lambda path: path.stem)
def test_they_are_stored_without_outputs(path):
    for cell in json.loads(path.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
    assert cells(path, "markdown")[0].startswith("# ")


@pytest.mark.parametrize("path", notebooks, ids=lambda path: path.stem)
def test_their_names_exist_and_they_check_something(path):
    source = "\n".join(cells(path, "code"))
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "trammel":
            assert node.attr in trammel.__all__, node.attr
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))
