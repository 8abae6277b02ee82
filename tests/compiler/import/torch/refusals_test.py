# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/torch/ by graphs that are written here, without torch.
"""A small step becomes its network; a file that is damaged or asks for what there is not
gives one error with the place, and what the step cannot say is said."""
import copy
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "runtime" / "python"))
from support import FOLDER, check, dl, finish, np, refused  # noqa: E402
import pt2  # noqa: E402

rng = np.random.default_rng(2)
W, X = rng.normal(size=(4, 3)), rng.normal(size=(2, 9, 3))
path = FOLDER / "step.pt2"


def step(target="tanh.default", line=12, **more):
    """v' = f(0.5 v + W x), which is the output as well."""
    graph = pt2.Graph()
    w = graph.weight("w", W)
    x, v = graph.user("x", (1, 3)), graph.user("v", (1, 4))
    turned = graph.op("permute.default", (3, 4), self=w, dims=[1, 0])
    arrived = graph.op("mm.default", (1, 4), self=x, mat2=turned)
    kept = graph.op("mul.Tensor", (1, 4), self=v, other=0.5)
    both = graph.op("add.Tensor", (1, 4), self=kept, other=arrived)
    new = graph.op(target, (1, 4), line=line, self=both, **more)
    return graph, graph.file(new, new)


def loaded(graph, file):
    pt2.write(path, file, graph.weights)
    return dl.load(path)


def refuses(title, graph, file, *words):
    pt2.write(path, file, graph.weights)
    refused(title, lambda: dl.load(path).inputs, *words)


want, v = [], np.zeros((2, 4))
for t in range(9):
    v = np.tanh(0.5 * v + X[:, t] @ W.T)
    want.append(v)
found = loaded(*step()).run(X).outputs
check(np.abs(found - np.stack(want, 1)).max() < 1e-14, "the step")

for target, more, words in (
        ("histc.default", {}, ["histc", "not known"]),
        ("topk.default", {"k": 5}, ["topk", "at most all"]),
        ("kthvalue.default", {"k": 0}, ["kthvalue", "at least one"]),
        ("gather.default", {"dim": 1, "index": "x"}, ["gather", "places in the shape"]),
        ("scatter.src", {"dim": 1, "index": "x", "src": "v"}, ["scatter", "written into a constant"]),
        ("scatter.value", {"dim": 1, "index": "x", "value": 1.0}, ["scatter", "over the same neurons"]),
        ("round.decimals", {"decimals": 2}, ["round", "whole numbers"]),
        ("bernoulli.p", {"p": 0.5}, ["random"]),
        ("pow.Tensor_Scalar", {"exponent": 2.5}, ["exponent"]),
        ("_softmax.default", {"dim": 0}, ["last axis", "neurons"]),
        ("avg_pool2d.default", {"kernel_size": [2, 2]}, ["expected pooling", "rows"])):
    refuses(target, *step(target, line=41, **more), "cell.py:41", *words)

graph, file = step()
for title, change, words in (
        ("a later schema", lambda f: f["schema_version"].update(major=9), ["schema 9"]),
        ("no fixed extent", lambda f: f["graph_module"]["graph"]["tensor_values"]["x"]
         .update(sizes=[{"as_expr": {}}, {"as_int": 3}]), ["dynamic_shapes"]),
        ("another shape", lambda f: f["graph_module"]["graph"]["tensor_values"]["n1"]
         .update(sizes=[{"as_int": 1}, {"as_int": 5}]), ["shape"]),
        ("an operand of another shape", lambda f: f["graph_module"]["graph"]["tensor_values"]
         ["v"].update(sizes=[{"as_int": 1}, {"as_int": 7}]), ["shape"]),
        ("huge", lambda f: f["graph_module"]["graph"]["tensor_values"]["n1"]
         .update(sizes=[{"as_int": 4000000}] * 4), ["2^22"]),
        ("an extent beyond every whole number", lambda f: f["graph_module"]["graph"]
         ["tensor_values"]["x"].update(sizes=[{"as_int": 1e308}, {"as_int": 3}]),
         ["expected a whole number, found 1e+308"]),
        ("a state that is not returned", lambda f: f["graph_module"]["signature"]
         ["output_specs"].pop(), ["(output, *states)"]),
        ("no weight", lambda f: f["graph_module"]["signature"]["input_specs"][0]["parameter"]
         .update(parameter_name="u"), ["'u'", "not in the file"]),
        ("used before it is made", lambda f: f["graph_module"]["graph"]["nodes"].reverse(),
         ["before it is made"]),
        ("an empty argument", lambda f: f["graph_module"]["graph"]["nodes"][0]["inputs"][0]
         .update(arg={}), ["torch.export"]),
        ("no nodes", lambda f: f["graph_module"]["graph"].pop("nodes"), ["torch.export"])):
    changed = copy.deepcopy(file)
    change(changed)
    refuses(title, graph, changed, "step.pt2", *words)
