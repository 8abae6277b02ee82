# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks: every one of models/, those made by networks.py, those of others."""
import dataclasses



@dataclasses.dataclass
class Model:
    """`flags`, `calibrate`, ... are words of the command line; `staged`: the chips for
    which each stage of the compiler is printed; `chips`: those to run on, else all."""
    name: str
    path: str
    input: list
    labels: list = dataclasses.field(default_factory=list)
    calibrate: list = dataclasses.field(default_factory=list)
    trace: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)
    staged: tuple = ()
    chips: tuple = ()


def data(flag, name):
    return [flag, f"data/{name}.npy"]


def traced(names):
    return ["--trace", names] if names else []


def mmdend(name, staged=(), traces="L0,L1,L0:Vs"):
    return Model(name=f"mmdend-{name}", path=f"models/mmdend/{name}.npz",
                 input=data("--input", "mm_x"), labels=data("--labels", "mm_y"),
                 calibrate=data("--calibrate", "mm_calib"), trace=traced(traces),
                 staged=staged)


def dendricl(name, d, staged=(), traces="soma,block,apical:u"):
    return Model(name=f"dendricl-{name}", path=f"models/dendricl/{name}.npz",
                 input=data("--input", f"d{d}_x"),
                 labels=[*data("--labels", f"d{d}_y"), "--metric", "r2"],
                 calibrate=data("--calibrate", f"d{d}_calib"), trace=traced(traces),
                 staged=staged)


def neuron(name, x, traces):
    return Model(name=f"neurons-{name}", path=f"models/neurons/{name}.mlir",
                 input=data("--input", x), trace=traced(traces), staged=("loihi2",))


def paper(name, network, x, traces, weights, title=None, chips=(), staged=()):
    return Model(name=title or name, path=f"models/{name}/{network}.mlir",
                 input=data("--input", x), calibrate=data("--calibrate", x),
                 flags=["--weights", f"data/{weights}.npz"], trace=traced(traces),
                 chips=chips, staged=staged)


def made(file, x, traces="", staged=("loihi2",), calibrated=False):
    return Model(name=f"made-{file}", path=f"data/{file}", input=data("--input", x),
                 calibrate=data("--calibrate", x) if calibrated else [],
                 trace=traced(traces), staged=staged)


MODELS = [
    Model(name="lif", path="models/lif/shapes_lif.nir", input=data("--input", "lif_x"),
          labels=data("--labels", "lif_y"), calibrate=data("--calibrate", "lif_calib"),
          trace=traced("lif1,lif1:u,lif1:v,lif2,read:v"), staged=("ideal", "loihi1", "loihi2")),
    Model(name="netx", path="models/netx/shapes.net", input=data("--input", "lif_x"),
          labels=data("--labels", "lif_y"), staged=("loihi1", "loihi2")),
    mmdend("sparse", ("loihi2", "loihi2-binary")), mmdend("dense"), mmdend("single"),
    mmdend("j2"), mmdend("j6"), mmdend("ternary"), mmdend("lif", ("loihi2",), "L0,L1"),
    dendricl("tiny", 5, ("ideal", "loihi2")), dendricl("tiny_leaky", 5),
    dendricl("tiny_memoryless", 5), dendricl("small_sparse", 10),
    dendricl("d10", 10, traces="soma,block"), dendricl("d20", 20, traces="soma,block"),
    dendricl("d20_sparse", 20, traces="soma,block"), dendricl("lif_d10", 10, traces="L0"),
    neuron("lif", "lif_neuron_x", "n,n:v"), neuron("adaptive_lif", "lif_neuron_x", "n"),
    neuron("resonate_and_fire", "resonator_x", "n"),
    neuron("two_compartment", "two_x", "n"), neuron("shift_register16", "lif_neuron_x", "n"),
    paper("mmdend", "mm_shapes", "mm_x", "L0,L0:Vs", "mm_w", "mmdend-mlir"),
    paper("dendricl", "d5_tiny", "d5_x", "A,S,B,S:v", "d5_w", "dendricl-mlir"),
    paper("elm", "elm_relu", "elm_x", "rec,rec:m,ro", "elm_w", staged=("loihi2",)),
    paper("dendattn", "da_mqar", "dendattn_x", "R0:h,R1:n", "dendattn_w",
          staged=("ideal",)),
    made("maps.nir", "maps_x", "n0,n1,n2,n3", ("loihi1", "loihi2")),
    made("loop.nir", "loop_x", "l1,l1:v,l2", ("loihi1",)),
    made("graded.nir", "graded_x", "", calibrated=True),
    made("cable.npz", "cable_x", "L0,L1", calibrated=True),
    made("tanh.npz", "cable_x", "L0,L1", calibrated=True),
    made("prediction.npz", "d3_x", "soma,apical:u", calibrated=True),
    made("sdnn.net", "sdnn_x"), made("resonators.net", "events_x"),
    made("netmaps.net", "netmaps_x", "", ("loihi1",)),
    made("clocks.mlir", "clocks_x", "S,S:v,C"), made("wide.mlir", "wide_x", "L0,L0:v"),
]


def other(file, x, traces="", chips=()):
    return Model(name=f"shared-{file}", path=f"data/{file}", input=data("--input", x),
                 calibrate=data("--calibrate", x), trace=traced(traces), chips=chips)


SHARED = [
    other("braille_noDelay_bias_zero.nir", "braille_x", "lif1.lif,lif2"),
    other("cnn_sinabs.nir", "cnn_x", "1", ("loihi1",)),
    other("lif_norse.nir", "norse_x"),
    other("mm_shapes_sparse.npz", "mm_x", "L0", ("loihi2",)),
    other("lif_shapes.npz", "mm_x", "L0", ("loihi2",)),
    other("d10_small_sparse.npz", "d10_x", "soma", ("loihi2",)),
    paper("elm", "elm_relu", "elm_relu_x", "rec", "elm_relu_w", "shared-elm",
          ("loihi2",)),
    paper("dendattn", "da_mqar", "da_mqar_x", "R0:h", "da_mqar_w", "shared-dendattn",
          ("ideal",)),
]
