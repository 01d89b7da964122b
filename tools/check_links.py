#!/usr/bin/env python3
"""Checks that every relative link in *.md files leads to a file and, if given, to a heading."""
import pathlib
import re
import sys


def prose(path):
    """The text without code blocks, in which links do not count."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(), flags=re.S)


def anchors(path):
    """The headings of a page as GitHub spells them in URLs."""
    headings = re.findall(r"^#+\s+(.*)$", re.sub(r"```.*?```", "", path.read_text(), flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def complaints(root):
    pages = [page for page in sorted(root.rglob("*.md"))
             if not {"build", "out", ".git", "node_modules"} & set(page.relative_to(root).parts)]
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            if re.match(r"\w+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists():
                yield f"{page.relative_to(root)}: {link} leads nowhere"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{page.relative_to(root)}: {link}: no such heading there"


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) or "links: all lead somewhere")
    sys.exit(bool(found))
