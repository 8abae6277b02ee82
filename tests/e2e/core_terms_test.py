# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/text/CoreTerms.cpp, runtime/driver/ReportCommand.cpp.
"""`dendrolith report --by bound`: no mean step is below its bound, and over products of matrix and vector of 64 to
1,024 neurons on 1 to 120 cores both follow each other. `tests/bench/matvec.py` goes on to 4,096."""
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import matvec  # noqa: E402

DENDROLITH = sys.argv[1]
failed = []


def check(good, title):
    if not good:
        failed.append(title)
        print(f"FAILED {title}")


def measure(neurons, cores, folder):
    bound, engine, text = matvec.measure(DENDROLITH, neurons, cores, folder)
    check(engine > bound - 0.1, f"{neurons} on {cores}: {engine} ns below the bound of {bound} ns")
    check((engine > 1.1 * bound) == ("Above the bound because" in text), f"{neurons} on {cores}: the reason is named")
    return bound, engine


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    points = [measure(neurons, cores, folder) for neurons in (64, 128, 256, 512, 1024)
              for cores in matvec.CORES if cores <= neurons // 8 and neurons * neurons / cores < 150_000]
    correlation = matvec.correlation(points)
    print(f"{len(points)} products: correlation of engine and bound {correlation:.5f}, engine over bound "
          f"{min(e / b for b, e in points):.2f} to {max(e / b for b, e in points):.2f}")
    check(correlation >= .999, f"correlation {correlation}")
    check(math.isfinite(correlation) and len(points) >= 20, "enough products")
    code, _, error = matvec.command(DENDROLITH, "run", folder / "mv.npz", "--target", "loihi2", "--report", "none", "--out", folder / "untimed")
    check(code == 0, error)
    code, _, error = matvec.command(DENDROLITH, "report", folder / "untimed", "--by", "bound")
    check(code == 1 and "run with --engine cycle" in error, f"a run without times: {code} {error}")
print(f"failed: {len(failed)}" if failed else "all passed")
sys.exit(1 if failed else 0)
