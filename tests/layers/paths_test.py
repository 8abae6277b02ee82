# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that what documents and comments name is there.

A path from the root (`compiler/mapping/MapNetwork.h`, `targets/loader`, a source
without its ending) must exist, and so must every file that a link in a document
leads to. So must a source that a page names from its own folder (`read/Chip.cpp`).
A file that moves otherwise leaves readers of its old name behind.
"""
import pathlib
import re
import sys

from mirror_test import PATH
from tree import read_tree

NEAR = re.compile(r"`([\w./-]+/[\w.-]+\.(?:cpp|h|td|def|py))`")
LINK = re.compile(r"\]\(([^)#\s]+)")
ENDINGS = ("", ".h", ".cpp", ".td", ".py")
GENERATED = (".pb", ".inc")
# Files of a test's own, and of somebody else's checkout.
ALLOWED = {"targets/found", "tools/n1_model.py"}
PLANTS = "tests/layers/planted_test.py"  # names files that it makes up


def documents(root):
    return {path.relative_to(root).as_posix(): path.read_text()
            for path in [root / "README.md"] + sorted(
                found for top in root.iterdir() if not top.name.startswith(("build", "."))
                for found in top.rglob("*.md"))}


def check(root):
    """One line for every name of something that is not there, and how many were read."""
    problems, seen = [], 0
    texts = {name: text for name, text in read_tree(root).items() if name != PLANTS}
    texts.update(documents(root))
    for name, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("#include"):
                continue
            for path in PATH.findall(line):
                seen += 1
                if path in ALLOWED or any(part in path for part in GENERATED) or \
                        any((root / (path + ending)).exists() for ending in ENDINGS):
                    continue
                problems.append(f"{name}:{number}: names {path}, which does not exist")
        if not name.endswith(".md"):
            continue
        for link in LINK.findall(text):
            seen += 1
            if "://" not in link and not (root / name).parent.joinpath(link).exists():
                problems.append(f"{name}: links to {link}, which does not exist")
        for near in NEAR.findall(text):
            seen += 1
            if near not in ALLOWED and not (root / name).parent.joinpath(near).exists() and \
                    not any(f"/{path}".endswith(f"/{near}") for path in texts):
                problems.append(f"{name}: names {near}, which does not exist")
    return problems, seen


def main():
    problems, seen = check(pathlib.Path(__file__).resolve().parents[2])
    if seen < 300:  # a test that reads nothing would pass for ever
        problems.append(f"only {seen} paths and links were read")
    print("\n".join(problems) or f"ok: {seen} paths and links lead somewhere")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
