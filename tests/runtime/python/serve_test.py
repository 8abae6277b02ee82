# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ServeCommand.cpp and runtime/python/PROTOCOL.md.
"""`dendrolith serve` by its protocol: answers in order, errors as answers, programs held
until they are dropped, results as `dendrolith run` writes them, and an end with its input."""
import json
import os
import subprocess
import time

from support import FOLDER, DENDROLITH, check, finish, lif, np

path, x, y = lif()
np.save(FOLDER / "x.npy", x)
np.save(FOLDER / "one.npy", x[0])
compiled = ["--target", "loihi1", "--calibrate", str(FOLDER / "x.npy")]
requests = [
    {"id": 1, "do": "hello"},
    {"id": "two", "do": "swim"},
    {"id": 3, "do": "run", "name": "p", "args": []},
    {"id": 4, "do": "compile", "name": "p", "args": [str(path), *compiled]},
    {"id": 5, "do": "compile", "name": "q", "args": [str(path), "--target", "tiny"]},
    {"id": 6, "do": "compile", "name": "q", "args": [str(path), "--taget", "tiny"]},
    {"id": 7, "do": "run", "name": "p",
     "args": ["--input", str(FOLDER / "x.npy"), "--engine", "cycle", "--out", str(FOLDER / "out")]},
    {"id": 8, "do": "run", "name": "p", "args": ["--input", str(FOLDER / "none.npy")]},
    {"id": 9, "do": "load", "name": "f", "args": [str(path)]},
    {"id": 10, "do": "run", "name": "f", "args": ["--input", str(FOLDER / "x.npy")]},
    {"id": 11, "do": "check", "args": [str(path), "--target", "loihi1,tiny"]},
    {"id": 12, "do": "drop", "name": "p"},
    {"id": 13, "do": "run", "name": "p", "args": ["--input", str(FOLDER / "x.npy")]},
    {"id": 14, "do": "compile"},
    {"id": 15, "do": "save", "name": "q", "file": str(FOLDER / "cut") + "\0.dlp"},
    {"id": 16, "do": "compile", "name": "a\nb", "args": [str(path)]},
    {"id": 17, "do": "load", "name": "g", "args": [str(path), "--weights", "w\x7f.npz"]},
    {"id": 18, "do": "step", "name": "p", "args": [], "anwe": True},
    {"id": 19, "do": "run", "name": "p", "args": [], "anew": True},
]
text = "".join(json.dumps(request) + "\n" for request in requests) + "no JSON\n[1]\n"
done = subprocess.run([DENDROLITH, "serve"], input=text, capture_output=True, text=True, timeout=120)
check(done.returncode == 0, f"it ends with its input: {done.returncode} {done.stderr}")
answers = [json.loads(line) for line in done.stdout.splitlines()]
check([a["id"] for a in answers] == [r["id"] for r in requests] + [None, None], "one answer each")
by = {answer["id"]: answer for answer in answers}
check(not os.path.exists(by[1]["ok"]["folder"]), "its folder goes with it")
for number, kind, word in (("two", "error", "'swim'"), (3, "error", "no program 'p'"),
                           (5, "unfit", "tiny"), (6, "usage", "--target"),
                           (8, "error", "none.npy"), (10, "error", "not compiled"),
                           (13, "error", "no program 'p'"), (14, "usage", "args"), (15, "usage", "\\x00"),
                           (16, "usage", "'name' of the request"), (17, "usage", "\\x7f"),
                           (18, "usage", "'step' has no key 'anwe', expected id, do, anew, args, name"),
                           (19, "usage", "'run' has no key 'anew'")):
    error = by[number].get("error", {})
    check(error.get("kind") == kind and word in error.get("message", ""),
          f"request {number}: {by[number]}")
check(not (FOLDER / "cut").exists(), "a path is not cut at a NUL")
check(len(by[4]["ok"]["identity"]["program"]) == 64 and by[4]["ok"]["identity"]["costs"] and
      by[9]["ok"]["identity"] == {"model": by[4]["ok"]["identity"]["model"], "program": "", "costs": []},
      f"what is held: {by[9]['ok']['identity']}")
check(by[5]["error"]["node"] == "lif2", f"parts of a message: {by[5]}")
check(by[4]["ok"]["inputs"] == [{"name": "input", "shape": [32], "ticks": 1, "tokens": False}],
      f"{by[4]['ok']['inputs']}")
check(by[4]["ok"]["facts"]["mapping"]["cores"] > 0, "facts of the program")
check([t["verdict"] for t in by[11]["ok"]["targets"]] == ["fits", "does not fit"], "verdicts")
check(by[12]["ok"]["dropped"], "dropped")

# What it writes is what the command writes, warnings and all.
subprocess.run([DENDROLITH, "run", path, *compiled, "--input", FOLDER / "x.npy", "--engine", "cycle",
                "--out", FOLDER / "cli", "--report", "none"], check=True)
ours, theirs = (json.loads((FOLDER / name / "result.json").read_text()) for name in ("out", "cli"))
for key in ("wall_s", "peak_rss_bytes"):
    del ours[key], theirs[key]
check(ours == theirs, "the result is that of the command: " +
      ", ".join(key for key in ours if ours[key] != theirs.get(key)))

# A thousand small runs; the limit is generous for a machine that does other work.
run = {"do": "run", "name": "p", "args": ["--input", str(FOLDER / "one.npy"), "--engine", "cycle",
                                          "--out", str(FOLDER / "many")]}
text = "".join(json.dumps(request) + "\n" for request in [requests[3]] + [run] * 100)
began = time.time()
done = subprocess.run([DENDROLITH, "serve"], input=text, capture_output=True, text=True)
took = time.time() - began
check(done.stdout.count('"ok"') == 101, "a hundred runs")
check(took < 20, f"a hundred runs took {took:.1f} s")
print(f"a hundred runs of one sample, cycle engine: {took:.2f} s")
finish()
