# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documents quote, held against what commands print.

    /usr/bin/python3 tests/documents/quotes.py build/bin/dendrolith [PATH ...]
    /usr/bin/python3 tests/documents/quotes.py --write build/bin/dendrolith [PATH ...]

The first form names what is out of date, the second writes it anew. A path is a document
or a folder of them; without paths all documents are read. Two things in them are quotes:

* a block ```console: a line `$ COMMAND` (a backslash at its end goes on in the next) and
  what the command prints; a line `...` stands for any lines;
* what stands between `<!-- printed by: COMMAND -->` and `<!-- end -->`.

Commands run in a folder of their own that has the folders of the repository, so that
what they write is not left in it. The commands of one file run in order, in one folder.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
PRINTED = re.compile(r"(<!-- printed by: (.*?) -->\n)(.*?)(<!-- end -->)", re.S)
SKIPPED = 77  # the exit code of a command that misses something


class Missing(Exception):
    """Something that the quoted command needs and this machine has not."""


class Failed(Exception):
    """A command whose output would be a section, and which ended with an error."""


def folder_for(binary, scratch):
    """Makes `scratch` look like the repository with `binary` as its build."""
    for path in ROOT.iterdir():
        if path.name not in ("build", "out") and not path.name.startswith("."):
            (scratch / path.name).symlink_to(path)
    (scratch / "out").mkdir()  # as ./quickstart leaves it
    (scratch / "build").mkdir()
    (scratch / "build" / "bin").symlink_to(binary.parent)
    return {**os.environ, "DENDROLITH_BIN": str(binary), "COLUMNS": "100",
            "PATH": f"{binary.parent}{os.pathsep}{os.environ['PATH']}"}


def printed(command, scratch, environment, is_section=False):
    done = subprocess.run(command, shell=True, executable="/bin/bash", cwd=scratch,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode == SKIPPED or done.returncode and last.startswith("ModuleNotFoundError"):
        raise Missing(last)
    if done.returncode and is_section:
        raise Failed(f"{command}: {last}")
    return [line.rstrip() for line in done.stdout.rstrip("\n").split("\n")] if done.stdout else []


def renewed(quoted, found):
    """`found` with as many lines around `...` as `quoted` has."""
    if "..." not in quoted:
        return found
    head = quoted.index("...")
    tail = quoted[::-1].index("...")
    return found[:head] + ["..."] + (found[-tail:] if tail else [])


def matches(quoted, found):
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in quoted)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def entries(block):
    """The commands of a console block, each with the lines that were quoted."""
    found = []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith("$ ") or (found and found[-1][0][-1].endswith("\\") and not found[-1][1]):
            if line.startswith("$ "):
                found.append(([], []))
            found[-1][0].append(line)
        elif found:
            found[-1][1].append(line)
        else:
            raise SystemExit(f"a block begins with '{line}', expected '$ COMMAND'")
    return found


def renew(text, binary):
    """The document as it should be."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        environment = folder_for(binary, scratch)

        def console(match):
            lines = []
            for command, quoted in entries(match.group(1)):
                typed = "\n".join(command)[2:].replace("\\\n", " ")
                shown = printed(typed, scratch, environment)
                lines += command + (quoted if matches(quoted, shown) else renewed(quoted, shown))
            return "```console\n" + "\n".join(lines) + "\n```"

        def section(match):
            shown = printed(match.group(2), scratch, environment, is_section=True)
            return match.group(1) + "\n".join(shown) + "\n" + match.group(4)

        return PRINTED.sub(section, CONSOLE.sub(console, text))


def documents():
    """All documents with quotes, by their paths from the root."""
    tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT,
                             capture_output=True, text=True)
    names = tracked.stdout.split() if tracked.returncode == 0 else [
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.md")]
    return [name for name in sorted(names)
            if (ROOT / name).is_file() and
            (CONSOLE.search(text := (ROOT / name).read_text()) or PRINTED.search(text))]


def chosen(paths, but):
    """The documents below `paths`, or all but those."""
    below = {name for name in documents() for path in paths
             if name == path or name.startswith(path.rstrip("/") + "/")}
    if but:
        return [name for name in documents() if name not in below]
    return sorted(below | {path for path in paths if path.endswith(".md")}) if paths else documents()


def first_difference(old, new):
    for number, (a, b) in enumerate(zip(old.split("\n") + [""], new.split("\n") + [""]), 1):
        if a != b:
            return f"{number}: quotes '{a}', printed is '{b}'"
    return "0: it ends early"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write documents anew")
    parser.add_argument("dendrolith", type=pathlib.Path)
    parser.add_argument("--but", action="store_true", help="all documents but those below the paths")
    parser.add_argument("paths", nargs="*", help="documents and folders, from the root")
    arguments = parser.parse_intermixed_args()
    binary, failed, skipped = arguments.dendrolith.resolve(), 0, 0
    if subprocess.run([binary, "targets"], capture_output=True).returncode:
        sys.exit(f"{binary}: does not run, or finds no chips")
    for name in chosen(arguments.paths, arguments.but):
        old = (ROOT / name).read_text()
        try:
            new = renew(old, binary)
        except Missing as missing:
            print(f"skipped: {name}: {missing}")
            skipped += 1
            continue
        except Failed as error:
            print(f"{name}: {error}")
            failed += 1
            continue
        if new == old:
            print(f"ok: {name}")
        elif arguments.write:
            (ROOT / name).write_text(new)
            print(f"wrote {name}")
        else:
            failed += 1
            print(f"{name}:{first_difference(old, new)}\n  it is out of date; write it anew with "
                  f"/usr/bin/python3 tests/documents/quotes.py --write build/bin/dendrolith {name}")
    sys.exit(1 if failed else SKIPPED if skipped else 0)


if __name__ == "__main__":
    main()
