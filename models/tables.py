# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of these pages, printed anew from the checkpoints.

    python3 models/tables.py --dendrolith build/bin/dendrolith [PAGE.md ...]
        [--write] [--without WORD ...]

Runs each block of commands of a page that names the compiler, and holds the page's tables
with the same columns against what it printed.  A changed cell is said, and the exit status
is 1; with --write the page takes it, and says at which commit it was printed.  Columns of
time spent on this machine (s, MB, tokens/s) are taken over and never differ.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMIT = re.compile(r"at commit `[0-9a-f]+`")
BINARY = re.compile(r"(?:\.\./)*build/bin/dendrolith")
OF_MACHINE = re.compile(r"\b(s|MB|tokens/s)\b")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rule(line):
    return bool(re.fullmatch(r"\|( *:?-+:? *\|)+", line.strip()))


def tables(lines):
    """Each table as its first and its last line's number and its columns."""
    for at, line in enumerate(lines):
        if at and rule(line) and lines[at - 1].startswith("|"):
            end = at
            while end + 1 < len(lines) and lines[end + 1].startswith("|"):
                end += 1
            yield at - 1, end, cells(lines[at - 1])


def keys(rows):
    """As few leading cells as tell the rows apart."""
    width = next((n for n in range(1, len(rows[0]) + 1)
                  if len({tuple(row[:n]) for row in rows}) == len(rows)), len(rows[0]))
    return {tuple(row[:width]): row for row in rows}, width


def renewed(page, printed):
    """The page's text with the cells that `printed` has for its tables, and what changed.
    Rows and columns of the page stay as they are."""
    lines, said, changed = page.split("\n"), printed.split("\n"), []
    for begin, end, columns in tables(lines):
        for first, last, names in tables(said):
            if not set(columns) <= set(names) or columns[0] != names[0] or last - first < 2:
                continue
            rows, width = keys([cells(said[n]) for n in range(first + 2, last + 1)])
            for n in range(begin + 2, end + 1):
                now = cells(lines[n])
                new = rows.get(tuple(now[:width])) if columns[:width] == names[:width] else None
                if new is None:
                    continue
                taken = [new[names.index(column)] for column in columns]
                changed += [f"{' '.join(now[:width])}: {column} {old or 'nothing'} is {found or 'nothing'}"
                            for column, old, found in zip(columns, now, taken)
                            if old != found and not OF_MACHINE.search(column)]
                lines[n] = "| " + " | ".join(taken) + " |"
    return "\n".join(lines), changed


def blocks(text):
    """The commands of each block that names the compiler, as one script."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S):
        commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.M)
        if any("--dendrolith" in line or "DENDROLITH_BIN=" in line for line in commands):
            yield "\n".join(commands)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    parser.add_argument("--dendrolith", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--without", nargs="+", default=[], metavar="WORD",
                        help="leave out commands with one of these words")
    options = parser.parse_args()
    path_of_python = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    binary, differ = str(options.dendrolith.resolve()), 0
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=8", "HEAD"],
                            capture_output=True, text=True).stdout.strip()
    for path in options.pages or sorted((ROOT / "models").glob("**/*.md")):
        text = before = path.read_text()
        for script in blocks(text):
            script = "\n".join(line for line in script.split("\n")
                               if not any(word in line for word in options.without))
            with tempfile.TemporaryDirectory() as folder:
                script = BINARY.sub(lambda _: binary, re.sub(r"\b(TESTS|OUT)\b", folder, script))
                done = subprocess.run(["bash", "-ec", script], cwd=ROOT, text=True,
                                      capture_output=True, env={**os.environ, "PATH": path_of_python})
            if done.returncode:
                sys.exit(f"{path}: {script}: {done.stderr.strip()}")
            text, changed = renewed(text, done.stdout)
            differ += len(changed)
            for line in changed:
                print(f"{path}: {line}", flush=True)
        if options.write and text != before:
            path.write_text(COMMIT.sub(f"at commit `{commit}`", text))
    print(f"{differ} cells differ at commit {commit}")
    return differ > 0 and not options.write


if __name__ == "__main__":
    sys.exit(main())
