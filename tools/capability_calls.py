#!/usr/bin/env python3
"""Checks that every test that shows a capability calls the public functions it names.

A test says shows({"Y-21", "forward_dynamics"}, ...): ids of docs/capabilities.csv, each with the functions or
types of Trammel that are used. Read from the sources alone, without a build: the test, and the helpers under
tests/ that it calls, must call each of them; a header of trammel/ must declare it; and nothing under tests/ that
the test includes may define it again.
"""
import csv
import dataclasses
import functools
import pathlib
import re
import sys

BEFORE_CALLS = {"return", "else", "case", "throw", "not", "and", "or", "do"}  # words before a name that declare it
TEST_MACROS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST"}
STRING = r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\''  # not the quote of 1'000


@dataclasses.dataclass(frozen=True)
class Definition:
    """A piece of a file at namespace or class level: the name it defines, its text without comments, its
    first line."""
    name: str
    owner: str  # its class; members of the class itself have its name
    is_function: bool
    text: str
    line: int

    @property
    def is_test(self):
        return self.name in TEST_MACROS

    @property
    def fixture(self):
        """The class of a test fixture."""
        return re.match(r"\w+\s*\(\s*(\w+)", self.text)[1] if self.is_test else ""

    def is_used(self, here, caller, words):
        """A function is used if it is called, a method if its class is known too, a type or a value if it is
        named."""
        if not self.is_function or self.owner == self.name:
            return True
        if not self.owner:
            return self.name in here.free
        bare = self.name in here.free and (caller.owner or caller.is_test)
        return self.owner in words and (bare or self.name in here.member)


def blanked(match):
    """The same number of spaces, on the same number of lines."""
    return re.sub(r"[^\n]", " ", match[0])


def without_comments(text):
    """The text with comments blanked, strings unchanged; positions and lines stay."""
    either = re.compile(STRING + r"|//[^\n]*|/\*.*?\*/", flags=re.S)
    return either.sub(lambda match: blanked(match) if match[0].startswith("/") else match[0], text)


def without_strings(text):
    """The text with strings and characters blanked, of the same length."""
    return re.sub(STRING, blanked, text, flags=re.S)


def without_directives(text):
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blanked, text, flags=re.M)


def closing(text, start):
    """The position after the bracket that closes the one at start."""
    depth = 0
    for match in re.compile(r"[(){}\[\]]").finditer(text, start):
        depth += 1 if match[0] in "({[" else -1
        if depth == 0:
            return match.end()
    return len(text)


def head_end(text, start, stop):
    """End of the head of the piece at start: its '{' or ';' outside of parentheses."""
    at = start
    while at < stop:
        if text[at] == "(":
            at = closing(text, at)
        elif text[at] in "{;":
            return at
        else:
            at += 1
    return stop


def name_of(head):
    """(kind, name) of the definition of a head: kind is 'namespace', 'class', 'function' or 'value'."""
    if match := re.match(r"\s*(?:inline\s+)?namespace\b", head):
        return "namespace", ""
    bare = re.sub(r"^\s*(?:template\s*<.*?>\s*(?=struct|class|enum|union|[\w:]))?", "", head, flags=re.S)
    if match := re.match(r"(?:struct|class|union|enum(?:\s+class)?)\s+(?:\[\[.*?\]\]\s*)?(\w+)(?!\s*\()", bare):
        if "(" not in bare or bare.index("(") > match.end() and ":" in bare:
            return "class", match[1]
    if "=" in head and "(" not in head.split("=")[0]:
        names = re.findall(r"\w+", head.split("=")[0])
        return "value", names[-1] if names else ""
    if match := re.search(r"(operator\s*[^\s\w(]+|operator\s*\(\)|~?\w+)\s*\(", head):
        return "function", match[1]
    names = re.findall(r"\w+", head)
    return "value", names[-1] if names else ""


