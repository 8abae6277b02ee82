# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/pyproject.toml, runtime/python/dendrolith/version.py, options.py and __init__.py.
"""The package has the version of the build, documents all that it exports, passes the
type checker, and becomes a wheel that installs and works without a network."""
import inspect
import os
import re
import shutil
import subprocess
import sys
import zipfile

from support import FOLDER, DENDROLITH, ROOT, check, finish, dl

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

try:
    import build  # noqa: F401
    import setuptools  # noqa: F401
    import wheel  # noqa: F401
except ImportError:
    print("skipped: python3-build, setuptools and wheel are not installed, no wheel is built")
else:
    copy = FOLDER / "source"  # the build leaves folders beside its sources
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", ".mypy_cache"))
    built = subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o",
                            FOLDER / "dist", copy], capture_output=True, text=True)
    check(built.returncode == 0, f"the wheel: {built.stdout[-500:]} {built.stderr[-500:]}")
    found, = (FOLDER / "dist").glob("*.whl")
    check(found.name == f"dendrolith-{dl.__version__}-py3-none-any.whl", found.name)
    with zipfile.ZipFile(found) as archive:
        names = archive.namelist()
        archive.extractall(FOLDER / "site")
    check("dendrolith/py.typed" in names and not any("dendrolith_lava" in name for name in names),
          f"{names}")
    script = ("import dendrolith as dl; print(dl.__file__); "
              f"print(dl.load({str(ROOT / 'models/lif/shapes_lif.nir')!r}).inputs); dl.close()")
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                         cwd=FOLDER, env={**os.environ, "PYTHONPATH": str(FOLDER / "site")})
    check(str(FOLDER / "site") in ran.stdout and "'input': (32,)" in ran.stdout,
          f"the wheel works: {ran.stdout} {ran.stderr}")
finish()
