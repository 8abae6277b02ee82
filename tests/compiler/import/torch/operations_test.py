# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/torch/ by graphs that are written here, without torch.
"""Rounding, pooling, normalisation and erf give numpy's numbers on the float engine, and
run in integers, functional as cycle."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "runtime" / "python"))
from support import FOLDER, check, dl, finish, np, refused  # noqa: E402
import pt2  # noqa: E402

rng = np.random.default_rng(3)
path = FOLDER / "step.pt2"


def agrees(title, x, wanted, make, bound=1e-12, drift=0.02, spiking=False):
    """`make(graph, v)` adds an operation to v' = 0.5 v + x and returns its output."""
    shape = x.shape[2:]
    graph = pt2.Graph()
    given, v = graph.user("x", (1, *shape)), graph.user("v", (1, *shape))
    half = graph.op("mul.Tensor", (1, *shape), self=v, other=0.5)
    new = graph.op("add.Tensor", (1, *shape), self=half, other=given)
    read = graph.op("gt.Scalar", (1, *shape), self=new, other=0.25) if spiking else new
    y = make(graph, read)
    pt2.write(path, graph.file(y, new), graph.weights)
    net, want, v = dl.load(path), [], np.zeros((len(x), *shape))
    for t in range(x.shape[1]):
        v = 0.5 * v + x[:, t]
        want.append(wanted((v > 0.25) * 1.0 if spiking else v))
    want = np.stack(want, 1)
    found = np.asarray(net.run(x).outputs, dtype=float).reshape(want.shape)
    check(np.abs(found - want).max() < bound, f"{title}: differs by {np.abs(found - want).max()}")
    check(np.ptp(want) > 0, f"{title}: does something")
    program = dl.compile(net, "loihi2", calibrate=x)
    chip = program.run(x, engine="functional").outputs
    check(np.array_equal(chip, program.run(x, engine="cycle").outputs), f"{title}: engines")
    off = np.abs(np.asarray(chip, dtype=float).reshape(want.shape) - want)
    check(off.mean() < drift, f"{title}: {off.mean():.4f} off in integers")


def image(c, h, w):
    return rng.integers(-8, 9, (3, 12, c, h, w)) / 4.0


def pool(v, size, step, pad, over):
    """Windows of (samples, channels, rows, columns); over(window, how many it has)."""
    rows = (v.shape[2] + 2 * pad - size) // step + 1
    columns = (v.shape[3] + 2 * pad - size) // step + 1
    wide = np.pad(v, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=np.nan)
    out = np.zeros((*v.shape[:2], rows, columns))
    for y in range(rows):
        for x in range(columns):
            out[:, :, y, x] = over(wide[:, :, y * step:y * step + size, x * step:x * step + size])
    return out


vector = rng.integers(-12, 13, (3, 12, 5)) / 4.0  # with its halves, which are ties
for name, function in (("round", np.round), ("floor", np.floor), ("ceil", np.ceil),
                       ("trunc", np.trunc)):
    agrees(name, vector, function, lambda g, v: g.op(f"{name}.default", (1, 5), self=v), drift=0.1)
branches = rng.integers(-12, 13, (3, 12, 5, 3)) / 4.0
agrees("round of vectors", branches, np.round,
       lambda g, v: g.op("round.default", (1, 5, 3), self=v), drift=0.1)
agrees("to an integer", vector, np.trunc,
       lambda g, v: g.op("_to_copy.default", (1, 5), self=v, dtype=5), drift=0.1)
erf = np.vectorize(math.erf)
agrees("erf", vector, erf, lambda g, v: g.op("erf.default", (1, 5), self=v), 1e-7)
agrees("gelu", vector, lambda v: 0.5 * v * (1 + erf(v / math.sqrt(2))),
       lambda g, v: g.op("gelu.default", (1, 5), self=v), 1e-6)
for power in (5, -1, -3):
    agrees(f"x to the {power}", np.abs(vector) + 1, lambda v: v ** power, lambda g, v: g.op(
        "pow.Tensor_Scalar", (1, 5), self=v, exponent=float(power)), 1e-12 * 8.0 ** max(0, power),
        0.02 * 12.0 ** max(0, power))


def softplus(g, v):
    """As torch 2.15 exports it."""
    return g.op("log1p.default", (1, 5), self=g.op("exp.default", (1, 5), self=v))


