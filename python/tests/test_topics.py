"""The package groups its names by topic: each public name is in one topic, documented, and in the stub or a module."""
import ast
import inspect
import os
import pathlib
import re

import pytest

import trammel

source = pathlib.Path(trammel.__file__).read_text()


def topics():
    """Topic -> its names: a comment, imports, and what they add to __all__."""
    found, title = {}, None
    added = {node.lineno: ast.literal_eval(node.value) for node in ast.parse(source).body
             if isinstance(node, ast.AugAssign)}
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("# "):
            title = line[2:]
        elif number in added:
            assert title not in found, f"topic '{title}' comes twice"
            found[title] = added[number]
    return found


def stub_names():
    stub = ast.parse((pathlib.Path(trammel.__file__).parent / "_engine.pyi").read_text())
    return {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_each_name_is_in_one_topic():
    names = [name for topic in topics().values() for name in topic]
    assert len(topics()) > 10 and len(names) > 200
    assert sorted(names) == sorted(set(names)), "a name is in two topics"
    assert names == trammel.__all__


def test_each_public_name_is_in_a_topic():
    modules = {"conventions", "symbolic"}
    public = {name for name, thing in vars(trammel).items()
              if not name.startswith("_") and (name in modules or not inspect.ismodule(thing))}
    assert public - {"List"} == set(trammel.__all__)


def test_the_module_doc_shows_the_topics():
    shown = dict(re.findall(r"^    ([a-z ]+): [^\n(]+\(([^)]+)\)$", trammel.__doc__, re.M))
    assert list(shown) == list(topics())
    for topic, names in shown.items():
        assert set(names.split(", ")) <= set(topics()[topic]), topic


def test_the_index_of_the_docs_has_every_name():
    index = (pathlib.Path(os.environ["TRAMMEL_SOURCE"]) / "docs/python.md").read_text().partition("\n## Index\n")[2]
    rows = re.findall(r"^\| \*\*([a-z ]+)\*\*: [^|]+\|([^|]*)\|([^|]*)\|$", index, re.M)
    listed = {topic: (re.findall(r"`(\w+)`", functions), re.findall(r"`(\w+)`", types)) for topic, functions, types in rows}
    assert listed == {topic: ([name for name in names if name[0].islower()], [name for name in names if not name[0].islower()])
                      for topic, names in topics().items()}


@pytest.mark.parametrize("name", trammel.__all__)
def test_each_name_has_a_doc_and_a_type(name):
    thing = getattr(trammel, name)
    assert inspect.getdoc(thing)
    if inspect.ismodule(thing):
        return
    if type(thing).__name__ == "builtin_function_or_method" or type(thing).__name__ == "pybind11_type":
        assert name in stub_names()
    else:  # written in Python, with its annotations
        assert inspect.isclass(thing)
        assert thing.__module__.startswith("trammel")
