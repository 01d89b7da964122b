#!/usr/bin/env python3
"""Checks the include order of trammel/LAYERS, for modules and for their inner folders, and that every module has a short README."""
import pathlib
import re
import sys


def complaints(root):
    """Violations in root/trammel, one line each; none if the order is kept."""
    engine = pathlib.Path(root) / "trammel"
    lines = [line.split("#")[0].split() for line in (engine / "LAYERS").read_text().splitlines()]
    allowed = {folder: set(others) for folder, *others in filter(None, lines)}
    ordered = {folder.rpartition("/")[0] for folder in allowed if "/" in folder}
    for folder in sorted(path for path in engine.iterdir() if path.is_dir()):
        module, readme = folder.name, folder / "README.md"
        if module not in allowed:
            yield f"trammel/{module}: this module is not in trammel/LAYERS"
        if not readme.exists():
            yield f"trammel/{module}: has no README.md"
        elif len(readme.read_text().splitlines()) > 15:
            yield f"trammel/{module}/README.md: more than 15 lines"
        for inner in sorted(path for path in folder.rglob("*") if path.is_dir()):
            name = str(inner.relative_to(engine))
            if name.rpartition("/")[0] in ordered and name not in allowed:
                yield f"trammel/{name}: this folder is not in trammel/LAYERS"
        for file in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")]):
            own = file.relative_to(engine).parts[:-1]
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include\s*["<]trammel/([^">]+)/[^/">]+[">]', line)
                if match and (wrong := forbidden(own, tuple(match[1].split("/")), allowed, ordered)):
                    yield f"{file.relative_to(root)}:{number}: {wrong[0]} may not include {wrong[1]}"


def forbidden(own, other, allowed, ordered):
    """The two folders, where the first may not include the second; None if it may."""
    level = next((k for k, pair in enumerate(zip(own, other)) if pair[0] != pair[1]), None)
    if level is None:
        return None  # one lies in the other
    above, here, there = "/".join(own[:level]), "/".join(own[:level + 1]), "/".join(other[:level + 1])
    if level > 0 and above not in ordered:
        return None
    return None if other[level] in allowed.get(here, ()) else (here, there)


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) or "layers: every include keeps to them")
    sys.exit(bool(found))