agrees("softplus", vector, lambda v: np.log1p(np.exp(v)), softplus)
agrees("heaviside", vector, lambda v: (v > 0) * 1.0, lambda g, v: g.op(
    "heaviside.default", (1, 5), self=v, values=g.weight("zero", np.zeros(1))))
agrees("expm1", vector, np.expm1, lambda g, v: g.op("expm1.default", (1, 5), self=v), drift=0.1)
agrees("elu", vector, lambda v: np.where(v > 0, v, 1.5 * np.expm1(v)),
       lambda g, v: g.op("elu.default", (1, 5), self=v, alpha=1.5))


def within(name, shape, **arguments):
    """An operation of branches as one of the graph."""
    return lambda g, v: g.op(name, (1, 5, *shape), self=v, **arguments)


for title, wanted, make in (
        ("sums up to each branch", lambda v: v.cumsum(-1), within("cumsum.default", (3,), dim=-1)),
        ("products up to each branch", lambda v: v.cumprod(-1), within("cumprod.default", (3,), dim=-1)),
        ("sums up to each neuron", lambda v: v.cumsum(1), within("cumsum.default", (3,), dim=1)),
        ("the product of branches", lambda v: v.prod(-1), within("prod.dim_int", (), dim=-1)),
        ("the variance of branches", lambda v: v.var(-1, ddof=1), within("var.correction", (), dim=[-1], correction=1.0)),
        ("the least branch", lambda v: v.min(-1), within("amin.default", (), dim=[-1])),
        ("branches from behind", lambda v: v[..., ::-1], within("flip.default", (3,), dims=[2])),
        ("remainder", lambda v: v % 0.75, within("remainder.Scalar", (3,), other=0.75)),
        ("fmod", lambda v: np.fmod(v, 0.75), within("fmod.Scalar", (3,), other=0.75)),
        ("sign", np.sign, within("sign.default", (3,))),
        ("a power of two", np.exp2, lambda g, v: g.op("pow.Scalar", (1, 5, 3), self=2.0, exponent=v))):
    agrees(title, branches, wanted, make, drift=0.2)


def squares(g, v):
    """The product of two vectors that both change."""
    row, column = (g.op("view.default", shape, self=v, size=list(shape)) for shape in ((5, 1, 3), (5, 3, 1)))
    return g.op("view.default", (1, 5), self=g.op("bmm.default", (5, 1, 1), self=row, mat2=column), size=[1, 5])


agrees("a product of vectors", branches, lambda v: (v * v).sum(-1), squares, drift=0.2)
def turned(g, v, shape, *dims):
    return g.op("permute.default", shape, self=v, dims=list(dims))


def read(g, v):
    """Its own branches' sum, of each neuron, through a read-out that changes: einsum('bnk,bk->bn')."""
    other = turned(g, g.op("slice.Tensor", (1, 1, 3), self=v, dim=1, start=0, end=1), (1, 3, 1), 0, 2, 1)
    return g.op("view.default", (1, 5), size=[1, 5], self=g.op("bmm.default", (1, 5, 1), self=v, mat2=other))


def read_turned(g, v):
    """The same as einsum writes it, a row times what was moved."""
    row = g.op("slice.Tensor", (1, 1, 3), self=v, dim=1, start=0, end=1)
    moved = g.op("view.default", (1, 3, 5), size=[1, 3, 5],
                 self=turned(g, turned(g, g.op("view.default", (5, 3), self=v, size=[5, 3]), (3, 5), 1, 0), (3, 5), 0, 1))
    return g.op("view.default", (1, 5), size=[1, 5], self=g.op("bmm.default", (1, 1, 5), self=row, mat2=moved))


def outer(g, v):
    row = g.op("slice.Tensor", (1, 1, 3), self=v, dim=1, start=0, end=1)
    column = g.op("slice.Tensor", (1, 5, 1), self=v, dim=2, start=0, end=1)
    return g.op("bmm.default", (1, 5, 3), self=column, mat2=row)


for title, make in (("a read-out that changes", read), ("one whose matrix was moved", read_turned)):
    agrees(title, branches, lambda v: (v * v[:, :1]).sum(-1), make, drift=0.2)
    check(len([line for line in dl.load(path).text().splitlines() if "dend.population" in line]) <= 2,
          f"{title}: where its neurons are")
