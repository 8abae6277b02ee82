# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts of models/studies: the outside optimiser and the figures.

    python3 studies_test.py --part ask|figures

A stand-in answers the optimiser, so that no network runs.
"""
import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve()
STUDIES = HERE.parents[2] / "models" / "studies"
SKIPPED = 77
AXES = {"a": ["0", "1", "2", "3"], "b": ["0", "1", "2", "3"]}


def point(a, b):
    """Less of `first` is more of `second`; 3 of b does not fit, and a is at most 2."""
    return {"first": a + 0.1 * b, "second": 3 - a + 0.1 * b, "size": a, "fits": b < 3}


def stand_in(folder, stop):
    """Answers as `dendrolith explore` does: whole files, one after the other."""
    number, points = 1, 0
    while not stop.is_set() and not (folder / "end").exists():
        ask = folder / f"ask-{number}.csv"
        if not ask.exists():
            time.sleep(0.01)
            continue
        head, *lines = ask.read_text().split()
        assert head == "a,b", head
        assert len(set(lines)) == len(lines), lines
        rows = ["id,state,reason,a,b,first,second,size"]
        for line in lines:
            points += 1
            a, b = (int(cell) for cell in line.split(","))
            found = point(a, b)
            rows.append(f"P{points},done,,{line},{found['first']},{found['second']},{found['size']}"
                        if found["fits"] else f"P{points},unfit,\"too large, by far\",{line},,,")
        part = folder / "part"
        part.write_text("\n".join(rows) + "\n")
        part.rename(folder / f"answer-{number}.csv")
        number += 1


def run(folder, **options):
    flags = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return subprocess.run([sys.executable, STUDIES / "ask_optuna.py", folder, *flags],
                          capture_output=True, text=True)


def test_ask():
    if importlib.util.find_spec("optuna") is None:
        print("skipped: python3-optuna is not there")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "study.json").write_text(json.dumps({
            "name": "ask", "axes": AXES, "objectives": {"first": "min", "second": "min"},
            "constraints": [{"name": "size", "comparison": "<=", "bound": 2}], "seed": 1}))
        stop = threading.Event()
        server = threading.Thread(target=stand_in, args=(folder, stop))
        server.start()
        try:
            first = run(folder, generations=12, population=8, patience=60)
        finally:
            stop.set()
            server.join()
        assert first.returncode == 0, first.stderr
        assert (folder / "end").exists()
        front = {tuple(word for word in line.split() if "=" in word)
                 for line in first.stdout.splitlines()[1:]}
        # Only b = 0 is on the front, and a = 3 is too large.
        assert front == {(f"a={a}", "b=0") for a in range(3)}, first.stdout
        # What is answered is not asked again, and the search goes the same way.
        (folder / "end").unlink()
        again = run(folder, generations=12, population=8, patience=5)
        assert again.stdout == first.stdout, again.stdout + again.stderr
        (folder / "end").unlink()
        other = run(folder, generations=1, population=16, patience=5)
        assert other.returncode == 1 and "another search asked there" in other.stderr, other.stderr
        # A study that somebody else ended says why.
        (folder / "answer-1.csv").rename(folder / "kept.csv")
        (folder / "end").write_text("the budget of 3 points is used up\n")
        ended = run(folder, generations=12, population=8, patience=5)
        assert ended.returncode == 1 and "budget of 3 points" in ended.stderr, ended.stderr
        # An objective that no answer has is no search.
        (folder / "end").unlink()
        (folder / "kept.csv").rename(folder / "answer-1.csv")
        (folder / "study.json").write_text(json.dumps({
            "name": "ask", "axes": AXES, "objectives": {"third": "min"}, "constraints": [], "seed": 1}))
        wrong = run(folder, generations=1, population=8, patience=5)
        assert wrong.returncode == 1 and "no column 'third'" in wrong.stderr, wrong.stderr
    return 0


TABLES = {
    "core": ["id,state,model,microcode.lanes,mesh.tiles_x,mesh.tiles_y,voltage.supply,latency.mean,together.low,"
             "together.high", "P1,done,mmdend,1,8,4,750,17,3,50", "P2,done,dendricl,4,2,2,750,300,40,300",
             "P3,unfit,mmdend,1,2,2,750,,,"],
    "spikes": ["id,state,model,compile.spikes,spikes.payload_bits,mesh.flit_bits,latency.mean,together.low,"
               "together.high", "P1,done,graded,graded,32,8,17,3,50", "P2,done,graded,unary,32,8,40,4,60",
               "P3,done,graded,unary,4,8,40,4,60"],
    "neurons": ["id,state,model,accuracy,together.low,together.high", "P1,done,p2000_m1_s0,0.67,1,13",
                "P2,done,p4000_m3_s1,0.7,1.1,18"],
}


def test_figures():
    if importlib.util.find_spec("matplotlib") is None:
        print("skipped: python3-matplotlib is not there")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for study, lines in TABLES.items():
            (folder / "t.csv").write_text("\n".join(lines) + "\n")
            texts = []
            for _ in range(2):
                subprocess.run([sys.executable, STUDIES / "figures.py", study, folder / "t.csv", folder / "f.svg"],
                               check=True)
                texts.append((folder / "f.svg").read_text())
            assert texts[0] == texts[1], f"{study}: the same table gives another figure"
            assert texts[0].lstrip().startswith("<?xml") and len(texts[0]) > 5000, study
            if study == "core":  # another supply is not drawn
                more = "P4,done,mmdend,4,8,4,900,12,9,90"
                (folder / "t.csv").write_text("\n".join([*lines, more]) + "\n")
                subprocess.run([sys.executable, STUDIES / "figures.py", study, folder / "t.csv", folder / "f.svg"],
                               check=True)
                assert (folder / "f.svg").read_text() == texts[0]
            shipped = STUDIES / f"{study}.yaml"
            assert shipped.exists(), shipped
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", required=True, choices=("ask", "figures"))
    sys.exit({"ask": test_ask, "figures": test_figures}[parser.parse_args().part]())


if __name__ == "__main__":
    main()