def pieces(text, start, stop, owner=""):
    """The definitions between two positions of a text whose strings are blanked: (name, owner, is a
    function, from, to)."""
    at = start
    while at < stop:
        label = re.compile(r"\s*(?:public|private|protected)\s*:|[\s;}]+").match(text, at, stop)
        if label and label.end() > at:
            at = label.end()
            continue
        brace = head_end(text, at, stop)
        head = text[at:brace]
        if brace >= stop or text[brace] == ";":
            kind, name = name_of(head)
            yield (owner or name if kind != "function" else name), owner, kind == "function", at, min(brace + 1, stop)
            at = brace + 1
            continue
        end = closing(text, brace)
        kind, name = name_of(head)
        if kind == "namespace":
            yield from pieces(text, brace + 1, end - 1)
        elif kind == "class":
            yield name, owner, False, at, brace  # its bases
            yield from pieces(text, brace + 1, end - 1, name)
        else:
            # a constructor's member initializers may contain braces: continue to the last of them
            while kind == "function" and re.match(r"\s*[,{]", text[end:stop]):
                more = text.index("{", end)
                end = closing(text, more)
            if kind == "value" or re.match(r"\s*;", text[end:stop]):
                semicolon = text.find(";", end, stop)
                end = semicolon + 1 if semicolon >= 0 else end
            # data members, constructors and functions called by the framework belong to the class itself
            if owner and (kind == "value" or name in (owner, "~" + owner, "SetUp", "TearDown") or name.startswith("operator")):
                name = owner
            yield name, owner, kind == "function", at, end
        at = end


def definitions(path):
    whole = without_comments(path.read_text(encoding="utf-8"))
    blank = without_directives(without_strings(whole))
    return [Definition(name, owner, is_function, whole[start:end], whole.count("\n", 0, start) + 1)
            for name, owner, is_function, start, end in pieces(blank, 0, len(blank))]


@dataclasses.dataclass(frozen=True)
class Calls:
    """The names a text calls: f(...) or trammel::f(...); x.f(...), x->f(...) or Type::f(...); and all its words."""
    free: frozenset
    member: frozenset
    words: frozenset


@functools.lru_cache(maxsize=None)
def calls(text):
    """Names followed by '(' and not declared there: `VectorXd a(3)` calls nothing."""
    blank = without_strings(text)
    free, member = set(), set()
    for match in re.finditer(r"((?:\b[A-Za-z_]\w*(?:<[^;(){}=]*?>)?::)*)\b([A-Za-z_]\w*)\s*(?:<[^;(){}=]*?>\s*)?\(", blank):
        before = blank[max(0, match.start() - 40):match.start()].rstrip()
        word = re.search(r"([A-Za-z_]\w*)$", before)
        if word and word[1] not in BEFORE_CALLS or before.endswith(">") and not before.endswith("->"):
            continue
        if before.endswith((".", "->")) or match[1] not in ("", "trammel::"):
            member.add(match[2])
        else:
            free.add(match[2])
    return Calls(frozenset(free), frozenset(member), frozenset(re.findall(r"[A-Za-z_]\w*", blank)))


