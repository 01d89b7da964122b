"""Wrong calls in plain words: what pybind11 reports as a list of C++ signatures."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np


class _Parameter(NamedTuple):
    name: str
    type: str
    default: Optional[str]  # None: it has to be given
    by_name: bool  # only by name


# words for what an argument of a class may be made by
_MAKERS = {
    "Model": ", as load or build_model makes it",
    "State": ", as neutral_state(model) or start_state(model) makes it",
    "ArticulatedInertias": ", as articulated_inertias(model, state) makes them",
    "Kinematics": ", as kinematics(model, state) makes it",
    "Positions": ", as positions(model, state) or kinematics(model, state) makes them",
    "PlanarPath": ", as circle_path or path_through makes it",
    "Trajectory": ", as follow_path makes it",
    "Description": ", as Description(name) or read_description makes it",
}


# names that users of other libraries try
_SYNONYMS = {
    "tau": "effort", "torque": "tau", "torques": "tau", "efforts": "tau", "u": "tau", "forces": "wrenches", "force": "wrenches",
    "f_ext": "wrenches", "acceleration": "a", "accelerations": "a", "qdd": "a", "dt": "step", "time_step": "step",
    "h": "step", "t_end": "duration", "time": "duration", "tspan": "duration", "rtol": "tolerance", "tol": "tolerance",
    "integrator": "method", "filename": "path", "file": "path", "overwrite": "force", "frame": "place", "body": "place",
    "parameters": "set", "mass": "solid", "com": "solid", "inertia": "solid", "type": "kind", "origin": "at", "xyz": "at"}


def explain(name: str, signature: str, arguments: Tuple[Any, ...], named: Dict[str, Any], reason: str) -> str:
    """Why the call of a function with this signature (the first line of its docstring) is wrong; `reason`: what
    the conversion of an argument said."""
    parameters = _parameters(signature)
    is_method = "." in name
    if is_method:
        arguments, parameters = arguments[1:], parameters[1:]
    call = name.removesuffix(".__init__")
    if not name.endswith(".__init__") and "->" in signature and not signature.startswith(name.split(".")[-1]):
        return _wrong_value(call, parameters[0]._replace(name=call), arguments[0])  # of a property
    return (_wrong_count(call, parameters, arguments, named) or _wrong_type(call, parameters, arguments, named)
            or f"{call}: " + (reason if reason.startswith("an array of ")
                              else f"these arguments do not go together: {_usage(call, parameters)}"))


def _wrong_count(call: str, parameters: List[_Parameter], arguments: Tuple[Any, ...],
                 named: Dict[str, Any]) -> Optional[str]:
    """The message if there are too many, unknown, doubled or missing arguments."""
    known = [parameter.name for parameter in parameters]
    by_place = [parameter.name for parameter in parameters if not parameter.by_name]
    takes_any = any(name.startswith("**") for name in known)
    for name in named:
        if name not in known and not takes_any:
            near = [word for word in (_SYNONYMS.get(name), *get_close_matches(name, known, n=1)) if word in known]
            hint = (f"did you mean '{near[0]}'? " if near else "") + _usage(call, parameters)
            return f"{call} has no argument '{name}'; {hint}"
    if len(arguments) > len(by_place):
        takes = " and ".join(filter(None, [", ".join(by_place[:-1]), *by_place[-1:]])) or "none"
        return (f"{call} takes {takes} by position, {len(arguments)} arguments were given so: give the others by name; "
                + _usage(call, parameters))
    for name in by_place[:len(arguments)]:
        if name in named:
            return f"{call}: {name} is given twice, by position and by name"
    given = {*by_place[:len(arguments)], *named}
    for parameter in parameters:
        if parameter.default is None and parameter.name not in given and not parameter.name.startswith("*"):
            return f"{call}: {parameter.name} is missing; {_usage(call, parameters)}"
    return None


def _wrong_type(call: str, parameters: List[_Parameter], arguments: Tuple[Any, ...],
                named: Dict[str, Any]) -> Optional[str]:
    """The message for the first argument of a wrong type."""
    by_name = {parameter.name: parameter for parameter in parameters}
    places = [parameter.name for parameter in parameters if not parameter.by_name]
    for name, value in [*zip(places, arguments), *named.items()]:
        parameter = by_name.get(name)
        if parameter is not None and not _fits(parameter.type, value):
            return _wrong_value(call, parameter, value) + _advice(value)
    return None


def _advice(value: Any) -> str:
    is_complex = not isinstance(value, str) and np.asarray(value).dtype.kind == "c"
    return "; where real numbers are needed, give the real part (numpy.real)" if is_complex else ""


def _wrong_value(call: str, parameter: _Parameter, value: Any) -> str:
    prefix = "" if parameter.name == call else f"{call}: "
    return f"{prefix}{parameter.name} is {described(value)}: give {_words(parameter.type)}"


def _usage(call: str, parameters: List[_Parameter]) -> str:
    """The call as the user writes it."""
    words: List[str] = []
    for k, parameter in enumerate(parameters):
        if parameter.by_name and (k == 0 or not parameters[k - 1].by_name):
            words.append("*")
        words.append(parameter.name + ("" if parameter.default is None else f"={parameter.default}"))
    return f"it is called {call}({', '.join(words)})"


def described(value: Any) -> str:
    """A wrong argument in a message: short values as they are written, others by their type."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        text = repr(value)
        return text if len(text) < 60 else text[:56] + "..."
    if isinstance(value, (list, tuple)) and len(repr(value)) < 60 and " at 0x" not in repr(value):
        return repr(value)
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


