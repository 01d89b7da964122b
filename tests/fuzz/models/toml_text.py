"""A model as nested dictionaries, and back as text: a heading for each item, its keys below, one a line."""
import json
import math


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        if isinstance(value, float) and not math.isfinite(value):
            return "nan" if value != value else "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {value_text(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(map(value_text, value)) + "]"


def key_text(key):
    return key if key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key) else json.dumps(key)


def model_text(model):
    lines = [f"{key_text(key)} = {value_text(value)}" for key, value in model.items() if not isinstance(value, dict)]
    for section, items in model.items():
        if not isinstance(items, dict):
            continue
        plain = {key: value for key, value in items.items() if section in ("parameters", "run") or not isinstance(value, dict)}
        if plain or not items:
            lines += ["", f"[{key_text(section)}]"] + [f"{key_text(key)} = {value_text(value)}" for key, value in plain.items()]
        for name, item in items.items():
            if name not in plain:
                lines += ["", f"[{key_text(section)}.{key_text(name)}]"]
                lines += [f"{key_text(key)} = {value_text(value)}" for key, value in item.items()]
    return "\n".join(lines) + "\n"
