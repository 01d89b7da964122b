"""Other model files of the same mechanism: in a skew frame, with every joint written twice."""
import json
import tomllib

from .arithmetic import Decimal


def read(path):
    with open(path, "rb") as file:
        return tomllib.load(file, parse_float=Decimal)


def _value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(x)}" for key, x in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value) if isinstance(value, (str, bool)) else str(value)


def write(model):
    lines = [f"{key} = {_value(value)}" for key, value in model.items() if not isinstance(value, dict)]
    for key, table in model.items():
        if isinstance(table, dict):
            lines += [f"[{key}]"] + [f"{json.dumps(name)} = {_value(entry)}" for name, entry in table.items()]
    return "\n".join(lines) + "\n"


def skew(model):
    """All that stands on ground stands on a platform that is turned and far away: every number rounds."""
    def on(name):
        return "platform" if name == "ground" else name
    model["body"]["platform"] = {}
    for joint in model["joint"].values():
        joint["parent"], joint["child"] = on(joint["parent"]), on(joint["child"])
    for frame in model.get("frame", {}).values():
        frame["body"] = on(frame["body"])
    for kind in ("constraint", "spring"):
        for entry in model.get(kind, {}).values():
            entry["between"] = [on(name) for name in entry["between"]]
    place = {"xyz": [Decimal("12.3"), Decimal("-0.71"), Decimal("3.19")], "rpy": [Decimal("0.7"), Decimal("-0.4"), Decimal("1.1")]}
    model["joint"]["stand_of_all"] = {"type": "fixed", "parent": "ground", "child": "platform", "at": place}


def twice(model):
    """Every joint a second time, bare: without spring and drive, closing a loop."""
    for name, joint in list(model["joint"].items()):
        twin = {key: value for key, value in joint.items() if key not in ("spring", "drive")}
        model["joint"][f"{name}_twin"] = {**twin, "cut": True}
