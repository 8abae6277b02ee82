# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two builds do the same for a user: every command's exit code, text and files.

    compare.py record BUILD_BIN_DIR OUT.json [--jobs N] [--only REGEX] [--keep DIR]
    compare.py diff A.json B.json

`record` runs the cases of cases.py in a temporary folder with one build's `dendrolith`
and `dendrolith-opt`, and stores digests of all that came out. `diff` lists where two
records differ, and exits with 1 if they do anywhere.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from masks import masked  # noqa: E402

FORMAT = 1
MADE = {".dlp", ".pb", ".net", ".npz", ".mlir", ".mlirbc"}
TIMEOUT_S = 300
LINKED = ("models", "targets", "data")


def digest(content):
    return hashlib.sha256(content).hexdigest()


def environment(case):
    """The caller's, but for what the command's text or its files could depend on."""
    given = {k: v for k, v in os.environ.items() if not k.startswith("DENDROLITH_")}
    given.update(LC_ALL="C.UTF-8", TZ="UTC")
    if case.named_targets:
        given["DENDROLITH_TARGETS"] = "targets"
    return given


def not_made(folder, arguments):
    """The model among the words if a command before should have made it and did not."""
    for word in arguments[:2]:
        path = pathlib.Path(word)
        if word == path.name and path.suffix in MADE and not (folder / path).exists():
            return word
    return None


