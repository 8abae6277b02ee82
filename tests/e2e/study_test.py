# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/study/Study.cpp,
# runtime/session/Expected.cpp.
"""Study networks: every engine gives the spikes of the file, from the archive
and from an image; what does not fit a chip is refused with its numbers; a run
that is killed leaves nothing."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import support
from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np


def generate(name, *flags):
    dendrolith("generate", FOLDER / name, *flags)
    return FOLDER / f"{name}.npz"


def result_of(name, *arguments):
    dendrolith("run", *arguments, "--out", FOLDER / name)
    return support.result_of(FOLDER / name)


def raster(archive, step, index):
    arrays = np.load(archive)
    return list(zip(arrays[step].tolist(), arrays[index].tolist()))


small = generate("small", "--neurons", 300, "--recipe", "fanout=20", "--cores", 5,
                 "--steps", 40, "--recipe", "in-rate=0.2,rate=0.1")
meta = json.loads((FOLDER / "small.json").read_text())
spikes = meta["reference"]["output_spikes"]
check(spikes > 300, f"{spikes} spikes to compare")
for engine in ("float", "reference", "functional", "cycle"):
    result = result_of(engine, small, "--target", "loihi1", "--engine", engine)
    check(result["raster"]["spikes"] == spikes, f"{engine}: all {spikes} spikes")
    check(raster(FOLDER / engine / "spikes.npz", "step", "id") ==
          raster(small, "ref_t", "ref_id"), f"{engine}: those of the file")
functional = json.loads((FOLDER / "functional/result.json").read_text())
cycle = json.loads((FOLDER / "cycle/result.json").read_text())
check(functional["energy"]["low"]["total_pJ"] == cycle["energy"]["low"]["total_pJ"],
      "energy does not depend on the engine")
counts = functional["counts"]["total"]
check(counts["inputs"] == meta["reference"]["input_spikes"] and
      counts["spikes"]["binary"] == spikes, "inputs and spikes are counted")
printed = dendrolith("run", small, "--target", "loihi1", "--verify")
check("equal to the reference interpreter" in printed, "--verify")
check(functional["mapping"]["cores"] == 5 and
      functional["mapping"]["solver"] == "placement of the model",
      "the file's cores are used")
anew = result_of("anew", small, "--target", "loihi1", "--tuning", "{solver: packed}")
check(anew["mapping"]["cores"] < 5 and anew["raster"]["spikes"] == spikes,
      "or others, if asked for")
check(result_of("ideal", small)["raster"]["spikes"] == spikes,
      "one core holds all where there is but one")

# Order of synapses and of arrays in the file shows nowhere.
arrays = dict(np.load(small))
shuffled = dict(reversed(arrays.items()))
order = np.random.default_rng(1).permuted(
    np.arange(len(arrays["col"])).reshape(-1, 20), axis=1).ravel()
shuffled["col"] = arrays["col"][order]
shuffled["weight"] = arrays["weight"][order]
np.savez(FOLDER / "shuffled.npz", **shuffled)
(FOLDER / "shuffled.json").write_text(json.dumps(meta))
other = result_of("shuffled-out", FOLDER / "shuffled.npz", "--target", "loihi1")
check(other["counts"] == functional["counts"] and
      other["energy"]["low"] == functional["energy"]["low"],
      "energy does not depend on the order in the file")

image = FOLDER / "small.dlp"
dendrolith("compile", small, "--target", "loihi1", "-o", image)
from_image = result_of("image", image, "--input", small)
for key in ("counts", "energy", "raster", "neurobench", "program_sha256"):
    check(from_image[key] == functional[key], f"from an image: same {key}")
first = image.read_bytes()
dendrolith("compile", small, "--target", "loihi1", "-o", image)
check(image.read_bytes() == first, "the same image again")
again = generate("again", "--neurons", 300, "--recipe", "fanout=20", "--cores", 5,
                 "--steps", 40, "--recipe", "in-rate=0.2,rate=0.1")
check(again.read_bytes() == small.read_bytes(), "the same network again")

# A local network is made for real chips: full cores, tables within limits.
local = generate("local", "--mode", "local", "--neurons", 12 * 120, "--cores", 12,
                 "--steps", 30)
check(result_of("local-out", local, "--target", "loihi1")["raster"]["spikes"] > 0,
      "a local network fits loihi1")

# A mesh with fewer cores than the file places neurons on.
chip = FOLDER / "chip.yaml"
chip.write_text("""base: loihi1
name: one-tile
description: one tile of four cores
sources: {whatif: a question}
mesh:
  tiles_x: {value: 1, unit: tiles, kind: assumed, source: whatif}
  tiles_y: {value: 1, unit: tiles, kind: assumed, source: whatif}
