# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/host/Parts.cpp, runtime/host/OutputDirectory.cpp,
# runtime/driver/ServeCommand.cpp, runtime/explore/store/Store.cpp.
"""Processes beside each other, and processes that are ended: of two runs into one new folder
one wins, several sweeps may begin one store, `serve` leaves nothing behind whatever ends it,
and a limit of a file's size is an error that says so."""
import json
import os
import random
import resource
import signal
import subprocess
import time

from command import DENDROLITH, LIF, W, check, finish, dendrolith
from explore_study import points, write_study

MODEL = LIF / "shapes_lif.nir"
RUN = ["run", MODEL, "--target", "loihi1", "--input", LIF / "calib_x.npy", "--engine", "functional"]
PAIRS = int(os.environ.get("DENDROLITH_PAIRS", "8"))
KILLS = int(os.environ.get("DENDROLITH_KILLS", "4"))


def started(*arguments, **options):
    return subprocess.Popen([DENDROLITH, *map(str, arguments)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, **options)


# Two runs into one new folder.
alone = W / "alone"
check(dendrolith(*RUN, "--out", alone).returncode == 0, "a run alone")
expected = {file.name: file.read_bytes() for file in alone.iterdir() if file.suffix == ".npy"}
both, outcomes = 0, []
for pair in range(PAIRS):
    out = W / "pairs" / str(pair)
    runs = [started(*RUN, "--out", out) for _ in range(2)]
    errors = [run.communicate(timeout=120)[1] for run in runs]
    codes = sorted(run.returncode for run in runs)
    outcomes.append(codes)
    # A run that begins after the other one's end replaces its result, as always.
    check(codes in ([0, 1], [0, 0]), f"pair {pair}: {codes} {errors}")
    check(codes == [0, 0] or any("another run writes into this directory" in text
                                 for text in errors), f"pair {pair}: {errors}")
    for name, content in expected.items():
        check((out / name).exists() and (out / name).read_bytes() == content,
              f"pair {pair}: {name}")
    check(not list(out.glob(".*.part")), f"pair {pair}: parts stay")
print(f"{PAIRS} pairs: {outcomes.count([0, 1])} with one winner, {outcomes.count([0, 0])} in turn")

# Several sweeps that begin one store, some of them killed while they do.
study = write_study(W / "study.yaml")
check(dendrolith("explore", study, "-o", W / "whole", "--jobs", 1).returncode == 0, "a store")
whole = points(W / "whole")
sweeps = [started("explore", study, "-o", W / "together", "--jobs", "1") for _ in range(4)]
for sweep in sweeps:
    error = sweep.communicate(timeout=120)[1]
    check(sweep.returncode == 0, f"one of four that begin a store: {error}")
check(points(W / "together") == whole, "four that begin a store make the points of one")
rng = random.Random(2)
for kill in range(KILLS):
    store = W / "begun" / str(kill)
    for _ in range(2):
        sweeps = [started("explore", study, "-o", store, "--jobs", "1") for _ in range(2)]
        time.sleep(rng.uniform(0.01, 0.12))
        for sweep in sweeps:
            sweep.kill()
            sweep.communicate()
    done = dendrolith("explore", study, "-o", store, "--jobs", 1)
    check(done.returncode == 0, f"kill {kill}: {done.stderr}")
    check(points(store) == whole, f"kill {kill}: the points of an undisturbed sweep")
    done = dendrolith("explore", store, "--audit")
    check("4 points, all right" in done.stdout, f"kill {kill}: {done.stdout}{done.stderr}")

# serve and its folder for arrays.
HELLO = json.dumps({"do": "hello"}) + "\n"


def serve(temporary, **options):
    temporary.mkdir()
    return subprocess.Popen([DENDROLITH, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "TMPDIR": str(temporary)}, **options)


# Often, as what could go wrong is a matter of microseconds: input ends just after the signal.
ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
for turn, ending in [(turn, ending) for turn in range(12) for ending in ENDINGS]:
    temporary = W / f"serve-{turn}-{ending}"
    # A test in the background may have been told to ignore some.
    server = serve(temporary, preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in
                                                  (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)])
    server.stdin.write(HELLO)
    server.stdin.flush()
    folder = json.loads(server.stdout.readline())["ok"]["folder"]
    os.makedirs(f"{folder}/run/deep")
    for name in "x.npy", "run/outputs.npy", "run/deep/traces.npz":
        with open(f"{folder}/{name}", "w") as file:
            file.write("1")
    server.send_signal(ending)
    server.communicate(timeout=60)
    check(server.returncode == -ending, f"{ending}: ends with {server.returncode}")
    check(not list(temporary.iterdir()), f"{ending}: leaves {list(temporary.iterdir())}")

