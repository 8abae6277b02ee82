# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the reference of a dialect, Reference.md, from its definitions in TableGen.

    /usr/bin/python3 dialects/reference.py TBLGEN INCLUDE dialects/dend/DendOps.td PAGE [--check]

TBLGEN is llvm-tblgen and INCLUDE the folder of MLIR's own definitions. With --check
nothing is written, and the exit code is 1 where the page is not what would be.
`ninja dendrolith-reference` writes all pages.
"""
import difflib
import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {  # by the file in which an operation is defined
    "DendNetworkOps.td": "Networks",
    "DendBodyOps.td": "Arithmetic of step bodies",
    "DendStructureOps.td": "Pieces of neurons",
    "ChipOps.td": "Operations",
}
# What parts of a syntax that are written in C++ look like.
CUSTOM = {
    "Types": "[: TYPES]",
    "KnownTypes": "[: TYPES]",
    "LiteralType": "[as TYPE]",
    "CarriedTypes": ") [-> (TYPES)]",
    "ConstantValue": "[: TYPE] [= ELEMENTS]",
    "InputType": "[EXTENTS] on @clock [as SPIKES]",
    "SynapseKind": "[#dend.KIND]",
}
TYPES = (" Below it stands what a value is. A number may be a static tensor of such numbers; any number is "
         "float, complex, fixed-point, i1 or i32. `[: TYPES]` are the types of operands and results, "
         "`: (f64, f64) -> f64`, or of results alone, `-> f64`. In a `dend.neuron` "
         "they may be left out where those of the results follow, as they do but for fixed-point results of products' sums, functions and tables.")
TOKEN = re.compile(r"custom<(\w+)>\(([^()]|\([^()]*\))*\)|functional-type\([^)]*\)|type\([^)]*\)"
                   r"|attr-dict(-with-keyword)?|`[^`]*`|\$\w+\^?|\)\?|[()]|\S")


class Definitions:
    def __init__(self, tblgen, include, file):
        text = subprocess.run([tblgen, "-dump-json", "-I", ROOT, "-I", include, ROOT / file],
                              check=True, capture_output=True, text=True).stdout
        self.records = json.loads(text)
        self.folder = pathlib.Path(file).parent.name

    def of(self, kind):
        """The records of a kind that the dialect itself defines, in their order."""
        own = [self.records[name] for name in self.records["!instanceof"].get(kind, [])]
        own = [record for record in own if self.place(record)[0] in
               {path.name for path in (ROOT / "dialects" / self.folder).glob("*.td")}]
        return sorted(own, key=self.place)

    def place(self, record):
        """File and line of the definition that a reader of the file sees."""
        file, line = record["!locs"][0].rsplit(":", 1)
        return pathlib.Path(file).name, int(line)

    def record(self, part):
        """The definition of an operand, attribute or result, without what wraps it."""
        found = self.records[part["def"]]
        while found.get("baseAttr"):
            found = self.records[found["baseAttr"]["def"]]
        return found

    def words(self, attribute):
        """The words of an enumeration, or nothing."""
        enum = attribute.get("enum")
        if not enum:
            return []
        cases = self.records[enum["def"]]["enumerants"]
        return [self.records[case["def"]]["str"] for case in cases]


def parts(dag):
    return [(name, part) for part, name in dag["args"]]


def syntax(definitions, op, dialect):
    """The syntax of an op as a line to copy: %operands, ATTRIBUTES, [what may be left out]."""
    if not op["assemblyFormat"]:
        return ""
    arguments = dict(parts(op["arguments"]))

    def variable(name):
        if name not in arguments:
            return "{ ... }"  # a region
        found = definitions.record(arguments[name])
        words = definitions.words(found)
        if words:
            return "|".join(words)
        if "Symbol" in found["!name"]:
            return "@name" if name == "sym_name" else f"@{name}"
        if "TypeConstraint" not in found["!superclasses"]:
            return name.upper()
        return f"%{name}, ..." if "Variadic" in found["!superclasses"] else f"%{name}"

    text, closing = "", False
    for match in TOKEN.finditer(op["assemblyFormat"]):
        token = match.group()
        space = "" if not text or text[-1] in " [(" else " "
        if token.startswith("custom"):
            made = "-> TYPE" if '"stated"' in token else CUSTOM[match.group(1)]
            text += made if made.startswith(")") else space + made
        elif token.startswith(("functional-type", "type(")):
            text += space + "TYPES"
        elif token.startswith("attr-dict"):
            continue
        elif token.startswith("`"):
            word = token.strip("`")
            text += word if word in (",", ")", "]", "", "[") or not word else space + word
        elif token.startswith("$"):
            name = token.strip("$^")
            unit = name in arguments and arguments[name]["def"] == "UnitAttr"
            text += "" if unit else space + variable(name)
        elif token == "(":
            text += space + "["
        elif token in (")?", ")"):
            text += "]"
    results = ", ".join(f"%{name}" for name, _ in parts(op["results"]))
    name = f"{dialect}.{op['opName']}"
    return f"{results + ' = ' if results else ''}{name} {text}".strip()


def short(summary):
    """What a value is, without what holds for all (TYPES)."""
    summary = summary.replace(" value or a static tensor of them", "")
    summary = summary.replace("a float, complex, fixed-point, i1 or i32", "any number")
    return re.sub(r"^(variadic of )?a (?=real|fixed-point)", r"\1", summary)


def prose(record):
    return textwrap.dedent(record["description"] or "").strip()


def operation(definitions, op, dialect):
    lines = [f"### `{dialect}.{op['opName']}`", "", op["summary"], ""]
    line = syntax(definitions, op, dialect)
    if line:
        lines += ["```text", line, "```", ""]
    if prose(op):
        lines += [prose(op), ""]
    kinds = {}
    for name, part in parts(op["arguments"]) + parts(op["results"]):
        found = definitions.record(part)
        if "TypeConstraint" in found["!superclasses"] and found["summary"]:
            kinds.setdefault(short(found["summary"]), []).append(f"`{name}`")
    lines += [f"* {', '.join(names)}: {summary}" for summary, names in kinds.items()]
    return lines + ([""] if kinds else [])


def page(definitions):
    dialect = definitions.of("Dialect")[0]
    name = dialect["name"]
    lines = ["<!-- written by `ninja dendrolith-reference` from the .td files beside it -->",
             f"# Reference of the dialect `{name}`", "", prose(dialect), "",
             "In a line of syntax `%name` is a value, `@name` a symbol, a word in capitals a number, "
             "a name or a list, `[...]` may be left out, and one of `a|b` is written."
             + (TYPES if name == "dend" else ""), ""]
    ops = definitions.of("Op")
    for file, title in SECTIONS.items():
        some = [op for op in ops if definitions.place(op)[0] == file]
        if some:
            links = [f"[`{op['opName']}`](#{name}{op['opName']})" for op in some]
            lines += [f"* {title}: " + ", ".join(links)]
    for file, title in SECTIONS.items():
        some = [op for op in ops if definitions.place(op)[0] == file]
        lines += ["", f"## {title}", ""] if some else []
        for op in some:
            lines += operation(definitions, op, name)
    for title, kind, mark in (("Types", "TypeDef", "!"), ("Attributes", "AttrDef", "#")):
        some = [record for record in definitions.of(kind) if record["mnemonic"]]
        lines += [f"## {title}", ""] if some else []
        for record in some:
            words = definitions.words(record)
            summary = record["summary"] or summary_of_enum(definitions, record)
            lines += [f"* `{mark}{name}.{record['mnemonic']}`: {summary}"
                      + (f" ({', '.join(words)})" if words else "")]
            lines += [textwrap.indent(prose(record), "  ")] if prose(record) else []
        lines += [""] if some else []
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
    return "\n".join(line.rstrip() for line in text.split("\n"))


def summary_of_enum(definitions, record):
    return definitions.records[record["enum"]["def"]]["summary"] if record.get("enum") else ""


def main():
    tblgen, include, file, target = sys.argv[1:5]
    target = pathlib.Path(target)
    made = page(Definitions(tblgen, include, file))
    if sys.argv[5:] != ["--check"]:
        target.write_text(made)
        return 0
    found = target.read_text() if target.exists() else ""
    for line in difflib.unified_diff(found.splitlines(), made.splitlines(), str(target), "now",
                                     lineterm="", n=0):
        print(line)
    if found != made:
        print("out of date: run `ninja dendrolith-reference`")
    return int(found != made)


if __name__ == "__main__":
    sys.exit(main())
