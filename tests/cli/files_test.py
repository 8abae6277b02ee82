# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/host/OutputDirectory.cpp, runtime/driver/RunCommand.cpp,
# runtime/driver/Command.cpp, runtime/driver/main.cpp.
"""What a command writes is whole and its own: no file of another run beside it,
nothing left of one that was stopped, and no success where nothing was written."""
import json
import shutil
import signal
import subprocess
import time

from command import LIF, DENDROLITH, W, check, finish, dendrolith, refused

MODEL = LIF / "shapes_lif.nir"
RUN = ["run", MODEL, "--target", "loihi1", "--input", LIF / "calib_x.npy"]


def entries(folder):
    return sorted(path.name for path in folder.rglob("*"))


# A result is replaced as a whole.
out = W / "out"
dendrolith(*RUN, "--out", out, "--trace", "lif1", check=True)
check(entries(out) == ["outputs.npy", "predicted.npy", "result.json", "run.json", "tables.json",
                        "traces.npz"], f"files: {entries(out)}")
(out / "notes.txt").write_text("of the user")
dendrolith(*RUN, "--out", out, check=True)
check(entries(out) == ["notes.txt", "outputs.npy", "predicted.npy", "result.json", "run.json",
                        "tables.json"],
      f"no traces of the run before: {entries(out)}")
mine = W / "mine"
mine.mkdir()
(mine / "traces.npz").write_text("of the user")
refused("a folder with files of its own", 1, *RUN, "--out", mine, says=["traces.npz", "no result"])
check((mine / "traces.npz").read_text() == "of the user", "they stay")

# Bad places are known before the work: the model here does not even exist.
refused("a folder that cannot be", 1, *RUN, "--out", "/proc/none/out", says=["/proc/none"])
(W / "file").write_text("")
started = time.monotonic()
refused("a folder that is a file", 1, *RUN, "--engine", "cycle", "--out", W / "file",
        says=["expected a directory"])
check(time.monotonic() - started < 5, "before the run")

# What a command reads is not written over, by any of its names; nor is a file of a result.
for name, source in ("m.nir", MODEL), ("c.npy", LIF / "calib_x.npy"), ("x.npy", LIF / "calib_x.npy"):
    shutil.copy(source, W / name)
own = [W / "m.nir", "--target", "loihi1", "--calibrate", f"input={W / 'c.npy'}"]
for name, command in {"m.nir": ["compile", *own, "-o"], "c.npy": ["compile", *own, "-o"],
                      "x.npy": ["run", *own, "--input", W / "x.npy", "--html"],
                      "./m.nir": ["export", *own, "--format", "lava", "-o"],
                      "out/result.json": ["report", out, "--html"],
                      "out/outputs.npy": ["capsule", out, "-o"]}.items():
    was = (W / name).read_bytes()
    refused(f"{command[0]} over {name}", 2, *command, f"{W}/{name}", says=["would be written over", name])
    check((W / name).read_bytes() == was, f"{name} is lost")
dendrolith("compile", *own, "-o", W / "own.dlp", check=True)
dendrolith("compile", *own, "--map-from", W / "own.dlp", "-o", W / "own.dlp", check=True)

# A key with two values would lose one.
refused("a chip's key", 2, "targets", "loihi1,formats.weight_bits=4,formats.weight_bits=6",
        says=["NAME: formats.weight_bits is given twice"])
refused("the same of a run", 2, "run", MODEL, "--input", LIF / "calib_x.npy", "--target", "loihi1,mesh.tiles_x=4,mesh.tiles_x=2",
        says=["--target: mesh.tiles_x is given twice"])
for recipe in (["fanout=30,fanout=20"], ["fanout=30", "--recipe", "fanout=20"]):
    refused(f"recipe {recipe}", 2, "generate", W / "twice", "--recipe", *recipe, says=["--recipe: fanout is given twice"])
