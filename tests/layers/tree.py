# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the structure tests read: the files of the repository, what each includes
or imports, and the graph of rooms that follows.

A room is a folder, or a file pair (`Name.h`, `Name.cpp`) that lies loose beside
folders. An arrow is a pair of rooms of which one includes the other.
"""
import ast
import collections
import functools
import pathlib
import re

LAYERS = ("targets", "dialects", "runtime", "compiler", "simulator")
TOP = LAYERS + ("models", "tests")
SUFFIXES = {".cpp", ".h", ".td", ".py", ".proto", ".yaml", ".mlir", ".test", ".def"}
CXX = {".cpp", ".h", ".td"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.M)


def read_tree(root):
    """Path from the root -> text, of every file that a rule speaks of."""
    files = {}
    for top in TOP:
        for path in sorted((pathlib.Path(root) / top).rglob("*")):
            known = path.suffix in SUFFIXES or path.name == "CMakeLists.txt"
            if known and path.is_file() and "__pycache__" not in path.parts:
                files[path.relative_to(root).as_posix()] = path.read_text()
    return files


@functools.lru_cache(maxsize=None)
def suffix(name):
    return pathlib.PurePosixPath(name).suffix


@functools.lru_cache(maxsize=None)
def stem(name):
    return pathlib.PurePosixPath(name).stem


@functools.lru_cache(maxsize=None)
def folder_of(name):
    return name.rpartition("/")[0]


def within(name, room):
    """Whether a file or a folder is `room` or lies in it."""
    return name == room or name.startswith(room + "/")


@functools.lru_cache(maxsize=None)
def includes_of(text):
    return tuple(INCLUDE.findall(text))


def own(name):
    """A header of ours that stands in the repository, not one that is generated."""
    return name.split("/")[0] in LAYERS and suffix(name) in CXX and \
        not name.endswith(".pb.h")


def arrows_below(files, folder, loose=stem):
    """(room, room) -> includes between two rooms that stand directly in `folder`,
    and the set of all its rooms. `loose` names the room of a loose file."""
    def room_of(name):
        head, *rest = name[len(folder) + 1:].split("/")
        return head + "/" if rest else loose(head)

    arrows, rooms = collections.defaultdict(list), set()
    for name, text in files.items():
        if suffix(name) not in CXX or not within(name, folder):
            continue
        room = room_of(name)
        rooms.add(room)
        for target in includes_of(text):
            if own(target) and within(target, folder) and room_of(target) != room:
                arrows[room, room_of(target)].append((name, target))
    return arrows, rooms


def circles(arrows):
    """The sets of rooms that reach each other, by Tarjan's algorithm."""
    after = collections.defaultdict(list)
    for source, target in sorted(arrows):
        after[source].append(target)
    index, low, stack, found = {}, {}, [], []

    def visit(room):
        index[room] = low[room] = len(index)
        stack.append(room)
        for other in after.get(room, ()):
            if other not in index:
                visit(other)
                low[room] = min(low[room], low[other])
            elif other in stack:
                low[room] = min(low[room], index[other])
        if low[room] == index[room]:
            start = stack.index(room)
            circle = stack[start:]
            del stack[start:]
            if len(circle) > 1:
                found.append(sorted(circle))

    for room in sorted(after):
        if room not in index:
            visit(room)
    return found


@functools.lru_cache(maxsize=None)
def python_imports(text):
    """(line, module) of every import, however deep, and (line, text) of every
    piece of text: a path put on sys.path or handed to importlib is one."""
    modules, pieces = [], []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules.append((node.lineno, node.module))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces.append((node.lineno, node.value))
    return modules, pieces
