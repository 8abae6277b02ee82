# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where hostile files are collected: each with the command that meets it and
what its message must hold."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Case:
    """`harmless`: damage that may hit nothing, so that exit code 0 is right too.
    `place`: what the message names where it is not the file."""

    def __init__(self, group, path, arguments, patterns, harmless, place):
        self.group, self.path, self.arguments = group, path, arguments
        self.patterns, self.harmless, self.place = patterns, harmless, place


class Corpus:
    def __init__(self, folder, dendrolith, dendrolith_opt, protoc):
        self.folder = folder
        # Cases run in a folder of their own.
        self.dendrolith, self.dendrolith_opt, self.protoc = map(
            os.path.abspath, (dendrolith, dendrolith_opt, protoc))
        self.cases = []
        (folder / "good").mkdir()

    def path(self, group, name):
        (self.folder / group).mkdir(exist_ok=True)
        path = self.folder / group / name
        assert not path.exists(), path
        return path

    def file(self, group, name, content, *patterns, harmless=False, place=None):
        """A file of those bytes; `content` may also be a function of the path."""
        path = self.path(group, name)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.add(group, path, patterns, harmless, place)
        return path

    def add(self, group, path, patterns, harmless=False, place=None):
        self.cases.append(Case(group, path, COMMANDS[group](self, path), patterns, harmless,
                               place))

    def odd_files(self, group, ending):
        """What is no file at all: reading must neither hang nor succeed."""
        self.file(group, "folder" + ending, lambda p: p.mkdir(), r"regular file|directory")
        self.file(group, "pipe" + ending, os.mkfifo, "regular file")
        self.file(group, "endless" + ending, lambda p: p.symlink_to("/dev/zero"), "regular file")
        self.file(group, "loop" + ending, lambda p: p.symlink_to(p.name), "")
        self.file(group, "empty" + ending, b"", "")

    def run(self, *arguments):
        subprocess.run([self.dendrolith, *map(str, arguments)], check=True, capture_output=True,
                       timeout=120)


def _compile(target):
    return lambda corpus, path: ["compile", path, "--target", target, "-o", OUTPUT]


# What the command line writes to; the runner puts an empty folder's path here.
OUTPUT = "@output@"
COMMANDS = {
    "nir": _compile("loihi1"),
    "checkpoint": _compile("loihi2"),
    "weights": lambda c, path: ["compile", ROOT / "models/neurons/lif.mlir", "--target", "loihi2",
                                "--weights", path, "-o", OUTPUT],
    "mlir": _compile("loihi2"),
    "target": lambda c, path: ["compile", c.folder / "good/net.nir", "--target", path,
                               "-o", OUTPUT],
    "costs": lambda c, path: ["run", c.folder / "good/net.nir", "--target", "loihi1", "--input",
                              c.folder / "good/x.npy", "--costs", path, "--out", OUTPUT],
    "input": lambda c, path: ["run", c.folder / "good/net.nir", "--target", "loihi1", "--input",
                              path, "--out", OUTPUT],
    "image": lambda c, path: ["run", path, "--input", c.folder / "good/x.npy", "--out", OUTPUT],
    "result": lambda c, path: ["report", path],
}


def flips(data, count):
    """(bit, damaged bytes): single bits, spread evenly."""
    for bit in range(3, len(data) * 8, max(1, len(data) * 8 // count)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bit, bytes(changed)


def cuts(data, count):
    """(length, the first so many bytes)."""
    for length in range(1, len(data), max(1, len(data) // count)):
        yield length, data[:length]
