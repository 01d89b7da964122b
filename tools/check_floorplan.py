#!/usr/bin/env python3
"""Checks that every module includes only modules that trammel/LAYERS allows, and has a README."""
import pathlib
import re
import sys


def complaints(root):
    """Errors in root/trammel, as lines of text; empty if there are none."""
    engine = pathlib.Path(root) / "trammel"
    lines = [line.split("#")[0].split() for line in (engine / "FLOORPLAN").read_text().splitlines()]
    plan = {room: set(others) for room, *others in filter(None, lines)}
    for folder in sorted(path for path in engine.iterdir() if path.is_dir()):
        room, readme = folder.name, folder / "README.md"
        if room not in plan:
            yield f"trammel/{room}: this module is not in trammel/FLOORPLAN"
        if not readme.exists():
            yield f"trammel/{room}: has no README.md"
        elif len(readme.read_text().splitlines()) > 15:
            yield f"trammel/{room}/README.md: more than 15 lines"
        for file in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")]):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include\s*["<]trammel/([^/">]+)/', line)
                if match and match[1] != room and match[1] not in plan.get(room, ()):
                    yield f"{file.relative_to(root)}:{number}: {room} may not include {match[1]}"


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) or "layers: all modules keep to them")
    sys.exit(bool(found))