""")
done = subprocess.run([DENDROLITH, "run", small, "--target", chip],
                      capture_output=True, text=True)
check(done.returncode == 1 and "is on core 4, the mesh of 'one-tile' has 4 "
      f"cores ({chip}:6:12)" in done.stderr, done.stderr.strip())

# 10,000 and 100,000 neurons at random are too much for loihi1 and not for its
# study twin.
large = generate("large", "--neurons", 10000, "--steps", 20)
huge = generate("huge", "--neurons", 100000, "--steps", 1, "--recipe", "threshold=500")
for network, least, most in (large, 5800, 6400), (huge, 58000, 64000):
    done = subprocess.run([DENDROLITH, "run", network, "--target", "loihi1"],
                          capture_output=True, text=True)
    needed = re.search(r"needs (\d+) in-axons, (a core of 'loihi1' has|of) 4096",
                       done.stderr)
    check(done.returncode == 1 and needed and
          least < int(needed[1]) < most, done.stderr.strip())
check(result_of("large-out", large, "--target", "loihi1-study")["raster"]
      ["spikes"] > 0, "loihi1-study runs it")


def start(network, target, out):
    return subprocess.Popen(
        [DENDROLITH, "run", network, "--target", target, "--engine", "cycle",
         "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True)


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def visible(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if not path.name.startswith(".")}


# Killed in the middle, a run leaves no file; what was there before stays.
long = generate("long", "--neurons", 1000, "--steps", 4000)
before = visible(FOLDER / "cycle")
killed = FOLDER / "killed"
for folder, kept in (killed, {}), (FOLDER / "cycle", before):
    folder.mkdir(exist_ok=True)
    process = start(long, "loihi1-study", folder)
    time.sleep(1.0)
    check(process.poll() is None, "the run is under way")
    kill(process)
    check(visible(folder) == kept and len(list(folder.iterdir())) == len(kept),
          f"kill -9 leaves {len(kept)} files as they were")
# At any time: all files or none.
began = time.monotonic()
start(small, "loihi1", FOLDER / "once").wait()
lasts = time.monotonic() - began
for part in range(1, 21):
    process = start(small, "loihi1", killed)
    time.sleep(lasts * part / 18)
    kill(process)
    left = visible(killed)
    if "result.json" in left:
        found = json.loads(left["result.json"])["raster"]["spikes"]
        check(found == spikes == len(np.load(killed / "spikes.npz")["id"]),
              f"killed after {part} of 18 parts: a whole result")
    for path in killed.iterdir():
        path.unlink()

shared = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
tool = shared / "tools" / "gen_random_snn.py"
if not tool.exists():
    print(f"skipped: no {tool}")
    sys.exit(0)
subprocess.run([sys.executable, tool, "--n", "1000", "--out", FOLDER / "tool"],
               check=True, stdout=subprocess.DEVNULL)
ours = np.load(generate("ours", "--neurons", 1000))
theirs = np.load(FOLDER / "tool.npz")
check(all(np.array_equal(ours[key], theirs[key]) for key in theirs.files),
      "our generator makes the tool's network")
check((FOLDER / "ours.json").read_text() and
      json.loads((FOLDER / "ours.json").read_text()) ==
      json.loads((FOLDER / "tool.json").read_text()), "and says the same of it")
for engine in ("functional", "cycle"):
    result = result_of(f"tool-{engine}", FOLDER / "tool.npz", "--target",
                       "loihi1", "--engine", engine)
    check(result["raster"]["spikes"] == len(theirs["ref_t"]),
          f"the tool's network in the {engine} engine")
