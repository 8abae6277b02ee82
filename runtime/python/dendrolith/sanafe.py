# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SANA-FE's architecture and network files, as a chip and a study network.

    python3 -m dendrolith.sanafe ARCHITECTURE.yaml NETWORK.yaml -o FOLDER

writes FOLDER/chip, FOLDER/net.npz and FOLDER/net.json and prints the command that runs them. What the chip's model or the
format of study networks cannot say is refused by name: neurons are leaky integrate-and-fire with one leak, one whole
threshold and a reset to 0, weights whole numbers. It needs PyYAML.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import math
import pathlib
import re
import sys
from collections import Counter
from typing import Any, Dict, List, Sequence, Tuple, Union

import numpy as np

FRACTION = 6  # bits of a potential behind the point
LEAK_ONE = 4096
MOST_WEIGHT = 255
MOST_NEURONS = 1000000
#: What of a neuron is read, or changes nothing that is computed.
READ = {"soma_hw_name", "synapse_hw_name", "dendrite_hw_name", "default_synapse_hw_name", "soma", "threshold", "reset",
        "reset_mode", "bias", "leak_decay", "spikes", "log_spikes", "log_potential"}
HOPS = ["east_hop", "west_hop", "north_hop", "south_hop"]
SOMA = ["access_neuron", "update_neuron", "spike_out"]

Path = Union[str, "pathlib.Path"]
Parts = Dict[str, Any]  # attributes by name
Neuron = Tuple[str, int]  # group and number
Rows = List[List[Tuple[int, int]]]  # of each source: target and weight
Events = Sequence[Tuple[int, int]]  # step and neuron


class Refused(Exception):
    """A file that says what cannot be said here."""


