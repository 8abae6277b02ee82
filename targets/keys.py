# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of keys.md: every key of chip.yaml that the loader knows.

    /usr/bin/python3 targets/keys.py DENDROLITH

Which keys there are, their units and their ranges is what `dendrolith targets` answers to chips
that are wrong on purpose. What a key means stands here; a key without a meaning, or a meaning
without a key, ends the program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MEANINGS = {
    "chip.yaml": {
        "name": "what commands call the chip; that of its folder",
        "description": "one line for `dendrolith targets`",
        "base": "another chip, of which this file says only the differences ([how](chip.md#variations-of-a-chip))",
        "board": "several chips that are wired to one mesh",
        "sources": "short names of citations, which every number names",
        "mesh": "how many cores there are, and what connects them",
        "limits": "what fits on a core",
        "formats": "the integers of fixed-function neurons",
        "spikes": "what a spike can carry",
        "host": "what the host can send into the chip",
        "engines": "which kinds of neurons cores compute",
        "microcode": "cores whose neurons are programs; exactly where that engine is",
        "memory": "bytes of table entries, for cores that divide one memory",
        "scheduling": "whether groups of neurons can sit out steps",
        "synapse_memory": "how a list of synapses is stored",
        "loader": "what the memories of an open chip hold beyond the formats",
        "timing": "named sets of times",
        "default_timing": "the set that is used where `--timing` names none",
        "default_costs": "the cost table that is used where `--costs` names none, or `{low, high}`",
        "costs_from": "another chip whose cost tables serve, too",
        "area": "unit numbers that the area follows from ([area.md](area.md))",
        "leakage": "what a bit and logic leak ([area.md](area.md))",
        "clock": "the speed of all cores, in thousandths of what the timing sets say",
        "voltage": "the supply and the law that times and prices follow ([area.md](area.md#clock-supply-tick))",
        "overrides": "written by `--target NAME,KEY=VALUE` alone: what was changed",
    },
    "mesh": {
        "tiles_x": "tiles from west to east", "tiles_y": "tiles from north to south",
        "cores_per_tile": "cores behind one router",
        "flit_bits": "what a link passes at a time; a message is one flit or several",
        "multicast": "one message to many destinations ([what it saves](chip.md#multicast))",
    },
    "limits": {
        "compartments_per_core": "neuron slots of a core, each for one neuron",
        "synapse_memory_words": "words that hold lists of synapses",
        "in_axons": "sources that a core can listen to", "out_axons": "destinations that a core can send to",
        "max_delay": "longest delay of a connection, in steps",
        "decay_profiles": "different pairs of decays among the neurons of a core",
        "threshold_profiles": "different thresholds among the neurons of a core",
        "synapse_formats": "different formats of synapse lists on a core",
        "join_children": "compartments that may feed one",
        "core_memory_bytes": "one memory for everything, where the chip divides it freely",
        "fan_in": "synapses other than 0 of one neuron", "fan_out": "messages that one spike may become",
        "out_axons_per_neuron": "synapses of one neuron on other cores, each an entry of its own",
        "spikes_per_step": "spikes that a core emits in a step; a run counts and warns",
        "delayed_per_step": "synapses that wait at a core for one later step; the same",
        "injections_per_step": "synapses between cores in a step, of the chip; the same",
        "injections_per_neuron": "contributions from other cores and the host to an accumulator in a step; the same",
    },
    "formats": {
        "weight_bits": "a weight, sign included", "weight_exponent_min": "least exponent of a list's weights",
        "weight_exponent_max": "greatest exponent of a list's weights",
        "weight_shift": "a weight m of exponent e adds `m << (weight_shift + e)`",
        "decay_bits": "the share of a state that is lost in a step; engines count it in 12 bits, of which these are the upper ones",
        "state_bits": "potential and current, sign included: a potential is clipped to it, a current wraps in it", "input_bits": "the sum of a step's synapses, for area and prices alone: engines add exactly; at least `weight_bits`",
        "threshold_bits": "mantissa of a threshold", "threshold_shift": "its shift to the left",
        "bias_mantissa_bits": "mantissa of a bias, sign included",
        "bias_exponent_max": "greatest shift of a bias",
        "refractory_max": "longest time that a neuron stays silent after a spike; a longer one is refused",
        "product_shifts": "by which a product of weight and payload can be shifted right",
    },
    "spikes": {
        "binary": "a spike without a number; without it networks that send one are refused", "graded": "a spike with a number",
        "payload_bits": "bits of that number, 0 exactly where there is none",
        "sign": "the number may be negative",
    },
    "host": {"payload_bits": "bits of a number that the host sends; 0: spikes alone",
             "sign": "the number may be negative"},
    "engines": {"kinds": "list of `cuba` (a current-based neuron in hardware) and `microcode` (programs)",
                "joins": "how a compartment may join its children's values, of `cuba`"},
    "microcode": {
        "lanes": "elements that an instruction computes at a time", "word_bits": "of a register",
        "registers": "words that a program may hold at once",
        "program_words": "instructions and constants of all programs of a core",
        "state_bytes": "of one neuron", "ops": "the instructions that there are, of `loader/chip/MicroOps.def`",
    },
    "memory": {"in_axon_bytes": "an entry for a source", "out_axon_bytes": "an entry for a destination",
               "instruction_bytes": "an instruction; exactly where there is microcode"},
    "scheduling": {"group_gating": "a group of neurons can sit out steps",
                   "group_start": "a group can begin late; without it networks where one does are refused",
                   "queue": "places for events, which the chip takes one by one; 0 or absent: by steps"},
    "synapse_memory": {
        "word_bits": "what is read at a time", "block_synapses": "synapses of a block with one header",
        "header_bits": "of a block", "weight_bit_codes": "widths that a weight may be stored in, rising; the last holds `formats.weight_bits`",
        "index_bit_codes": "widths of the number of a target neuron, rising",
        "max_delay_bits": "most bits of a synapse's delay in its word; 0: a list has one delay", "max_tag_bits": "most bits of a synapse's tag",
        "kernels": "a core stores the kernel of a convolution once ([how](chip.md#convolutions)); without it a list for each place that differs",
    },
    "loader": {
        "one_neuron": "`compile` and `check` refuse what its files cannot say, too",
        "source_sign": "a source's weights have one sign",
        "weight_min": "", "weight_max": "", "threshold_min": "", "threshold_max": "",
        "leak_min": "", "leak_max": "", "start_min": "of a potential", "start_max": "",
        "numbers": "of inputs and neurons together, where spikes come back",
        "axon_types": "weights of a neuron, of which an axon selects one",
        "list_synapses": "of one source",
    },
    "timing.SET": {
        "family": "a name; cost tables say to which family they belong",
        "update_inactive": "visiting a neuron that has nothing to do",
        "update_active": "visiting a neuron that has something to do",
        "spike_emit": "a spike, added to its update", "message_out": "handing over a message",
        "host_message": "the host hands over a message, where its port has a rate of its own; else `message_out`",
        "management": "what the system around the cores adds to a step, in the forms of `barrier` "
                      "([the time of the system](timing.md#the-time-of-the-system))",
        "message_in": "taking in a message", "per_synapse": "a synapse, by kind of list",
        "first_entry": "added for the first synapse of a list", "per_word": "a word of synapse memory",
        "reset": "the end of a sample", "tick": "the least time of a step ([real time](timing.md#real-time))",
        "barrier": "the end of a step, in one of [four forms](timing.md#which-forms-of-barrier-are-there)",
        "phases": "`overlapped`, or one [after the other](timing.md#phases)",
        "noc": "the mesh", "microcode": "programs",
        "time_scale": "single cores that are slower or faster: `{core_3: {value: 1500, ...}}`",
    },
    "timing.SET.per_synapse": {"dense": "lists with a weight for each neuron of a range",
                               "sparse": "lists with the numbers of their neurons",
                               "conv": "lists of a kernel that many sources share",
                               "uniform": "lists of one weight for neurons side by side, on a chip that keeps it once"},
    "timing.SET.noc": {"grid": "0: events at any time; T: at multiples of T",
                       "east_west": "ports along a row", "north_south": "ports along a column",
                       "local": "ports to the tile's cores",
                       "turn": "how long it is an input's turn; 0: that of the input after the last"},
    "timing.SET.noc.east_west": {"forward": "from router to router",
                                 "credit": "until the sender knows of a freed slot",
                                 "interval": "least distance of two flits",
                                 "buffer": "flits that the buffer behind the port holds"},
    "timing.SET.noc.local": {"forward": "from the injection port into the router",
                             "inject": "from the core to its injection port",
                             "eject": "from the router to the core",
                             "credit": "until the sender knows of a freed slot",
                             "interval": "least distance of two flits",
                             "buffer": "flits that the buffer behind the port holds"},
    "timing.SET.microcode": {"cycle": "a clock cycle of a program",
                             "issue": "added to each instruction",
                             "cycles": "of each class of instruction, for as many elements as there are lanes"},
    "timing.SET.barrier": {"fixed": "`{time}`", "formula": "`{base, span, over}`, by tiles in use",
                           "table": "`[{tiles, time}, ...]`", "tree": "`{base, level, arity}`"},
    "board": {
        "chips_x": "chips from west to east", "chips_y": "chips from north to south",
        "link": "from a router to the next chip", "barrier": "the end of a step on all chips, as in `timing`",
    },
    "board.link": {
        "forward": "from router to router", "credit": "until the sender knows of a freed slot",
        "interval": "least distance of two parts of a flit", "phits": "parts in which a flit is sent",
        "buffer": "flits that the buffer behind the link holds",
    },
    "area": {
        "node": "the process of the chip", "cell": "a bit of memory",
        "efficiency": "the share of a memory macro that is cells",
        "check_bits": "bits of error correction for each bit", "other_bits": "bits of a core that no limit declares",
        "cuba": "the fixed engine of a core, but for its arithmetic",
        "microcode": "the program engine of a core, but for its lanes",
        "adder_bit": "a bit of an adder", "multiplier_bit": "a pair of bits that are multiplied",
        "router_bit": "a router, for each bit of a flit", "buffer_bit": "a bit of a router's buffer",
        "fixed": "what is no tile: processors, links", "published_die": "the die as published, to compare",
        "published_core": "a core as published, to compare",
    },
    "leakage": {"bit": "a bit of memory", "logic": "everything else, by area"},
    "voltage": {"supply": "at which the chip runs", "nominal": "at which its times and prices hold",
                "threshold": "of its transistors", "alpha": "power of the law of speed"},
}
# Who reads a key: one answer for a section, or one for each key that differs from "". The
# quantiser chooses integers by it, lowering refuses networks by it, the mapper places them by it;
# time, price and area are computed from it. What neither of the first two reads changes no output
# (tests/e2e/keys_test.py). Engines read the image, and no key.
READERS = {
    "mesh": {"": "mapper, time, price, area", "multicast": "mapper, time",
             "flit_bits": "time, price, area"},
    "limits": {"": "mapper", "compartments_per_core": "mapper, area",
               "synapse_memory_words": "mapper, area", "in_axons": "mapper, area",
               "out_axons": "mapper, area", "core_memory_bytes": "mapper, area",
               "max_delay": "lowering, mapper", "spikes_per_step": "warnings of a run",
               "delayed_per_step": "warnings of a run", "injections_per_step": "warnings of a run",
               "injections_per_neuron": "warnings of a run"},
    "formats": {"": "quantiser, lowering", "weight_bits": "quantiser, lowering, mapper, price, area",
                "decay_bits": "quantiser, lowering, area",
                "state_bits": "quantiser, lowering, price, area", "input_bits": "price, area",
                "bias_mantissa_bits": "quantiser, lowering, area",
                "bias_exponent_max": "quantiser, lowering, area",
                "refractory_max": "lowering, area", "product_shifts": "lowering"},
    "spikes": {"": "lowering, time", "binary": "lowering, price", "graded": "lowering, price"},
    "host": {"": "quantiser, lowering, time"},
    "engines": {"": "quantiser, lowering, area", "joins": "price"},
    "microcode": {"": "lowering, area", "lanes": "time, price, area", "state_bytes": "mapper, area",
                  "word_bits": "lowering, price, area", "program_words": "mapper, area", "ops": "lowering"},
    "memory": {"": "mapper, area"},
    "scheduling": {"": "lowering"},
    "synapse_memory": {"": "mapper", "word_bits": "mapper, area",
                       "max_delay_bits": "lowering, mapper", "kernels": "lowering"},
    "loader": {"": "loader files"},
    "timing.SET": {"": "time"},
    "timing.SET.per_synapse": {"": "time"},
    "timing.SET.noc": {"": "time"},
    "timing.SET.noc.east_west": {"": "time", "buffer": "time, area"},
    "timing.SET.noc.local": {"": "time", "buffer": "time, area"},
    "timing.SET.microcode": {"": "time"},
    "timing.SET.barrier": {"": "time"},
    "board": {"": "mapper, time", "link": "time", "barrier": "time"},
    "board.link": {"": "time"},
    "area": {"": "area"},
    "leakage": {"": "price, area"},
    "voltage": {"": "time, price"},
}
COLUMNS = ("key", "what it is", "read by", "unit", "range")
BASE = "loihi2"  # has every section but these, whose keys have to be there together