refuses("no JSON", graph, "{", "no JSON")
refuses("deep JSON", graph, "[" * 100000, "no JSON")
graph.weights["w"] = W * np.inf
refuses("a weight that is not finite", graph, file, "w", "not finite")
graph.weights["w"] = W

# A file that is loaded says what it loses in integers, as from_torch does.
pt2.write(path, file, graph.weights)
program = dl.compile(dl.load(path), "loihi2", calibrate=X)
check(program.drift is not None and 0 <= program.drift < 0.1, f"drift of a file: {program.drift}")

# Archives before torch 2.8 keep their weights in a pickle, which is read as data.
pt2.write(path, file, graph.weights)
now = dl.load(path).run(X).outputs
pt2.write_old(path, file, graph.weights)
check(np.array_equal(dl.load(path).run(X).outputs, now), "the archive of torch 2.6")
here = pathlib.Path(__file__).resolve().parent
truth = np.load(here / "torch_2_6.npz")
found = dl.load(here / "torch_2_6.pt2").run(truth["x"]).outputs
check(np.array_equal(found, truth["y"]) and np.ptp(found) > 0, "a file that torch 2.6 wrote")
good = pt2.saved({"w": W})
for title, pickle, *words in (
        ("calls", b"\x80\x02cos\nsystem\nX\x07\0\0\0touch x\x85R.", "'os system'"),
        ("asks by name", good.replace(b"_rebuild_tensor_v2", b"_rebuild_device_v2"), "_rebuild_device_v2"),
        ("opens", b"\x80\x02c__builtin__\nopen\n)\x81.", "operation 129"),
        ("is deep", b"\x80\x02)" + b"\x85" * 100000 + b".", "nested too deeply"),
        ("is empty", b"", "ends early"),
        ("has no stack", b"\x80\x02R.", "empty stack"),
        ("has no memo", b"\x80\x02h\x07.", "did not keep"),
        ("has a long text", b"\x80\x02X\xff\xff\xff\xff.", "ends early"),
        ("has no dict", b"\x80\x02K\x01.", "'w'"),
        ("has numbers", b"\x80\x02}X\x01\0\0\0wK\x01s.", "is no tensor"),
        ("is longer than its storage", good.replace(b"(M\x04\0M\x03\0t", b"(M\x04\0M\x09\0t"), "shorter"),
        ("names another storage", good.replace(b"X\x01\0\0\x000", b"X\x01\0\0\x007"), "'data/7'"),
        ("has quantised storage", good.replace(b"DoubleStorage", b"QInt32Storage"), "element type")):
    pt2.write_old(path, file, graph.weights, pickle)
    refused(f"a pickle that {title}", lambda: dl.load(path).inputs, *words)
for end in range(0, len(good), 3):
    pt2.write_old(path, file, graph.weights, good[:end])
    refused(f"a pickle of {end} bytes", lambda: dl.load(path).inputs, "step.pt2")
with zipfile.ZipFile(path, "w") as archive:
    archive.writestr("net/data.pkl", b"cos\nsystem\n(S'touch x'\ntR.")
refused("a pickle", lambda: dl.load(path).inputs, "torch.export.save")
pt2.write(path, file, graph.weights)
content = path.read_bytes()
for end in range(0, len(content), 197):
    path.write_bytes(content[:end])
    refused(f"cut at {end}", lambda: dl.load(path).inputs, "step.pt2")

# Damage of any kind is an error or another network, never a crash.
def leaves(value, at=()):
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return [(*at, k) for k, _ in pairs] and [
            leaf for k, one in pairs for leaf in [(*at, k), *leaves(one, (*at, k))]]
    return []


VALUES = [0, -1, 1, 2, 7, 1 << 21, 1 << 62, 0.5, True, None, "v", "x", "n2", "", [], {}, [1, 4]]
places = leaves(file)
for _ in range(400):
    changed = copy.deepcopy(file)
    at = places[rng.integers(len(places))]
    held = changed
    for key in at[:-1]:
        held = held[key]
    held[at[-1]] = VALUES[rng.integers(len(VALUES))]
    pt2.write(path, changed, graph.weights)
    try:
        dl.load(path).inputs
    except dl.WorkerDied as error:
        check(False, f"{at} = {held[at[-1]]!r}: {error}")
    except dl.DendrolithError as error:
        check("step.pt2" in str(error), f"{at}: {error}")
finish()