def _yaml(path: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise Refused("PyYAML is not installed: pip install pyyaml") from None
    try:
        return yaml.safe_load(pathlib.Path(path).read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Refused(f"{path}: {error}") from None
    except RecursionError:
        raise Refused(f"{path}: is nested too deep") from None


def _number(value: Any, what: str) -> float:
    """YAML leaves '1e300', without a point, as text."""
    try:
        number = float("" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise Refused(f"{what}: expected a number, found {value!r}")
    return number


def _whole(value: Any, what: str, least: int, most: int) -> int:
    number = _number(value, what)
    if number != int(number) or not least <= number <= most:
        raise Refused(f"{what} {value} is no whole number of at {'most' if number > least else 'least'} "
                      f"{most if number > least else least}")
    return int(number)


def _merged(parts: Any) -> Parts:
    """Attributes, which SANA-FE writes as a map or as a list of maps of one key."""
    if isinstance(parts, dict):
        return parts
    return {key: value for part in parts or [] for key, value in part.items()}


def _units(text: str) -> Tuple[str, int]:
    """'tile[0..3]' -> ('tile', 4)."""
    found = re.fullmatch(r"(.*)\[0\.\.(\d+)\]", text)
    return (found[1], int(found[2]) + 1) if found else (text, 1)


def _part(path: Path, name: str) -> Tuple[Parts, Parts]:
    """The file, and its part of a name."""
    root = _yaml(path)
    if not isinstance(root, dict) or not isinstance(root.get(name), dict):
        raise Refused(f"{path}: expected a map '{name}', found none")
    return root, root[name]


class Architecture:
    """One kind of tile with one kind of core."""

    def __init__(self, path: Path) -> None:
        self.path = path
        root = _part(path, "architecture")[1]
        self.name = root.get("name", "sanafe")
        self.attributes = _merged(root.get("attributes"))
        tile, tiles = self._one(root, "tile")
        self.tile = _merged(tile.get("attributes"))
        core, self.cores = self._one(tile, "core")
        self.core = _merged(core.get("attributes"))
        self.somas = {_units(each["name"])[0]: _merged(each.get("attributes")) for each in core.get("soma", [])}
        self.synapses = {each["name"]: _merged(each.get("attributes")) for each in core.get("synapse", [])}
        self.axon_in = _merged(core["axon_in"][0].get("attributes"))
        self.axon_out = _merged(core["axon_out"][0].get("attributes"))
        for parts, read in ((self.attributes, ["sync"]), (self.tile, HOPS), (self.core, []), (self.axon_in, ["message_in"]),
                            (self.axon_out, ["message_out"]), *((soma, SOMA) for soma in self.somas.values()),
                            *((synapse, ["process_spike"]) for synapse in self.synapses.values()),
                            *((_merged(each.get("attributes")), []) for each in core.get("dendrite", []))):
            self._check(parts, read)
        self.most = _whole(self.core.get("max_neurons_supported", 1024), f"{path}: max_neurons_supported", 1, 1 << 30)
        self.width = int(self.attributes.get("width") or 0)
        self.height = int(self.attributes.get("height") or 0)
        if not self.width or self.width * self.height != tiles:
            raise Refused(f"{path}: expected width x height tiles, found {tiles} tiles")

    def _check(self, parts: Parts, read: List[str]) -> None:
        """Numbers what are numbers; a time or a price that nothing here reads would be lost."""
        for key, value in parts.items():
            quantity, _, of = key.partition("_")
            if quantity not in ("energy", "latency"):
                continue
            for one in value.values() if isinstance(value, dict) else [value]:
                parts[key] = number = _number(one, f"{self.path}: {key}")
                if number < 0:
                    raise Refused(f"{self.path}: {key}: expected 0 or more, found {number:g}")
                if number and of not in read:
                    raise Refused(f"{self.path}: {key} is not modelled here, and would be lost")
            if isinstance(value, dict):
                parts[key] = {_whole(tiles, f"{self.path}: {key}", 1, 1 << 20): float(time) for tiles, time in value.items()}

    def _one(self, parent: Parts, kind: str) -> Tuple[Parts, int]:
        parts = parent.get(kind, [])
        if len(parts) != 1:
            raise Refused(f"{self.path}: expected one kind of {kind}, found {len(parts)}")
        return parts[0], _units(parts[0]["name"])[1]

    def across(self, quantity: str) -> List[float]:
        """What a hop takes east and west, and north and south."""
        pairs = []
        for one, other in (("east", "west"), ("north", "south")):
            values = {self.tile.get(f"{quantity}_{way}_hop", 0.0) for way in (one, other)}
            if len(values) > 1:
                raise Refused(f"{self.path}: {quantity} of a hop {one} and {other} differ, which is not modelled")
            pairs.append(values.pop())
        return pairs

    def barrier(self) -> str:
        sync = self.attributes.get("latency_sync", 0.0)
        if not isinstance(sync, dict):
            return f"{{fixed: {{time: {_time(sync)}}}}}"
        return "{table: [" + ", ".join(f"{{tiles: {tiles}, time: {_time(time)}}}" for tiles, time in sorted(sync.items())) + "]}"


def _time(seconds: float) -> str:
    return f"{{value: {round(seconds * 1e12)}, unit: ps, kind: inherited, source: sanafe}}"


def _price(joules: float) -> str:
    return f"{{value: {joules * 1e12:.6g}, unit: pJ, kind: inherited, source: sanafe}}"


def _count(number: int, unit: str) -> str:
    return f"{{value: {number}, unit: {unit}, kind: inherited, source: sanafe}}"


def chip_text(arch: Architecture, soma: Parts, synapse: Parts) -> str:
    """A chip on the base of loihi1, whose integers those of the networks are."""
    access, update = soma.get("latency_access_neuron", 0), soma.get("latency_update_neuron", 0)
    ew, ns = arch.across("latency")
    buffer = _count(arch.attributes.get("link_buffer_size", 16), "flits")
    serve = _time(synapse.get("latency_process_spike", 0))

    def port(forward: float) -> str:
        return f"{{forward: {_time(forward)}, credit: {_time(forward)}, interval: {_time(0)}, buffer: {buffer}}}"
    return f"""base: loihi1
name: chip
description: {json.dumps(str(arch.name))}
sources:
  sanafe: {json.dumps("SANA-FE's file " + pathlib.Path(arch.path).name)}
mesh:
  tiles_x: {_count(arch.width, "tiles")}
  tiles_y: {_count(arch.height, "tiles")}
  cores_per_tile: {_count(arch.cores, "cores")}
limits:
  compartments_per_core: {_count(arch.most, "compartments")}
  synapse_memory_words: unlimited
  in_axons: unlimited
  out_axons: unlimited
default_timing: sanafe
default_costs: sanafe
timing:
  sanafe:
    family: sanafe
    update_inactive: {_time(access)}
    update_active: {_time(access + update)}
    spike_emit: {_time(soma.get("latency_spike_out", 0))}
    message_out: {_time(arch.axon_out.get("latency_message_out", 0))}
    message_in: {_time(arch.axon_in.get("latency_message_in", 0))}
    per_synapse: {{dense: {serve}, sparse: {serve}, conv: {serve}}}
    per_word: {_time(0)}
    reset: {_time(0)}
    tick: {_time(0)}
    barrier: {arch.barrier()}
    noc:
      grid: {_time(0)}
      east_west: {port(ew)}
      north_south: {port(ns)}
      local: {{forward: {_time(0)}, inject: {_time(0)}, eject: {_time(0)}, credit: {_time(0)}, interval: {_time(0)}, buffer: {buffer}}}
"""


def prices_text(arch: Architecture, soma: Parts, synapse: Parts) -> str:
    access, update = soma.get("energy_access_neuron", 0), soma.get("energy_update_neuron", 0)
    ew, ns = arch.across("energy")
    inside = "kind: inherited, source: sanafe"
    return f"""name: sanafe
description: {json.dumps(str(arch.name))}
family: sanafe
voltage: not stated
scope: per-term
sources:
  sanafe: {json.dumps("SANA-FE's file " + pathlib.Path(arch.path).name)}
events:
  synops: {_price(synapse.get("energy_process_spike", 0))}
  synmem_words: {{in: synops, {inside}}}
  neuron_updates_inactive: {_price(access)}
  neuron_updates_active: {_price(access + update)}
  spikes: {_price(soma.get("energy_spike_out", 0))}
  messages: {_price(arch.axon_out.get("energy_message_out", 0))}
  within_tile: {{in: messages, {inside}}}
  hops_ew: {_price(ew)}
  hops_ns: {_price(ns)}
  axon_reads: {_price(arch.axon_in.get("energy_message_in", 0))}
  join_ops: {{in: neuron_updates_active, {inside}}}
  barriers: unpriced
  resets: unpriced
static: unpriced
"""


class Network:
    """Groups of neurons, their synapses and cores. Neurons are named (group, number)."""

    def __init__(self, path: Path, arch: Architecture) -> None:
        self.path, self.arch = path, arch
        root, net = _part(path, "network")
        for key in {*root} - {"network", "mappings"} | {*net} - {"name", "groups", "edges"}:
            raise Refused(f"{path}: unknown key '{key}'")
        self.neurons: Dict[Neuron, Parts] = {}
        for group in net.get("groups", []):
            self._read_group(group)
        self.synapses: Dict[Tuple[Neuron, Neuron], int] = {}
        for edge in net.get("edges", []):
            (ends, parts), = edge.items()
            self._read_edge(ends, _merged(parts))
        self.cores: Dict[Neuron, int] = {}
        for mapping in root.get("mappings", []):
            (name, parts), = mapping.items()
            parts = _merged(parts)
            core = re.fullmatch(r"(\d+)\.(\d+)", str(parts.get("core")))
            if not core or int(core[1]) >= arch.width * arch.height or int(core[2]) >= arch.cores:
                raise Refused(f"{path}: mapping {name}: the chip has no core {parts.get('core')}")
            for key in {*parts} - {"core", "soma"}:
                raise Refused(f"{path}: mapping {name}: unknown key '{key}'")
            for neuron in self._named(str(name)):
                if neuron in self.cores:
                    raise Refused(f"{path}: neuron {neuron[0]}.{neuron[1]} is mapped twice")
                self.cores[neuron] = int(core[1]) * arch.cores + int(core[2])
                if "soma" in parts:
                    self.neurons[neuron]["soma_hw_name"] = parts["soma"]
        lost = [neuron for neuron in self.neurons if neuron not in self.cores]
        if lost:
            raise Refused(f"{path}: neuron {lost[0][0]}.{lost[0][1]} is mapped to no core")
        core, most = max(Counter(self.cores.values()).items(), key=lambda each: each[1], default=(0, 0))
        if most > arch.most:
            raise Refused(f"{path}: core {core // arch.cores}.{core % arch.cores} has {most} neurons, and the chip's hold "
                          f"{arch.most}")

    def _read_group(self, group: Parts) -> None:
        name, common = str(group["name"]), _merged(group.get("attributes"))
        for neuron in group.get("neurons", []):
            (numbers, own), = neuron.items() if isinstance(neuron, dict) else ((neuron, None),)
            first, _, last = str(numbers).partition("..")
            if int(last or first) - int(first) + len(self.neurons) >= MOST_NEURONS:
                raise Refused(f"{self.path}: group {name}: expected at most {MOST_NEURONS} neurons")
            own_parts = _merged(own)
            parts = {**common, **_merged(common.get("soma")), **own_parts, **_merged(own_parts.get("soma"))}
            for key in {*parts} - READ:
                raise Refused(f"{self.path}: group {name}: '{key}' of a neuron is not read")
            if parts.get("reset_mode", "hard") != "hard":
                raise Refused(f"{self.path}: group {name}: expected reset_mode hard, found {parts['reset_mode']}")
            parts["spikes"] = [_whole(spike, f"{self.path}: group {name}: spikes", 0, 1) for spike in parts.get("spikes", [])]
            for number in range(int(first), int(last or first) + 1):
                if (name, number) in self.neurons:
                    raise Refused(f"{self.path}: neuron {name}.{number} is there twice")
                self.neurons[name, number] = dict(parts)

    def _named(self, text: str) -> List[Neuron]:
        """'group', 'group.3' or 'group.0..5'."""
        group, _, numbers = text.partition(".")
        if not numbers:
            found = [neuron for neuron in self.neurons if neuron[0] == group]
        else:
            first, _, last = numbers.partition("..")
            found = [(group, n) for n in range(int(first), int(last or first) + 1)]
        if not found or any(neuron not in self.neurons for neuron in found):
            raise Refused(f"{self.path}: '{text}' names neurons that no group has")
        return found

    def _read_edge(self, ends: str, parts: Parts) -> None:
        source, target = (self._named(end.strip()) for end in ends.split("->"))
        kind = parts.get("type")
        if parts.get("delay") or parts.get("synapse_delay"):
            raise Refused(f"{self.path}: edge {ends}: delays are not read")
        if kind is None and len(source) == len(target) == 1:
            pairs, weights = [(source[0], target[0])], [parts.get("weight")]
        elif kind == "dense":
            pairs = [(s, t) for s in source for t in target]
            weights = parts["weight"]
        elif kind == "sparse":
            pairs = [(source[s], target[t]) for s, t in parts["source_target_pairs"]]
            weights = parts["weight"]
        else:
            raise Refused(f"{self.path}: edge {ends}: expected one neuron to one, type dense or type sparse, found type {kind}")
        if len(pairs) != len(weights):
            raise Refused(f"{self.path}: edge {ends}: expected {len(pairs)} weights, found {len(weights)}")
        for pair, weight in zip(pairs, weights):
            weight = _whole(weight, f"{self.path}: edge {ends}: weight", -MOST_WEIGHT, MOST_WEIGHT)
            self.synapses[pair] = self.synapses.get(pair, 0) + weight

    def model_of(self, neuron: Neuron) -> Parts:
        name = _units(str(self.neurons[neuron].get("soma_hw_name", next(iter(self.arch.somas)))))[0]
        unit = self.arch.somas.get(re.sub(r"\[\d+\]$", "", name), {})
        if unit.get("model") not in ("input", "leaky_integrate_fire"):
            raise Refused(f"{self.path}: neuron {neuron[0]}.{neuron[1]}: expected a soma of model input or "
                          f"leaky_integrate_fire, found '{name}' of model {unit.get('model')}")
        return unit

    def split(self) -> Tuple[List[Neuron], List[Neuron]]:
        inputs = [n for n in self.neurons if self.model_of(n).get("model") == "input"]
        known = set(inputs)
        return inputs, [n for n in self.neurons if n not in known]

    def shared(self, neurons: List[Neuron], key: str, default: Any) -> Any:
        """What all neurons have in common, as study networks want it."""
        values = {self.neurons[n].get(key, default) for n in neurons}
        if isinstance(default, (int, float)):
            values = {_number(value, f"{self.path}: {key}") for value in values}
        if len(values) != 1:
            raise Refused(f"{self.path}: neurons differ in '{key}' ({sorted(values)[:3]}), and a study network has one")
        return values.pop()


def study_of(net: Network, steps: int) -> Tuple[Dict[str, np.ndarray], Parts]:
    """The arrays and the description of a study network, with the spikes that a plain loop gives."""
    inputs, neurons = net.split()
    for key, default, expected in (("reset", 0, 0), ("bias", 0, 0)):
        if net.shared(neurons, key, default) != expected:
            raise Refused(f"{net.path}: expected {key} {expected} for all neurons")
    threshold, leak = net.shared(neurons, "threshold", 0), LEAK_ONE * (1 - net.shared(neurons, "leak_decay", 1))
    if threshold != int(threshold) or not 0 <= threshold < 1 << 17 or leak != int(leak) or not 0 <= leak <= LEAK_ONE:
        raise Refused(f"{net.path}: expected a whole threshold from 0 on and a leak_decay of 4096ths from 0 to 1, found "
                      f"{threshold:g} and {1 - leak / LEAK_ONE:g}")
    place = {neuron: i for i, neuron in enumerate(inputs + neurons)}
    rows: Rows = [[] for _ in place]
    for (source, target), weight in net.synapses.items():
        if place[target] < len(inputs):
            raise Refused(f"{net.path}: input {target[0]}.{target[1]} has a synapse")
        rows[place[source]].append((place[target] - len(inputs), weight))
    trains = [net.neurons[n].get("spikes", []) for n in inputs]
    steps = steps or max(map(len, trains), default=0)
    if steps < 1:
        raise Refused(f"{net.path}: expected inputs with spikes, or --steps, found neither")
    given = sorted((t + 1, i) for i, train in enumerate(trains) for t, spike in enumerate(train[:steps]) if spike)
    spikes = _simulate(rows, len(inputs), given, int(threshold), int(leak), steps)
    arrays: Dict[str, np.ndarray] = {
        "row_ptr": np.cumsum([0] + [len(row) for row in rows]).astype(np.int64),
        "col": np.array([t for row in rows for t, _ in row], np.int32),
        "weight": np.array([w for row in rows for _, w in row], np.int16),
        "core": np.array([net.cores[n] for n in place], np.int32),
    }
    for name, events in (("in", given), ("ref", spikes)):
        pairs = np.array(events, np.int32).reshape(-1, 2)
        arrays[f"{name}_t"], arrays[f"{name}_id"] = pairs[:, 0], pairs[:, 1]
    per_step = np.bincount(arrays["ref_t"], minlength=steps + 1)[1:]
    reference = {"output_spikes": len(spikes), "input_spikes": len(given),
                 "synaptic_events": int(sum(len(rows[i]) for _, i in given) + sum(len(rows[len(inputs) + n]) for _, n in spikes)),
                 "mean_rate": len(spikes) / max(1, steps * len(neurons)), "mean_rate_second_half": 0.0,
                 "spikes_first_10_steps": per_step[:10].tolist(),
                 "raster_sha256": hashlib.sha256(np.stack([arrays["ref_t"], arrays["ref_id"]], 1).astype("<i4").tobytes()).hexdigest()}
    return arrays, {"format": "bench-random-snn", "version": 1, "seed": 0, "n_neurons": len(neurons), "n_inputs": len(inputs),
                    "fanout": max(map(len, rows)), "n_synapses": len(net.synapses), "timesteps": steps,
                    "model": {"kind": "lif", "frac_bits": FRACTION, "leak_4096": int(leak), "leak_rounding": "toward_zero",
                              "threshold": int(threshold), "compare": "strictly_greater", "reset": 0, "axon_delay_steps": 1},
                    "mapping": {"policy": "block", "cores": max(net.cores.values()) + 1}, "reference": reference}


def _simulate(rows: Rows, inputs: int, given: Events, threshold: int, leak: int, steps: int) -> Events:
    potential = np.zeros(len(rows) - inputs, np.int64)
    before: List[int] = []
    spikes: List[Tuple[int, int]] = []
    arriving: Dict[int, List[int]] = {}
    for step, source in given:
        arriving.setdefault(step, []).append(source)
    for step in range(1, steps + 1):
        potential = np.sign(potential) * (np.abs(potential) * (LEAK_ONE - leak) // LEAK_ONE)
        for source in before:
            for target, weight in rows[source]:
                potential[target] += weight << FRACTION
        fired = np.flatnonzero(potential > threshold << FRACTION)
        potential[fired] = 0
        spikes += [(step, int(n)) for n in fired]
        before = arriving.get(step, []) + [inputs + int(n) for n in fired]
    return spikes


def convert(architecture: Path, network: Path, folder: Path, steps: int = 0) -> str:
    """Writes the chip and the network. Returns the command that runs them. Raises Refused, and then writes nothing."""
    path = architecture
    try:
        arch = Architecture(path)
        path = network
        net = Network(path, arch)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Refused(f"{path}: is not built as files of SANA-FE are: {type(error).__name__}: {error}") from None
    arrays, description = study_of(net, steps)
    _, neurons = net.split()
    somas = [net.model_of(n) for n in neurons]
    if any(soma != somas[0] for soma in somas):
        raise Refused(f"{network}: neurons use soma units of different times or prices, and a chip here has one")
    synapse = arch.synapses.get(net.shared(neurons, "synapse_hw_name", next(iter(arch.synapses))))
    if synapse is None:
        raise Refused(f"{network}: synapse_hw_name names no unit of {architecture}")
    chip, prices = chip_text(arch, somas[0], synapse), prices_text(arch, somas[0], synapse)
    folder = pathlib.Path(folder)
    (folder / "chip").mkdir(parents=True, exist_ok=True)
    (folder / "chip" / "costs-sanafe.yaml").write_text(prices)
    (folder / "chip" / "chip.yaml").write_text(chip)
    np.savez(folder / "net.npz", **arrays)  # type: ignore[arg-type]
    (folder / "net.json").write_text(json.dumps(description, indent=1))
    return f"dendrolith run {folder}/net.npz --target {folder}/chip --engine cycle"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("architecture")
    parser.add_argument("network")
    parser.add_argument("-o", "--out", required=True, help="folder for the chip and the network")
    parser.add_argument("--steps", type=int, default=0, help="steps of the run; else as many as inputs have")
    given = parser.parse_args()
    try:
        print(convert(given.architecture, given.network, given.out, given.steps))
    except Refused as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
