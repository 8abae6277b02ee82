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


def cells(row):
    head = [row["network"], row["order"], row["solver"]]
    for key in ("refused", "skipped"):
        if key in row:
            return head + [f"{key}: {row[key]}"] + [""] * (len(HEAD) - 4)
    total = row["events_nj"] + row["static_nj"]
    checked = row.get("evaluator", "-")
    if not row.get("raster", True):
        checked += ", other spikes"
    return head + [
        f"{row['cores']} ({row['bound']})", number(row["messages"]),
        number(row["hops_ew"] + row["hops_ns"]),
        f"{number(row['hops_ew'])} + {number(row['hops_ns'])}",
        number(row.get("km1")), number(row.get("km1_rule")),
        number(row["busiest_link"]),
        f"{number(row['core_ns_max'])} / {number(row['core_ns_mean'])}",
        number(row["us"], 2), number(row.get("predicted_us"), 2),
        number(row["events_nj"]), number(row["static_nj"]), number(total),
        number(row["map_s"], 1), number(row["peak_mb"]), checked]


HEAD = ["network", "order", "solver", "cores (bound)", "messages", "hops",
        "E-W + N-S", "km1", "km1, rule's rates", "busiest link",
        "core ns max / mean", "us", "predicted us", "events nJ", "static nJ",
        "E + S nJ", "map s", "peak MB", "evaluator"]


def markdown(rows):
    lines = [HEAD, ["---"] * len(HEAD), *map(cells, rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