class Sources:
    """The files under root that a check reads, each once."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.read = functools.lru_cache(maxsize=None)(definitions)

    @functools.cached_property
    def public(self):
        """Declarations in the headers of trammel/ without kernels: functions, types, Type::method."""
        return {f"{each.owner}::{each.name}" if each.owner not in ("", each.name) else each.name
                for path in sorted((self.root / "trammel").rglob("*.hpp")) if "kernel" not in path.parts
                for each in self.read(path)}

    @functools.lru_cache(maxsize=None)
    def included(self, path):
        """The files outside of trammel/ that a file includes, itself first."""
        found, queue = [], [path]
        while queue:
            file = queue.pop()
            if file in found:
                continue
            found.append(file)
            for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(encoding="utf-8"), flags=re.M):
                queue += [each for each in (file.parent / name, self.root / name)
                          if each.is_file() and self.root / "trammel" not in each.parents]
        return found

    @functools.lru_cache(maxsize=None)
    def helpers(self, path):
        """{name: definitions} under tests/ that a test may call."""
        found = {}
        for file in self.included(path):
            for each in self.read(file):
                if not each.is_test:
                    found.setdefault(each.name, []).append(each)
        return found

    def reach(self, path, test):
        """The calls of a test and, transitively, of the helpers it calls."""
        helpers = self.helpers(path)
        found, seen, words, queue = [], {test}, set(), [test]
        while queue:
            each = queue.pop()
            found.append((each, calls(each.text)))
            words |= found[-1][1].words
            if not queue:  # a class that is named late may own a method that was called early
                used = {helper for caller, here in found for name in here.words & helpers.keys()
                        for helper in helpers[name] if helper.is_used(here, caller, words)}
                queue += used - seen
                seen |= used
        return [here for _, here in found]


def is_called(name, reach):
    """A function is called, a method called on something, a type used."""
    *owner, last = name.split("::")
    if owner:
        return any(last in here.member for here in reach)
    return any(last in (here.words if last[0].isupper() else here.free) for here in reach)


@dataclasses.dataclass(frozen=True)
class Claim:
    """One id of one test, with the names it claims."""
    id: str
    names: tuple
    place: str
    path: pathlib.Path
    test: Definition


def claims(root, sources):
    """Every id that a test of tests/ names; a claim that cannot be parsed is a ValueError with its place."""
    for path in sorted((pathlib.Path(root) / "tests").rglob("*_test.cpp")):
        for test in sources.read(path):
            blank = without_strings(test.text)
            for match in re.finditer(r"(?<![\w.])shows\s*\(", blank):
                line = test.line + test.text.count("\n", 0, match.start())
                place = f"{path.relative_to(root)}:{line}"
                inside = test.text[match.end():closing(blank, match.end() - 1) - 1]
                groups = re.findall(r"\{([^{}]*)\}", inside)
                if not test.is_test or not groups or re.sub(r"\{[^{}]*\}|[\s,]", "", inside):
                    raise ValueError(f'{place}: write shows({{"ID", "function"}}, ...) in the test itself')
                for group in groups:
                    id, *names = re.findall(r'"([^"]*)"', group)
                    yield Claim(id, tuple(names), place, path, test)


def wrong_claims(found, kinds, sources):
    """Errors in the claims of the tests, as lines of text."""
    for claim in found:
        if claim.id not in kinds:
            yield f"{claim.place}: there is no capability '{claim.id}'"
        elif kinds[claim.id] == "missing":
            yield f"{claim.place}: docs/capabilities.csv says {claim.id} is missing; drop the id here or the word there"
        if not claim.names:
            yield f"{claim.place}: {claim.id} names no function; write which public function is called"
        for name in claim.names:
            if name not in sources.public:
                yield f"{claim.place}: {claim.id} names '{name}', which no header below trammel/ declares"
            elif any(each.owner in ("", claim.test.fixture) for each in sources.helpers(claim.path).get(name, [])):
                yield f"{claim.place}: {claim.id} names '{name}', but tests/ defines one of its own"
            elif not is_called(name, sources.reach(claim.path, claim.test)):
                yield f"{claim.place}: {claim.id} names '{name}', but the test does not call it"


def complaints(root):
    """Errors in tests/ and docs/capabilities.csv, as lines of text; empty if there are none."""
    root = pathlib.Path(root)
    sources = Sources(root)
    with open(root / "docs/capabilities.csv", newline="", encoding="utf-8") as file:
        kinds = {row["id"]: row["kind"] for row in csv.DictReader(file)}
    try:
        found = list(claims(root, sources))
    except ValueError as why:
        yield str(why)
        return
    yield from wrong_claims(found, kinds, sources)
    shown = {claim.id for claim in found}
    for id in sorted(id for id, kind in kinds.items() if kind == "test" and id not in shown):
        yield f"docs/capabilities.csv: no test shows {id}; write the test, or say that it is missing and why"


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) or "capabilities: every test calls what it names")
    sys.exit(bool(found))