def number(value, unit):
    return f"{{value: {value}, unit: {unit}, kind: assumed, source: dendrolith}}"


WHOLE = {
    "board.link": {"forward": number(1, "ps"), "credit": number(1, "ps"), "interval": number(1, "ps"),
                   "phits": number(1, "phits"), "buffer": number(1, "flits")},
}
WHOLE["board"] = {
    "chips_x": number(1, "chips"), "chips_y": number(1, "chips"),
    "link": "{" + ", ".join(f"{key}: {value}" for key, value in WHOLE["board.link"].items()) + "}",
    "barrier": f"{{fixed: {{time: {number(1, 'ps')}}}}}",
}


class Loader:
    """Asks about a chip that is BASE with something wrong in one section."""

    def __init__(self, binary, folder):
        self.binary, self.file = binary, pathlib.Path(folder) / "chip.yaml"

    def run(self, *arguments):
        return subprocess.run([self.binary, "targets", *map(str, arguments)], capture_output=True,
                              text=True, env={**os.environ, "DENDROLITH_TARGETS": ""})

    def says(self, section, body):
        parts = [] if section == "chip.yaml" else section.split(".")
        while parts:
            around = WHOLE.get(".".join(parts), {})
            key, value = body[1:-1].split(": ", 1)
            entries = {**around, key: value}
            body = "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
            part = parts.pop()
            body = f"{{{'scaled' if part == 'SET' else part}: {body}}}"
        self.file.write_text(f"base: {BASE}\nname: asked\ndescription: asked\n{body[1:-1]}\n")
        return self.run(self.file.parent).stderr

    def keys(self, section):
        found = re.search(r"unknown key 'zzz' in .*, expected one of (.*)",
                          self.says(section, "{zzz: 1}"))
        if not found:
            sys.exit(f"the loader knows no section '{section}'")
        return found.group(1).split(", ")

    def unit(self, section, key):
        said = self.says(section, f"{{{key}: {{value: 8, unit: zzz, kind: assumed, source: dendrolith}}}}")
        found = re.search(r"expected one of (\S+) for 'unit'", said)
        return found.group(1) if found else None

    def range(self, section, key, unit):
        said = self.says(section, f"{{{key}: {{value: 99999999999999999, unit: '{unit}', "
                                  "kind: assumed, source: dendrolith}}")
        found = re.search(r"expected (-?\d+ to \d+)", said)
        # An end beyond 10^9 keeps sums of such numbers whole; no chip comes near it.
        limits = re.sub(r"^0 to 10{9,}$", "", found.group(1)) if found else ""
        return re.sub(r"^(\d+) to 10{9,}$", r"from \1", limits)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: keys.py DENDROLITH")
    with tempfile.TemporaryDirectory() as folder:
        loader = Loader(sys.argv[1], folder)
        for section, meanings in MEANINGS.items():
            known = loader.keys(section)
            if section == "chip.yaml":
                known.insert(2, "base")  # is taken away before sections are read
            wrong = [key for key in known if key not in meanings]
            wrong += [key for key in meanings if key not in known]
            if wrong:
                sys.exit(f"targets/keys.py: '{section}' differs from the loader in "
                         f"{', '.join(wrong)}; write or remove what is said of it in MEANINGS")
            print(f"## {section}\n")
            if section == "chip.yaml":
                print("| key | what it is |\n|---|---|")
                print("\n".join(f"| `{key}` | {meanings[key]} |" for key in known) + "\n")
                continue
            readers = READERS[section]
            rows = []
            for key in known:
                unit = loader.unit(section, key)
                rows.append((f"`{key}`", meanings[key], readers.get(key, ""), unit or "",
                             loader.range(section, key, unit) if unit else ""))
            print(f"Read by {readers['']}{' where a row says nothing' if any(row[2] for row in rows) else ''}.\n")
            # A column in which no key says anything is left out.
            used = [place for place in range(len(COLUMNS)) if any(row[place] for row in rows)]
            print(f"| {' | '.join(COLUMNS[place] for place in used)} |\n|{'---|' * len(used)}")
            for row in rows:
                print(f"| {' | '.join(row[place] for place in used)} |")
            print()


if __name__ == "__main__":
    main()
