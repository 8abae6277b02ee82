# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines of the table as text."""
import os
import pathlib
import re


def machine():
    """The processor, how many, and the memory of this machine."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", info)
    memory = re.search(r"MemTotal:\s*(\d+)",
                       pathlib.Path("/proc/meminfo").read_text())
    return (f"{model.group(1) if model else 'unknown processor'}, "
            f"{os.cpu_count()} processors, "
            f"{int(memory.group(1)) / 2 ** 20:.0f} GiB")


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def checks(row):
    """What the line was held against and whether all agreed."""
    wrong = []
    if row.get("evaluator", "agrees") != "agrees":
        wrong.append("counts " + row["evaluator"])
    if row["engines"] != "agree":
        wrong.append("engines differ")
    if not row.get("raster", True):
        wrong.append("other spikes than the loop's")
    held = ["engines", *(["counts", "spikes"] if "raster" in row else [])]
    return ", ".join(wrong) if wrong else " = ".join(held)


def cells(row):
    head = [row["network"], row["order"], row["solver"]]
    for key in ("refused", "skipped"):
        if key in row:
            return head + [f"{key}: {row[key]}"] + [""] * (len(HEAD) - 4)
    return head + [
        f"{row['cores']} ({row['bound']})", number(row["messages"]),
        number(row["hops_ew"] + row["hops_ns"]), number(row.get("km1")),
        number(row["busiest_link"]),
        f"{number(row['core_ns_max'])} / {number(row['core_ns_mean'])}",
        number(row.get("predicted_us"), 2), number(row["us"], 2),
        number(row["events_nj"] + row["static_nj"]),
        number(row["map_cpu_s"], 1), number(row["peak_mb"]), checks(row)]


HEAD = ["network", "order", "solver", "cores (bound)", "messages", "hops",
        "km1", "busiest link", "core ns max / mean", "predicted us", "us",
        "E + S nJ", "map CPU s", "peak MB", "agree"]


def markdown(rows):
    lines = [HEAD, ["---"] * len(HEAD), *map(cells, rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
