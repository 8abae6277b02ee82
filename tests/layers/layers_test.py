# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers, rooms and leaves include, link and import only what rules.py lets them,
no rooms include each other in a circle, and every file says its licence.

    python3 tests/layers/layers_test.py [FOLDER]           checks
    python3 tests/layers/layers_test.py [FOLDER] --graph   files, rooms, arrows
"""
import pathlib
import re
import sys

from rules import (EXCEPTIONS, FOR_EVERYONE, LAYER_MAY, LEAVES, LIBRARIES,
                   MLIR_MAY, MOST_LINES, MOST_MODULES, PYTHON_MAY, ROOM_MAY, THEIRS)
from tree import (CXX, LAYERS, arrows_below, circles, folder_of, includes_of,
                  own, python_imports, read_tree, stem, suffix, within)

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def innermost(name, rooms):
    """The deepest of `rooms` that a file lies in, if any."""
    found = [room for room in rooms if within(name, room)]
    return max(found, key=len, default=None)


def may_include(name, target):
    """Why one file of ours may not include the other; None where it may."""
    leaf, target_leaf = innermost(name, LEAVES), innermost(target, LEAVES)
    if target_leaf and target_leaf != leaf and not name.startswith("tests/") and \
            leaf not in LEAVES[target_leaf]:
        return f"includes the leaf {target}"
    if leaf or name.startswith("tests/"):
        return None
    layer, target_layer = name.split("/")[0], target.split("/")[0]
    if layer != target_layer:
        allowed = target_layer in LAYER_MAY[layer] or target in FOR_EVERYONE
        return None if allowed else f"{layer} may not include {target}"
    room, target_room = innermost(name, ROOM_MAY), innermost(target, ROOM_MAY)
    if room is None or target_room is None:
        return None  # a loose file; circles are looked for below
    if within(target_room, room) or within(room, target_room):
        return None
    allowed = {other for outer, others in ROOM_MAY.items() if within(room, outer)
               for other in others}
    if any(within(target_room, other) for other in allowed):
        return None
    return f"{room} may not include {target}"


def check_includes(files, exceptions):
    problems = []
    for name, text in files.items():
        if suffix(name) not in CXX:
            continue
        for target in includes_of(text):
            reason = may_include(name, target) if own(target) else None
            if reason and (name, target) not in exceptions:
                problems.append(f"{name}: {reason}")
            first = target.split("/")[0]
            leaf = innermost(name, LEAVES) or name.startswith("tests/")
            if first in ("mlir", "llvm") and not leaf and not any(
                    within(name, room) for room in MLIR_MAY):
                problems.append(f"{name}: only dialects/, compiler/ and leaves "
                                f"may include {target}")
            if first in ("mlir", "llvm") and name.startswith("compiler/mapping/"):
                problems.append(f"{name}: compiler/mapping knows no MLIR, "
                                f"but includes {target}")
            if first == "systemc" and not leaf and \
                    not name.startswith("simulator/timing/"):
                problems.append(f"{name}: only simulator/timing includes systemc")
    return problems


def without(files, exceptions):
    """The C++ of the layers, less the includes that are listed exceptions."""
    kept = layers_of(files)
    for name, target in exceptions:
        if name in kept:
            kept[name] = re.sub(r'.*include\s+"' + re.escape(target) + '".*', "",
                                kept[name])
    return kept


def layers_of(files):
    return {name: text for name, text in files.items()
            if suffix(name) in CXX and name.split("/")[0] in LAYERS}


def room_circles(files, folder):
    """Circles of a folder that go through a sub-folder: two file pairs that need
    each other's headers are one thing in two files, two rooms are not. The loose
    files of a folder with sub-folders are one room: if it includes one of these,
    none of these may include it, so it stands above all rooms or below all."""
    arrows, _ = arrows_below(files, folder, loose=lambda name: "its loose files")
    return arrows, [circle for circle in circles(arrows)
                    if any(room.endswith("/") for room in circle)]


def check_circles(files, exceptions):
    kept, problems = without(files, exceptions), []
    for folder in folders(kept):
        arrows, found = room_circles(kept, folder)
        for circle in found:
            steps = [f"{source} includes {target}" for arrow, uses
                     in sorted(arrows.items()) if set(arrow) <= set(circle)
                     for source, target in uses[:1]]
            problems.append(f"{folder}: {', '.join(circle)} include each other "
                            f"in a circle: {'; '.join(steps)}")
    headers = {(name, target): 1 for name, text in kept.items()
               for target in includes_of(text) if own(target)}
    return problems + [f"{', '.join(circle)} include each other in a circle"
                       for circle in circles(headers)]


def check_exceptions(files, exceptions):
    """Every listed exception still breaks a rule."""
    problems = []
    for name, target in exceptions:
        present = target in includes_of(files.get(name, ""))
        others = [other for other in exceptions if other != (name, target)]
        if not present or not (may_include(name, target) or
                               check_circles(files, others)):
            problems.append(f"{name}: {target} breaks no rule any longer; take it "
                            f"off EXCEPTIONS of rules.py")
    return problems


def folders(files):
    """Every folder that holds C++ of ours at any depth, outermost first."""
    found = set()
    for name in files:
        while suffix(name) in CXX or name in found:
            name = folder_of(name)
            if not name:
                break
            found.add(name)
    return sorted(found)


def check_rooms(files):
    """Every folder of a layer stands in ROOM_MAY, so that a new room says what it
    may include."""
    own_cxx = {folder_of(name) for name in files if suffix(name) in CXX and
               name.split("/")[0] in LAYERS}
    problems = [f"{room}: is not in ROOM_MAY of rules.py; say what it may include"
                for room in sorted(own_cxx)
                if room not in ROOM_MAY and not innermost(room, LEAVES) and
                room not in LAYERS and
                not any(within(other, room) for other in ROOM_MAY)]
    return problems + [f"{room}: is in ROOM_MAY of rules.py, but has no C++"
                       for room in ROOM_MAY
                       if not any(within(other, room) for other in own_cxx)]


def check_python(files):
    python = [name for name in files if suffix(name) == ".py"]
    problems = []
    for name in python:
        top = name.split("/")[0]
        allowed = PYTHON_MAY[top] | {top}
        modules, pieces = python_imports(files[name])
        for line, module in modules:
            first = module.split(".")[0]
            places = [other for other in python if stem(other) == first or
                      folder_of(other).endswith("/" + first)]
            if first in THEIRS or first in sys.stdlib_module_names or any(
                    folder_of(other) == folder_of(name) for other in places):
                continue
            tops = {other.split("/")[0] for other in places}
            if tops and not tops & allowed:
                problems.append(f"{name}:{line}: {top}/ may not import {module} "
                                f"of {', '.join(sorted(tops))}/")
        for line, piece in pieces:
            parts = piece.split("/")
            if "tests" in parts and "tests" not in allowed and " " not in piece:
                problems.append(f"{name}:{line}: {top}/ may not reach into "
                                f"'{piece}'")
    return problems


def check_texts(files):
    problems = []
    for name, text in files.items():
        if SPDX not in "\n".join(text.split("\n")[:2]):
            problems.append(f"{name}: has no SPDX line at its head")
        for place in re.findall(r"(?<![\w./])/(?:home|root|work|tmp)/\w+", text):
            problems.append(f"{name}: names a path of one machine: {place}")
        layer = name.split("/")[0]
        leaf = innermost(name, LEAVES) or name.startswith("simulator/timing/")
        if name.endswith("CMakeLists.txt") and layer in LIBRARIES and not leaf:
            rule = LIBRARIES[layer]
            found = re.search(rule, re.sub(r"#.*", "", text))
            if found:
                problems.append(f"{name}: links {found.group(0)}")
    return problems


def check_sizes(files):
    """Few modules, and none too long to be read at once."""
    layers = {name: text for name, text in layers_of(files).items()
              if suffix(name) in (".cpp", ".h")}
    modules = {name.rsplit(".", 1)[0] for name in layers}
    problems = [f"{name}: has {text.count(chr(10))} lines, at most {MOST_LINES} are read "
                f"at once" for name, text in layers.items()
                if name.endswith(".cpp") and text.count("\n") > MOST_LINES]
    if len(modules) > MOST_MODULES:
        problems.append(f"{len(modules)} modules, of at most {MOST_MODULES} (rules.py); "
                        f"merge a small one with what it serves")
    return problems


def check(files, exceptions=EXCEPTIONS):
    """Everything that breaks a rule, one line each."""
    return (check_includes(files, exceptions) + check_circles(files, exceptions) +
            check_exceptions(files, exceptions) +
            check_rooms(files) + check_python(files) + check_texts(files) +
            check_sizes(files))


def print_graph(files):
    layers = layers_of(files)
    print("files  loose  rooms arrows  folder")
    for folder in folders(layers):
        arrows, rooms = arrows_below(layers, folder)
        loose = sum(folder_of(name) == folder for name in layers)
        count = sum(within(name, folder) for name in layers)
        around = sum(len(circle) for circle in room_circles(layers, folder)[1])
        note = f" ({around} rooms and files in a circle)" if around else ""
        print(f"{count:5} {loose:6} {len(rooms):6} {len(arrows):6}  {folder}{note}")


def main():
    words = [word for word in sys.argv[1:] if word != "--graph"]
    root = words[0] if words else pathlib.Path(__file__).resolve().parents[2]
    files = read_tree(root)
    if "--graph" in sys.argv:
        return print_graph(files)
    problems = check(files)
    includes = sum(len(includes_of(text)) for text in files.values())
    # A test that reads nothing would pass for ever.
    if len(files) < 100 or includes < 300:
        problems.append(f"only {len(files)} files with {includes} includes were read")
    print("\n".join(problems) or
          f"ok: {includes} includes in {len(files)} files keep to their layers "
          f"and rooms, but for {len(EXCEPTIONS)} listed exceptions")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
