# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/statespace/: what its page says of each network.
"""State-space networks in floats and with 8-bit weights and 16-bit activations: answers and
cores as the page has them, on the chip within half a point of floats."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
CHIP, BOUND = "loihi2,spikes.payload_bits=16", 0.005
failed = []


def check(right, text):
    print("ok:" if right else "FAILED:", text, flush=True)
    if not right:
        failed.append(text)


def rows(head):
    """The table of that head: the first cell of each row, and the others."""
    text = (MODELS / "statespace" / "README.md").read_text()
    lines = text[text.index(head):].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].split(".")[0]: row[1:] for row in cells}


parser = argparse.ArgumentParser()
parser.add_argument("--dendrolith", required=True)
program = parser.parse_args().dendrolith
cost, LIF = rows("| network | cores |"), MODELS / "lif"
for name, (_, right, _) in rows("| network | a layer |").items():
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([program, "run", MODELS / "statespace" / f"{name}.pt2", "--target", CHIP,
                        "--calibrate", LIF / "calib_x.npy", "--input", LIF / "test_x.npy", "--labels",
                        LIF / "test_y.npy", "--compare", "float", "--out", out], check=True,
                       stdout=subprocess.DEVNULL)
        result = json.loads((pathlib.Path(out) / "result.json").read_text())
    floats, chip = result["compare"]["score"]["value"], result["score"]["value"]
    check(round(500 * floats) == int(right), f"{name}: {floats} in floats, the page has {right} of 500")
    check(abs(chip - floats) <= BOUND, f"{name}: {chip} on the chip")
    found = [str(result["mapping"]["cores"]), str(round(500 * chip))]
    check(found == cost[name][:2], f"{name}: {found} cores and right answers, the page has {cost[name][:2]}")
sys.exit(bool(failed))
