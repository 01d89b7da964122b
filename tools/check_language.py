#!/usr/bin/env python3
"""Checks the vocabulary: retired identifiers in code are errors, retired words and sentence openings in prose are warnings.

Identifiers are those of tools/retired_identifiers.toml. Prose is comments and Markdown pages; what stays allowed stands in
ALLOWED. Subjects of commits that are not on the upstream branch yet are warned about where they exceed 72 characters.

    tools/check_language.py            errors, and the number of warnings per file
    tools/check_language.py --all      every warning with its line
"""
import pathlib
import re
import subprocess
import sys
import tomllib

CODE = (".cpp", ".hpp", ".py", ".pyi", ".ts")
# One pattern per language: comments and strings, the rest is code.
TOKENS = {
    "c": re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)
                      |(?P<string>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
                                 |`(?:\\.|[^`\\])*`)""", re.S | re.X),
    "python": re.compile(r"""(?P<string>\"\"\".*?\"\"\"|'''.*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<comment>\#[^\n]*)""",
                         re.S | re.X),
}
# Words of the old vocabulary in prose, and the word to use.
WORDS = {
    r"roads?": "method, solver", r"freedoms": "degrees of freedom", r"slopes?": "derivative", r"letters?": "symbol",
    r"happenings?": "event", r"house|rooms?|doors?": "architecture, module, interface", r"felt": "shifted to",
    r"limbs?": "packed chain", r"planned motions?": "prescribed motion", r"stand alike": "redundant layout", r"seed 00\d": "author and year",
    r"give(?:s)? way": "articulated-body pass", r"floor ?plan": "layers", r"stepper": "integrator",
}
OPENINGS = re.compile(r"(?:^|[.:] )(?:What (?:is|are|was|has|a|an|the)|Those that|Nobody|Who) ")
PASSIVES = re.compile(r"\b(?:is|are) (?:told|said|asked|felt)\b")
# A word in one of these surroundings is the ordinary English one, or that of another field.
ALLOWED = re.compile(
    r"slopes? of (?:the )?(?:ground|terrain|hill|floor|growth|a line|log)|(?:on|down|up) (?:a|the) slope|slope (?:at most|at the edge|of \d|\d)|slope, log|"
    r"road (?:under|surface|wheel)|(?:capital|small|lower-case|upper-case|one|first|Greek|accented|pairs of) letters?|letters?(?: of a word| and digits|, digits)|Automation Letters|"
    r"random seed|open doors?|doors? on|door's|a door|two hinges|room for|tests/fuzz|headroom")


def pieces(text, path):
    """Yields (kind, text, first line): code, comment or string."""
    pattern = TOKENS["python" if path.suffix in (".py", ".pyi") else "c"]
    at = 0
    for match in pattern.finditer(text):
        yield "code", text[at:match.start()], text.count("\n", 0, at) + 1
        yield ("comment" if match["comment"] else "string"), match[0], text.count("\n", 0, match.start()) + 1
        at = match.end()
    yield "code", text[at:], text.count("\n", 0, at) + 1


def retired_identifiers(text, path, retired):
    """Yields (line, old name, new name) for retired identifiers in code."""
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, retired)) + r")(?!\w)")
    for kind, part, first in pieces(text, path):
        if kind == "code":
            for match in pattern.finditer(part):
                yield first + part.count("\n", 0, match.start()), match[0], retired[match[0]]


def doubtful_prose(line):
    """The objections to one line of prose: a word and its replacement, or a sentence opening."""
    if ALLOWED.search(line):
        return
    for word, better in WORDS.items():
        if match := re.search(rf"\b(?:{word})\b", line, re.I):
            yield f"'{match[0]}': {better}"
    if match := OPENINGS.search(line):
        yield f"sentence begins with '{match[0].strip(' .:')}': name the thing"
    if match := PASSIVES.search(line):
        yield f"'{match[0]}': say what computes or reports it"


def prose(text, path):
    """Yields (line number, line) of comments, or of a Markdown page outside of code blocks."""
    if path.suffix == ".md":
        is_code = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code:
                yield number, re.sub(r"`[^`]*`", "", line)
        return
    for kind, part, first in pieces(text, path):
        if kind == "comment":
            for offset, line in enumerate(part.splitlines()):
                yield first + offset, re.sub(r"`[^`]*`", "", line.lstrip("/#* "))


def long_subjects(root):
    """Subjects above 72 characters of commits that are not on the upstream branch."""
    log = subprocess.run(["git", "log", "--no-merges", "--format=%h %s", "@{upstream}.."], cwd=root, capture_output=True, text=True)
    for line in log.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > 72:
            yield f"commit {commit}: subject of {len(subject)} characters: {subject}"


def main(root, arguments):
    retired = tomllib.loads((root / "tools/retired_identifiers.toml").read_text())
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    errors, warnings = [], {}
    for name in names:
        path = root / name
        if path.suffix not in (*CODE, ".md") or name.startswith("tests/fuzz/corpus") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix in CODE and not name.startswith("viewer/"):  # whose libraries have names of their own
            errors += [f"{name}:{line}: '{old}' was renamed: {new}" for line, old, new in retired_identifiers(text, path, retired)]
        found = [f"{name}:{number}: {doubt}" for number, line in prose(text, path) for doubt in doubtful_prose(line)]
        if found:
            warnings[name] = found
    print("\n".join(errors + [f"warning: {subject}" for subject in long_subjects(root)]) or "language: no retired identifier")
    if "--all" in arguments:
        print("\n".join(line for found in warnings.values() for line in found))
    elif warnings:
        total = sum(map(len, warnings.values()))
        print(f"language: {total} doubtful words or sentences in {len(warnings)} files (--all lists them)")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(__file__).resolve().parent.parent, sys.argv[1:]))