# Its caller is killed in the middle of a run: nobody reads its answer.
temporary = W / "serve-kill"
server = serve(temporary)
server.stdin.write(HELLO)
server.stdin.flush()
server.stdout.readline()
server.stdout.close()
try:
    server.stdin.write(HELLO)
    server.stdin.close()
except BrokenPipeError:
    pass
server.wait(timeout=60)
check(server.returncode != 0, "nobody reads: no error")
check(not list(temporary.iterdir()), f"nobody reads: leaves {list(temporary.iterdir())}")
with open("/dev/full", "w") as full:
    done = subprocess.run([DENDROLITH, "serve"], input=HELLO, stdout=full, stderr=subprocess.PIPE,
                          text=True, timeout=60)
check(done.returncode == 1 and "cannot answer on standard output: No space left" in done.stderr,
      f"a full disk: {done.returncode} {done.stderr}")


# Requests that are none.
def answers(*lines):
    done = subprocess.run([DENDROLITH, "serve"], input="\n".join(lines) + "\n", capture_output=True,
                          text=True, timeout=60)
    check(done.returncode == 0, f"{lines[0][:60]}: {done.returncode} {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


DEEP = 10**6
wrong = {
    '{"id":' + "[" * DEEP + "]" * DEEP + ',"do":"hello"}': "at most 64 levels",
    '{"id":' + '{"a":' * DEEP + "1" + "}" * DEEP + ',"do":"hello"}': "at most 64 levels",
    '{"id":[1],"do":"hello"}': 'expected an "id" that is a number',
    '{"id":{},"do":"hello"}': 'expected an "id" that is a number',
    '{"x":1}': 'expected a request with "do", a text, found none',
    '{"do":3}': 'expected a request with "do", a text, found number',
    "[1]": "expected a request that is an object, found array",
    "x": "request:1:1: expected JSON",
    '{"do":"compile","name":"a"}': 'expected a request with "args", a list of texts',
    '{"do":"compile","name":"a","args":[1]}': 'expected a request with "args", a list of texts',
    '{"do":"compile","name":"a","args":["x.nir","--help"]}': "not expected: --help",
    '{"do":"run","args":[]}': 'expected a request with "name"',
    json.dumps({"do": "compile", "name": "a", "args": ["a\0b.nir"]}): "control character",
    json.dumps({"do": "compile", "name": "a", "args": ["x" * 10**6]}): "bytes are left out here",
}
told = answers(*wrong, '{"id":"good","do":"hello"}')
for (line, word), answer in zip(wrong.items(), told):
    message = answer.get("error", {}).get("message", "")
    check(word in message and "exception" not in message and len(message) < 5000,
          f"{line[:60]}: {message[:300]}")
check(told[-1]["id"] == "good" and "ok" in told[-1], f"the next request: {told[-1]}")

# A limit of a file's size, as batch systems set it.
limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}
for engine in "functional", "cycle":
    done = dendrolith(*RUN[:-1], engine, "--out", W / f"limit-{engine}", **limited)
    check(done.returncode == 1 and "File too large" in done.stderr,
          f"{engine}, a limit of size: {done.returncode} {done.stderr}")
    check(not (W / f"limit-{engine}").exists(), f"{engine}: leaves a folder")
(W / "limit").mkdir()
image = W / "limit" / "net.dlp"
image.write_text("an earlier image")
done = dendrolith("compile", MODEL, "--target", "loihi1", "-o", image, **limited)
check(done.returncode == 1 and "File too large" in done.stderr and
      image.read_text() == "an earlier image" and len(list(image.parent.iterdir())) == 1,
      f"compile, a limit of size: {done.returncode} {done.stderr}")
done = dendrolith("explore", study, "-o", W / "limit-store", "--jobs", 1, **limited)
check(done.returncode == 1 and "error:" in done.stderr,
      f"explore, a limit of size: {done.returncode} {done.stderr}")
done = dendrolith("explore", study, "-o", W / "limit-store", "--jobs", 1)
check(done.returncode == 0 and points(W / "limit-store") == whole, f"and goes on: {done.stderr}")
finish()
