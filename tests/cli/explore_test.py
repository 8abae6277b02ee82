# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ExploreCommand.cpp and runtime/explore/workers/Slurm.cpp.
"""`dendrolith explore`: a study is measured, stopped, killed and gone on with; the store
is looked at and verified; what is wrong is said with its place; and with a stand-in
for sbatch the tasks of an array make the same points."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

from command import DENDROLITH, ROOT, W, check, finish, dendrolith, refused
from explore_study import points, write_study

study = write_study(W / "study.yaml", rest="where: \"microcode.lanes < 4 or "
                    "timing.scaled.noc.local.buffer > 4\"\n")
dry = dendrolith("explore", study, "--dry-run")
check("4 designs, of which 'where' excludes 1" in dry.stdout, dry.stdout + dry.stderr)

one = dendrolith("explore", study, "-o", W / "one", "--jobs", 1)
check(one.returncode == 0 and "3 points measured" in one.stdout, one.stdout + one.stderr)
check(one.stderr == "", f"quiet in a pipe: {one.stderr}")
check("small: 3 done, 1 excluded, all measured" in one.stdout, one.stdout)
check(dendrolith("explore", study, "-o", W / "two", "--jobs", 2).returncode == 0, "two")
check(points(W / "one") == points(W / "two") and len(points(W / "one")) == 3,
      "one and two workers make the same points")
check("0 points measured" in dendrolith("explore", W / "two").stdout, "nothing is left to do")
check("3 done, 1 excluded" in dendrolith("explore", W / "two", "--status").stdout, "status")
check("3 points, all right" in dendrolith("explore", W / "two", "--audit").stdout, "audit")

# A corrupt file is named, and measured again when it is gone.
broken = next((W / "two").glob("points/*/*.json"))
broken.write_bytes(broken.read_bytes().replace(b"done", b"dune"))
refused("a corrupt file", 1, "explore", W / "two", "--audit",
        says=[f"{broken}: is corrupt", "1 of its files is wrong"])
broken.unlink()
refused("a missing point", 1, "explore", W / "two", "--audit",
        says=["2 points are right, and 1 of 3 is missing"])
other = next((W / "two").glob("points/*/*.json"))
broken.write_bytes(other.read_bytes())
for view in "--table", "--pareto", "--audit":
    refused(f"a point by another one's name, {view}", 1, "explore", W / "two", view,
            says=[f"{broken}: "])
refused("explore says so, too", 1, "explore", W / "two", says=["holds the point of another design"])
broken.unlink()
broken.symlink_to("/nowhere")
dendrolith("explore", W / "two")
check(points(W / "one") == points(W / "two"), "what was removed is measured again")
broken.unlink()
broken.mkdir()
refused("a folder in its place", 1, "explore", W / "two", says=[f"{broken}: ", "found a directory"])
broken.rmdir()
# What stages left counts by its name: files that changed places are not taken.
for stage in "map", "time", "values":
    first, *others = sorted((W / "two").glob(f"stages/{stage}/*/*"))
    for file in others:
        file.write_bytes(first.read_bytes())
shutil.rmtree(W / "two" / "points")
check(dendrolith("explore", W / "two").returncode == 0 and points(W / "one") == points(W / "two"),
      "stages in each other's place give no other point")

table = dendrolith("explore", W / "two", "--table")
check(table.returncode == 0 and "P1" in table.stdout and "excluded" in table.stdout, table.stdout)
refused("an empty name", 1, "explore", W / "two", "--pareto", "energy,",
        says=["expected a name before and behind each comma"])
refused("no store", 2, "explore", study, says=["--out is required"])
refused("a folder that is none", 1, "explore", W, says=["is no store of a study"])
refused("a store with --out", 1, "explore", W / "two", "-o", W / "x", says=["is a store already"])
refused("a study that is not there", 2, "explore", W / "no.yaml", says=["does not exist"])
refused("a view of a study's file", 1, "explore", study, "-o", W / "x", "--status",
        says=["look at a folder"])
os.environ["DENDROLITH_SHARD"] = "4/4"
refused("a shard", 1, "explore", W / "two", says=["DENDROLITH_SHARD: expected I/N"])
del os.environ["DENDROLITH_SHARD"]
write_study(study, lanes=[1, 8])
refused("another study", 1, "explore", study, "-o", W / "two",
        says=["designs.vary.microcode.lanes is [\"1\",\"4\"], not [\"1\",\"8\"]"])
write_study(study, rest="wher: \"a < b\"\n")
refused("a key", 1, "explore", study, "--dry-run",
        says=[f"{study}:9:1: unknown key 'wher'", "did you mean 'where'?"])
write_study(study, rest="repeat: 1000000\n")
refused("too many", 1, "explore", study, "--dry-run",
        says=["4000000 points", "budget: {points: 4000000}"])
write_study(study, rest="repeat: 1000000\nbudget: {points: 4000000}\n")
check("4000000 designs" in dendrolith("explore", study, "--dry-run").stdout, "many are meant")
for where in "", 'where: "microcode.lanes < 4"\nbudget: {points: 5}\n':
    write_study(study, lanes=range(1, 801), buffers=range(1, 801), rest="repeat: 1000000\n" + where)
    begun = time.monotonic()
    refused("far too many", 1, "explore", study, "--dry-run",
            says=["640000000000 points", "at most 10000000"])
    refused("far too many", 1, "explore", study, "-o", W / "many",
            says=["640000000000 points"])
    check(time.monotonic() - begun < 20 and not (W / "many").exists(), "at once")

# Whatever is killed, and whenever, the store becomes that of an undisturbed run.
big = write_study(W / "big.yaml", lanes=[1, 2, 4, 8, 16], buffers=[2, 4, 6, 8, 10, 12, 16, 24],
                  samples=20)
dendrolith("explore", big, "-o", W / "whole", "--jobs", 2)
check(len(points(W / "whole")) == 40, "all points")
KILLS = int(os.environ.get("DENDROLITH_KILLS", "5"))
rng = random.Random(1)
for kill in range(KILLS):
    run = subprocess.Popen([DENDROLITH, "explore", big, "-o", W / "killed", "--jobs", "2"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.1, 1.2))
    run.send_signal(signal.SIGKILL)
    run.wait()
    if kill % 10 == 4:  # all over again, so that kills meet work
        for file in list((W / "killed").glob("points/*/*.json"))[::2]:
            file.unlink()
done = dendrolith("explore", W / "killed", "--jobs", 2)
check(done.returncode == 0, done.stderr)
check(points(W / "killed") == points(W / "whole"),
      f"the store after {KILLS} kills is that of an undisturbed run")
check("all right" in dendrolith("explore", W / "killed", "--audit").stdout, "and verified")

# A signal lets the current points end and says how to go on.
run = subprocess.Popen([DENDROLITH, "explore", big, "-o", W / "stopped", "--jobs", "1"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       # A test in the background may have been told to ignore it.
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not points(W / "stopped") and run.poll() is None:
    time.sleep(0.005)
run.send_signal(signal.SIGINT)
out, err = run.communicate()
check(run.returncode == 1 and f"`dendrolith explore {W / 'stopped'}` goes on with the" in err,
      f"stopped: {run.returncode} {err}")
check(not list((W / "stopped/claims").iterdir()), "no claim stays")
dendrolith("explore", W / "stopped")
check(points(W / "stopped") == points(W / "whole"), "and goes on")

example = dendrolith("explore", ROOT / "runtime/explore/study/example.yaml", "-o", W / "example")
check("10 done, 2 excluded" in example.stdout, example.stdout + example.stderr)

# Slurm, as far as a script can stand in for it.
bin_ = W / "bin"
bin_.mkdir()
path = os.environ["PATH"]
os.environ["PATH"] = f"{bin_}"
refused("no sbatch", 1, "explore", big, "-o", W / "array", "--slurm", "-p main",
        says=["there is no sbatch on PATH"])
os.environ["PATH"] = f"{bin_}:{path}"
(bin_ / "sbatch").write_text(f"""#!/bin/sh
echo "$@" > {W}/arguments
for last; do :; done
for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i sh "$last" >{W}/task$i 2>&1 & done
wait
echo "17;cluster"
""")
(bin_ / "sbatch").chmod(0o755)
sent = dendrolith("explore", big, "-o", W / "array", "--slurm", "-p main --mem=2G", "--jobs", 3)
check("job 17 with 3 tasks" in sent.stdout, sent.stdout + sent.stderr)
arguments = (W / "arguments").read_text()
check("--array=0-2" in arguments and "--requeue" in arguments and
      "-p main --mem=2G" in arguments, arguments)
check(points(W / "array") == points(W / "whole"), "tasks make the same points")
(bin_ / "sbatch").write_text("#!/bin/sh\nexit 1\n")
refused("a refusal", 1, "explore", big, "-o", W / "array", "--slurm", "-p x",
        says=["sbatch refused the job array of '-p x'"])
finish()
