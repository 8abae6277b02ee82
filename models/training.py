# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the training scripts (train.py) of this folder share: how their process starts, which
networks are asked for, and the steps of the optimiser.

A script calls `restart()` before it imports numpy or torch.
"""
import argparse
import os
import pathlib
import sys

# What the allocator and the BLAS read only when a process starts.  glibc returns every large
# tensor to the kernel unless told otherwise, and then most of the time goes into page faults.
# One thread sums in one order, so that the same bytes come out again.
SETTINGS = {"MALLOC_MMAP_THRESHOLD_": "4000000000",
            "MALLOC_TRIM_THRESHOLD_": "8000000000",
            "MALLOC_TOP_PAD_": "268435456",
            "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def restart():
    """Runs the script again with the settings, unless it already has them."""
    if any(key not in os.environ for key in SETTINGS):
        os.environ.update(SETTINGS)
        os.execv(sys.executable, [sys.executable] + sys.argv)


def run(doc, nets, folder, build, write_samples=None):
    """Calls build(name, steps, output folder) for the network that --net names, or for every
    one; `nets` has their steps by name.  `folder` is where files go unless --out says.
    `write_samples(output folder)` comes first where all are asked for."""
    import torch
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=len(nets) > 1)
    which.add_argument("--net", choices=nets, metavar="NAME", help=", ".join(nets))
    which.add_argument("--all", action="store_true", help="every network and all samples")
    parser.add_argument("--steps", type=int, help="instead of the network's own")
    parser.add_argument("--out", type=pathlib.Path, default=folder)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    if write_samples and not options.net:
        write_samples(options.out)
    for name in [options.net] if options.net else nets:
        build(name, options.steps or nets[name], options.out)


def one_cycle(net, rate, steps, rise):
    """AdamW, whose rate rises over the share `rise` of the steps and then falls."""
    import torch
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    return optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=rise)


def cosine(parameters, rate, steps):
    """AdamW, whose rate falls to zero by a cosine."""
    import torch
    optimizer = torch.optim.AdamW(parameters, rate, weight_decay=1e-4)
    return optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)


def descend(net, optimizer, plan, steps, lesson, every=250, said=lambda: ""):
    """Takes `steps` steps of the optimiser at the rates of `plan`.  `lesson()` draws a batch
    and gives its loss, and what is paid beside it, such as the price of spikes.  Each `every`
    steps the mean loss is printed, with what `said()` adds."""
    import torch
    total = 0.0
    for step in range(1, steps + 1):
        loss, price = lesson()
        total += loss.item()
        optimizer.zero_grad()
        (loss + price).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        plan.step()
        if step % every == 0:
            print(f"step {step} of {steps}: loss {total / every:.3f}{said()}", flush=True)
            total = 0.0
