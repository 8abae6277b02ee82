# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/CapsuleCommand.cpp and the run.json that runtime/driver/RunCommand.cpp
# writes.
"""A capsule runs again from itself alone and is equal to the byte; what was changed is named."""
import hashlib
import json
import os
import shutil
import warnings
import zipfile

from command import LIF, W, check, dendrolith, finish
from command import refused as refused_with

INPUT = ["--calibrate", LIF / "calib_x.npy", "--input", LIF / "test_x.npy", "--labels",
         LIF / "test_y.npy", "--report", "none"]


def refused(title, arguments, *says, code=1):
    refused_with(title, code, *arguments, says=says)


def run(folder, model, *more):
    done = dendrolith("run", model, *more, "--out", folder)
    check(done.returncode == 0, f"run {folder.name}: {done.stderr}")
    return folder


def capsule(name, folder):
    done = dendrolith("capsule", folder, "-o", W / name)
    check(done.returncode == 0 and "it is equal" in done.stdout, f"capsule: {done.stderr}")
    return W / name


def changed(path, name, content, sealed=False):
    """A copy of a capsule with another member; `sealed`: with its digest, too."""
    with zipfile.ZipFile(path) as old:
        members = {member: old.read(member) for member in old.namelist()}
    members[name] = content(members.get(name, b""))
    if sealed:
        manifest = json.loads(members["capsule.json"])
        manifest["files"][name] = hashlib.sha256(members[name]).hexdigest()
        members["capsule.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(W / "changed.zip", "w") as new:
        for member, data in members.items():
            new.writestr(member, data)
    return W / "changed.zip"


# From the folder alone: the network and its input are gone, and the place is another one.
away = W / "away"
away.mkdir()
net = shutil.copy(LIF / "shapes_lif.nir", away)
first = run(W / "first", net, "--target", "loihi1", *INPUT, "--engine", "cycle", "--trace", "lif1")
a = capsule("a.zip", first)
shutil.rmtree(away)
done = dendrolith("verify", a, cwd="/")
check(done.returncode == 0 and "equal: 4 files" in done.stdout, f"verify: {done.stdout}{done.stderr}")
with zipfile.ZipFile(a) as archive:
    names = set(archive.namelist())
check({"capsule.json", "run.json", "result.json", "tables.json", "chip.yaml"} <= names and
      sum(name.startswith("files/") for name in names) == 4, f"members: {names}")

# A chip of one's own, and a network that brings its input.
chip = W / "chips" / "mine"
chip.mkdir(parents=True)
(chip / "chip.yaml").write_text("base: loihi1\nname: mine\ndescription: loihi1\n")
own = capsule("own.zip", run(W / "own", LIF / "shapes_lif.nir", "--target",
                             f"{chip},formats.weight_bits=6", *INPUT))
shutil.rmtree(chip)
done = dendrolith("verify", own)
check(done.returncode == 0, f"a chip of one's own: {done.stderr}")
dendrolith("generate", W / "net", "--neurons", "300", "--steps", "10")
study = capsule("study.zip", run(W / "study", W / "net.npz", "--target", "loihi1", "--report",
                                 "none"))

# What changed between two.
done = dendrolith("capsule", "--diff", a, own)
check(done.returncode == 0 and "network  the same" in done.stdout and "weight_bits=6" in done.stdout,
      f"diff: {done.stdout[:600]}{done.stderr}")

# Changed members: by their digests, by their place, by what they compute.
refused("a changed input", ["verify", changed(a, "files/1/test_x.npy", lambda old: old + b"x")],
        "files/1/test_x.npy", "was changed", "expected SHA-256")
refused("a changed result", ["verify", changed(a, "result.json", lambda old: old.replace(
    b'"samples": 500', b'"samples": 501'), sealed=True)], "samples: was 501, is 500")
refused("a name outside", ["verify", changed(a, "../x", lambda old: b"x", sealed=True)], "outside")
check(not (W.parent / "x").exists(), "nothing lies outside")
record = lambda option: lambda old: json.dumps({**json.loads(old), "options": [
    *json.loads(old)["options"], option]}).encode()
refused("a file of the reader", ["verify", changed(a, "run.json", record(
    {"name": "tuning", "values": ["/etc/hostname"]}), sealed=True)], "/etc/hostname", "no member")
refused("a place to write", ["verify", changed(a, "run.json", record(
    {"name": "html", "values": [str(W / "x.html")]}), sealed=True)], "html")
check(not (W / "x.html").exists(), "nothing is written for a capsule")
refused("a way out of it", ["verify", changed(a, "run.json", record(
    {"name": "calibrate", "values": ["files/../../x"]}), sealed=True)], "files/../../x", "no member")
for member in ("run.json", "result.json"):
    for wrong in (b"hello", b"[]", b"{}", b"[" * 10**5, b""):
        refused(f"{member} of {wrong[:5]}", ["verify", changed(a, member, lambda old: wrong, sealed=True)],
                "changed.zip: ")
refused("capsule.json that is none", ["verify", changed(a, "capsule.json", lambda old: b"hello")],
        "changed.zip: capsule.json")
refused("a list", ["verify", changed(a, "capsule.json", lambda old: b"[]")], "capsule.json: expected a map, found array")
refused("an option without a value", ["verify", changed(a, "run.json", record(
    {"name": "target", "values": []}), sealed=True)], "changed.zip", "'target'", "found none")
refused("an option that none has", ["verify", changed(a, "run.json", record(
    {"name": "turbo", "values": ["1"]}), sealed=True)], "changed.zip", "'turbo'")
refused("another schema", ["verify", changed(a, "run.json", lambda old: old.replace(
    b'"schema": 1', b'"schema": 9'), sealed=True)], "expected schema 1, found 9")
for member in ("outputs.npy", "tables.json", "chip.yaml"):
    refused(f"{member} of another run", ["verify", changed(a, member, lambda old: old + b" ", sealed=True)],
            f"changed.zip: {member}: ")
(W / "no.zip").write_bytes(b"PK nothing")
refused("no archive", ["verify", W / "no.zip"], "no.zip")
shutil.copy(a, W / "twice.zip")
with zipfile.ZipFile(W / "twice.zip", "a") as twice, warnings.catch_warnings():
    warnings.simplefilter("ignore")
    twice.writestr("run.json", "{}")
refused("a member twice", ["verify", W / "twice.zip"], "'run.json' is there twice")
with zipfile.ZipFile(W / "other.zip", "w") as other:
    other.writestr("a", b"a")
refused("another archive", ["verify", W / "other.zip"], "is no capsule", "run.json")

# A folder that is not what it was.
refused("no options", ["capsule"], "--diff A B", code=2)
(first / "run.json").rename(first / "kept.json")
refused("no run.json", ["capsule", first, "-o", W / "x.zip"], "run.json", "run the network again")
shutil.copy(W / "own" / "run.json", first / "run.json")
refused("another run.json", ["capsule", first, "-o", W / "x.zip"], "is of another run")
os.replace(first / "kept.json", first / "run.json")
refused("a network that is gone", ["capsule", first, "-o", W / "x.zip"], "error: " + str(net) + ": cannot open")
check(not (W / "x.zip").exists(), "nothing is left of a refused capsule")
finish()
