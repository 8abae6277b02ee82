# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the Python package share: the package, a network, and checks that
go on after one failed."""
import os
import pathlib
import sys
import tempfile
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
DENDROLITH = str(pathlib.Path(sys.argv[1]).resolve())
os.environ["DENDROLITH_BIN"] = DENDROLITH
# A folder of its own shows what is left behind.
TEMPORARY = tempfile.TemporaryDirectory()
SCRATCH = pathlib.Path(TEMPORARY.name) / "scratch"
SCRATCH.mkdir()
os.environ["TMPDIR"] = tempfile.tempdir = str(SCRATCH)
FOLDER = pathlib.Path(TEMPORARY.name) / "own"
FOLDER.mkdir()
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.dont_write_bytecode = True

import dendrolith as dl  # noqa: E402

warnings.simplefilter("ignore", dl.DendrolithWarning)  # warned() hears of them
LIF = ROOT / "models" / "lif"
failed = []


def lif():
    """The trained network of models/lif: its file, some samples and labels."""
    return (LIF / "shapes_lif.nir", np.load(LIF / "test_x.npy")[:24],
            np.load(LIF / "test_y.npy")[:24])


def need(module):
    """Ends the test where a module that others can do without is absent."""
    try:
        return __import__(module)
    except ImportError:
        print(f"skipped: {module} is not installed")
        sys.exit(77)


def check(good, title):
    if not good:
        failed.append(title)
        print(f"FAILED {title}")


def refused(title, work, *words, kind=None):
    """Holds that `work` raises DendrolithError (or `kind`) whose message has the words."""
    kind = kind or dl.DendrolithError
    try:
        work()
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        check(not missing, f"{title}: '{error}' has no {missing}")
        return error
    except Exception as error:  # noqa: BLE001
        check(False, f"{title}: {type(error).__name__}: {error}, expected {kind.__name__}")
        return None
    check(False, f"{title}: nothing was raised")
    return None


def warned(work):
    """The texts of what `work` warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return [str(warning.message) for warning in caught]


def finish():
    """Ends the test: exit code 1 if a check failed or a file was left behind."""
    dl.close()
    left = [path.name for path in SCRATCH.iterdir() if path.name.startswith("dendrolith-")]
    check(not left, f"left behind: {left}")
    print(f"failed: {len(failed)}" if failed else "all passed")
    sys.exit(1 if failed else 0)
