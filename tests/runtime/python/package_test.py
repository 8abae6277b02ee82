# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/version.py, options.py, __init__.py and __main__.py.
"""The package has the version of the build, documents all that it exports, passes the
type checker, and finds what came along."""
import inspect
import os
import re
import shutil
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, finish, dl, refused

version = re.search(r"project\(Dendrolith VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
check(dl.__version__ == version.group(1), f"{dl.__version__} is the version of the build")
told = subprocess.run([DENDROLITH, "--version"], capture_output=True, text=True).stdout.split()[1]
check(told == dl.__version__, f"the binary is {told}")
keywords = subprocess.run([DENDROLITH, "man", "python"], capture_output=True, text=True).stdout
check(keywords == (ROOT / "runtime/python/dendrolith/options.py").read_text(),
      "options.py is what `dendrolith man python` prints")
for name in dl.__all__:
    item = getattr(dl, name)
    check(name == "__version__" or inspect.getdoc(item), f"{name} has a docstring")
    if inspect.isclass(item):
        for key, member in vars(item).items():
            if not key.startswith("_") and (inspect.isfunction(member) or
                                            isinstance(member, (property, staticmethod))):
                check(inspect.getdoc(getattr(member, "__func__", member)) or
                      isinstance(member, property), f"{name}.{key} has a docstring")

package = ROOT / "runtime" / "python"
if shutil.which("mypy"):
    typed = subprocess.run(["mypy", "-p", "dendrolith", "--cache-dir", FOLDER / "mypy"], cwd=package,
                           capture_output=True, text=True)
    check(typed.returncode == 0, f"the type checker: {typed.stdout}")
else:
    print("skipped: mypy is not installed, types are not checked")

# A name of another tool gets an answer that names what there is.
for owner, name, words in ((dl, "BatchNorm1d", ("Linear", "BatchNorm goes")),
                           (dl.snntorch, "RLeaky", ("Leaky", "dl.Recurrent")),
                           (dl, "nothing", ("no attribute",))):
    try:
        getattr(owner, name)
        check(False, f"{name} is there")
    except AttributeError as error:
        check(all(word in str(error) for word in words), f"{name}: {error}")

# The command by the name of the package.
said = subprocess.run([sys.executable, "-m", "dendrolith", "--version"], cwd=package, capture_output=True,
                      text=True, env={**os.environ, "DENDROLITH_BIN": str(DENDROLITH)})
check(said.stdout.split() == ["dendrolith", dl.__version__], f"python -m dendrolith: {said}")
said = subprocess.run([sys.executable, "-m", "dendrolith"], cwd=package, capture_output=True, text=True,
                      env={**os.environ, "DENDROLITH_BIN": "/nowhere"})
check(said.returncode == 1 and said.stderr.startswith("error: DENDROLITH_BIN"), f"no program: {said}")

class Module:
    state_dict = {}


refused("a layer", lambda: dl.load(dl.Linear([[1.0]])), "a layer", "from_layers([...])")
refused("a module", lambda: dl.load(Module()), "a Module", "from_torch")

# What comes along is found in the sources, too.
check((dl.shipped("models/lif") / "shapes_lif.nir").is_file(), "shipped networks")
refused("nothing of that name", lambda: dl.shipped("models/" + "none"), "none", "dendrolith doctor")
finish()