agrees("an outer product", branches, lambda v: v[..., :1] * v[:, :1], outer, drift=0.2)
table = rng.normal(size=(7, 4))
places = rng.integers(0, 7, (3, 12, 2)).astype(float)
for op in ("embedding.default", "index_select.default"):
    graph = pt2.Graph()
    given = graph.user("x", (1, 2) if "embedding" in op else (1,))
    many = (1, 2, 4) if "embedding" in op else (1, 4)
    made = graph.op(op, many, **({"weight": graph.weight("t", table), "indices": given} if "embedding" in op else
                                 {"self": graph.weight("t", table), "dim": 0, "index": given}))
    pt2.write(path, graph.file(made), graph.weights)
    x = places if "embedding" in op else places[..., :1]
    found = np.asarray(dl.load(path).run(x).outputs, dtype=float).reshape(3, 12, -1)
    check(np.array_equal(found, table[x.astype(int)].reshape(found.shape)), op)
agrees("bounds that change", branches, lambda v: np.clip(v, -v[..., :1], 1.5), lambda g, v: g.op(
    "clamp.Tensor", (1, 5, 3), self=v,
    min=g.op("neg.default", (1, 5, 1), self=g.op("slice.Tensor", (1, 5, 1), self=v, dim=2, start=0, end=1)),
    max=g.weight("top", np.full(3, 1.5))))
a = rng.normal(size=(5, 5))
agrees("a diagonal", vector, lambda v: v * np.diag(a, 0), lambda g, v: g.op(
    "mul.Tensor", (1, 5), self=v, other=g.op("diagonal.default", (5,), self=g.weight("a", a), offset=0, dim1=0, dim2=1)))
agrees("spikes of both", vector, lambda v: v, lambda g, v: g.op(
    "mul.Tensor", (1, 5), self=v, other=g.op("rsub.Scalar", (1, 5), self=g.op(
        "lt.Scalar", (1, 5), self=v, other=0.0), other=1)), spiking=True)
check("dend.spike<binary>" in dl.load(path).text(), "a spike gated by another one is a spike")


