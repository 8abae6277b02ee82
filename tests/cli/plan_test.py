# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/PlanCommand.cpp, runtime/session/plan/Estimate.cpp,
# runtime/session/plan/Description.cpp, runtime/session/plan/Machine.cpp.
"""`dendrolith plan`: numbers that can be worked out by hand, 10^9 synapses, a network's file
beside its run, and what is refused."""
import json

from command import W, check, finish, dendrolith, refused


def write(name, text):
    (W / name).write_text(text)
    return W / name


def plan(*arguments):
    done = dendrolith("plan", *arguments, "--format", "json")
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


# 2,048 neurons without synapses but an input's: two cores of 1,024.
small = write("small.yaml", """
name: small
inputs: [{name: in, size: 10, rate: 0.5}]
populations: [{name: a, size: 2048, rate: 0.01}]
projections: [{from: in, to: a, fan_in: 1}]
""")
found = plan(small, "--target", "loihi1")
check(found["cores"] == 2 and found["chips"] == 1 and found["fits"], "neurons bound")
check(abs(found["step"]["synaptic_operations"] - 1024) < 1e-6, "2,048 synapses, half of them")
check(abs(found["step"]["messages"] - 10) < 1e-3, "each input reaches both cores")
check(abs(found["step"]["update_ns"] - 1024 * 8.4) < 1, "1,024 updates of 8.4 ns")
check(plan(small, "--cores", 8)["cores"] == 8, "as many cores as asked for")

# Delays in the words of one list, or a list and an in-axon for each: 64 weights of
# 8 bits, a delay of 3 and a header of 10 are 12 words.
delayed = write("delayed.yaml", """
inputs: [{name: in, size: 100, rate: 0.1}]
populations: [{name: a, size: 64, rate: 0}]
projections: [{from: in, to: a, probability: 1, delays: 7}]
""")
(core,) = plan(delayed, "--target", "loihi1")["populations"]
check(abs(core["in_axons_per_core"] - 100) < 0.1 and abs(core["words_per_core"] - 1200) < 1,
      f"delays in words, {core}")
(core,) = plan(delayed, "--target", "loihi1,synapse_memory.max_delay_bits=0")["populations"]
check(abs(core["in_axons_per_core"] - 700) < 1, f"a list for each delay, {core}")
# A core that divides its memory: 78 weights of 8 bits take 9 words of 8 bytes for 64 and 2 for
# the others, beside an in-axon of 8 and 20 bytes a neuron; 79 take a word more of each of 2,000
# lists, which is beyond 196,608 bytes. The plan is one neuron too many, as it divides them.
divided = write("divided.yaml", """
inputs: [{name: in, size: 2000, rate: 0.1}]
populations: [{name: a, size: 640, rate: 0}]
projections: [{from: in, to: a, probability: 1}]
""")
found = plan(divided, "--target", "loihi2")
(core,) = found["populations"]
check(core["bound"] == "core_memory_bytes" and 78 <= core["neurons_per_core"] <= 79 and
      found["cores"] == 9,
      f"core memory binds, {core}")
check(plan(divided, "--target", "loihi2", "--override-limit", "core_memory_bytes")["cores"] == 1,
      "core memory is left out of account")
# A kernel once a core: 4 x 9 lists of 8 channels, whatever the size of the maps.
maps = """
inputs: [{name: in, size: SIZE4, rate: 0.1}]
populations: [{name: a, size: SIZE8, rate: 0}]
projections: [{from: in, to: a, fan_in: 36, kernel: {from_channels: 4, to_channels: 8, taps: 9}}]
"""
few, many = (plan(write("maps.yaml", maps.replace("SIZE4", str(4 * n)).replace("SIZE8", str(8 * n))),
                  "--target", "loihi2")["populations"][0] for n in (10, 100))
check(few["in_axons_per_core"] == many["in_axons_per_core"] == 1, f"one in-axon, {few}")
check(few["words_per_core"] == many["words_per_core"] and few["words_per_core"] % 36 == 0, f"{few}, {many}")
refused("a kernel without taps", 1, "plan", write("d.yaml", maps.replace("SIZE", "1").replace(", taps: 9", "")),
        says=["d.yaml:4", "taps"])
refused("no delay", 1, "plan", write("e.yaml", delayed.read_text().replace("delays: 7", "delays: 0")),
        says=["e.yaml:4", "'delays'"])

