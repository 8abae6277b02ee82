# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of a training script that knows its networks by name."""
import argparse
import pathlib

import torch


def run(doc, nets, folder, build):
    """Calls build(name, steps or None, output folder) for the network that --net
    names, or for every one; `folder` is where checkpoints go unless --out says."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--net", choices=nets)
    which.add_argument("--all", action="store_true", help="every network")
    parser.add_argument("--steps", type=int, help="instead of the network's own")
    parser.add_argument("--out", type=pathlib.Path, default=folder)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name in nets if options.all else [options.net]:
        build(name, options.steps, options.out)
