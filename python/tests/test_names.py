"""Every public function of the engine is bound, every bound name is in the stub with the same parameters,
and has a docstring."""
import ast
import inspect
import os
import pathlib
import re
import sys

import pytest

import trammel
from trammel import _engine

top = pathlib.Path(os.environ["TRAMMEL_SOURCE"])

# parts of a call in C++ that Python does inside
inside = {
    "placed",  # a place in the frame of the tree's body
    "to_string",  # words are strings in Python
    "stick_figures",  # a series of pictures: trammel snapshot
    "efforts_of",  # part of allocate_efforts
    "path_from",  # of files that name files
    "assemble_by_continuation",  # assemble(start=...)
    "load_model",  # load
    "assembled_start",  # start_state
    "assemble_position",  # part of assemble, for starts of the command line
    "close_rounded",
    "start_options",  # which joints a file's start keeps
    "rebuild_model",  # another start for a model that is checked
    "stick_figure_frames",  # pictures of a run: trammel simulate -o run.gif
}


def without_kernels(text):
    """The text of a header without comments, and without what is in namespace kernel or in a type."""
    text = re.sub(r"//[^\n]*", "", text)
    out, depth, skip = [], 0, None
    for piece in re.split(r"(\{|\})", text):
        if piece == "{":
            if skip is None and not re.search(r"namespace trammel\s*$", "".join(out)):
                skip = depth
            depth += 1
        elif piece == "}":
            depth -= 1
            if skip == depth:
                skip = None
        elif skip is None:
            out.append(piece)
    return "".join(out)


def public_functions():
    sys.path.insert(0, str(top / "tools"))
    import check_public
    headers = [top / h for h in sorted(check_public.public_headers(top)) if h.startswith("trammel/dynamics/")]
    headers += [top / "trammel/constraint" / name
                for name in ("assembly/assembly.hpp", "solver/constrained_dynamics.hpp", "equations/loop_motion.hpp",
                             "mobility/mobility.hpp", "solver/sliding_dynamics.hpp")]
    headers += [top / "trammel/model/state.hpp", top / "trammel/model/build/builder.hpp",
                top / "trammel/model/description/solids.hpp", top / "trammel/read/load.hpp",
                top / "trammel/read/gallery.hpp", top / "trammel/write/plot/stick_figure.hpp"]
    for header in headers:
        for name in re.findall(
                r"^(?:\[\[nodiscard\]\] )?(?:inline )?[\w:<>]+&? \*?(\w+)\((?!\))", without_kernels(header.read_text()), re.M):
            yield header.name, name


def test_every_public_function_is_bound():
    found = list(public_functions())
    # the reading above is by pattern: what it must at least have seen
    seen = {name for _, name in found}
    assert {"forward_dynamics", "pose", "reactions", "transmission_form", "mass_matrix_batch",
            "neutral_state", "check_limits", "hybrid_dynamics", "load_model", "box"} <= seen
    assert "solve_mass_matrix" not in seen and "gather_loads" not in seen  # internal
    missing = sorted({f"{header}: {name}" for header, name in found
                      if name not in inside and not hasattr(trammel, name)})
    assert not missing


def test_every_function_of_the_docs_is_bound():
    table = [line for line in (top / "docs/api.md").read_text().splitlines()
             if line.startswith("| `")]
    functions = {name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert len(functions) > 20
    assert not sorted(name for name in functions - inside if not hasattr(trammel, name))


def stub():
    return ast.parse((pathlib.Path(_engine.__file__).parent / "_engine.pyi").read_text())


def parameters_of(node):
    a = node.args
    named = [arg.arg for arg in a.posonlyargs + a.args] + ([f"**{a.kwarg.arg}"] if a.kwarg else [])
    return (named, [arg.arg for arg in a.kwonlyargs])


def parameters_in(doc):
    """Of the signature in which pybind11 begins every docstring."""
    signature = doc.splitlines()[0]
    inner = signature[signature.index("(") + 1:signature.rindex(")")]
    pieces, depth = [""], 0
    for c in inner:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += c
    names = [piece.split(":")[0].split("=")[0].strip() for piece in pieces if piece.strip()]
    if "*" in names:
        k = names.index("*")
        return names[:k], names[k + 1:]
    return names, []


def test_functions_are_as_the_stub_says():
    description = {node.name: parameters_of(node) for node in stub().body
            if isinstance(node, ast.FunctionDef)}
    bound = {name: parameters_in(function.__doc__) for name, function in vars(_engine).items()
             if inspect.isroutine(function)}
    assert description == bound


def members(cls):
    skip = {"__module__", "__doc__", "__init__", "__repr__", "__str__", "__weakref__", "__dict__",
            "__new__"}
    return {name: member for name, member in vars(cls).items()
            if name not in skip and not name.startswith("_pybind11")}


def test_classes_are_as_the_stub_says():
    description = {node.name: node for node in stub().body if isinstance(node, ast.ClassDef)}
    bound = {name: cls for name, cls in vars(_engine).items() if inspect.isclass(cls)}
    assert description.keys() == bound.keys()
    for name, node in description.items():
        methods = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
        fields = {f.target.id for f in node.body if isinstance(f, ast.AnnAssign)}
        has = members(bound[name])
        assert (methods.keys() | fields) - {"__init__"} == has.keys(), name
        for member, method in methods.items():
            runtime = bound[name].__init__ if member == "__init__" else has[member]
            if isinstance(runtime, property):
                assert any(isinstance(d, (ast.Name, ast.Attribute)) for d in method.decorator_list)
            elif member != "__hash__":
                assert parameters_in(runtime.__doc__) == parameters_of(method), (name, member)
        has_init = "__init__" in methods
        assert has_init == bound[name].__init__.__doc__.startswith("__init__(self"), name


def public_things():
    for name in trammel.__all__:
        yield name, getattr(trammel, name)
    for module in (trammel.conventions, trammel.symbolic):
        for name in module.__all__:
            yield f"{module.__name__}.{name}", getattr(module, name)


@pytest.mark.parametrize("name, thing", public_things())
def test_everything_has_a_docstring(name, thing):
    doc = thing.__doc__ or ""
    if inspect.isbuiltin(thing):
        doc = "\n".join(doc.splitlines()[1:])  # without the signature
    assert len(doc.strip()) > 10
    if inspect.isclass(thing) and thing.__module__ == "trammel" and name in vars(_engine):
        for member, value in members(thing).items():
            if not member.startswith("_"):
                text = value.__doc__ or ""
                if not isinstance(value, property):
                    text = "\n".join(text.splitlines()[1:])
                assert len(text.strip()) > 3, f"{name}.{member}"


def test_the_package_names_everything_it_offers():
    offered = {name for name in vars(_engine)
               if not name.startswith("_") and not name.startswith("symbolic_")}
    assert offered <= set(trammel.__all__)
    assert "\n" in trammel.__doc__
