# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/sanafe.py.
"""SANA-FE's files: a pair of neurons whose energy is worked out by hand, and what is refused."""
import json
import subprocess
import sys

from support import DENDROLITH, FOLDER, check, finish

try:
    import yaml  # noqa: F401
except ImportError:
    print("skipped: PyYAML is not installed")
    sys.exit(77)

from dendrolith import sanafe  # noqa: E402

ARCHITECTURE = """
architecture:
  name: two tiles
  attributes: {width: 2, height: 1, link_buffer_size: 16, latency_sync: 1.0e-6}
  tile:
    - name: t[0..1]
      attributes: {energy_east_hop: 3.0e-12, energy_west_hop: 3.0e-12, latency_east_hop: 4.0e-9, latency_west_hop: 4.0e-9}
      core:
        - name: c[0..1]
          attributes: {max_neurons_supported: 16}
          axon_in: [{name: i, attributes: {energy_message_in: 2.0e-12, latency_message_in: 1.0e-9}}]
          synapse: [{name: s, attributes: {energy_process_spike: 10.0e-12, latency_process_spike: 2.0e-9}}]
          soma:
            - name: lif
              attributes: {model: leaky_integrate_fire, energy_access_neuron: 5.0e-12, energy_update_neuron: 7.0e-12,
                           energy_spike_out: 60.0e-12, latency_access_neuron: 3.0e-9, latency_update_neuron: 1.0e-9}
            - name: in[0..3]
              attributes: {model: input}
          axon_out: [{name: o, attributes: {energy_message_out: 100.0e-12, latency_message_out: 5.0e-9}}]
"""
NETWORK = """
network:
  groups:
    - {name: in, attributes: [], neurons: [0: [soma_hw_name: "in[0]", spikes: [1, 0, 1, 0, 1, 0]]]}
    - name: n
      attributes: [soma_hw_name: lif, threshold: 4.0, reset: 0.0]
      neurons: [0..1: []]
  edges:
    - in.0 -> n.0: [weight: 5]
    - n.0 -> n.1: [weight: 3]
mappings:
  - in: [core: 0.0]
  - n.0: [core: 0.0]
  - n.1: [core: 1.0]
"""


def files(architecture=ARCHITECTURE, network=NETWORK):
    paths = FOLDER / "arch.yaml", FOLDER / "net.yaml"
    for path, text in zip(paths, (architecture, network)):
        path.write_text(text)
    return paths


sanafe.convert(*files(), FOLDER / "pair")
done = subprocess.run([DENDROLITH, "run", FOLDER / "pair/net.npz", "--target", FOLDER / "pair/chip", "--engine", "cycle",
                       "--report", "none", "--out", FOLDER / "out"], capture_output=True, text=True)
check(done.returncode == 0, done.stderr)
result = json.loads((FOLDER / "out" / "result.json").read_text())
# n.0 fires a step after each of three inputs; the third spike comes in the last step, and reaches nobody.
events = result["counts"]["total"]
check(events["spikes"]["binary"] == 4, f"n.0 fires three times, n.1 once: {events['spikes']}")
active, idle = events["neuron_updates_active"], events["neuron_updates_inactive"]
check(active + idle == 12, "two neurons in six steps")
synops = sum(events["synops"][kind] for kind in ("dense", "sparse", "conv"))
check(result["energy"]["low"]["total_pJ"] == 10 * synops + 12 * active + 5 * idle + 60 * 4 + 100 * events["messages"]
      + 2 * events["axon_reads"] + 3 * events["hops_ew"], "each unit's price by its events")
check(events["hops_ew"] == 2 or events["hops_ew"] == 3, "spikes of n.0 go to the other tile")
check(result["latency"]["per_sample_ns"]["mean"] > 6000, "a barrier of a microsecond in each step")


def refused(title, says, **changed):
    for path in (FOLDER / "no").glob("*"):
        check(False, f"{title}: {path} was written")
    try:
        sanafe.convert(*files(**changed), FOLDER / "no")
    except sanafe.Refused as error:
        check(says in str(error), f"{title}: {error}")
    else:
        check(False, f"{title}: was read")


