# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/quantise/LayerScale.cpp, compiler/lowering/CheckFormats.cpp,
# compiler/mapping/MapNetwork.cpp, compiler/mapping/candidates/Search.cpp and targets/keys.py.
"""Laws of every key of every shipped chip, on one small network: what neither the quantiser nor
lowering reads changes no output, a price doubled doubles its share, a limit at the need fits and
below is refused with the need, and more bits never lose accuracy; and of random pairs of keys:
both are applied, in any order, and what the quantiser does not read adds nothing to the other.
DENDROLITH_EXAMPLES multiplies how many pairs, DENDROLITH_SEED draws others."""
import concurrent.futures
import os
import random
import re
import subprocess

from support import DENDROLITH, FOLDER, ROOT, check, np, result_of

# Words of few bits hold no decay of this network, which ODIN and its kin refuse (tests/rtl has theirs).
NARROW = {"odin", "morphic", "ranc", "tinyodin"}
CHIPS = sorted({path.parent.name for path in (ROOT / "targets").glob("*/chip.yaml")} - NARROW)
# Limits on what one neuron needs wherever it lies; how many out-axons follows from the mapping.
LIMITS = ("synapse_memory_words", "in_axons", "core_memory_bytes", "fan_in")
# Exact in a few bits: weights of 0 and 0.5, decays of a half, thresholds of 0.75.
HIDDEN = np.array([[.5 * (i % 4 == k % 4 or (i + k) % 3 == 0) for k in range(8)] for i in range(12)])
OUT = np.array([[.5 * (k % 4 == i or k < i) for k in range(12)] for i in range(4)])


def dense(weights):
    return str(weights.tolist())


NETWORK = FOLDER / "small.mlir"
NETWORK.write_text(f"""dend.network @small {{
  dend.clock @tick
  dend.input @x on @tick : tensor<8xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {{
    %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }}
  dend.constant @half : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<0.75> : tensor<f64>
  dend.constant @w1 : tensor<12x8xf64> = dense<{dense(HIDDEN)}> : tensor<12x8xf64>
  dend.constant @w2 : tensor<4x12xf64> = dense<{dense(OUT)}> : tensor<4x12xf64>
  dend.population @hidden : @lif[12] on @tick bind {{keep = @half, theta = @theta}}
  dend.population @out : @lif[4] on @tick bind {{keep = @half, theta = @theta}}
  dend.project @x -> @hidden["I"] #dend.dense weight @w1 delay 0
  dend.project @hidden -> @out["I"] #dend.dense weight @w2 delay 0
  dend.output @spikes = @out["s"]
}}
""")
np.save(FOLDER / "x.npy", (np.random.default_rng(1).random((3, 20, 8)) < .3).astype(np.float32))
MODEL = [NETWORK, "--calibrate", FOLDER / "x.npy", "--threads", "1"]


def command(*arguments):
    return subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True)


def ran(target, *more):
    """(result, outputs) of a run on a target."""
    name = re.sub(r"\W+", "_", target)[:60] + str(abs(hash((target, more))))
    done = command("run", *MODEL, "--input", FOLDER / "x.npy", "--target", target, "--out", FOLDER / name, *more)
    check(done.returncode == 0, f"{target} runs: {done.stderr}")
    return result_of(FOLDER / name), np.load(FOLDER / name / "outputs.npy")


def readers_of_page():
    """Who reads a key, by "SECTION.KEY", as targets/keys.md says."""
    found, section, others, columns = {}, "", "", []
    for line in (ROOT / "targets/keys.md").read_text().splitlines():
        section = line[3:] if line.startswith("## ") else section
        if said := re.match("Read by (.*) where a row says nothing", line):
            others = said.group(1)
        cells = [cell.strip() for cell in line.replace("\\|", "").split("|")]
        columns = cells if line.startswith("| key |") else columns
        if (row := re.match(r"\| `(\w+)` \|", line)) and section != "chip.yaml":
            own = cells[columns.index("read by")] if "read by" in columns else ""
            found[f"{section}.{row.group(1)}"] = set((own or others).split(", "))
    return found


READERS = readers_of_page()