class Recorder:
    """Runs cases, each in a folder of its own that links to the common inputs."""

    def __init__(self, binaries, work, keep):
        self.binaries, self.work, self.keep = binaries, work, keep

    def folder(self, case):
        """An empty folder with the inputs under the same names for every case."""
        folder = self.work / "cases" / case.name.replace("/", ".")
        folder.mkdir(parents=True)
        for name in LINKED:
            (folder / name).symlink_to(pathlib.Path("..", "..", name))
        return folder

    def store(self, case, name, content):
        """Keeps what is compared, if asked to; returns its digest."""
        if self.keep:
            path = self.keep / case.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return digest(content)

    def command(self, case, folder, number, arguments):
        """One command: its exit code and the digests of what it printed."""
        program, *rest = arguments
        found = {"command": " ".join(arguments)}
        lacking = not_made(folder, rest)
        if lacking:
            return {**found, "exit": f"not run, there is no {lacking}"}
        try:
            done = subprocess.run([self.binaries / program, *rest], cwd=folder,
                                  env=environment(case), capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return {**found, "exit": f"stopped after {TIMEOUT_S} s"}
        out, err = (masked(text, self.work) for text in (done.stdout, done.stderr))
        return {**found, "exit": done.returncode,
                "stdout": self.store(case, f"{number}.stdout", out),
                "stderr": self.store(case, f"{number}.stderr", err)}

    def files(self, case, folder):
        """Digests of all files that the commands left."""
        found = {}
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink() or not path.is_file():
                continue
            content = path.read_bytes()
            if path.name == "result.json":
                content = masked(content, self.work)
            found[name] = self.store(case, f"files/{name}", content)
        return found

    def run(self, case):
        """Runs the case; returns its record and the seconds that it took."""
        began, folder, commands = time.monotonic(), self.folder(case), []
        for step in case.steps:
            if callable(step):
                step(folder)
            else:
                commands.append(self.command(case, folder, len(commands) + 1, step))
        record = {"commands": commands, "files": self.files(case, folder)}
        shutil.rmtree(folder)
        return record, time.monotonic() - began


def digests_of_inputs(work):
    """After the runs: what all cases share, which none of them may change."""
    found = {}
    for name in LINKED:
        for path in sorted((work / name).rglob("*")):
            if path.is_file():
                found[str(path.relative_to(work))] = digest(path.read_bytes())
    return found


def record(arguments):
    """Runs all cases, or those whose names match, and writes their record."""
    try:
        from cases import cases
        from inputs import prepare
    except ImportError as error:
        sys.exit(f"error: {error}; recording needs numpy and h5py")
    binaries = arguments.binaries.resolve()
    for program in ("dendrolith", "dendrolith-opt"):
        if not (binaries / program).is_file():
            sys.exit(f"error: no {program} in {arguments.binaries}")
    if arguments.keep and arguments.keep.exists() and any(arguments.keep.iterdir()):
        sys.exit(f"error: {arguments.keep} is not empty; give a new folder to --keep")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dendrolith-equality-") as folder:
        work = pathlib.Path(folder).resolve()
        shared = prepare(work)
        chosen = [c for c in cases(shared) if re.search(arguments.only, c.name)]
        if not chosen:
            sys.exit(f"error: no case matches '{arguments.only}'")
        recorder = Recorder(binaries, work, arguments.keep)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            done = dict(zip((c.name for c in chosen), pool.map(recorder.run, chosen)))
        stored = {"format": FORMAT, "inputs": digests_of_inputs(work),
                  "cases": {name: one for name, (one, _) in done.items()}}
    arguments.out.write_text(json.dumps(stored, indent=1) + "\n")
    slowest = sorted(done, key=lambda name: -done[name][1])[:8]
    print("slowest: " + ", ".join(f"{name} {done[name][1]:.1f} s" for name in slowest))
    commands = sum("stdout" in c for one, _ in done.values() for c in one["commands"])
    files = sum(len(one["files"]) for one, _ in done.values())
    print(f"{len(done)} cases, {commands} commands, {files} files in "
          f"{time.monotonic() - began:.0f} s: {arguments.out}")


def differences_of_maps(title, first, second):
    """Lines for the keys that one map lacks or that have other values there."""
    for key in sorted(first.keys() | second.keys()):
        if key not in second:
            yield f"{title}{key}: only in the first record"
        elif key not in first:
            yield f"{title}{key}: only in the second record"
        elif first[key] != second[key]:
            yield f"{title}{key}: differs"


def differences(first, second):
    """A line for each difference of two records."""
    if first["format"] != FORMAT or second["format"] != FORMAT:
        yield f"record of another format, expected {FORMAT}: record both anew"
        return
    yield from differences_of_maps("input of all cases: ", first["inputs"],
                                   second["inputs"])
    one, other = first["cases"], second["cases"]
    yield from differences_of_maps("case ", dict.fromkeys(one), dict.fromkeys(other))
    for name in (n for n in one if n in other):
        before, after = one[name]["commands"], other[name]["commands"]
        if [c["command"] for c in before] != [c["command"] for c in after]:
            yield f"case {name}: other commands: record both anew"
            continue
        for number, (a, b) in enumerate(zip(before, after), 1):
            if a["exit"] != b["exit"]:
                yield f"{name}: {a['command']}: exit code {a['exit']}, then {b['exit']}"
            for stream in ("stdout", "stderr"):
                if a.get(stream) != b.get(stream):
                    yield f"{name}: {a['command']}: {number}.{stream} differs"
        yield from differences_of_maps(f"{name}: file ", one[name]["files"],
                                       other[name]["files"])


def compare(arguments):
    """Prints the differences of two records; returns the exit code."""
    first, second = (json.loads(path.read_text()) for path in (arguments.first,
                                                               arguments.second))
    lines = list(differences(first, second))
    for line in lines:
        print(line)
    cases = first["cases"]
    files = sum(len(case["files"]) for case in cases.values())
    verdict = f"{len(lines)} differences" if lines else "equal"
    print(f"{len(cases)} cases, {files} files: {verdict}")
    return 1 if lines else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run all cases with one build")
    recording.add_argument("binaries", type=pathlib.Path, metavar="BUILD_BIN_DIR")
    recording.add_argument("out", type=pathlib.Path, metavar="OUT.json")
    recording.add_argument("--jobs", type=int, default=1, help="cases at a time")
    recording.add_argument("--only", default="", metavar="REGEX",
                           help="only cases whose names match")
    recording.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                           help="keep what was compared, for `diff -r`")
    comparing = commands.add_parser("diff", help="list where two records differ")
    comparing.add_argument("first", type=pathlib.Path, metavar="A.json")
    comparing.add_argument("second", type=pathlib.Path, metavar="B.json")
    arguments = parser.parse_args()
    if arguments.command == "record":
        return record(arguments)
    return compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