refused("weights", "weight 0.5 is no whole number", network=NETWORK.replace("weight: 3", "weight: 0.5"))
refused("resets", "expected reset 0", network=NETWORK.replace("reset: 0.0", "reset: 1.0"))
refused("thresholds", "a whole threshold", network=NETWORK.replace("4.0", "4.5"))
refused("mapping", "mapped to no core", network=NETWORK.replace("  - n.1: [core: 1.0]\n", ""))
refused("names", "names neurons that no group has", network=NETWORK.replace("n.0 -> n.1", "n.0 -> n.7"))
refused("delays", "delays are not read", network=NETWORK.replace("[weight: 3]", "[weight: 3, delay: 2]"))
refused("directions", "east and west differ", architecture=ARCHITECTURE.replace("energy_west_hop: 3", "energy_west_hop: 4"))
refused("tiles", "expected width x height tiles", architecture=ARCHITECTURE.replace("width: 2", "width: 3"))
refused("no architecture", "expected a map 'architecture'", architecture="network: {}\n")

# What would be lost, or taken for something else, in silence.
for says, old, new in (
        ("'resett' of a neuron is not read", "reset: 0.0", "resett: 0.0"), ("expected reset_mode hard", "reset: 0.0", "reset: 0.0, reset_mode: soft"),
        ("spikes 2 is no whole number", "[1, 0, 1, 0, 1, 0]", "[2, 0, 1, 0, 1, 0]"), ("or --steps", "[1, 0, 1, 0, 1, 0]", "[]"),
        ("found 'liff'", "soma_hw_name: lif", "soma_hw_name: liff"), ("neuron n.1 is there twice", "[0..1: []]", "[0..1: [], 1: []]"),
        ("at most 1000000 neurons", "[0..1: []]", "[0..1000000000: []]"), ("is mapped twice", "  - n.1:", "  - n.0: [core: 0.0]\n  - n.1:"),
        ("no core 1.7", "core: 1.0", "core: 1.7"), ("no core x", "core: 1.0", "core: x"), ("unknown key 'axon'", "core: 1.0", "core: 1.0, axon: a"),
        ("a number, found None", "[weight: 3]", "[]"), ("a number, found True", "weight: 3", "weight: true"),
        ("a number, found nan", "weight: 3", "weight: .nan"), ("1e300 is no whole", "weight: 3", "weight: 1e300"),
        ("threshold from 0 on", "threshold: 4.0", "threshold: -1"), ("from 0 to 1, found 4 and 2", "reset: 0.0", "reset: 0.0, leak_decay: 2"),
        ("unknown key 'groupz'", "groups:", "groupz:"), ("is not built as files", "- in.0 -> n.0: [weight: 5]", "- 3")):
    refused(new, says, network=NETWORK.replace(old, new, 1))
refused("a list", "expected a map 'network'", network="3")
refused("depth", "nested too deep", network="[" * 5000)
for says, old, new in (
        ("energy_spike_outt is not modelled", "energy_spike_out", "energy_spike_outt"), ("a number, found 'fast'", "5.0e-9", "fast"),
        ("0 or more, found -6e-11", "60.0e-12", "-60.0e-12"), ("of model izhikevich", "leaky_integrate_fire", "izhikevich"),
        ("has 2 neurons, and the chip's hold 1", "supported: 16", "supported: 1"), ("is no whole number", "supported: 16", "supported: 1.5"),
        ("energy_update is not modelled", "          soma:", "          dendrite: [{name: d, attributes: {energy_update: 1.0e-12}}]\n          soma:")):
    refused(new, says, architecture=ARCHITECTURE.replace(old, new, 1))

# A soma that a mapping names is the neuron's.
sanafe.convert(*files(network=NETWORK.replace('soma_hw_name: "in[0]", ', "").replace("- in: [core: 0.0]", '- in: [core: 0.0, soma: "in[0]"]')),
               FOLDER / "named")
check((FOLDER / "named" / "net.npz").read_bytes() == (FOLDER / "pair" / "net.npz").read_bytes(), "a soma by its mapping")
finish()
