# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/CheckCommand.cpp, runtime/session/Check.cpp, compiler/mapping/result/Measure.cpp
# and compiler/import/common/Findings.h.
"""`dendrolith check` names everything that is wrong with a NIR graph, not the first of it,
and gives a verdict for each chip with node, resource, used, limit and remedy."""
import json
import re
import shutil
import sys
from xml.etree import ElementTree

from command import LIF, ROOT, W, check, finish, dendrolith, refused

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py and numpy are not installed")
    sys.exit(77)

NETWORK = LIF / "shapes_lif.nir"


def asked(*arguments):
    done = dendrolith("check", *arguments, "--format", "json")
    return done, json.loads(done.stdout)


def graph(path, nodes, edges):
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w") as file:
        root = file.create_group("node")
        root.create_dataset("type", data="NIRGraph", dtype=text)
        root.create_dataset("edges", data=np.array(edges, dtype=object), dtype=text)
        for name, (kind, data) in nodes.items():
            node = root.create_group("nodes/" + name)
            node.create_dataset("type", data=kind, dtype=text)
            for key, value in data.items():
                node[key] = value
    return path


# A sound network, on chips that hold it and one that does not.
done, told = asked(NETWORK, "--target", "loihi1,tiny", "--target", "loihi2")
check(done.returncode == 1 and "1 of 3 target(s)" in done.stderr, f"exit code and sum: {done.stderr}")
verdicts = {row["target"]: row for row in told["targets"]}
check([row["verdict"] for row in told["targets"]] == ["fits", "does not fit", "fits"], f"{verdicts}")
check(0 < verdicts["loihi1"]["cores"] <= verdicts["loihi1"]["available_cores"] == 128, "cores")
check(verdicts["tiny"]["cores"] is None, "no mapping of what does not fit")
for finding in verdicts["tiny"]["findings"]:
    check(finding["kind"] == "unfit" and finding["used"] > finding["limit"] and finding["node"]
          and finding["resource"] and finding["hint"], f"{finding}")
    row = next(n for n in verdicts["tiny"]["needs"] if n["resource"] == finding["resource"])
    check(row["cores"] > verdicts["tiny"]["available_cores"], f"{row}")
check(not told["ok"] and not told["findings"], "the model itself is sound")
check(asked(NETWORK, "--target", "loihi1")[0].returncode == 0, "all fit: exit code 0")
done = dendrolith("check", NETWORK, "--target", "tiny")
check("does not fit" in done.stdout and "too much" in done.stdout, done.stdout)
# A list as `targets` prints it is one value, and what is given back as printed no change.
done, told = asked(NETWORK, "--target", "ideal,engines.kinds=[cuba, microcode],mesh.tiles_x=1,loihi1")
check([row["target"].split(",")[0] for row in told["targets"]] == ["ideal", "loihi1"], f"{told['targets']}")
# The network as a picture, whatever fits.
done = dendrolith("check", NETWORK, "--format", "svg")
drawn = ElementTree.fromstring(done.stdout)
names = [t.text for t in drawn.iter("{http://www.w3.org/2000/svg}text") if t.get("class") == "name"]
check(done.returncode == 0 and names == ["input", "lif1", "lif2", "read"], f"layers of the picture: {names}")
check("dense, 16,384 synapses" in done.stdout, "synapses between two layers")
neurons = dendrolith("check", ROOT / "models" / "mmdend" / "sparse.npz", "--format", "svg").stdout
check(neurons.count("8 compartments in a chain") == 8, "four branches of eight compartments in each of two layers")
refused("what is no model", 1, "check", ROOT / "README.md", "--format", "svg", says=["README.md"])
# A number of a chip changed is no other chip.
done, told = asked(NETWORK, "--target", "loihi1,limits.synapse_memory_words=10")
check([row["verdict"] for row in told["targets"]] == ["does not fit"] and
      any(f["resource"] == "synapse memory" for f in told["targets"][0]["findings"]), done.stdout)

# What no mapping shows: engines that the chip lacks, each by its node.
lif = {"tau": np.full(3, 2e-3), "r": np.ones(3), "v_leak": np.zeros(3),
       "v_threshold": np.ones(3)}
nodes = {"input": ("Input", {"shape": [3]}), "a": ("LIF", lif), "fc": ("Linear", {"weight": np.eye(3)}),
         "b": ("LIF", lif), "output": ("Output", {"shape": [3]})}
edges = [("input", "a"), ("a", "fc"), ("fc", "b"), ("b", "output")]
sound = graph(W / "sound.nir", nodes, edges)
np.save(W / "x.npy", np.ones((2, 5, 3)))
done, told = asked(sound, "--target", "loihi1,loihi2", "--import", "reset=subtract", "--calibrate",
                   W / "x.npy")
first, second = told["targets"]
check(first["verdict"] == "unsupported" and [f["node"] for f in first["findings"]] == ["a", "b"] and
      all(f["hint"] for f in first["findings"]), f"{first}")
check(second["verdict"] == "fits", f"{second}")

# All faults of a file at once: types, datasets, numbers, edges; and then shapes.
bad = dict(nodes)
bad["a"] = ("LIF", {**lif, "tau": np.array([1e-3, np.nan, 1e-3]), "extra": 1.0})
bad["b"] = ("LIF", {key: value for key, value in lif.items() if key != "r"})
bad["c"] = ("Lif", lif)
wrong = graph(W / "wrong.nir", bad, edges + [("fc", "nobody"), ("c", "output")])
done, told = asked(wrong, "--target", "loihi1,loihi2")
messages = [finding["message"] for finding in told["findings"]]
for word in ("tau[1] is nan", "unknown dataset 'extra'", "dataset 'r' is missing",
             "unknown node type 'Lif'", "no node 'nobody'"):
    check(sum(word in message for message in messages) == 1, f"{word}: {messages}")