def numbers_of(chip):
    """(name as printed, name in keys.md, value) of each number of a chip and its default times."""
    inside, found = "", []
    for line in command("targets", chip).stdout.splitlines():
        if heading := re.match(r"timing (\S+) \(default\)", line):
            inside = f"timing.{heading.group(1)}."
        elif not line.startswith("  "):
            inside = ""
        if row := re.match(r"  (\S+) +(\d+) ", line):
            name = row.group(1)
            general = re.sub(r"^timing\.[^.]+", "timing.SET", name).replace("north_south", "east_west")
            found.append((name, general, int(row.group(2))))
    return found


def unread(chip):
    """Changes of what neither the quantiser nor lowering reads, by section: each number doubled."""
    changes = {}
    for name, general, value in numbers_of(chip):
        if value and not {"quantiser", "lowering"} & READERS.get(general, {"lowering"}):
            changes.setdefault(general.rpartition(".")[0], []).append(f"{name}={2 * value}")
    return changes


def outputs_hold(chip, outputs):
    """No output changes; a change that a chip cannot have is refused by its name."""
    tried = 0
    for section, keys in unread(chip).items():
        together = command("targets", ",".join([chip, *keys]))
        parts = [keys] if together.returncode == 0 else [[key] for key in keys]
        for part in parts:
            target = ",".join([chip, *part])
            known = command("targets", target)
            if known.returncode:
                last = part[0].partition("=")[0].rpartition(".")[2]
                check(len(part) == 1 and last in known.stderr, f"{target}: refused by name: {known.stderr}")
                continue
            _, same = ran(target, "--engine", "cycle")
            check(np.array_equal(same, outputs), f"{target} changes no output")
            tried += len(part)
    return tried


def prices_hold(chip, result):
    """A price doubled doubles what each of its events takes, and no other; a mapping may follow it."""
    if result["energy"] is None:
        return 0
    table = result["energy"]["high"]["costs"]
    events = result["energy"]["high"]["by_event"]
    priced = [name for name, event in events.items() if event["energy_pJ"]]
    for name in priced:
        changed, _ = ran(f"{chip},costs.{table}.{name}={2 * events[name]['price_pJ']:.10g}", "--engine", "cycle")
        for other, event in changed["energy"]["high"]["by_event"].items():
            if not event["energy_pJ"] or not events[other]["energy_pJ"]:
                continue
            was, each = (e["energy_pJ"] / e["count"] for e in (events[other], event))
            wanted = was * (2 if other == name else 1)
            if abs(each - wanted) > 1e-9 * wanted:
                check(False, f"{chip}: {name} doubled makes {other} {each} an event, not {wanted}")
    return len(priced)


def limits_hold(chip):
    """At the need of the neediest neuron a limit fits, and one below is refused with that need."""
    have = set(re.findall(r"^  (limits\.\w+)", command("targets", chip).stdout, re.M))
    told = 0

    def compiled(key, value):
        return command("compile", *MODEL, "--target", f"{chip},{key}={value}", "-o", FOLDER / f"{chip}.dlp")

    for key in (f"limits.{limit}" for limit in LIMITS):
        if key not in have:
            continue
        need = r"neuron \d+ alone needs (\d+) |neuron \d+ has (\d+) synapses"
        done = compiled(key, 1)
        said = re.search(need, done.stderr)
        if not said:
            continue
        least = int(said.group(1) or said.group(2))
        check(not re.search(need, compiled(key, least).stderr), f"{chip}: {key}={least} holds every neuron")
        below = compiled(key, least - 1)
        found = re.search(need, below.stderr)
        # A chip of few cores may be too small for all neurons together before it is for one.
        named = found and int(found.group(1) or found.group(2)) == least
        check(below.returncode == 1 and (named or re.search("the network (needs|fits no fewer)", below.stderr)),
              f"{chip}: {key}={least - 1} is refused with {least}: {below.stderr}")
        told += 1
    below = compiled("limits.out_axons", 1)
    check(below.returncode == 0 or re.search(r"neuron \d+.* (alone needs|has) \d+|needs \d+ out-axons", below.stderr),
          f"{chip}: too few out-axons are refused with the need: {below.stderr}")
    return told


