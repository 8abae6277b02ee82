# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One case: commands that run one after the other in a folder of their own."""
import dataclasses


@dataclasses.dataclass
class Case:
    """`steps`: commands as lists of words, of which the first is the program, or
    functions of the folder that change a file between two commands."""
    name: str
    steps: list
    # Chips are found in the folder's copy; else where a build looks by itself.
    named_targets: bool = True


def dendrolith(*arguments):
    return ["dendrolith", *map(str, arguments)]


def dendrolith_opt(*arguments):
    return ["dendrolith-opt", *map(str, arguments)]


def replace(path, old, new):
    """A step that replaces the first occurrence of some text in a file."""
    def step(folder):
        content = (folder / path).read_bytes()
        (folder / path).write_bytes(content.replace(old.encode(), new.encode(), 1))
    return step


def flip(path):
    """A step that turns one bit in the middle of a file over."""
    def step(folder):
        content = bytearray((folder / path).read_bytes())
        content[len(content) // 2] ^= 4
        (folder / path).write_bytes(bytes(content))
    return step


def cut(path, count=100):
    """A step that cuts the end of a file off."""
    def step(folder):
        (folder / path).write_bytes((folder / path).read_bytes()[:-count])
    return step
