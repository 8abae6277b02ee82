#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `dendrolith compile` takes for every shipped network with its calibration set.

    python3 tests/bench/compiles.py [--rounds 3] [--only mmdend] [--threads 0]
                                    [--than OTHER/bin/dendrolith] [--sizes FOLDER]

With `--sizes`, networks of sizes that no shipped one has come instead, made in the folder
where it has them not: MMDEND as its paper has it for Spiking Speech Commands, PilotNet on
a board, and 11 million random synapses.

Wall time and user time of the whole command, the least of the rounds, in which the
command and the one that `--than` names take turns. Whether their images are equal, byte
for byte, stands in the last column; if not, how many times the energy x time of a step
that the first one predicts the second one does.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
CHIPS = {"cnn": "loihi1", "lif": "loihi1"}  # else loihi2
# No network, one without samples of its width, and one that the compiler refuses.
LEFT_OUT = {"netx/spikes.npz", "dendricl/d30.npz", "mmdend/psn.npz"}


def samples_of(name):
    """The calibration set of a network; one from NetX has its integers already."""
    folder, stem = name.split("/")[0], pathlib.Path(name).stem
    if folder == "netx":
        return None
    if folder == "dendattn":
        return f"{folder}/calib_{stem.split('_')[0]}_x.npy"
    if folder == "dendricl":
        width = {"tiny": "d5", "d20": "d20"}.get(stem.split("_")[0], "d10")
        return f"{folder}/calib_{width}_x.npy"
    return f"{folder}/calib_x.npy"


def shipped():
    files = (f for kind in ("nir", "npz", "net") for f in MODELS.rglob(f"*.{kind}"))
    return sorted({str(f.relative_to(MODELS)) for f in files} - LEFT_OUT)


def jobs_of_shipped():
    """Names, and the words of the command that compiles each."""
    jobs = {}
    for name in shipped():
        jobs[name] = [MODELS / name, "--target", CHIPS.get(name.split("/")[0], "loihi2")]
        if samples := samples_of(name):
            jobs[name] += ["--calibrate", MODELS / samples]
    return jobs


def jobs_of_sizes(folder, dendrolith):
    sys.path.insert(0, str(ROOT / "tests/bench"))
    from mapping_nets import layered, models
    folder.mkdir(parents=True, exist_ok=True)
    ssc, pilotnet, random = (folder / name for name in ("ssc", "pilotnet", "random_100k"))
    if not ssc.with_suffix(".npz").exists():
        models.mmdend_ssc(ssc)
    if not pilotnet.with_suffix(".nir").exists():
        layered.make("pilotnet", pilotnet)
    if not random.with_suffix(".npz").exists():
        spent([dendrolith, "generate", random, "--neurons", 100_000, "--steps", 20])
    return {
        "mmdend, size of SSC": [ssc.with_suffix(".npz"), "--target", "loihi2",
                                "--calibrate", ssc.with_suffix(".npy")],
        "pilotnet, 5 x loihi1": [pilotnet.with_suffix(".nir"), "--target",
                                 "loihi1,board.chips_x=5",
                                 "--calibrate", pilotnet.with_suffix(".npy")],
        "random_100k": [random.with_suffix(".npz"), "--target", "loihi1-study"]}


def spent(command):
    """Wall and user seconds, and what the command printed."""
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    wall = time.perf_counter()
    report = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=True, text=True).stdout
    wall = time.perf_counter() - wall
    return wall, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - user, report


def price(report):
    """Energy x time of a step, as a report predicts them."""
    return float(re.search(r"^  step +ns +(\S+)", report, re.M)[1]) * float(
        re.search(r"^  energy +pJ +(\S+)", report, re.M)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", default=ROOT / "build/bin/dendrolith")
    parser.add_argument("--than", help="another build's command")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", default="", help="networks whose name has this")
    parser.add_argument("--sizes", type=pathlib.Path, metavar="FOLDER",
                        help="networks of other sizes, which it keeps")
    arguments = parser.parse_args()
    commands = [c for c in (arguments.than, arguments.dendrolith) if c]
    jobs = (jobs_of_sizes(arguments.sizes, arguments.dendrolith) if arguments.sizes
            else jobs_of_shipped())
    print(f"{'network':32}" + f"{'wall s':>9}{'user s':>9}" * len(commands) +
          ("  images" if arguments.than else ""))
    with tempfile.TemporaryDirectory() as folder:
        for name, words in jobs.items():
            if arguments.only not in name:
                continue
            best = [(float("inf"), float("inf"))] * len(commands)
            images, reports = [set() for _ in commands], [""] * len(commands)
            for _ in range(arguments.rounds):
                for i, command in enumerate(commands):
                    image = pathlib.Path(folder) / "net.dlp"
                    *times, reports[i] = spent([command, "compile", *words, "--threads",
                                                arguments.threads, "-o", image])
                    best[i] = tuple(map(min, best[i], times))
                    images[i].add(image.read_bytes())
            assert all(len(own) == 1 for own in images), f"{name}: not always the same image"
            beside = ""
            if arguments.than:
                beside = ("  same" if images[0] == images[1] else
                          f"  {price(reports[1]) / price(reports[0]):.3f}")
            print(f"{name:32}" + "".join(f"{w:9.2f}{u:9.2f}" for w, u in best) + beside,
                  flush=True)


if __name__ == "__main__":
    main()
