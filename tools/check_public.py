#!/usr/bin/env python3
"""Checks the public headers, those reachable from trammel/trammel.hpp: they include no kernel and nothing of
another folder that is internal, and every type, function and constant they declare has a comment."""
import pathlib
import re
import sys

ENTRY = "trammel/trammel.hpp"
INTERNAL = re.compile(r"/(kernel|simd|internal)/|_buffers\.hpp$|_kernels\.hpp$")
INCLUDE = re.compile(r'^#include "(trammel/[^"]+)"', re.M)


def public_headers(root):
    """Paths of all public headers, and for each the header that includes it first."""
    found, todo = {}, [(ENTRY, "")]
    while todo:
        header, by = todo.pop()
        if header in found:
            continue
        found[header] = by
        todo += [(name, header) for name in INCLUDE.findall((root / header).read_text())]
    return found


def bare_declarations(text):
    """(line number, first line) of the declarations in a namespace that have no comment: neither before them,
    nor at their end, nor before the group of lines they stand in. The comment at the beginning of a file
    belongs to its first declaration."""
    lines = text.splitlines()
    depth, kinds, is_documented, is_first = 0, [], False, lines and lines[0].startswith("//")
    number, bare = 0, []
    while number < len(lines):
        line = lines[number]
        stripped = line.strip()
        if not stripped:
            is_documented = False
        elif stripped.startswith("//"):
            is_documented = True
        elif stripped.startswith("#"):
            while lines[number].endswith("\\"):
                number += 1
        elif re.match(r"(inline )?namespace [\w:]*\s*\{", stripped) or stripped.startswith("}"):
            is_documented = is_documented and stripped.startswith("namespace")
        else:  # a declaration: to its end
            begin, level, brackets = number, 0, 0
            while True:
                code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', '""', lines[number]).split("//")[0]
                level += code.count("{") - code.count("}")
                brackets += code.count("(") - code.count(")")
                is_end = level == 0 and brackets == 0 and re.search(r"[;}]\s*$", code)
                if is_end or number + 1 == len(lines):
                    break
                number += 1
            statement = " ".join(part.strip() for part in lines[begin:number + 1])
            is_forward = re.match(r"(template <[^{;]*> )?(class|struct|enum class|enum) \w+( : \w+)?;", statement)
            is_other = (re.match(r"(using namespace|using std::|static_assert|extern template|template (struct|class)|template <>)", statement)
                        or re.search(r"\boperator\W", statement.split("{")[0]))
            has_own = "//" in lines[number].split('"')[-1] or "//" in lines[begin].split('"')[-1]
            if not (is_documented or has_own or is_forward or is_other or is_first):
                bare.append((begin + 1, lines[begin].strip()))
            if not is_forward:
                is_first = False
            is_documented = is_documented or has_own or bool(is_forward) is False and not bare[-1:] == [(begin + 1, lines[begin].strip())]
        number += 1
    return bare


def complaints(root):
    """Violations, one line each."""
    root = pathlib.Path(root)
    for header, by in sorted(public_headers(root).items()):
        if INTERNAL.search(header):
            yield f"{by}: a public header includes {header}, which is internal"
            continue
        for number, line in bare_declarations((root / header).read_text()):
            yield f"{header}:{number}: public, but without a comment: {line}"


if __name__ == "__main__":
    top = pathlib.Path(__file__).resolve().parent.parent
    found = list(complaints(top))
    print("\n".join(found) or f"public interface: {len(public_headers(top))} headers, no kernel among them, every declaration has a comment")
    sys.exit(bool(found))
