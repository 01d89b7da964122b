#!/usr/bin/env python3
"""Mutants: small faults in copies of the sources, each behind a run-time switch.

The list of faults is tests/mutants/*.toml, one file per module (without found_by.toml):

    [[fault]]
    number = 3001                          # TRAMMEL_MUTANT=3001 turns it on
    file = "trammel/simulate/checks/power.cpp"
    was = "f < step.size()"                # text of the source, once in the file
    after = "const auto held"              # optional: once in the file, `was` is the first after it
    becomes = "false"                      # the fault
    what = "loop over the step never entered"
    reason = "..."                         # optional: why no test can distinguish it from the original

An expression becomes (mutant(3001) ? (false) : (f < step.size())); a statement, which ends in ';'
or '}', becomes an if with two branches. If neither fits, `becomes` contains the word MUTANT, which
stands for the call, and the original: "(MUTANT ? -1.0 : 1.0) * x".

`mutants.py ROOT OUT` writes the copies into OUT and prints their paths below ROOT. All errors of
the list are reported at once; exit code 1.
"""
import dataclasses
import pathlib
import sys
import tomllib

LIST = pathlib.Path("tests/mutants")
FOUND_BY = "found_by.toml"  # in LIST, no list of faults: the suite that finds each, by tools/mutate.py
LIMIT = 10000  # of numbers; the same as in tests/mutants/mutant.hpp
KEYS = {"number": int, "file": str, "was": str, "after": str, "becomes": str, "what": str, "reason": str}
NEEDED = ("number", "file", "was", "becomes", "what")


class ListError(Exception):
    """All errors of the list of faults, one per line."""


@dataclasses.dataclass
class Fault:
    number: int
    file: str
    was: str
    becomes: str
    what: str
    after: str = ""
    reason: str = ""

    @property
    def module(self):
        return self.file.split("/")[1]

    @property
    def name(self):
        return f"mutant {self.number} ({self.file}: {self.what})"

    def span(self, text):
        """Position of `was` in the text of its file, as (begin, end); ListError if it is not there."""
        begin, before = 0, ""
        if self.after:
            count = text.count(self.after)
            if count != 1:
                raise ListError(f"{self.name}: 'after' stands {count} times in the file, not once: {self.after}")
            begin, before = text.index(self.after) + len(self.after), " behind 'after'"
        count = text.count(self.was, begin)
        if count == 0 or (count > 1 and not self.after):
            raise ListError(f"{self.name}: 'was' stands {count} times in the file{before}, not once: {self.was}")
        begin = text.index(self.was, begin)
        return begin, begin + len(self.was)

    def applied(self, original):
        """The original (which may contain a fault already) with this fault as an alternative."""
        switch = f"::trammel::mutant({self.number})"
        if "MUTANT" in self.becomes:
            return self.becomes.replace("MUTANT", switch)
        if self.was.rstrip().endswith((";", "}")):
            return f"if ({switch}) {{ {self.becomes} }} else {{ {original} }}"
        return f"({switch} ? ({self.becomes}) : ({original}))"


def read_list(folder):
    """The faults of all files of a folder, in the order of their numbers."""
    mistakes, faults, taken = [], [], {}
    for path in sorted(pathlib.Path(folder).glob("*.toml")):
        if path.name == FOUND_BY:
            continue
        try:
            entries = tomllib.loads(path.read_text()).get("fault", [])
        except tomllib.TOMLDecodeError as error:
            mistakes.append(f"{path.name}: {error}")
            continue
        for place, entry in enumerate(entries, 1):
            where = f"{path.name}: fault {entry.get('number', f'at place {place}')}"
            wrong = [f"{where} has no '{key}'" for key in NEEDED if key not in entry]
            wrong += [f"{where} has a key '{key}', which is not one of {', '.join(KEYS)}" for key in entry.keys() - KEYS]
            wrong += [f"{where}: '{key}' is not of type {KEYS[key].__name__}"
                      for key in entry.keys() & KEYS.keys() if type(entry[key]) is not KEYS[key]]
            mistakes += sorted(wrong)
            if wrong:
                continue
            fault = Fault(**entry)
            if not 0 < fault.number < LIMIT:
                mistakes.append(f"{where}: numbers are 1 to {LIMIT - 1}")
            if fault.number in taken:
                mistakes.append(f"{where}: the number is taken by {taken[fault.number]}")
            if fault.was == fault.becomes:
                mistakes.append(f"{where}: 'becomes' is the same as 'was'")
            taken[fault.number] = f"{path.name}: {fault.what}"
            faults.append(fault)
    if mistakes:
        raise ListError("\n".join(mistakes))
    return sorted(faults, key=lambda fault: fault.number)


def mutated(text, faults):
    """The text of one file with all its faults behind their switches."""
    mistakes, spans = [], {}
    for fault in faults:
        try:
            spans.setdefault(fault.span(text), []).append(fault)
        except ListError as error:
            mistakes.append(str(error))
    ordered = sorted(spans)
    for first, second in zip(ordered, ordered[1:]):
        if second[0] < first[1]:
            mistakes.append(f"{spans[second][0].name}: overlaps {spans[first][0].name}; choose another text, or the same")
    if mistakes:
        raise ListError("\n".join(mistakes))
    for begin, end in reversed(ordered):
        replacement = text[begin:end]
        lines = replacement.count("\n")
        for fault in spans[begin, end]:
            replacement = fault.applied(replacement)
        # the same number of lines as the original: compiler messages name the right one
        replacement = replacement.replace("\n", " ") + "\n" * lines
        text = text[:begin] + replacement + text[end:]
    return text


def generate(root, out):
    """Writes the copies that have changed, removes those without a fault; returns the paths of all copies,
    below root."""
    root, out = pathlib.Path(root), pathlib.Path(out)
    by_file, mistakes, texts = {}, [], {}
    for fault in read_list(root / LIST):
        by_file.setdefault(fault.file, []).append(fault)
    for file, faults in by_file.items():
        source = root / file
        if not source.is_file():
            mistakes += [f"{fault.name}: there is no such file" for fault in faults]
            continue
        try:
            body = mutated(source.read_text(), faults)
        except ListError as error:
            mistakes.append(str(error))
            continue
        texts[file] = f'#include "tests/mutants/mutant.hpp"\n#line 1 "{file}"\n{body}'
        if file.endswith(".hpp"):
            texts[file] = "#pragma once\n" + texts[file].replace("#pragma once", "", 1)
    if mistakes:
        raise ListError("\n".join(mistakes))
    for old in [path for path in out.rglob("*.[ch]pp") if str(path.relative_to(out)) not in texts]:
        old.unlink()
    for file, text in texts.items():
        path = out / file
        if path.exists() and path.read_text() == text:
            continue  # unchanged: nothing is compiled again
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return sorted(texts)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        print("\n".join(generate(sys.argv[1], sys.argv[2])))
    except ListError as mistakes:
        sys.exit(f"{mistakes}\nthe list of faults must follow the code: see {LIST}/README.md")
