#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mapper beside other methods.

    python3 tests/bench/mapping.py --nets DIR [--rows REGEX] [--quick]
                                   [--solvers default,metis,...] [--markdown F]
    python3 tests/bench/mapping.py --nets DIR --kept --markdown F
    python3 tests/bench/mapping.py --list

README.md beside this file says what the columns are. Figures are per step.
Finished lines are kept in DIR/table.jsonl, and a second call goes on behind
them; --again measures them anew.
"""
import argparse
import json
import pathlib
import re

from mapping_nets import catalogue, command, measure, report, summary

SOLVERS = "round-robin,iterative-split,metis,balanced,energy,time,cores"


def finished(path):
    """Lines of the table by (network, order, solver)."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {(r["network"], r["order"], r["solver"]): r for r in rows}


def table(arguments, dendrolith):
    path = arguments.nets / "table.jsonl"
    done = {} if arguments.again else finished(path)
    wanted = re.compile(arguments.rows)
    rows = []
    for case in catalogue.cases().values():
        for order in case.orders:
            if not wanted.search(f"{case.name}/{order}"):
                continue
            if arguments.quick and not case.quick:
                continue
            if case.why:
                rows.append(dict(network=case.name, order=order, solver="any",
                                 skipped=case.why))
                print(*report.cells(rows[-1]), sep="  ", flush=True)
                continue
            for name in arguments.solvers.split(","):
                label = " ".join([name, *dendrolith.more])
                key = (case.name, order, label)
                row = done.get(key)
                if row is None and arguments.kept:
                    continue
                if row is None:
                    row = measure.measure(case, order,
                                          command.Solver.parse(name),
                                          arguments.nets, dendrolith)
                    row["solver"] = label
                    # What is skipped today may run when it is there.
                    if "skipped" not in row:
                        with open(path, "a") as file:
                            file.write(json.dumps(row) + "\n")
                rows.append(row)
                print(*report.cells(row), sep="  ", flush=True)
    said = summary.lines(rows)
    print(*said, sep="\n")
    return report.markdown(rows) + "\n" + "".join(f"* {l}\n" for l in said)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--nets", type=pathlib.Path,
                        help="folder of the networks, made where missing")
    parser.add_argument("--rows", default="",
                        help="regular expression of network/order")
    parser.add_argument("--solvers", default=SOLVERS,
                        help="NAME[@CORES][/SECONDS],...")
    parser.add_argument("--flags", default="",
                        help="more flags of dendrolith compile, in one word")
    parser.add_argument("--quick", action="store_true",
                        help="a few networks of up to 20,000 neurons")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--kept", action="store_true",
                        help="only lines that were finished before")
    parser.add_argument("--list", action="store_true",
                        help="only print the networks")
    parser.add_argument("--markdown", type=pathlib.Path,
                        help="writes the table there, too")
    arguments = parser.parse_args()
    if arguments.list:
        for case in catalogue.cases().values():
            print(case.name, case.target, *case.orders)
        return
    if not arguments.nets:
        parser.error("--nets: which folder?")
    dendrolith = command.Dendrolith(arguments.build / "bin" / "dendrolith",
                              arguments.flags.split())
    print(report.machine())
    arguments.nets.mkdir(parents=True, exist_ok=True)
    text = table(arguments, dendrolith)
    if arguments.markdown:
        arguments.markdown.write_text(f"{report.machine()}\n\n{text}")


if __name__ == "__main__":
    main()
