# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/events/EventCounter.cpp, simulator/timing/messages/MessageStream.cpp,
# compiler/mapping/result/RoutingProblem.cpp.
"""mesh.multicast from the command line: the same spikes by fewer messages over
fewer links, the same counts in every engine, and a report that adds up."""
import support
from support import FOLDER, check, dendrolith, tables_of

TREES = "loihi1,mesh.multicast=true"
network = FOLDER / "net.npz"
dendrolith("generate", FOLDER / "net", "--neurons", 400, "--recipe", "fanout=30", "--cores", 40,
        "--steps", 30, "--recipe", "in-rate=0.2,rate=0.1")


def result_of(name, target, *flags):
    dendrolith("run", network, "--target", target, *flags, "--out", FOLDER / name)
    return support.result_of(FOLDER / name)


def flat(counts, name=""):
    if not isinstance(counts, dict):
        return {name: counts}
    return {key: value for part, inner in counts.items()
            for key, value in flat(inner, f"{name}.{part}" if name else part).items()}


plain = result_of("plain", "loihi1")
trees = result_of("trees", TREES)
before, after = (flat(result["counts"]["total"]) for result in (plain, trees))
check(trees["raster"] == plain["raster"] and plain["raster"]["spikes"] > 100,
      "the same spikes")
differ = {key for key in before if before[key] != after[key]}
check(differ == {"messages", "flits", "hops_ew", "hops_ns", "host.messages", "host.flits",
                 "host.hops_ew", "host.hops_ns"} and
      all(after[key] < before[key] for key in differ),
      f"fewer of {sorted(differ)}, and of nothing else")
check(after["messages"] <= after["inputs"] + after["spikes.binary"] + after["outputs"],
      "at most one message for each emission and each value to the host")
check(before["messages"] == after["within_tile"] + after["outputs"],
      "as many copies as there were messages")
links = tables_of(FOLDER / "trees")["counts"]["links"]
check(sum(link["flits"] for link in links) == after["hops_ew"] + after["hops_ns"],
      "the links add up to the hops")
check(trees["energy"]["low"]["total_pJ"] < plain["energy"]["low"]["total_pJ"], "it takes less energy")
check(trees["mapping"]["cost"] < plain["mapping"]["cost"],
      "the mapper's cost is that of trees")

cycle = result_of("cycle", TREES, "--engine", "cycle")
slow = result_of("slow", TREES, "--engine", "cycle", "--verify")
for result in cycle, slow:
    found = flat(result["counts"]["total"])
    check(found == after and
          result["raster"] == plain["raster"],
          "the cycle engine gives the same spikes and counts")
check(cycle["latency"] == slow["latency"], "and --verify the same times")
dendrolith("report", FOLDER / "trees", "--costs", "silicon-fit-2025")
