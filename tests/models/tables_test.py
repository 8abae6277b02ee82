# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/tables.py, models/dendricl/compare.py, models/mmdend/compare.py, models/elm/tradeoff.py: the tables that they printed.
"""Rows of the models' tables that compiling alone can tell, held against what it prints:
cores, parameters, sizes.  A row that a better mapper made stale fails here."""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
sys.path.insert(0, str(MODELS))
import tables  # noqa: E402

FAILED = []


def check(right, text):
    print("ok:" if right else "FAILED:", text, flush=True)
    if not right:
        FAILED.append(text)


def table(page, *columns):
    """The rows of the table that has these columns, as dicts of text."""
    lines = (MODELS / page).read_text().splitlines()
    cells = lambda line: [cell.strip() for cell in line.strip().strip("|").split("|")]
    for i, line in enumerate(lines):
        if line.startswith("|") and set(columns) <= set(cells(line)):
            names = cells(line)
            rows = []
            for row in lines[i + 2:]:
                if not row.startswith("|"):
                    return rows
                rows.append(dict(zip(names, cells(row))))
            return rows
    raise SystemExit(f"{page}: no table with the columns {columns}")


def number(text):
    return int(text.replace(",", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", required=True)
    dendrolith = parser.parse_args().dendrolith
    folder = MODELS / "dendricl"
    for row in table("dendricl/CHIP.md", "checkpoint", "parameters"):
        params = np.load(folder / f"{row['checkpoint'].strip('`')}.npz")
        count = sum(params[key].size for key in params.files
                    if key not in ("meta", "at", "gt") and not key.endswith(("_ex", ".at", ".gt")))
        check(number(row["parameters"]) == count,
              f"{row['checkpoint']}: {row['parameters']} parameters, {count} in the file")
    with tempfile.TemporaryDirectory() as nets:
        shutil.copy(folder / "tiny.npz", pathlib.Path(nets) / "d5.npz")
        done = subprocess.run([sys.executable, folder / "compare.py", "--dendrolith", dendrolith, "--tests",
                               folder, "--nets", nets], check=True, capture_output=True, text=True)
    rows = [tables.cells(line)[:2] for line in done.stdout.split("\n") if line.startswith("| `")]
    check(rows[:1] == [["`d5`", "DendriCL"]] and len(rows) == 2, f"networks trained elsewhere: {rows}")
    sys.path.insert(0, str(MODELS / "mmdend"))
    import reference
    import reference_io
    with tempfile.TemporaryDirectory() as nets:
        reference_io.save(pathlib.Path(nets) / "k1.npz", reference.random_checkpoint(
            3, sizes=(32, 12, 3, 1, 6, 3, 10)))
        done = subprocess.run([sys.executable, MODELS / "mmdend/compare.py", "--dendrolith", dendrolith,
                               "--trained", nets, "--nets", "k1"], check=True, capture_output=True, text=True)
    name, real, chip, *_ = tables.cells(done.stdout.splitlines()[-1])
    check(name == "`k1`" and abs(float(real[:-2]) - float(chip[:-2])) < 3,
          f"MMDEND trained elsewhere: {name} {real} in float, {chip} on the chip")
    for row in table("dendricl/CHIP.md", "flags", "cores"):
        flags = row["flags"].strip("`")
        if flags == "all three":
            flags = "--rewrite fold-readout --rewrite rank-d --rewrite dead-units"
        done = subprocess.run([dendrolith, "compile", folder / "d10.npz", "--target", "loihi2",
                               "--calibrate", folder / "calib_d10_x.npy", "--emit", "stats",
                               *shlex.split(flags)], check=True, capture_output=True, text=True)
        cores = next(item["used"] for item in json.loads(done.stdout)["fit"]
                     if item["resource"] == "cores")
        check(number(row["cores"]) == cores,
              f"d10 {flags or 'as it is'}: {row['cores']} cores, compile takes {cores}")
    for row in table("elm/BUDGET.md", "k_e", "N"):
        found = {}
        for path in sorted((MODELS / "elm/family").glob(f"p{row['budget']}_m*_s0*.npz")):
            params = np.load(path)
            meta = json.loads(str(params["meta"]))
            if meta["out"] == row["output"]:
                k_e = sum(params[f"rec_{key}"][0].size for key in ("W1", "b1", "W2", "b2")
                          if f"rec_{key}" in params.files) + params["rec_wr"].shape[1]
                found[k_e] = len(params["rec_b"])
        check(found.get(number(row["k_e"])) == number(row["N"]),
              f"ELM {row['budget']} {row['output']}: N {row['N']} at k_e {row['k_e']}, of {found}")
    done = subprocess.run([sys.executable, MODELS / "elm/tradeoff.py", "--dendrolith", dendrolith, "--drawn",
                           "1000", "--nets", "p4000_m8_s0_binary"], check=True, capture_output=True, text=True)
    name, samples, _, _, apart = tables.cells(done.stdout.splitlines()[-1])
    check((name, samples) == ("p4000_m8_s0_binary", "1000") and float(apart) <= 1,
          f"{name}: chip and float {apart} points apart on {samples} samples")
    page = "| net | cores | s |\n|---|---|---|\n| `a` | 3 | 1.0 |\n| `c` | 9 | 1.0 |\n\n| b |\n|---|\n| 1 |"
    printed = "said\n| net | uJ | cores | s |\n| --- | --- | --- | --- |\n| `a` | 2.5 | 4 | 2.0 |\n| `b` | 1 | 1 | 1 |"
    text, changed = tables.renewed(page, printed)
    check(changed == ["`a`: cores 3 is 4"] and text == page.replace("3 | 1.0", "4 | 2.0"),
          f"a cell of a page that was printed anew: {changed}")
    found = list(tables.blocks("```\n$ a\n```\n```sh\n$ cd x && b --dendrolith c \\\n  d\n$ e\nf\n```\n"))
    check(found == ["cd x && b --dendrolith c \\\n  d\ne"], f"commands of a block: {found}")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