# parts of a signature

def _split(text: str, separator: str) -> List[str]:
    """Pieces of a text at separators outside of brackets."""
    pieces, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces if piece.strip()]


def _parameters(signature: str) -> List[_Parameter]:
    """The parameters of "name(model: trammel.Model, *, tau: float = 0.0) -> float"."""
    inner = signature[signature.index("(") + 1:signature.rindex(") ->")]
    found, by_name = [], False
    for piece in _split(inner, ","):
        if piece == "*":
            by_name = True
            continue
        head, *default = _split(piece, "=")
        name, *kind = _split(head, ":")
        found.append(_Parameter(name, kind[0] if kind else "object", default[0] if default else None, by_name))
    return found


def _arguments_of(text: str) -> Tuple[str, List[str]]:
    """"Dict[str, float]" as ("Dict", ["str", "float"])."""
    head, bracket, rest = text.partition("[")
    return head.split(".")[-1], _split(rest[:-1], ",") if bracket else []


def _fits(text: str, value: Any) -> bool:
    """Whether a value may be an argument of this type; unknown types take everything."""
    head, inner = _arguments_of(text)
    if head == "Optional":
        return value is None or _fits(inner[0], value)
    if head == "Union":
        return any(_fits(each, value) for each in inner)
    if head == "ndarray":
        return _is_array(value)
    if head in ("List", "Sequence", "Tuple", "FixedSize"):
        if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, (str, bytes)):
            return False
        if head == "Tuple":
            return len(value) == len(inner) and all(_fits(t, v) for t, v in zip(inner, value))
        return all(_fits(inner[0], each) for each in value)
    if head in ("Dict", "Mapping"):
        return isinstance(value, Mapping) and all(
            _fits(inner[0], key) and _fits(inner[1], each) for key, each in value.items())
    if head in _PLAIN:
        return isinstance(value, _PLAIN[head][0]) or (head == "bool" and (value is None or hasattr(value, "__bool__")))
    kind = _class_named(head)
    return kind is None or isinstance(value, kind)


def _is_array(value: Any) -> bool:
    if value is None or isinstance(value, (str, bytes, Mapping)):
        return False
    try:
        if np.asarray(value).dtype.kind not in "fiubO":
            return False
        np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    return True


_PLAIN: Dict[str, Tuple[Any, str]] = {
    "float": ((int, float, np.integer, np.floating), "a number"),
    "int": ((int, np.integer), "a whole number"),
    "bool": ((bool, np.bool_), "True or False"),
    "str": (str, "a text"),
    "dict": (dict, "a dict"),
    "Iterable": (Iterable, "a list"),
    "iterable": (Iterable, "a list"),
}


def _class_named(name: str) -> Optional[type]:
    import trammel
    from trammel import _names

    if hasattr(_names, name):  # members of enumerations are texts
        return str
    found = getattr(trammel, name, None)
    return found if isinstance(found, type) else None


def _words(text: str) -> str:
    """What a value of this type is, for the reader of a message."""
    head, inner = _arguments_of(text)
    if head == "Optional":
        return _words(inner[0])
    if head == "Union":
        words = [_words(each) for each in inner]
        return ", or ".join(dict.fromkeys(words))
    if head == "ndarray":
        return "numbers (a list or an array)"
    if head in ("List", "Sequence", "FixedSize"):
        return f"a list of {_several(inner[0])}"
    if head == "Tuple":
        return f"{len(inner)} values: " + ", ".join(_words(each) for each in inner)
    if head in ("Dict", "Mapping"):
        return f"a dict {{name: {_words(inner[1])}}}"
    if head in _PLAIN:
        return _PLAIN[head][1]
    from trammel import _names

    if hasattr(_names, head):
        return " or ".join(repr(str(each)) for each in getattr(_names, head))
    if head == "object":
        return "another value"
    return f"{'an' if head[0] in 'AEIOU' else 'a'} {head}{_MAKERS.get(head, '')}"


def _several(text: str) -> str:
    head, _ = _arguments_of(text)
    plural = {"str": "names", "float": "numbers", "int": "whole numbers"}
    if head in plural:
        return plural[head]
    words = _words(text)
    return words if head in ("List", "Dict", "Union", "Tuple", "ndarray", "Sequence") else f"{head}s"