check(len(messages) == 5, f"nothing follows from what is wrong: {messages}")
check({f["node"] for f in told["findings"][:3]} <= {"a", "b", "c"} and
      all(f["file"] == str(wrong) for f in told["findings"]), "place of each")
check([row["verdict"] for row in told["targets"]] == ["not judged"] * 2, "no chip is blamed")
# The first of them is what other commands say.
done = dendrolith("compile", wrong, "--target", "loihi1")
check(messages[0] in done.stderr and messages[1] not in done.stderr, done.stderr)
bad = dict(nodes, fc=("Linear", {"weight": np.ones((4, 5))}))
done, told = asked(graph(W / "shapes.nir", bad, edges), "--target", "loihi1")
check([f["node"] for f in told["findings"]] == ["fc", "b"], f"both edges: {told['findings']}")

# The other kinds of models: each fault of each, once.
def found(path, *arguments):
    done, told = asked(path, "--target", "loihi1", *arguments)
    messages = [f["message"] for f in told["findings"] + told["targets"][0]["findings"]]
    check(done.returncode == 1 and len(set(messages)) == len(messages), f"each once: {messages}")
    return messages


def named(title, messages, *words):
    check(len(messages) == len(words)
          and all(sum(word in message for message in messages) == 1 for word in words),
          f"{title}: {messages}, expected {words}")


sys.path.insert(0, str(ROOT / "tests" / "equality"))
from broken import LOOP  # noqa: E402
(W / "three.mlir").write_text(re.sub(r"dend\.project @(\w+)", r"dend.project @\1q", LOOP))
named("names in .mlir", found(W / "three.mlir"), "@xq", "@aq", "@bq")
(W / "two.mlir").write_text(LOOP.replace(
    "dend.clock @step", "dend.clock @step\n  dend.clock @m divides @step by 0").replace(
        '= @b["s"]', '= @b["s"] decode "last=-3"'))
named("parts in .mlir", found(W / "two.mlir"), "divides by 0", "last=-3")

shutil.copyfile(ROOT / "models" / "netx" / "shapes.net", W / "two.net")
with h5py.File(W / "two.net", "r+") as file:
    layers = sorted(file["layer"], key=int)
    for name in layers[-2:]:
        del file["layer"][name]["weight"]
named("NetX", found(W / "two.net"), f"layer/{layers[-2]}", f"layer/{layers[-1]}")

good = dict(np.load(ROOT / "models" / "mmdend" / "sparse.npz"))
good["W0"] = np.where(np.arange(good["W0"].size).reshape(good["W0"].shape) == 5, np.nan, good["W0"])
good["b1"], good["bout"] = good["b1"][:-1], good["bout"][:-1]
np.savez(W / "two.npz", **good)
named("a checkpoint", found(W / "two.npz"), "'W0'", "'b1'", "'bout'")
for name, keys in (("elm/family/large", ("rec_b1", "ro_b", "lin_bias")), ("dendattn/d32", ("l_0_bb", "l_1_Wr", "head")),
                   ("dendricl/tiny", ("bB", "F1.bias", "R.weight"))):
    good = dict(np.load(ROOT / "models" / f"{name}.npz"))
    first, second, third = keys
    good[first], good[second] = good[first][..., :-1], np.full_like(good[second], np.nan)
    del good[third]
    np.savez(W / "two.npz", **good)
    named(name, found(W / "two.npz"), *(f"'{key}'" for key in keys))

check(dendrolith("generate", W / "column", "--neurons", 200, "--steps", 5).returncode == 0, "generate")
arrays = dict(np.load(W / "column.npz"))
arrays["col"][0], arrays["weight"][0] = -1, 3000
np.savez(W / "column.npz", **arrays)
named("a study network", found(W / "column.npz"), "'col'", "'weight'")

# What the chip's formats do not hold, of every layer.
done, told = asked(ROOT / "models" / "netx" / "shapes.net", "--target", "loihi1,formats.weight_bits=2")
held = told["targets"][0]["findings"]
check(len({f["node"] for f in held}) == len(held) > 1 and all(
    "formats.weight_bits" in f["message"] and f["hint"] for f in held), f"formats: {held}")

# A name that nothing could print is refused where it comes in, and no file is written.
strange = graph(W / "strange.nir", {**{k: v for k, v in nodes.items() if k != "a"}, "a\nb": nodes["a"]},
                [("input", "a\nb"), ("a\nb", "fc"), ("fc", "b"), ("b", "output")])
named("a name of two lines", found(strange), r"'a\x0ab'")
refused("a name of two lines", 1, "compile", strange, "--target", "loihi2", "-o", W / "strange.dlp",
        says=["control character", "rename"])
check(not (W / "strange.dlp").exists(), "nothing is written")

# Samples that a run refuses do not pass.
np.save(W / "real.npy", np.full((2, 32, 32), 0.5))
for target, fits in (("loihi1", False), ("loihi2", True)):
    given = ["--target", target, "--calibrate", W / "real.npy"]
    codes = [dendrolith("check", NETWORK, *given).returncode,
             dendrolith("compile", NETWORK, *given).returncode,
             dendrolith("run", NETWORK, *given, "--input", W / "real.npy").returncode]
    check(codes == [0 if fits else 1] * 3, f"real samples on {target}: {codes}")

refused("no such chip", 1, "check", NETWORK, "--target", "lohi1", says=["did you mean 'loihi1'"])
refused("no such file", 1, "check", W / "none.nir", "--target", "loihi1", says=["none.nir"])
finish()
