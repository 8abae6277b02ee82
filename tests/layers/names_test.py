# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that a name means one thing where several sources are compiled as one.

    python3 tests/layers/names_test.py

A unity build (./quickstart) includes several sources of a library in one. So a name
that a source keeps to itself, in an anonymous namespace or static, may stand at file
level of one source of its library alone. And no type that others can see is defined in
two files: in one program the linker would take the destructor of one for both.

A name is a noun of the field, and a comment begins with its subject.
"""
import collections
import pathlib
import re
import sys

from tree import folder_of, read_tree, suffix

OURS = "dendrolith"
HIDDEN_WORDS = {"static", "constexpr", "const"}
TYPE_WORDS = {"struct", "class", "enum", "union"}
# Names that say nothing of what they are for.
VAGUE = "Story|Looks|Ways|Deal|ChipShelf|Standing|Judged|Asked|Room|mourn|deal"
VAGUE_NAME = re.compile(
    rf"^\s*(?:\w[\w:<>*& ,]* |)(?:struct|class|enum|using|def)\s+({VAGUE})\b|"
    rf"^(?:\w[\w:<>*& ]* |)\*?(mourn|deal)\(", re.M)
VAGUE_COMMENT = re.compile(r'^[^"\n]*?((?://+<?|#|""")\s*Of\b.*)', re.M)
TEXT = re.compile(
    r'R"(?P<mark>\w*)\((?:.|\n)*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'
    r"//[^\n]*|/\*(?:.|\n)*?\*/|(?<!\w)'(?:\\.|[^'\\\n])+'|"
    r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|\[\[|\]\]|->|[^\s\w]|\d[\w.']*")

# A name at file level. `space` are the named namespaces around it; an alias has the text
# of what it stands for, as the same alias may stand in many files.
Name = collections.namedtuple("Name", "space name sort hidden alias")


def tokens_of(text):
    return TOKEN.findall(TEXT.sub(" ", text))


def after_block(tokens, start):
    """The place behind the `}` of the `{` at `start`."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += (tokens[place] == "{") - (tokens[place] == "}")
        if not depth:
            return place + 1
    return len(tokens)


BEFORE = {"template": ("<", ">"), "[[": ("[[", "]]"), "__attribute__": ("(", ")")}


def without_template(head):
    """A declaration without `template <...>` and attributes before it."""
    while head and head[0] in BEFORE:
        depth, place = 0, 1
        opening, closing = BEFORE[head[0]]
        for place, token in enumerate(head):
            depth += (token == opening) - (token == closing)
            if place and not depth:
                break
        head = head[place + 1:]
    return head


def parts_of(head):
    """The declarators of `int a = 1, b = 2`: pieces between commas outside brackets."""
    pieces, depth = [[]], 0
    for token in head:
        depth += (token in "<([{") - (token in ">)]}")
        if token == "," and depth <= 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def declarator(head):
    """(name, sort) of the function or variable that `head` declares, or None."""
    angles = 0
    for place, token in enumerate(head):
        if token == "operator":
            return None
        angles = max(0, angles + (token == "<") - (token == ">"))
        after = head[place + 1:place + 2]
        if angles or after not in ([], ["("], ["="], ["["], [":"]):
            continue
        if re.match(r"[A-Za-z_]", token) and token not in ("decltype", "alignas"):
            own = place and head[place - 1] not in ("::", "~")
            return (token, "function" if after == ["("] else "constant") if own else None
    return None


def named(head, defines):
    """(name, sort) of all that a declaration at file level names."""
    head = without_template(head)
    words = [word for word in head if word not in ("inline", "static")]
    if words[:1] in (["using"], ["namespace"]) and words[1:2] != ["namespace"]:
        return [(words[1 if words[2:3] == ["="] else -1], "alias")]
    if words[:1] == ["typedef"]:
        plain = [word for word in words if re.match(r"[A-Za-z_]", word)]
        return [(plain[min(2, len(plain) - 1)], "alias")]
    if words[:1] and words[0] in TYPE_WORDS and "(" not in words and defines:
        rest = words[2:] if words[1:2] in (["class"], ["struct"]) else words[1:]
        return [(rest[0], "type")] if rest and rest[1:2] not in (["::"], ["<"]) else []
    if not head or head[0] in ("using", "friend", "static_assert", "extern", ","):
        return []
    first, *rest = parts_of(head)
    found = [declarator(first)]
    if found[0] and found[0][1] == "constant":
        found += [(piece[0], "constant") for piece in rest if piece]
    return [name for name in found if name]


def names_of(text):
    """Every Name of a source."""
    tokens, spaces, found = tokens_of(text), [], set()
    place = 0
    while place < len(tokens):
        head, parens = [], 0
        while place < len(tokens):
            token = tokens[place]
            if not parens and token in ("{", "}", ";"):
                break
            if token == "{":  # a lambda in an argument
                place = after_block(tokens, place)
                continue
            parens += (token == "(") - (token == ")")
            head.append(token)
            place += 1
        token = tokens[place] if place < len(tokens) else ";"
        place += 1
        if token == "}":
            spaces = spaces[:-1]
            continue
        if token == "{" and (head[:1] == ["namespace"] or head in (["extern"], ["inline"])):
            spaces.append("::".join(t for t in head[1:] if t != "::"))
            continue
        if token == "{":
            start, place = place, after_block(tokens, place - 1)
            if head[:1] == ["enum"] and head[1:2] not in (["class"], ["struct"]):
                found |= {Name("::".join(s for s in spaces if s), piece[0], "constant",
                               "" in spaces, "")
                          for piece in parts_of(tokens[start:place - 1]) if piece}
            if tokens[place:place + 1] == [";"]:
                place += 1
        if head[:3] == ["using", "namespace", OURS] and not spaces:
            spaces = ["".join(head[2:])]  # where its names are seen with the others
            continue
        for name, sort in named(head, token == "{"):
            first = set(without_template(head)[:3])
            hidden = "" in spaces or "static" in first or (
                sort == "constant" and bool(first & HIDDEN_WORDS))
            alias = " ".join(head).replace(f"{OURS} :: ", "") if sort == "alias" else ""
            found.add(Name("::".join(s for s in spaces if s), name, sort, hidden, alias))
    return found


def folders_of_libraries(files):
    """Folders whose CMakeLists.txt makes a library or a program."""
    return {folder_of(name) for name, text in files.items()
            if name.endswith("CMakeLists.txt") and
            re.search(r"^\s*add_(library|executable|dendrolith_dialect)\(", text, re.M)}


def library_of(name, folders):
    folder = folder_of(name)
    while folder and folder not in folders:
        folder = folder_of(folder)
    return folder


def clashes(names, key_of):
    """(key, files) of every key that names two things, in order."""
    where = collections.defaultdict(lambda: collections.defaultdict(set))
    for path, found in names.items():
        for name in found:
            key = key_of(path, name)
            if key:
                where[key][name.alias or path].add(path)
    return [(key, ", ".join(sorted(set().union(*things.values()))))
            for key, things in sorted(where.items()) if len(things) > 1]


def hidden_twice(names, folders):
    """One line for every name that two sources of a library keep to themselves, or one
    that a header of it has, too."""
    def key_of(path, name):
        kept = name.hidden or name.sort == "alias" if suffix(path) == ".cpp" else \
            name.sort in ("type", "constant")
        return kept and (library_of(path, folders), name.space, name.name)

    return [f"{space + '::' if space else ''}{name}: stands at file level of {files}; "
            "a name that says what each is for, or one helper for all"
            for (_, space, name), files in clashes(names, key_of) if ".cpp" in files]


def defined_twice(names):
    """One line for every type of one name that two files define: in the program, or in
    it and a test."""
    def key_of(path, name):
        sorts = ("type",) if suffix(path) == ".cpp" else ("type", "alias")
        shown = name.sort in sorts and name.space and not name.hidden
        return shown and (name.space, name.name)

    return [f"{space}::{name}: is defined in {files}; the linker takes one for the other"
            for (space, name), files in clashes(names, key_of)]


def vague(files):
    """One line for every name and comment that does not say what it is of."""
    found = []
    for path, text in files.items():
        if suffix(path) not in (".h", ".cpp", ".td", ".py"):
            continue
        found += [f"{path}: the name {match[1] or match[2]} is no noun of the field"
                  for match in VAGUE_NAME.finditer(text)]
        found += [f"{path}: '{match[1]}' begins with no subject"
                  for match in VAGUE_COMMENT.finditer(text)]
    return found


def check(files):
    """One line for every name that means two things, or nothing."""
    names = {path: names_of(text) for path, text in files.items()
             if suffix(path) in (".h", ".cpp")}
    return (hidden_twice(names, folders_of_libraries(files)) + defined_twice(names) +
            vague(files))


def main():
    files = read_tree(pathlib.Path(__file__).resolve().parents[2])
    problems = check(files)
    print("\n".join(problems) or "ok: every name at file level means one thing")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
