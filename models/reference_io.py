# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and command line shared by the reference.py of every model.

Nothing here knows an equation: a reference module hands over its functions and
gets the same four commands as all the others, and a fifth where it can evaluate
a whole test set.
"""

import argparse
import json
import os
import sys
import zipfile

import numpy as np


def load(path):
    """Read a checkpoint: floats become float64, integers int64, `meta` a dict.

    Examples stored in the file (`*_ex`) are kept under their names.
    """
    params = {}
    try:
        npz = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: expected an npz file: {error}") from error
    if not hasattr(npz, "files"):
        raise ValueError(f"{path}: expected an npz file, found a single npy array")
    with npz:
        for key in npz.files:
            value = npz[key]
            if key == "meta":
                params[key] = json.loads(str(value))
            elif value.dtype.kind == "f":
                params[key] = value.astype(np.float64)
            elif value.dtype.kind in "iu":
                params[key] = value.astype(np.int64)
            else:
                raise ValueError(
                    f"{path}: array '{key}' has type {value.dtype}, expected "
                    "floating point or integer numbers"
                )
    return params


def save(path, arrays):
    """Write an npz whole or not at all; dicts (`meta`) are stored as JSON.

    Members carry numpy's fixed date, so equal arrays give equal bytes.
    """
    plain = {
        key: np.asarray(json.dumps(value)) if isinstance(value, dict) else value
        for key, value in arrays.items()
    }
    aside = f"{path}.part{os.getpid()}"
    try:
        with open(aside, "wb") as file:
            np.savez(file, **plain)
        os.replace(aside, path)
    finally:
        if os.path.exists(aside):
            os.remove(aside)


def put_trace(trace, name, value):
    """Append one tick's value of `name` to the trace, if a trace is kept."""
    if trace is not None:
        trace.setdefault(name, []).append(np.array(value))


def finish_trace(trace):
    """Turn every trace from a list of ticks into one array (ticks, ...)."""
    if trace is not None:
        for name in trace:
            trace[name] = np.stack(trace[name])


def largest(found, expected):
    """Largest absolute difference; shapes must agree exactly."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        raise ValueError(
            f"expected an array of shape {expected.shape}, found {found.shape}"
        )
    return float(np.max(np.abs(found - expected))) if found.size else 0.0


class Report:
    """Prints the figures of a self-test and remembers whether one is bad."""

    def __init__(self):
        self.failed = False

    def figure(self, name, value, limit):
        """Print `name`: `value`, which must not exceed `limit`."""
        bad = not value <= limit  # true for NaN as well
        self.failed |= bad
        shown = f"{value}" if isinstance(value, int) else f"{value:.2e}"
        bound = f"{limit}" if isinstance(limit, int) else f"{limit:.0e}"
        print(f"{name}: {shown} (allowed {bound}){'  FAILED' if bad else ''}")

    def note(self, text):
        print(text)


def run_file(model, checkpoint, x_path, out_dir):
    params = model.load(checkpoint)
    x = np.load(x_path, allow_pickle=False)
    trace = {}
    outputs = model.run(params, x, trace)
    os.makedirs(out_dir, exist_ok=True)
    save(os.path.join(out_dir, "traces.npz"), trace)
    target = os.path.join(out_dir, "outputs.npy")
    aside = f"{target}.part{os.getpid()}"
    with open(aside, "wb") as file:
        np.save(file, outputs)
    os.replace(aside, target)
    print(f"outputs {outputs.shape}, traces: {', '.join(sorted(trace))}")


def main(model, argv=None):
    """The command line of a reference module; returns the exit status."""
    parser = argparse.ArgumentParser(description=model.__doc__.split("\n")[0])
    parser.add_argument("checkpoint", nargs="?", metavar="CKPT.npz")
    parser.add_argument("--input", metavar="X.npy", help="one sample, steps first")
    parser.add_argument("--out", metavar="DIR", help="for outputs.npy, traces.npz")
    parser.add_argument(
        "--selftest", metavar="CKPT.npz", help="run the stored examples"
    )
    parser.add_argument(
        "--export", nargs=2, metavar=("CKPT.npz", "OUT.npz"),
        help="write the effective parameters that the network's IR binds by name",
    )
    parser.add_argument(
        "--random", nargs=2, metavar=("SEED", "CKPT.npz"),
        help="write a small random checkpoint",
    )
    if hasattr(model, "SIZES"):
        parser.add_argument(
            "--size", choices=model.SIZES, default="small",
            help="of the random checkpoint",
        )
    names = "CKPT.npz, --selftest, --export, --random"
    if hasattr(model, "evaluate"):
        names += ", --evaluate"
        parser.add_argument(
            "--evaluate", nargs=3, metavar=("CKPT.npz", "X.npy", "Y.npy"),
            help="accuracy and activity over samples X with labels Y",
        )
    args = parser.parse_args(argv)
    evaluated = getattr(args, "evaluate", None)
    one = [args.checkpoint, args.selftest, args.export, args.random, evaluated]
    if sum(choice is not None for choice in one) != 1:
        parser.error(f"give exactly one of {names}")
    if args.checkpoint and not (args.input and args.out):
        parser.error("running CKPT.npz needs --input X.npy and --out DIR")
    if args.random and not args.random[0].isdigit():
        parser.error(f"--random: expected a seed >= 0, found '{args.random[0]}'")
    try:
        if args.checkpoint:
            run_file(model, args.checkpoint, args.input, args.out)
        elif args.selftest:
            report = Report()
            model.selftest(args.selftest, report)
            return 1 if report.failed else 0
        elif evaluated:
            model.evaluate(*evaluated, Report())
        elif args.export:
            model.export(model.load(args.export[0]), args.export[1])
        else:
            size = {"size": args.size} if hasattr(model, "SIZES") else {}
            save(args.random[1], model.random_checkpoint(int(args.random[0]), **size))
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyError as error:
        print(
            f"error: no array {error} in the checkpoint; see the README for the "
            "arrays that this model needs",
            file=sys.stderr,
        )
        return 1
    return 0
