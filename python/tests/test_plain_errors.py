"""No wrong call of a public function, method or constructor shows the inside: errors name the argument."""
import inspect
import pathlib
import re

import numpy as np
import pytest

import trammel
from trammel import _calls, _engine

MODEL = trammel.load("@four_bar")
STATE = trammel.start_state(MODEL)
RUN = trammel.simulate(MODEL, duration=0.1, sample=0.05)
PLATFORM = trammel.load("@four_mecanum_wheels")
TRAJECTORY = trammel.follow_path(PLATFORM, trammel.start_state(PLATFORM), PLATFORM.bodies[1].name, trammel.straight_path(0.1, 0.0, 1.0), sample=0.5)
CSV = "points.csv"
# what pybind11 says by itself
INSIDE = re.compile(r"incompatible (function|constructor)|Unable to cast|#define|pybind11|Invoked with|0x[0-9a-f]{6}|std::|trammel::|arg\d|_engine")
WRONG = [None, "x", 5, 1.5, True, object(), [], {}, [1, 2], ["x"], [{}], {"x": 1}, {1: 2}, lambda *_: None, np.array(["a"]),
         np.zeros((2, 2, 2)), b"x", {"motor": "x"}, [("a", "b")], MODEL, STATE, 1j, slice(0), float("nan")]


def bound():
    """(name, function, signature) of everything that pybind11 binds."""
    for name, thing in vars(_engine).items():
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if isinstance(value, property):
                    continue
                if callable(value) and (getattr(value, "__doc__", "") or "").startswith(member + "(") and "->" in value.__doc__:
                    yield f"{name}.{member}", value, value.__doc__.splitlines()[0]
        elif inspect.isroutine(thing):
            yield name, thing, thing.__doc__.splitlines()[0]


BOUND = {name: (function, signature) for name, function, signature in bound()}
OPERATORS = re.compile(r"\.__(?!init__|getitem__|setitem__)\w+__$")


def test_the_list_is_complete():
    assert len(BOUND) > 230
    assert {"forward_dynamics", "Model.joint", "State.__init__", "Description.body", "simulate", "load"} <= BOUND.keys()
    for name in trammel.__all__:
        if inspect.isbuiltin(getattr(trammel, name)):
            assert name in BOUND


def test_every_type_of_a_parameter_has_words():
    known = {"Optional", "Union", "ndarray", "List", "Sequence", "Tuple", "Dict", "Mapping", "object", "FixedSize", *_calls._PLAIN}
    def check(text):
        head, inner = _calls._arguments_of(text)
        assert head in known or _calls._class_named(head) is not None, text
        if head != "ndarray":
            for each in inner:
                if not each.isdigit():  # float[5]: five of them
                    check(each)
    for name, (_, signature) in BOUND.items():
        for parameter in _calls._parameters(signature):
            if not parameter.name.startswith("*"):
                check(parameter.type)
                assert "::" not in _calls._words(parameter.type)


def sample(name, parameter):
    """A valid argument."""
    if "Model" in parameter.type and parameter.name == "model":
        return MODEL
    if parameter.type == "object" and parameter.name not in ("when", "at", "solid", "limits", "out", "child_at", "tool", "base_at", "X_UA", "pose"):
        by_object = {"path": "@four_bar" if name == "load" else "new.html", "file": CSV, "motion": trammel.loop_motion(MODEL, STATE), "run": RUN}
        return by_object.get(parameter.name, (0, 0, 1) if parameter.name in ("axis", "size", "gravity", "gamma", "moment", "force") else 1.0)
    if name == "path_through" and parameter.name in ("times", "x", "y"):
        return [0.0, 1.0, 2.0]
    by_name = {
        "state": STATE, "factors": STATE, "place": MODEL.bodies[1].name, "axes": "world", "kinematics": trammel.kinematics(MODEL, STATE),
        "positions": trammel.positions(MODEL, STATE), "followers": [], "targets": [], "path": trammel.circle_path(1.0, 1.0, 1.0),
        "q": STATE.q, "v": STATE.v, "description": trammel.Description("d"), "given": np.zeros((1, 3)),
        "from_": STATE.q, "to": STATE.q, "symbols": {}, "notation": "dh", "profile": "constant", "rows": [], "links": [],
        "motion": trammel.loop_motion(MODEL, STATE), "K": np.eye(3), "layout": trammel.isotropic_layout(3), "gravity": (0, 0, -1),
        "ranges": [], "size": (1, 1, 1), "at": MODEL.bodies[1].name if name == "Wrench.__init__" else (0, 0, 0),
        "axis": "z", "solid": None, "expressions": [], "memo": {}, "dof": 0, "k": 0,
        "joint": "motor", "space": "q", "trajectory": TRAJECTORY, "solver": "automatic", "with_": {}}
    if parameter.name == "kind":
        return {"Description.constraint": "point", "Description.wheel": "omni"}.get(name, "revolute")
    if parameter.name in by_name and not (name.startswith("Description.") and parameter.name in ("solid", "at")):
        if name.endswith("_batch") and parameter.name in "qv":
            return np.zeros((1, 3))
        return by_name[parameter.name]
    head, inner = _calls._arguments_of(parameter.type)
    plain = {"float": 1.0, "int": 1, "bool": False, "str": "x", "Optional": None, "dict": {}, "Iterable": [], "iterable": [], "List": [], "Dict": {},
             "object": None, "ndarray": np.zeros(3), "Tuple": (), "Mapping": {}, "Union": np.zeros((1, 3)), "Sequence": []}
    if head in plain:
        return plain[head]
    found = {"Expr": trammel.Graph().symbol("x"), "PlanarPath": trammel.circle_path(1.0, 1.0, 1.0), "Graph": trammel.Graph(), "Model": MODEL,
             "State": STATE, "Description": trammel.Description("d"), "Support": trammel.Support()}
    return found.get(head)


