# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the networks of this folder and writes their checkpoints.

    python3 train.py --all                  # the family, and the larger network
    python3 train.py --net p4000_m5_s0      # one of the family
    python3 train.py --help                 # what there is

A member of the family has `budget` parameters in its recurrent layer, divided
over neurons of k_e + k_c parameters; the number of neurons is rounded down
(Appendix A.2 of the paper).  k_c = 32 synapses on 8 branches for all, d_mlp = 2 d_m.
The networks as PyTorch sees them are in torch_net.py.
"""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import training

if __name__ == "__main__":
    training.restart()

import numpy as np
import torch
import torch.nn.functional as F

import task
import torch_net

HERE = pathlib.Path(__file__).resolve().parent
TREES, WIDTH, RHO, TAU_MAX = 8, 4, 0.35, 100.0
MEMORIES = (1, 2, 3, 5, 8, 12)
PLAN = [(4000, 0, "relu"), (2000, 0, "relu"), (8000, 0, "relu"), (4000, 0, "binary"),
        (4000, 1, "relu"), (4000, 2, "relu")]  # budget, seed, output
# Trained three times as long: every split of the first, and some of the next three.
LONG = ([(*PLAN[0], dm) for dm in MEMORIES] + [(*PLAN[1], dm) for dm in (1, 2, 3, 8)]
        + [(*plan, 3) for plan in PLAN[2:4]])
EXAMPLES = 4


def k_e(dm, hidden, trees=TREES):
    """#w_p + #w_r: the MLP with its biases, and the read-out of the memory."""
    return (trees + dm + 1) * hidden + (hidden + 1) * dm + dm


def family():
    """Every network by name: what its checkpoint's meta says of it."""
    nets = {}

    def add(budget, dm, seed, out, steps, name=None, trees=TREES, n=None):
        hidden = 2 * dm
        n = n or budget // (k_e(dm, hidden, trees) + trees * WIDTH)
        name = name or (f"p{budget}_m{dm}_s{seed}" + ("_binary" if out == "binary" else "")
                        + ("_long" if steps > 300 else ""))
        nets[name] = dict(
            name=name, task="spoken digits", N=n, dm=dm, dtree=trees, dbranch=WIDTH,
            c=torch_net.C, lam=torch_net.LAM, taur=torch_net.TAU_R, tmin=torch_net.TAU_MIN,
            tmax=TAU_MAX, rho=RHO, out=out, Din=task.CHANNELS, budget=budget, seed=seed,
            steps=steps)

    for budget, seed, out in PLAN:
        for dm in MEMORIES:
            add(budget, dm, seed, out, 300)
    for budget, seed, out, dm in LONG:
        add(budget, dm, seed, out, 900)
    add(None, 5, 0, "relu", 2500, name="large", trees=10, n=64)
    return nets


NETS = family()


def train(net, steps, rate, pool, batch=32):
    """Cross-entropy at the last step, Adam, a short rise and a cosine to zero.  A
    teacher, dropped afterwards, must tell both digits from the read-out layer's
    memories: the sum alone says little about each."""
    torch.manual_seed(0)
    teacher = torch.nn.Linear(3 * task.CLASSES, 2 * task.DIGITS)
    optimizer = torch.optim.Adam([*net.parameters(), *teacher.parameters()], lr=rate)
    plan = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(
        1.0, (step + 1) / 20) * 0.5 * (1 + np.cos(np.pi * step / steps)))

    def lesson():
        x, y, digits = pool.pairs(batch)
        scores, memory, _ = net(torch.from_numpy(x).float())
        told = teacher(memory).view(-1, task.DIGITS)
        return (F.cross_entropy(scores, torch.from_numpy(y).long()),
                F.cross_entropy(told, torch.from_numpy(digits).view(-1)))

    training.descend(net, optimizer, plan, steps, lesson, max(1, steps // 4))


def build(name, steps, out):
    meta = NETS[name]
    begin = time.process_time()
    net = torch_net.Net(meta["seed"], task.CHANNELS, meta["N"], meta["dm"], meta["dtree"],
                        WIDTH, 2 * meta["dm"], RHO, TAU_MAX, task.CLASSES,
                        meta["out"] == "binary")
    pool = task.Pool(task.SEED_TRAIN + 100 * meta["seed"], task.POOL)
    rate = (5e-3 if name == "large" else 2e-2 if meta["out"] == "relu" else 1e-2)
    train(net, steps, rate, pool)
    save(net, {**meta, "steps": steps, "lr": rate}, *task.test_set(), begin, out)


def save(net, meta, x, y, begin, out):
    """Writes the checkpoint with examples, and prints what it reaches."""
    name = meta["name"]
    with torch.no_grad():
        scores, _, a = net(torch.from_numpy(x).float())
    right = int((scores.argmax(1).numpy() == y).sum())
    found = {**net.arrays(), "meta": np.asarray(json.dumps(meta))}
    found["x_ex"], found["y_ex"] = x[:EXAMPLES], y[:EXAMPLES]
    found["logits_ex"] = scores[:EXAMPLES].numpy()
    np.savez_compressed(out / f"{name}.npz", **found)
    print(f"{name}: N {meta['N']}, d_m {meta['dm']}, test accuracy {100 * right / len(y):.2f} % "
          f"({right} of {len(y)}), a > 0: {100 * float((a > 0).float().mean()):.1f} %, "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    training.run(__doc__, {name: meta["steps"] for name, meta in NETS.items()}, HERE / "family", build)