large = write("large.yaml", """
populations:
  - {name: e, size: 8000000, rate: 0.0005}
  - {name: i, size: 2000000, rate: 0.001}
projections:
  - {from: e, to: e, fan_in: 800, within: 100000}
  - {from: e, to: i, fan_in: 800, within: 100000}
  - {from: i, to: e, synapses: 1600000000, within: 100000}
  - {from: i, to: i, probability: 0.0001}
""")
found = plan(large, "--target", "loihi1-study,board.chips_x=8,board.chips_y=8")
check(found["network"]["synapses"] == 8e6 * 800 + 2e6 * 800 + 1.6e9 + 4e8, "10^10 synapses")
check(found["chips"] == 77, f"10 million neurons on {found['chips']} chips of 131,072")
one, four = (plan(large, "--target", "loihi1-study", "--ranks", ranks)["machine"]
             for ranks in (1, 4))
check(four["memory_per_rank_bytes"] < 0.3 * one["memory_per_rank_bytes"] and
      four["step_ns"] < one["step_ns"], "ranks share memory and work")
check(all(set(speed) == {"value", "unit", "kind", "source"}
          for speed in one["speeds"].values()), "speeds have a kind and a source")
check(one["compile_s"] > 600 and one["compile_bytes"] > 2e11 and one["load_s"] > 3 * four["load_s"],
      "compiling is not divided, loading is")
found = plan(large, "--target", "loihi1")
check(not found["fits"] or found["cores_by_limit"]["out_axons"], "limits are told apart")

faster = write("machine.yaml", "speeds: {neuron: {value: 0, unit: ns, kind: assumed, "
               "source: a test}, synapse: {value: 0, unit: ns, kind: assumed, source: a test},"
               "message: {value: 0, unit: ns, kind: assumed, source: a test},"
               "spike: {value: 0, unit: ns, kind: assumed, source: a test}}")
check(plan(small, "--machine", faster)["machine"]["step_ns"] ==
      plan(small)["machine"]["speeds"]["step"]["value"], "another machine")

dendrolith("generate", W / "net", "--neurons", 2000, "--steps", 30)
found = plan(W / "net.npz", "--target", "loihi1-study")
check(found["network"]["synapses"] == 220000, "sizes of a study network")
# A run says how fast the machine is: the same network is planned to take what it took.
done = dendrolith("run", W / "net.npz", "--target", "loihi1-study", "--engine", "functional",
               "--threads", 1, "--out", W / "like")
check(done.returncode == 0, done.stderr)
took = json.loads((W / "like" / "result.json").read_text())["wall_s"]["simulate"]
found = plan(W / "net.npz", "--target", "loihi1-study", "--machine", W / "like", "--steps", 30,
             "--cores", 128)  # as the file says
check(abs(found["machine"]["run_s"] / took - 1) < 0.05, f"{found['machine']['run_s']} s, {took} s")
check(found["machine"]["speeds"]["neuron"]["source"] == str(W / "like"), "the source of speeds")
refused("no run", 1, "plan", W / "net.npz", "--machine", W / "none", says=["none"])

dendrolith("generate", W / "column", "--mode", "microcircuit", "--recipe", "scale=0.02", "--steps", 10)
found = plan(W / "column.npz", "--target", "loihi1-study")
check(len(found["populations"]) == 8, "the microcircuit's populations")
check(dendrolith("plan", W / "column.npz").stdout.count("\n") >= 5, "a text")

refused("no file", 1, "plan", W / "none.yaml", says=["none.yaml"])
refused("a model", 1, "plan", W / "none.nir", says=["expected a description"])
refused("a name", 1, "plan", write("a.yaml", """
populations: [{name: first, size: 5, rate: 0}]
projections: [{from: fist, to: first, fan_in: 1}]
"""), says=["a.yaml:3", "did you mean 'first'?"])
refused("two counts", 1, "plan", write("b.yaml", """
populations: [{name: a, size: 5, rate: 0}]
projections: [{from: a, to: a, fan_in: 1, fan_out: 1}]
"""), says=["b.yaml:3", "fan_out"])
refused("a rate", 1, "plan", write("c.yaml", """
populations: [{name: a, size: 5, rate: 8}]
projections: []
"""), says=["c.yaml:2", "0 to 1"])
refused("a limit", 1, "plan", small, "--override-limit", "in_axon",
        says=["did you mean 'in_axons'?"])
refused("a chip", 1, "plan", small, "--target", "loihi3", says=["loihi3"])
refused("no rank", 2, "plan", small, "--ranks", "0")
finish()
