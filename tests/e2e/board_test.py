# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/RunReport.cpp, targets/loader/read/ChipReader.cpp,
# simulator/energy/Energy.cpp.
"""Boards of chips from the command line: the same spikes as on one chip, the
same counts in every engine, a report that adds up, and what is refused."""
import subprocess

import support
from support import FOLDER, check, dendrolith, tables_of

# Four chips of 16 cores instead of one of 128.
CHIP = "loihi1,mesh.tiles_x=2,mesh.tiles_y=2"
BOARD = CHIP + ",board.chips_x=2,board.chips_y=2"
network = FOLDER / "net.npz"
dendrolith("generate", FOLDER / "net", "--neurons", 400, "--recipe", "fanout=30", "--cores", 40,
        "--steps", 20, "--recipe", "in-rate=0.2,rate=0.1")


def result_of(name, target, *flags):
    dendrolith("run", network, "--target", target, *flags, "--out", FOLDER / name)
    return support.result_of(FOLDER / name)


plain = result_of("plain", "loihi1", "--engine", "cycle")
alone = result_of("alone", "loihi1,board.chips_x=1", "--engine", "cycle")
check("board" not in plain and "chips" not in plain["counts"]["total"] and
      "crossings" not in plain["counts"]["total"], "one chip is no board")
check(all(alone[key] == plain[key] for key in
          ("counts", "times", "latency", "timing", "energy", "raster")),
      "a board of one chip is the chip")

functional = result_of("functional", BOARD)
cycle = result_of("cycle", BOARD, "--engine", "cycle")
slow = result_of("slow", BOARD, "--engine", "cycle", "--verify")
check(functional["raster"] == plain["raster"] and plain["raster"]["spikes"] > 100,
      "the same spikes as on one chip")
for result in cycle, slow:
    check(result["raster"] == plain["raster"] and
          result["counts"] == functional["counts"],
          "the cycle engine gives the same spikes and counts")
check(cycle["latency"] == slow["latency"] and cycle["board"] == slow["board"],
      "and --verify the same times")
check(cycle["timing"]["sha256"] != plain["timing"]["sha256"], "times are others")

total = cycle["counts"]["total"]
board = cycle["board"]
links = tables_of(FOLDER / "cycle")["counts"]["links"]
check(total["crossings"] > 100 and
      sum(link["flits"] for link in links) ==
      total["hops_ew"] + total["hops_ns"] + total["crossings"],
      "the links add up to hops and crossings")
check(sum(edge["flits"] for edge in board["edges"]) == total["crossings"],
      "the edges of the chips add up to the crossings")
# Cores 0 to 39 are those of chips 0, 1 and 2; chip 3 is on the way from 2 to 1.
check([chip["cores"] for chip in board["chips"]] == [16, 16, 8, 0] and
      total["chips"] == 4, "chips in use, and those on the way")
check(all(edge["busiest_link_share"] > 0 for edge in board["edges"]) and
      all(edge["waited_ps"] is None for edge in functional["board"]["edges"]),
      "links are busy where there is a time")
# Each doubling of the chips takes 748 ns.
check(board["barrier_ps"] == 2 * 748000 and board["link_ps"] == 50000 + 7 * 582,
      "what links and barrier take")

bill = cycle["energy"]["low"]
check("crossings" in bill["unpriced"], "crossings are unpriced")
priced = result_of("priced", BOARD + ",costs.davies2018.crossings=40,costs.davies2018.static=100",
                   "--engine", "cycle")
dear = priced["energy"]["low"]
more = dear["total_pJ"] - bill["total_pJ"]
check(abs(more - 40 * total["crossings"]) < 1e-6 * more, "until they have a price")
check(abs(dear["static_pJ"] - 4 * 100e-3 * cycle["times"]["system_ps"]) <
      1e-6 * dear["static_pJ"], "each of the chips in use draws static power")
text = dendrolith("report", FOLDER / "cycle")
check("Board: 4 of 2 x 2 chips in use; a link between chips takes 54.07 ns" in text and
      "of each of 4 chips" in text, "the report says so")

# The mapper predicts it all.
terms = {term["name"]: term["value"] for term in cycle["mapping"]["terms"]}
step = cycle["latency"]["per_sample_ns"]["mean"] / 20
check(all(abs(20 * terms[term] - counted) < 1e-6 * counted for term, counted in (
    ("messages", total["messages"]), ("crossings", total["crossings"]),
    ("hops", total["hops_ew"] + total["hops_ns"]))) and
    abs(terms["step"] - step) < 0.01 * step, "the prediction counts and times it as the engine does")

# The mapper chooses chips, too.
mapped = result_of("mapped", BOARD, "--engine", "cycle", "--tuning", "{solver: default}",
                   "--cores", "33:")
terms = {term["name"]: term["value"] for term in mapped["mapping"]["terms"]}
check(mapped["raster"] == plain["raster"] and terms["chips"] == mapped["counts"]["total"]["chips"],
      "the mapper predicts the chips that are used")
few = result_of("few", BOARD, "--tuning", "{solver: default}", "--map-for", "cores")
check("board" in few and few["counts"]["total"].get("chips", 1) == 1,
      "what fits one chip stays on it")

# Other chips have boards with links of their own.
for chip, size, link in (("loihi2", "mesh.tiles_x=2,mesh.tiles_y=2", 50000 + 7 * 1866),
                         ("spinnaker2", "mesh.tiles_x=2,mesh.tiles_y=2", 100000)):
    other = result_of(chip, f"{chip},{size},board.chips_x=2,board.chips_y=2", "--engine", "cycle")
    check(other["raster"] == plain["raster"] and other["board"]["link_ps"] == link and
          other["counts"]["total"]["crossings"] > 100, f"a board of {chip}: {other['board']}")

core = FOLDER / "outside.yaml"
core.write_text("- {population: lif, first: 0, count: 400, core: 64}\n")
for flags, why in (
        (["--target", CHIP + ",board.chips_x=0"], "expected 1 to 1024"),
        (["--target", "odin,board.chips_x=2"], "has no section 'board'"),
        (["--target", BOARD, "--placement", core], "expected 0 to 63")):
    found = subprocess.run([support.DENDROLITH, "run", network, *flags],
                           capture_output=True, text=True)
    check(found.returncode == 1 and why in found.stderr, f"refused: {why}")
