# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that every test can be found from what it tests, and every source from its
header.

A test stands in the folder that mirrors its source's and has its name
(`tests/compiler/mapping/in_order/SplitTest.cpp` for `compiler/mapping/in_order/Split.cpp`,
`dend-quantise-errors.mlir` for `DendQuantise.cpp`), or it names sources, by their
path from the root, in its first eight lines.

A source has the name of its header, or begins or ends with the name of a header that
it includes: `Recorder.h` has `RecorderTraces.cpp`, `Command.h` has `TuneCommand.cpp`.
What no header of ours declares may be called anything: passes, programs, and the
classes of a dialect, which its `.td` files declare.
"""
import pathlib
import re
import sys

from tree import LAYERS, folder_of, includes_of, own, read_tree, stem, suffix, within

HEAD = 8
SOURCES = (".cpp", ".h", ".py", ".td", ".def", ".proto", ".yaml")
PATH = re.compile(r"(?<![\w./-])((?:targets|dialects|runtime|compiler|simulator|"
                  r"models|tests)/[\w./-]*\w)")


def is_test(name):
    if not name.startswith("tests/") or "/Inputs/" in name or "/corpus/" in name:
        return False
    return bool(re.search(r"(Tests?\.cpp|_test\.py|Target\.cpp|Bench\.cpp)$", name)
                or suffix(name) in (".mlir", ".test"))


def names_of(name):
    """The stems of sources that a test may be called after."""
    base = re.sub(r"(Tests?|Target|Bench|_test)$", "", stem(name))
    if suffix(name) not in (".mlir", ".test"):
        return {base}
    words = base.split("-")
    return {"".join(word.capitalize() for word in words[:end])
            for end in range(1, len(words) + 1)}


def found_by_name(name, files):
    """Whether a source of the test's name stands in the mirrored folder."""
    mirrored, names = folder_of(name)[len("tests/"):], names_of(name)
    return any(within(other, mirrored) and stem(other) in names
               for other in files if not other.startswith("tests/"))


def words(name):
    return re.findall(r"[A-Z][a-z0-9]*|[a-z0-9]+", name)


def needs_header(name, text, files):
    """Whether a header of ours declares what a source defines."""
    if suffix(name) != ".cpp" or name.split("/")[0] not in LAYERS:
        return False
    declared = re.search(r"^int main\(|^#define GEN_PASS_DEF", text, re.M)
    return not declared and stem(name) != "Pch" and not any(
        folder_of(other) == folder_of(name) and suffix(other) == ".td"
        for other in files)


def has_header(name, text):
    """Whether a source includes a header whose name its own begins or ends with."""
    source = words(stem(name))
    headers = [words(stem(target)) for target in includes_of(text) if own(target)]
    return any(header in (source[:len(header)], source[-len(header):])
               for header in headers if header)


def check_sources(files):
    """One line for every source that cannot be found from a header."""
    return [f"{name}: includes no header whose name its own begins or ends with"
            for name, text in files.items()
            if needs_header(name, text, files) and not has_header(name, text)]


def check(files):
    """One line for every test and every source that cannot be found."""
    problems = check_sources(files)
    for name in files:
        if not is_test(name):
            continue
        head = "\n".join(line for line in files[name].split("\n")[:HEAD]
                         if not line.startswith("#include"))
        named = [path for path in PATH.findall(head)
                 if path.endswith(SOURCES) or
                 any(within(other, path) for other in files)]
        missing = [path for path in PATH.findall(head)
                   if path.endswith(SOURCES) and path not in files]
        for path in missing:
            problems.append(f"{name}: names {path}, which does not exist")
        if not named and not found_by_name(name, files):
            problems.append(f"{name}: has no source's name, and names no source in "
                            f"its first {HEAD} lines")
    return problems


def main():
    files = read_tree(pathlib.Path(__file__).resolve().parents[2])
    problems, tests = check(files), sum(is_test(name) for name in files)
    sources = sum(needs_header(name, text, files) for name, text in files.items())
    if tests < 100 or sources < 100:  # a test that reads nothing would pass for ever
        problems.append(f"only {tests} tests and {sources} sources were read")
    print("\n".join(problems) or f"ok: {tests} tests can be found from their sources, "
          f"{sources} sources from their headers")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