dendrolith("explore", MODEL, "--target", "loihi1,mesh.tiles_x=4", "--target", "loihi1,mesh.tiles_x=2", "--input", LIF / "calib_x.npy",
           "--axis", "compile.map-seed=1", "--dry-run", check=True)

# Flags that mean nothing.
refused("traces nowhere", 2, *RUN, "--trace", "lif1", says=["--trace", "--out"])
for flag in ("--out", "--target", "--costs", "--timing", "--labels", "--calibrate", "--metric",
             "--model", "--placement", "--map-from", "--timeline"):
    refused(f"{flag} ''", 2, *RUN, flag, "", says=[flag])
    refused(f"{flag}=", 2, *RUN, f"{flag}=", says=[flag])
for engine in "float", "reference":
    for flag, value in (("--costs", "loihi1"), ("--timing", "loihi1")):
        refused(f"{flag} with {engine}", 2, *RUN, "--engine", engine, flag, value,
                says=[f"{flag} means nothing with --engine {engine}"])
for trace in "lif1:", ":u", "lif1,,lif2", "lif1:,lif2":
    refused(f"--trace {trace}", 1, *RUN, "--out", W / "trace", "--trace", trace,
            says=["expected NODE[:STATE]"])
for flag in "--out", "--target", "--trace", "--input", "--costs":
    for bad in "a\nb", "a\tb", "\x7f", "\x1b[2J":
        refused(f"{flag} {bad!r}", 2, *RUN, flag, bad, says=[flag, "control characters"])
refused("a model", 2, "run", "a\nb.nir", "--input", "x.npy", says=["MODEL", "control characters"])
refused("no value", 2, "run", MODEL, "--input", says=["--input: expected a value behind it"])
refused("no command", 2, "runn", says=["expected a command, found 'runn'", "did you mean run?"])
done = dendrolith("run", MODEL, "--metrik" + "x" * 100000)
check(done.returncode == 2 and len(done.stderr) < 500, f"a long flag: {len(done.stderr)}")
refused("an empty model", 2, "run", "", "--input", LIF / "calib_x.npy", says=["MODEL"])
refused("an empty output", 2, "compile", LIF / "shapes_lif.nir", "-o", "", says=["-o"])
refused("no bits", 1, *RUN, "--input-bits", "0", says=["input bits: expected 2 to 24"])
refused("no cores", 2, *RUN, "--cores", "0:", says=["--cores"])

# A full disk behind standard output.
for command in (["targets"], ["targets", "loihi1"], RUN, ["--help"], ["run", "--help"],
                ["compile", LIF / "shapes_lif.nir", "--emit", "dend"]):
    with open("/dev/full", "w") as full:
        done = subprocess.run([DENDROLITH, *map(str, command)], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=300)
    check(done.returncode == 1 and "cannot write to standard output" in done.stderr,
          f"{command[0]} to /dev/full: exit code {done.returncode}: {done.stderr.strip()}")


def begin(folder):
    """A run that takes long enough to be met in the middle."""
    process = subprocess.Popen(
        [DENDROLITH, "run", LIF / "shapes_lif.nir", "--target", "loihi1", "--input",
         LIF / "test_x.npy", "--engine", "cycle", "--verify", "--timeline", W / "t.json",
         "--out", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(2000):
        if folder.exists() and list(W.glob(".t.json.*.part")):
            return process
        time.sleep(0.01)
    check(False, "a run makes its folder at once")
    return process


# Two runs into one folder.
busy = W / "busy"
process = begin(busy)
refused("a second run", 1, *RUN, "--out", busy, says=["busy", "another run"])
process.send_signal(signal.SIGTERM)
check(process.wait() == -signal.SIGTERM, "a stopped run says so")
check(not busy.exists() and not list(W.glob(".t.json.*")), f"nothing is left: {entries(W)}")
dendrolith(*RUN, "--out", busy, check=True)
check(json.loads((busy / "result.json").read_text())["samples"] > 0, "the next run may")

finish()
