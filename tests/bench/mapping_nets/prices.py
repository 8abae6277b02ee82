# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cost table that makes the mapper's energy the number of one event."""

PRICES = """\
name: {what}
family: benchmark
description: one pJ for each of them, nothing else costs anything
voltage: 1 V
scope: per-term
sources: {{rule: of the benchmark}}
events:
{events}
static: {{value: 0, unit: mW, per: chip, kind: assumed, source: rule}}
"""
EVENTS = ("synmem_words", "neuron_updates_inactive", "neuron_updates_active",
          "spikes", "messages", "within_tile", "hops_ew", "hops_ns",
          "axon_reads", "join_ops", "barriers", "resets")


def price_table(what):
    """A cost table on which only `messages` or `hops` cost anything."""
    lines = [f"  {event}: {{value: {int(event.startswith(what))}, unit: pJ, "
             "kind: assumed, source: rule}" for event in EVENTS]
    free = "{value: 0, unit: pJ, kind: assumed, source: rule}"
    lines.append("  synops: {" + ", ".join(
        f"{kind}: {free}" for kind in ("dense", "sparse", "conv")) + "}")
    return PRICES.format(what=what, events="\n".join(lines))
