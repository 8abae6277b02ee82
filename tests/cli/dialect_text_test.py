# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/mlir/Mlir.cpp, runtime/session/ModelRequest.cpp and
# dialects/dend/reference/Tensor.cpp.
"""What a mistake in a network's text or its arrays is answered with: the line with a caret,
the name that was meant, and the arrays that bind nothing."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

DENDROLITH = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = tempfile.TemporaryDirectory()
PATH = pathlib.Path(FOLDER.name)
TEXT = (ROOT / "models/neurons/lif_real.mlir").read_text()
failed = 0


def expect(title, *arguments, words, good=False):
    global failed
    done = subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True)
    missing = [word for word in words if word not in done.stderr]
    if missing or (done.returncode == 0) != good:
        failed += 1
        print(f"FAILED {title}: exit {done.returncode}, no {missing} in:\n{done.stderr}")


def wrong(title, found, written, *words):
    """The model with one mistake, `written` in place of `found`."""
    model = PATH / "wrong.mlir"
    model.write_text(TEXT.replace(found, written, 1))
    line = next(i for i, text in enumerate(model.read_text().split("\n"), 1) if written in text)
    expect(title, "compile", model, "-o", PATH / "n.dlp", words=[f"{model}:{line}:", *words])


wrong("an operation", "dend.compartment", "dend.compartmnt",
      "'dend.compartmnt' is unknown, did you mean 'dend.compartment'?",
      "\n      %v1 = dend.compartmnt %v drive %I keep %keep\n" + " " * 12 + "^")
wrong("a function", "dend.compartment", "dend.sigmoid",
      "'dend.sigmoid' is unknown, expected 'dend.math sigmoid'", "^")
wrong("a comparison", "dend.compartment", "dend.gt", "expected 'dend.cmp gt'")
wrong("a number", "[1.0, 1.5", "[.95, 1.5", "expected a digit in front of the point", "0.5")
wrong("a word", "reset subtract", "reset substract",
      "'dend.fire' expected one of 'none', 'value', 'subtract', found 'substract'\n")
wrong("an initial value", "states(%v)", "states(%v = -65.0)", "expected 'init'", "found '='")
wrong("a value", "drive %I keep %keep", "drive %I keep %kepp", "did you mean '%keep'?", "^")
wrong("a port", '["I"]', '["i_d"]', "which model \"lif\" does not have", "there is 'I'")
wrong("a parameter", "keep = @keep, ", "kep = @keep, ", "did you mean 'keep'?")
wrong("a state", 'probe @n["v"]', 'probe @n["w"]', "there is 'v'")

# A word that is left out: the next line is what is found.
model = PATH / "open.mlir"
model.write_text(TEXT.replace("reset subtract", "reset"))
expect("no word", "compile", model, "-o", PATH / "n.dlp",
       words=["expected one of 'none', 'value', 'subtract', found 'dend.yield'"])
wrong("far to the right", "dend.constant @W = [[", " " * 300 + "dend.constnt @W = [[",
      "did you mean 'dend.constant'?", "^")

model = PATH / "open.mlir"
model.write_text(TEXT.replace("dend.constant @theta = [1.0, 1.5, 2.5]",
                              'dend.constant @theta : tensor<3xf64> extern "theta"'))
x = PATH / "x.npy"
np.save(x, np.ones((1, 5, 4)))
theta = np.ones(3)
np.savez(PATH / "more.npz", theta=theta, tetha=theta, W=theta)
np.savez(PATH / "other.npz", tetha=theta)
RUN = ["run", model, "--input", x, "--engine", "float", "--out", PATH / "out", "--weights"]
expect("unused arrays", *RUN, PATH / "more.npz", good=True,
       words=["'W', 'tetha' bind no constant of the network", "[unused-array]"])
expect("an array of another name", *RUN, PATH / "other.npz",
       words=["constant @theta is unbound", "did you mean 'tetha'?"])
print("failed" if failed else "all passed")
sys.exit(1 if failed else 0)