def bits_hold(chip, result, outputs):
    """More bits never lose: an exact network stays exact, another comes no less near."""
    given = {name: value for name, general, value in numbers_of(chip) if general.startswith("formats.")}
    away = result["compare"]["different_values"]
    most = {"state_bits": 32, "threshold_bits": 31, "bias_mantissa_bits": 32, "decay_bits": 12}
    for key, end in most.items():
        for value in sorted({min(given[f"formats.{key}"] + more, end) for more in (1, 3, 8, 32)}):
            more, _ = ran(f"{chip},formats.{key}={value}", "--compare", "float")
            check(more["compare"]["different_values"] <= away,
                  f"{chip}: {key}={value}: {more['compare']['different_values']} values differ, before {away}")


def pairs_hold(chip):
    """Two keys changed together: refused by the name of one, or both applied, in any order."""
    rng, tried = random.Random(f"{chip} {os.environ.get('DENDROLITH_SEED', '1')}"), 0
    keys = [(name, {"quantiser", "lowering"} & READERS.get(general, {"lowering"}), value)
            for name, general, value in numbers_of(chip) if "." in name]
    for _ in range(int(3 * float(os.environ.get("DENDROLITH_EXAMPLES", "1")))):
        both = [(name, decides, max(0, value + rng.choice([-2, -1, 1, 2])) if decides else rng.choice([2 * value, value + 1]))
                for name, decides, value in rng.sample(keys, 2)]
        texts = [f"{name}={value}" for name, _, value in both]
        target = ",".join([chip, *texts])
        known, turned = command("targets", target), command("targets", ",".join([chip, *texts[::-1]]))
        rows = [re.findall(r"^  (.*)", each.stdout, re.M) for each in (known, turned)]
        check(known.returncode == turned.returncode and rows[0] == rows[1], f"{target} is the same in the other order")
        if known.returncode:
            check(any(name.rpartition(".")[2] in known.stderr for name, _, _ in both),
                  f"{target}: refused by name: {known.stderr}")
            continue
        for name, _, value in both:
            check(re.search(rf"^  {re.escape(name)} +{value} ", known.stdout, re.M), f"{target}: {name} is not {value}")
        decided = ",".join([chip, *(text for text, (_, decides, _) in zip(texts, both) if decides)])
        if any(command("compile", *MODEL, "--target", each, "-o", FOLDER / f"{chip}.dlp").returncode for each in (target, decided)):
            continue  # no room: limits_hold asks what is said
        check(np.array_equal(ran(target)[1], ran(decided)[1]), f"{target}: outputs are those of {decided}")
        tried += 1
    return tried


def laws(chip):
    result, outputs = ran(chip, "--engine", "cycle", "--compare", "float", "--verify")
    away = result["compare"]["different_values"]
    check(away == 0, f"{chip}: {away} values differ from the float network's")
    bits_hold(chip, result, outputs)
    return outputs_hold(chip, outputs), prices_hold(chip, result), limits_hold(chip), pairs_hold(chip)


for chip in NARROW:
    done = command("run", *MODEL, "--input", FOLDER / "x.npy", "--target", chip)
    check(done.returncode == 1 and f"target '{chip}' has words of" in done.stderr, f"{chip}: {done.stderr}")
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for chip, tried in zip(CHIPS, pool.map(laws, CHIPS)):
        print(f"{chip}: {tried[0]} keys change no output, {tried[1]} prices, {tried[2]} limits, {tried[3]} pairs")

# A looser limit never gives a longer step, as the mapper predicts it: out-axons by a ladder of tighter limits, others
# since the numbers of cores that are tried do not follow from the limits.
LIF = ROOT / "models/lif"
SWEEPS = {"out_axons": (24, 38, 59, 74, 116, 4096), "compartments_per_core": (8, 12, 17, 24, 33, 48, 128, 1024),
          "synapse_memory_words": (200, 300, 450, 700, 1000, 1500, 3000, 16384),
          "in_axons": (200, 220, 260, 320, 400, 600, 1000, 4096)}
for limit, values in SWEEPS.items():
    steps = []
    for value in values:
        done = command("compile", LIF / "shapes_lif.nir", "--calibrate", LIF / "calib_x.npy", "--map-for", "time",
                       "--target", f"loihi1,limits.{limit}={value}", "-o", FOLDER / "limit.dlp")
        steps.append(float(re.search(r"^  step +ns +(\S+)", done.stdout, re.M).group(1)))
    check(steps == sorted(steps, reverse=True), f"a looser limit of {limit} is not worse: {steps}")
