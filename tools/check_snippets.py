#!/usr/bin/env python3
"""Checks that code blocks of the docs that name a source file are verbatim parts of it.

The line before a block names its source: <!-- from examples/pendulum.cpp -->
"""
import pathlib
import re
import sys

top = pathlib.Path(__file__).resolve().parent.parent
pattern = re.compile(r"<!-- from (\S+) -->\n```\w*\n(.*?)```", re.S)


def wrong_snippets(root):
    for page in sorted(root.rglob("*.md")):
        if "build" in page.relative_to(root).parts:
            continue
        for source, text in pattern.findall(page.read_text()):
            file = root / source
            if not file.exists():
                yield f"{page.relative_to(root)}: {source} does not exist"
            elif text not in file.read_text():
                yield f"{page.relative_to(root)}: its piece of {source} does not stand there any more"


if __name__ == "__main__":
    found = list(wrong_snippets(top))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
