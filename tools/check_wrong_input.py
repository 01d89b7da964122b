#!/usr/bin/env python3
"""Checks that a file provokes every message.

Every sentence in the sources of read/, assemble/ and model/, messages and hints alike, must stand
in some tests/wrong_input/**/*.expected. Messages that only a call from C++ can provoke are listed, with their
test, in tests/wrong_input/elsewhere.txt: lines `file.cpp | sentence` after a line
`# test: path`; that test must contain the sentence's words.
"""
import re
import sys
from pathlib import Path

MODULES = ("read", "generate", "force", "model")
TOKENS = re.compile(r"""
    //[^\n]* | /\*.*?\*/                     # comments
  | ^\s*\#[^\n]*                             # includes and the like
  | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"     # raw strings are data
  | '(?:\\.|[^'\\\n])'                       # characters
  | (?P<text>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def sentences(source):
    """String literals for people: those with at least two words."""
    found = []
    for token in TOKENS.finditer(source):
        if not token["text"]:
            continue
        parts = re.findall(r'"((?:\\.|[^"\\\n])*)"', token["text"])
        text = "".join(parts).replace(r"\"", '"').replace(r"\n", "\n").replace(r"\\", "\\")
        if re.search(r"[A-Za-z{}'] +[A-Za-z{']", text) and re.search(r"[a-z]{2}", text):
            found.append(text)
    return found


def pattern(sentence):
    """A sentence as a regular expression, each {} matching any text."""
    pieces = re.split(r"\{[^{}]*\}", sentence.replace("{{", "\0").replace("}}", "\1"))
    escaped = [re.escape(piece.replace("\0", "{").replace("\1", "}")) for piece in pieces]
    return re.compile("[^\n]*?".join(escaped))


def elsewhere(text):
    """The sentences provoked by a test in C++, as (file, sentence) -> test."""
    listed, test = {}, None
    for line in text.splitlines():
        if line.startswith("# test: "):
            test = line.removeprefix("# test: ").strip()
        elif line.strip() and not line.startswith("#"):
            file, _, sentence = line.partition(" | ")
            listed[file.strip(), sentence.strip()] = test
    return listed


def check(root):
    provoked = "\n".join(path.read_text() for path in sorted((root / "tests/wrong_input").rglob("*.expected")))
    list_file = root / "tests/wrong_input/elsewhere.txt"
    listed = elsewhere(list_file.read_text()) if list_file.exists() else {}
    problems, used, count = [], set(), 0
    for module in MODULES:
        for path in sorted((root / "trammel" / module).rglob("*.[ch]pp")):
            for sentence in sentences(path.read_text()):
                count += 1
                if pattern(sentence).search(provoked):
                    continue
                key = (path.relative_to(root / "trammel").as_posix(), sentence.strip().replace("\n", r"\n"))
                if key in listed:
                    used.add(key)
                    test = root / (listed[key] or "")
                    words = max(re.split(r"\{[^{}]*\}|'", sentence), key=len).strip()
                    if not test.is_file() or words not in re.sub(r'"\s*"', "", test.read_text()):
                        problems.append(f"{key[0]}: '{sentence}' is listed as tested in {listed[key]}, which does not contain '{words}'")
                else:
                    problems.append(f"{key[0]}: no file of tests/wrong_input provokes '{sentence}'")
    problems += [f"elsewhere.txt: '{s}' of {f} is provoked by a file, or gone: take it off the list"
                 for f, s in listed if (f, s) not in used]
    return count, problems


def main():
    count, problems = check(Path(__file__).resolve().parent.parent)
    print("\n".join(problems) or f"wrong input: all {count} sentences are provoked")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