def softmax(v):
    e = np.exp(v - v.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


agrees("softmax over neurons", vector, softmax, lambda g, v: g.op(
    "_softmax.default", (1, 5), self=v, dim=1, half_to_float=False))
agrees("the largest neuron", vector, lambda v: v.max(1, keepdims=True),
       lambda g, v: g.op("amax.default", (1, 1), self=v, dim=[1], keepdim=True))


def largest(g, v):
    return g.op("amax.default", (1, 1), self=v, dim=[1], keepdim=True)


agrees("who is the largest", vector, lambda v: (v == v.max(1, keepdims=True)) * 1.0,
       lambda g, v: g.op("eq.Tensor", (1, 5), self=v, other=largest(g, v)), drift=0.01)
agrees("the first of the largest", vector, lambda v: v.argmax(1)[:, None],
       lambda g, v: g.op("argmax.default", (1, 1), self=v, dim=1, keepdim=True), drift=1e-9)


def ranked(v):
    return np.argsort(-v, -1, kind="stable")  # of equal ones the first is first


for title, wanted, op, shape, second, more in (
        ("the three largest", lambda v: -np.sort(-v, -1)[:, :3], "topk.default", (1, 3), "", {"k": 3}),
        ("their places", lambda v: ranked(v)[:, :3], "topk.default", (1, 3), "_also", {"k": 3, "dim": 1}),
        ("the two least", lambda v: np.sort(v, -1)[:, :2], "topk.default", (1, 2), "", {"k": 2, "largest": False}),
        ("the order", ranked, "sort.default", (1, 5), "_also", {"dim": 1, "descending": True}),
        ("sorted", lambda v: np.sort(v, -1), "sort.stable", (1, 5), "", {"stable": True}),
        ("the second least", lambda v: np.sort(v, -1)[:, 1:2], "kthvalue.default", (1, 1), "",
         {"k": 2, "dim": 1, "keepdim": True}),
        ("the median", lambda v: np.sort(v, -1)[:, 2:3], "median.dim", (1, 1), "", {"dim": 1, "keepdim": True})):
    agrees(title, vector, wanted, lambda g, v: g.op(op, shape, also=shape, self=v, **more) + second)


def written(v):
    v = v.copy()
    np.put_along_axis(v, ranked(v)[:, :2], 0.5, 1)
    return v


def largest_two(g, v):
    return g.op("topk.default", (1, 2), also=(1, 2), self=v, k=2, dim=1) + "_also"


agrees("written where the largest are", vector, written, lambda g, v: g.op(
    "scatter.value", (1, 5), self=v, dim=1, index=largest_two(g, v), value=0.5))
agrees("read where the largest are", vector, lambda v: -np.sort(-v, -1)[:, :2], lambda g, v: g.op(
    "gather.default", (1, 2), self=v, dim=1, index=largest_two(g, v)))
agrees("the mask of the largest", vector, lambda v: (ranked(ranked(v) * -1.0) < 2) * 1.0, lambda g, v: g.op(
    "scatter.value", (1, 5), self=g.weight("none", np.zeros((1, 5))), dim=1, index=largest_two(g, v), value=1.0))


def kept(v):
    return np.where(ranked(ranked(v) * -1.0) < 2, v, 0.0)


def largest_kept(g, v):
    values = g.op("topk.default", (1, 2), also=(1, 2), self=v, k=2, dim=1)
    return g.op("scatter.src", (1, 5), self=g.weight("none", np.zeros((1, 5))), dim=1, index=values + "_also", src=values)


agrees("the largest at their places", vector, kept, largest_kept)
agrees("either, not both", vector, lambda v: ((v > 0.2) ^ (v < 0.6)) * 1.0, lambda g, v: g.op(
    "bitwise_xor.Tensor", (1, 5), self=g.op("gt.Scalar", (1, 5), self=v, other=0.2),
    other=g.op("lt.Scalar", (1, 5), self=v, other=0.6)), drift=0.03)
agrees("what no value reaches", vector, lambda v: v, lambda g, v: g.op("where.self", (1, 5), condition=g.op(
    "eq.Scalar", (1, 5), self=v, other=float("inf")), self=g.weight("none", np.zeros((1, 5))), other=v))
agrees("rounding to steps", vector, lambda v: np.clip(np.round(v / 0.5), -4, 3) * 0.5, lambda g, v: g.op(
    "fake_quantize_per_tensor_affine_cachemask.default", (1, 5), also=(1, 5), self=v, scale=0.5, zero_point=0,
    quant_min=-4, quant_max=3), drift=0.1)
groups = rng.integers(-12, 13, (3, 12, 6)) / 4.0
wide, low = rng.normal(size=6), rng.normal(size=6)


def group_normed(v):
    v = v.reshape(-1, 2, 3)
    v = v - v.mean(-1, keepdims=True)
    return (v / np.sqrt((v * v).mean(-1, keepdims=True) + 1e-2)).reshape(-1, 6) * wide + low


agrees("GroupNorm", groups, group_normed, lambda g, v: g.op(
    "native_group_norm.default", (1, 6), also=(1, 2), input=v, weight=g.weight("wide", wide), bias=g.weight("low", low),
    N=1, C=6, HxW=1, group=2, eps=0.01), drift=0.1)
for name, function in (("amax", np.max), ("amin", np.min), ("prod", np.prod)):
    agrees(f"{name} of groups", groups, lambda v: function(v.reshape(-1, 2, 3), axis=2), lambda g, v: g.op(
        f"{name}.{'dim_int' if name == 'prod' else 'default'}", (1, 2), dim=2 if name == "prod" else [2],
        self=g.op("view.default", (1, 2, 3), self=v, size=[1, 2, 3])), drift=0.1)
gain, shift = rng.normal(size=5), rng.normal(size=5)


def normed(v):
    v = v - v.mean(-1, keepdims=True)
    return v / np.sqrt((v * v).mean(-1, keepdims=True) + 1e-5) * gain + shift


def layer_norm(g, v):
    return g.op("native_layer_norm.default", (1, 5), input=v, normalized_shape=[5],
                weight=g.weight("gain", gain), bias=g.weight("shift", shift), eps=1e-5)


agrees("LayerNorm over neurons", vector, normed, layer_norm, drift=0.05)

kernel, bias = rng.normal(size=(3, 2, 3)), rng.normal(size=3)
line = rng.integers(-8, 9, (3, 12, 2, 7)) / 4.0


def along(v):
    wide = np.pad(v, ((0, 0), (0, 0), (2, 2)))
    return np.stack([np.einsum("sck,ock->so", wide[:, :, i * 2:i * 2 + 5:2], kernel) + bias
                     for i in range(4)], 2)


agrees("Conv1d", line, along, lambda g, v: g.op(
    "convolution.default", (1, 3, 4), input=v, weight=g.weight("k", kernel),
    bias=g.weight("b", bias), stride=[2], padding=[2], dilation=[2], transposed=False,
    output_padding=[0], groups=1), drift=0.05)
four = image(2, 5, 5)
agrees("AvgPool1d", line, lambda v: (v[:, :, :-1:2] + v[:, :, 1::2]) / 2, lambda g, v: g.op(
    "avg_pool1d.default", (1, 2, 3), self=v, kernel_size=[2], stride=[2]))
agrees("AvgPool2d", four, lambda v: pool(v, 3, 2, 1, lambda w: np.nansum(w, (2, 3)) / 9),
       lambda g, v: g.op("avg_pool2d.default", (1, 2, 3, 3), self=v, kernel_size=[3, 3],
                         stride=[2, 2], padding=[1, 1]))
agrees("AvgPool2d of what is there", four, lambda v: pool(v, 3, 2, 1, lambda w: np.nanmean(w, (2, 3))),
       lambda g, v: g.op("avg_pool2d.default", (1, 2, 3, 3), self=v, kernel_size=[3, 3],
                         stride=[2, 2], padding=[1, 1], count_include_pad=False))
agrees("AdaptiveAvgPool2d", four, lambda v: np.stack(
    [v[:, :, a:b].mean((2, 3)) for a, b in ((0, 3), (2, 5))], 2)[..., None],
    lambda g, v: g.op("_adaptive_avg_pool2d.default", (1, 2, 2, 1), self=v, output_size=[2, 1]))
for title, spiking in (("MaxPool2d", False), ("MaxPool2d of spikes", True)):
    agrees(title, four, lambda v: pool(v, 3, 2, 1, lambda w: np.nanmax(w, (2, 3))),
           lambda g, v: g.op("max_pool2d_with_indices.default", (1, 2, 3, 3), self=v,
                             kernel_size=[3, 3], stride=[2, 2], padding=[1, 1]), spiking=spiking)

# Complex numbers are pairs: z' = c z + x, of which a part is sent.
graph = pt2.Graph()
turn = rng.normal(0, 0.5, (5, 2))
given, z = graph.user("x", (1, 5)), graph.user("z", (1, 5))
c = graph.op("view_as_complex.default", (5,), self=graph.weight("turn", turn))
kept = graph.op("mul.Tensor", (1, 5), self=z, other=c)
new = graph.op("add.Tensor", (1, 5), self=kept, other=given)
pairs = graph.op("view_as_real.default", (1, 5, 2), self=new)
size = graph.op("abs.default", (1, 5), self=new)
sent = graph.op("add.Tensor", (1, 5), self=graph.op("select.int", (1, 5), self=pairs, dim=2, index=1),
                other=size)
file = graph.file(sent, new)
for name in (z, c, kept, new):
    file["graph_module"]["graph"]["tensor_values"][name]["dtype"] = 11
pt2.write(path, file, graph.weights)
net, want, z = dl.load(path), [], np.zeros((3, 5), complex)
for t in range(vector.shape[1]):
    z = (turn[:, 0] + 1j * turn[:, 1]) * z + vector[:, t]
    want.append(z.imag + abs(z))
check(np.abs(net.run(vector).outputs - np.stack(want, 1)).max() < 1e-12, "complex numbers")
file["graph_module"]["graph"]["tensor_values"]["x"]["dtype"] = 11
pt2.write(path, file, graph.weights)
refused("a complex input", lambda: dl.load(path).inputs, "step.pt2", "view_as_real")
file["graph_module"]["graph"]["tensor_values"]["x"]["dtype"] = 8
file["graph_module"]["graph"]["nodes"][1]["target"] = "torch.ops.aten.maximum.default"
pt2.write(path, file, graph.weights)
refused("an operation of complex values", lambda: dl.load(path).inputs, "cell.py:1", "maximum", "complex")
finish()
