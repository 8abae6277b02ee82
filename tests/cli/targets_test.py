# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ShippedCommand.cpp, runtime/session/Workload.cpp,
# targets/loader/Describe.cpp.
"""Chips by name, folder and KEY=VALUE, and images at other times and prices."""
import json

from command import LIF, W, check, finish, dendrolith

MODEL, X = LIF / "shapes_lif.nir", LIF / "calib_x.npy"


def result(title, *arguments, **options):
    done = dendrolith("run", *arguments, "--engine", "cycle", "--out", W / title, **options)
    check(done.returncode == 0, f"{title}: {done.stderr.strip()}")
    return json.loads((W / title / "result.json").read_text()), done.stdout


# A search path in front of the shipped chips.
(W / "chips" / "slow").mkdir(parents=True)
(W / "chips" / "slow" / "chip.yaml").write_text(
    "base: loihi1\nname: slow\ndescription: loihi1 with slow neurons\n"
    "timing:\n  davies2018:\n    update_active: {value: 84000, unit: ps, kind: assumed, "
    "source: davies2018}\n")
(W / "empty").mkdir()
listed = dendrolith("targets", targets=f"{W / 'chips'}:{W / 'empty'}")
check(listed.returncode == 1 and "holds no chip" in listed.stderr, listed.stderr)
listed = dendrolith("targets", targets=W / "chips")
check(listed.returncode == 0 and "slow " in listed.stdout and "loihi2 " in listed.stdout,
      listed.stdout + listed.stderr)
missing = dendrolith("targets", "loihi1", targets=W / "none")
check(missing.returncode == 1 and "is no folder" in missing.stderr, missing.stderr)
folder = dendrolith("targets", W / "chips" / "slow")
check(folder.returncode == 0 and folder.stdout.startswith("slow: "), folder.stderr)

# What is wrong with a chip is not the model's place.
for name, says in (("loihi9", "error: unknown target 'loihi9'"),
                   ("loihi1,mesh.tile_x=3", "error: cannot set 'mesh.tile_x' to '3'"),
                   (f"{W}/none.yaml", f"error: {W}/none.yaml: cannot open")):
    for command in (["run", MODEL, "--input", X], ["compile", MODEL],
                    ["run", MODEL, "--input", X, "--engine", "float"]):
        done = dendrolith(*command, "--target", name)
        check(done.returncode == 1 and done.stderr.startswith(says), done.stderr)

# An image runs at other times and prices; what it gives is what compiling it so gives,
# as its mapping is given.
image = W / "p.dlp"
check(dendrolith("compile", MODEL, "--target", "loihi1", "--calibrate", X, "-o",
              image).returncode == 0, "compiles")
plain, _ = result("plain", image, "--input", X)
change = "loihi1,timing.davies2018.update_active=84000,costs.davies2018.hops_ew=30"
changed, text = result("changed", image, "--input", X, "--target", change)
check(changed["times"]["run_ps"] > plain["times"]["run_ps"], "slower")
check(changed["counts"] != {} and all(
    changed["counts"]["total"][k] == v for k, v in plain["counts"]["total"].items()),
    "the same counts")
energy = [r["energy"]["low"]["by_event"]["hops_ew"] for r in (plain, changed)]
check(abs(energy[1]["energy_pJ"] - 10 * energy[0]["energy_pJ"]) < 1e-6 * max(energy[1]["energy_pJ"], 1),
      f"ten times the price: {energy}")
check("key: timing.davies2018.update_active" in changed["target"]["yaml"] and
      "was: 8400" in changed["target"]["yaml"], "what was changed is in the result")
given, _ = result("given", image, "--input", X, "--target", W / "chips" / "slow")
check(given["times"]["run_ps"] == changed["times"]["run_ps"] and given["target"]["name"] == "slow",
      "another file of the same shape")
fit, _ = result("fit", image, "--input", X, "--timing", "silicon-fit-2025", "--costs",
                "silicon-fit-2025")
check(fit["timing"]["name"] == "silicon-fit-2025", "another timing set")
for target, says in (("loihi1,mesh.tiles_x=7", "'mesh.tiles_x' is 8 there and 7 here"),
                     ("loihi2", "compiled for target 'loihi1', not for 'loihi2'"),
                     ("loihi9", "unknown target")):
    done = dendrolith("run", image, "--input", X, "--target", target)
    check(done.returncode == 1 and says in done.stderr, f"{target}: {done.stderr.strip()}")

# Areas beside those that are published.
rows = {name: line for name in ("ideal", "loihi1", "loihi2", "odin", "morphic", "truenorth")
        for line in dendrolith("targets", name).stdout.splitlines()
        if line.startswith(name) and " chip " in line}
for name, published in (("loihi1", 60), ("loihi2", 31), ("odin", 0.086), ("morphic", 2.86),
                        ("truenorth", 430)):
    words = rows[name].split()
    check(float(words[2]) == published and float(words[3]) <= published <= float(words[5]) and
          abs(float(words[6])) <= 10, f"area: {rows[name]}")
check("ideal" not in rows, "a chip without area")
done = dendrolith("targets", "loihi1,area.node=5")
check(done.returncode == 1 and "cannot be carried to the chip's 5 nm" in done.stderr, done.stderr)

# Area, clock and tick are the run's and not the image's.
big, _ = result("big", image, "--input", X, "--target",
                "loihi1,area.node=28,clock=500,timing.davies2018.tick=2000000")
check(big["silicon"]["area_mm2"]["low"] > 1.5 * plain["silicon"]["area_mm2"]["high"], "28 nm")
check(big["times"]["run_ps"] == 2000000 * big["steps"] * big["samples"], "steps of 2 us")
late, _ = result("late", image, "--input", X, "--target", "loihi1,clock=500")
check(plain["times"]["run_ps"] < late["times"]["run_ps"] < 2 * plain["times"]["run_ps"],
      "engines are half as fast, mesh and barrier are not")
check(all(r["hashes"]["outputs_sha256"] == plain["hashes"]["outputs_sha256"]
          for r in (big, late)), "the same answers")

# A smaller chip draws less.
def milliwatts(run):
    return run["energy"]["low"]["static_pJ"] / run["times"]["system_ps"] * 1e3

tile, _ = result("tile", MODEL, "--input", X, "--calibrate", X, "--target",
                 "loihi1,mesh.tiles_x=1,mesh.tiles_y=1")
check(abs(milliwatts(plain) - 104) < 1e-6 and 10 < milliwatts(tile) < 20,
      f"{milliwatts(plain)} and {milliwatts(tile)} mW")

# A stored result keeps its prices.
again = dendrolith("report", W / "changed", "--format", "json")
check(again.returncode == 0 and json.loads(again.stdout)["energy"] == changed["energy"],
      f"report prices as the run did: {again.stderr}")

finish()