def owner(name):
    """An object for the method of a class; None if the call needs none."""
    kind = name.split(".")[0]
    makers = {
        "Model": lambda: MODEL, "State": lambda: STATE.copy(), "Description": lambda: trammel.Description("d"), "Graph": trammel.Graph,
        "Expr": lambda: trammel.Graph().symbol("x"), "PlanarPath": lambda: trammel.circle_path(1.0, 1.0, 1.0),
        "LinearizedDynamics": lambda: trammel.linearized_dynamics(MODEL, STATE),
        "SpatialOperators": lambda: trammel.spatial_operators(*TREE), "TransmissionForm": lambda: trammel.transmission_form(*TREE)}
    return makers[kind]() if kind in makers else None


TREE_MODEL = trammel.load("@double_pendulum")
TREE = (TREE_MODEL, trammel.start_state(TREE_MODEL))


def attempt(function, *arguments, **named):
    """The text of an error in words; empty if there is none."""
    try:
        function(*arguments, **named)
    except (RuntimeError, TypeError, ValueError, KeyError, IndexError, OSError, OverflowError, ZeroDivisionError, AttributeError) as error:
        text = str(error)
        assert not INSIDE.search(text), text
        assert type(error) is not RuntimeError or "cast" not in text, text
        assert type(error) is not AttributeError, text  # an argument of another type was used
        assert text.strip()
        return text
    return ""


def call_of(name):
    """The callable as the user has it, its parameters, and valid arguments for those that must be given."""
    function, signature = BOUND[name]
    parameters = _calls._parameters(signature)
    if "." in name:
        parameters = parameters[1:]
        kind, member = name.split(".")
        function = getattr(_engine, kind) if member == "__init__" else getattr(owner(name), member, None)
        if function is None:  # a result whose methods take nothing else
            pytest.skip("no object of this class is at hand")
    parameters = [p for p in parameters if not p.name.startswith("*")]
    short = {"duration": 0.01} if name.startswith("simulate") else {}
    return function, parameters, {**short, **{p.name: sample(name, p) for p in parameters if p.default is None}}


NAMES = sorted(name for name in BOUND if not OPERATORS.search(name) and not name.split(".")[-1].startswith("_repr"))


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_are_named(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of these calls write files
    (tmp_path / CSV).write_text("t,x,y\n0,0,0\n1,1,0\n2,2,1\n")
    function, parameters, valid = call_of(name)
    for parameter in parameters:
        for wrong in WRONG:
            text = attempt(function, **{**valid, parameter.name: wrong})
            is_default = wrong is None and parameter.default == "None"
            if text and not is_default and not isinstance(wrong, bytes) and not _calls._fits(parameter.type, wrong):
                assert parameter.name.rstrip("_") in text, (parameter.name, wrong, text)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_calls_are_explained(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, parameters, valid = call_of(name)
    plain = name.removesuffix(".__init__")
    _, signature = BOUND[name]
    if not any(p.name.startswith("**") for p in _calls._parameters(signature)):
        assert f"{plain} has no argument 'wibble'" in attempt(function, **valid, wibble=1)
    places = [p.name for p in parameters if not p.by_name]
    if not any(p.name.startswith("*") for p in _calls._parameters(signature)):
        assert "were given so" in attempt(function, *[valid.get(place) for place in places], 1, 2, 3)
    for parameter in parameters:
        if parameter.default is None:
            text = attempt(function, **{key: value for key, value in valid.items() if key != parameter.name})
            assert f"{plain}: {parameter.name} is missing" in text
    if places and places[0] in valid:
        text = attempt(function, valid[places[0]], **valid)
        assert f"{plain}: {places[0]} is given twice" in text


def test_properties_are_named():
    state = STATE.copy()
    for name, wrong, text in (("time", "x", "State.time is 'x': give a number"), ("q", "x", "State.q is 'x': give numbers"),
                              ("v", {}, "State.v is a dict: give numbers")):
        with pytest.raises(TypeError, match=re.escape(text)):
            setattr(state, name, wrong)
    with pytest.raises(TypeError, match="Description.name is 5: give a text"):
        trammel.Description("d").name = 5


@pytest.mark.parametrize("call, text", [
    (lambda: trammel.forward_dynamics(STATE, MODEL), "forward_dynamics: model is a State: give a Model, as load or build_model makes it"),
    (lambda: trammel.forward_dynamics(MODEL, torque=[1]),
     "forward_dynamics has no argument 'torque'; did you mean 'tau'? it is called forward_dynamics(model, state, tau=None, *, a=None, "),
    (lambda: trammel.forward_dynamics(MODEL, STATE, taus=[1]), "forward_dynamics has no argument 'taus'; did you mean 'tau'? it is called"),
    (lambda: trammel.forward_dynamics(MODEL), "forward_dynamics: state is missing; it is called forward_dynamics(model, state, "),
    (lambda: trammel.Description("d").body("rod", mass=1, com=(0, 0, 0)), "Description.body has no argument 'mass'; did you mean 'solid'? it is called Description.body("),
    (lambda: trammel.Description("d").start("main", 0.5, 60), "Description.start takes joint by position, 3 arguments were given so: "
     "give the others by name; it is called Description.start(joint, *, position=None, velocity=None)"),
    (lambda: trammel.simulate(MODEL, tolerance="fine"), "simulate: tolerance is 'fine': give a number"),
    (lambda: trammel.load(5), "load: path is 5: give the name of a file"),
    (lambda: trammel.forward_dynamics(MODEL, STATE, "heavy"), "forward_dynamics: tau is 'heavy': give numbers (a list or an array), or a dict")])
def test_messages_name_the_next_step(call, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        call()
