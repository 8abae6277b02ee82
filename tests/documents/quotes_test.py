# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests tests/documents/quotes.py, and runtime/driver/commands/README.md.
"""A stale quote of each kind is found and written anew; each command has a page."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import quotes  # noqa: E402

DENDROLITH = pathlib.Path(sys.argv[1]).resolve()
failed = 0


def check(good, title):
    global failed
    if not good:
        failed += 1
        print(f"FAILED {title}")


def renewed(text):
    return quotes.renew(text, DENDROLITH)


GOOD = """text
```console
$ echo one; \\
    echo two
one
two
$ seq 5
1
...
5
```
<!-- printed by: echo '| a |' -->
| a |
<!-- end -->
```sh
false
```
"""
check(renewed(GOOD) == GOOD, "what is right stays")
check(renewed(GOOD.replace("\ntwo\n", "\n2\n")) == GOOD, "a line of a block is written anew")
check(renewed(GOOD.replace("\n5\n", "\n6\n")) == GOOD, "the lines around the dots, too")
check(renewed(GOOD.replace("| a |\n<!-- end", "| b |\n<!-- end")) == GOOD, "and a section")
check(renewed("```console\n$ true\n```\n") == "```console\n$ true\n```\n", "nothing is printed")
check(renewed("```console\n$ echo a > out/f; ls runtime/python; ls build/bin | grep -x dendrolith\n...\n"
              "dendrolith\n```\n").endswith("...\ndendrolith\n```\n"), "the folder is that of the repository")
try:
    renewed("```console\n$ echo skipped: no torch; exit 77\nx\n```\n")
    check(False, "what is missing is said")
except quotes.Missing as missing:
    check("no torch" in str(missing), f"what is missing is said: {missing}")

try:
    renewed("<!-- printed by: echo no such key; exit 1 -->\nkept\n<!-- end -->\n")
    check(False, "an error is no section")
except quotes.Failed as error:
    check("no such key" in str(error), f"an error is no section: {error}")

# The tool names the line, ends with 1, and writes.
with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "page.md"
    page.write_text(GOOD.replace("\ntwo\n", "\n2\n"))
    tool = [sys.executable, quotes.__file__]
    found = subprocess.run([*tool, DENDROLITH, page], capture_output=True, text=True)
    check(found.returncode == 1 and "page.md:6: quotes '2', printed is 'two'" in found.stdout and
          "--write build/bin/dendrolith" in found.stdout, f"the tool says: {found.stdout}")
    subprocess.run([*tool, "--write", DENDROLITH, page], check=True, capture_output=True)
    check(page.read_text() == GOOD, "the tool writes")

# Each command has a page that it prints, and the list names it.
told = subprocess.run([DENDROLITH, "--help"], capture_output=True, text=True).stdout
commands = re.findall(r"^  (\w+) +\S", told.split("Subcommands:")[1], re.M)
pages = quotes.ROOT / "runtime" / "driver" / "commands"
check(sorted(commands + ["README"]) == sorted(page.stem for page in pages.glob("*.md")),
      f"a page for each of {commands}")
index = (pages / "README.md").read_text()
for command in commands:
    page = pages / f"{command}.md"
    check(page.is_file() and f"<!-- printed by: dendrolith man {command} -->" in page.read_text() and
          f"({command}.md)" in index, f"{command} has its page, and the list has it")
wrong = subprocess.run([DENDROLITH, "man", "complie"], capture_output=True, text=True)
check(wrong.returncode != 0 and "complie" in wrong.stderr, f"man of no command: {wrong.stderr}")
# What a reader types first in Python runs as it stands, where what it imports is there.
codes = re.findall(r"```python\n(.*?)```", (quotes.ROOT / "README.md").read_text(), re.S)
check(len(codes) == 2 and "dl.from_torch(" in codes[0], "the README begins with a cell of PyTorch")
for code in codes:
    needs = re.findall(r"^import (torch|numpy)", code, re.M)
    absent = [name for name in needs if not importlib.util.find_spec(name)]
    if "torch" in needs and not absent and not hasattr(__import__("torch"), "export"):
        absent = ["torch 2.6"]
    if absent:
        print(f"skipped: {absent[0]} is not installed, some of the README's Python is not run")
        continue
    with tempfile.TemporaryDirectory() as folder:
        environment = {**quotes.folder_for(DENDROLITH, pathlib.Path(folder)),
                       "PYTHONPATH": "runtime/python"}  # as the page says
        ran = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment,
                             capture_output=True, text=True)
        page = pathlib.Path(folder) / "R.html"
        good = (float(ran.stdout.split()[0]) < 1e-12 if "torch" in needs else
                "0.942 " in ran.stdout and page.stat().st_size > 50000) if ran.stdout else False
        check(ran.returncode == 0 and good, f"the README's Python runs: {ran.stdout} {ran.stderr}")
known = quotes.documents()
for name in ("runtime/python/reference.md", "targets/keys.md"):
    check(name in known, f"{name} has quotes")
print(f"failed: {failed}" if failed else "all passed")
sys.exit(failed > 0)
