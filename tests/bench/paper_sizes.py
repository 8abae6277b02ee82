#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' networks at their own sizes, untrained, on a chip.

    python3 tests/bench/paper_sizes.py [--dendrolith build/bin/dendrolith] [--target loihi2]
        [--nets PART ...]

Prints a table in Markdown: what compiling takes, and what a token of a few costs in
the cycle engine (energy of events, low to high).  A network that is refused says why.
`--nets` takes those whose name has one of the parts.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "models"))
import reference_io  # noqa: E402


def reference(name):
    path = ROOT / "models" / name / "reference.py"
    spec = importlib.util.spec_from_file_location(f"{name}_reference", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    sys.path.pop(0)
    return module


def dendattn(tokens=64, E=8, shared=1, topk=2, **sizes):
    """E branches, of which some always run and the router takes topk of the others."""
    sizes = {**dict(d=128, H=2, dk=64, dv=64, dkb=40, P=24, M=2, L=2, V=128), **sizes}
    if sizes["M"] == 1:
        sizes.update(dkb=sizes["dk"], P=0)

    def make(module):
        params = module.random_checkpoint(1, small=False, Er=E - shared, Es=shared, topk=topk, **sizes)
        return params, module.random_input(1, params, tokens)[None]
    return "dendattn", make


def mqar(d, V, tokens=64):
    return dendattn(tokens, E=4, d=d, H=max(d // 32, 1), dk=32, dv=32, dkb=20, P=12, V=V)


def dendricl(d, width=384, tokens=None, **sizes):
    def make(module):
        params = module.random_checkpoint(1, sizes=(d, sizes.get("apical", width), width))
        return params, module.random_input(1, params, (tokens or 2 * d) + 1)[None]
    return "dendricl", make


def mmdend(inputs, D, J, K, classes, layers, tokens):
    S = int(3 * D / (3 * J + 1))  # a quarter of a branch's channels is another's too

    def make(module):
        params = module.random_checkpoint(1, sizes=(inputs, D, J, K, D - (J - 1) * S, S, classes),
                                          layers=layers)
        return params, module.random_input(1, params, tokens)[None]
    return "mmdend", make


def elm(inputs, N, M, recurrent, read_out, tokens):
    """An ELM whose two layers have so many memories, hidden units, branches and synapses."""
    def make(module):
        params = module.random_checkpoint(1, size=(inputs, N, M, recurrent, read_out))
        return params, module.random_input(1, params, tokens)[None]
    return "elm", make


def text(N, memories, branches, synapses, tokens=10, hidden=2):
    """ELM for text, whose read-out neurons are like the others."""
    own = (memories, hidden * memories, branches, synapses)
    return elm(204, N, 204, own, own, tokens)


NETS = {
    "DendAttn-812": dendattn(),
    "DendAttn-812, M = 1": dendattn(M=1),
    "DendAttn-815": dendattn(topk=5),
    "DendAttn-817": dendattn(topk=7),
    "DendAttn-330": dendattn(E=3, shared=3, topk=0),
    "DendAttn, one branch, M = 1": dendattn(E=1, shared=1, topk=0, M=1),
    "MQAR d 32, 8,192 words": mqar(32, 8192),
    "MQAR d 64, 8,192 words": mqar(64, 8192),
    "MQAR d 128, 8,192 words": mqar(128, 8192),
    "MQAR d 256, 512 words": mqar(256, 512),
    "MQAR d 256, 8,192 words": mqar(256, 8192),
    **{f"DendriCL d {d}": dendricl(d) for d in (5, 10, 20, 25, 30, 40, 50)},
    "DendriCL d 20, d_apical 512": dendricl(20, apical=512),
    "DendriCL d 20, d_apical 768": dendricl(20, apical=768),
    "DendriCL d 10, k 5": dendricl(10, tokens=5),
    "DendriCL d 10, k 400": dendricl(10, tokens=400),
    "MMDEND SSC": mmdend(700, 128, 4, 8, 35, 4, 250),
    "MMDEND SHD": mmdend(700, 128, 4, 8, 20, 3, 250),
    "MMDEND S-CIFAR, J 6 K 8": mmdend(96, 256, 6, 8, 10, 2, 32),
    "MMDEND S-CIFAR, J 8 K 16": mmdend(96, 256, 8, 16, 10, 2, 32),
    "MMDEND LRA 6 x 512": mmdend(10, 512, 2, 4, 10, 6, 64),
    "MMDEND Wikitext 16 x 512": mmdend(512, 512, 4, 8, 512, 16, 32),
    "MMDEND PATHX 6 x 128": mmdend(1, 128, 2, 4, 2, 6, 256),
    "ELM SHD-Adding, N 96, d_m 5": elm(700, 96, 19, (5, 10, 30, 10), (3, 0, 8, 4), 100),
    "ELM SHD-Adding, N 256, d_m 8": elm(700, 256, 19, (8, 16, 32, 32), (3, 0, 8, 4), 50),
    "ELM Enwik8, no hidden layer": text(1024, 15, 50, 15, hidden=0),
    "ELM Enwik8, N 1024, d_m 15": text(1024, 15, 50, 15),
    "ELM Enwik8, N 512, d_m 14": text(512, 14, 56, 56),
    "ELM Enwik8, N 1024, d_m 35": text(1024, 35, 50, 15),
    "ELM Enwik8, N 1280, d_m 20": text(1280, 20, 80, 80),
    "ELM Enwik8, N 3072, d_m 15": text(3072, 15, 50, 15),
}
# The division that `auto` would look for among dozens, minutes long.
DIVIDED = {"DendAttn-81": ("--split-dendrite", "H0=64/front,H1=64/front", "--map-for", "cores")}
COLUMNS = ("network", "parameters", "cores", "tokens", "us a token", "uJ a token", "compile CPU s",
           "MB")


def measured(command, seconds):
    """What a command printed, its CPU seconds and megabytes, or its last error."""
    try:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err)
            timer = threading.Timer(seconds, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0), err.seek(0)
            said = err.read().decode().strip().splitlines()
            failed = None
            if child.returncode:
                failed = f"ended after {seconds} s" if child.returncode < 0 else said[-1]
            return out.read().decode(), failed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    except OSError as error:
        return "", str(error), 0, 0


def row(dendrolith, target, name, folder, modules, seconds):
    model, make = NETS[name]
    params, x = make(modules.setdefault(model, None) or reference(model))
    count = sum(np.size(value) for key, value in params.items()
                if key != "meta" and not key.endswith(("idx", "col", "_ex")))
    net, data, image = (folder / file for file in ("net.npz", "x.npy", "net.dlp"))
    reference_io.save(net, params)
    np.save(data, x)
    tokens = x.shape[1]
    first = f"| {name} | {count:,} |"
    flags = next((its for start, its in DIVIDED.items() if name.startswith(start)), ())
    _, failed, cpu, memory = measured([dendrolith, "compile", net, "--target", target, "--calibrate",
                                       data, "-o", image, *flags], seconds)
    if failed:
        return f"{first} {failed} |"
    out, failed, _, _ = measured(
        [dendrolith, "run", image, "--engine", "cycle", "--input", data, "--format", "json",
         "--out", folder / "out"], seconds)
    if failed:
        return f"{first} | {tokens} | {failed} | | {cpu:.1f} | {memory:.0f} |"
    summary = json.loads((folder / "out" / "result.json").read_text())["summary"]
    energy = summary["energy_per_sample_pJ"]
    ends = " to ".join(f"{energy[end] / 1e6 / tokens:.3g}" for end in ("low", "high"))
    latency = summary["latency_per_sample_ns"]["mean"] / 1e3 / tokens
    return f"{first} {summary['cores']} | {tokens} | {latency:.3g} | {ends} | {cpu:.1f} | {memory:.0f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", default=ROOT / "build/bin/dendrolith")
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--nets", nargs="+", default=[""])
    parser.add_argument("--seconds", type=float, default=600, help="of a command at most")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    modules = {}
    for name in NETS:
        if any(part in name for part in options.nets):
            with tempfile.TemporaryDirectory() as folder:
                print(row(options.dendrolith, options.target, name, pathlib.Path(folder), modules,
                          options.seconds), flush=True)


if __name__ == "__main__":
    main()
