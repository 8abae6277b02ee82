# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad files of every kind that the command reads, in data/bad/."""
import re
import shutil

import h5py
import numpy as np

LOOP = """
dend.network @two {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @keep : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[2] on @step bind {keep = @keep, theta = @theta}
  dend.population @b : @lif[2] on @step bind {keep = @keep, theta = @theta}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a["s"] -> @b["I"] #dend.diagonal delay 0
  dend.project @b["s"] -> @a["I"] #dend.diagonal delay 1
  dend.output @y = @b["s"]
}
"""
# Bad text by file name: the good network and what is replaced in it.
TEXTS = {
    "cycle.mlir": ("delay 1", "delay 0"),
    "syntax.mlir": ("dend.clock", "dend.clok"),
    "extern.mlir": ("@theta : tensor<f64> = dense<1.0> : tensor<f64>",
                    '@theta : tensor<f64> extern "th"'),
    "decode.mlir": ('dend.output @y = @b["s"]', 'dend.output @y = @b["s"] decode "last=-3"'),
    "body.mlir": ("dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64",
                  "dend.mul %v, %keep : (f64, f64) -> f64"),
    "unknown.mlir": ('@b["s"] -> @a["I"]', '@c["s"] -> @a["I"]'),
    "wide.mlir": ("@lif[2] on @step bind {keep = @keep, theta = @theta}\n"
                  "  dend.population @b", "@lif[3] on @step bind {keep = @keep, "
                  "theta = @theta}\n  dend.population @b"),
}


def replaced(group, key, value):
    del group[key]
    group.create_dataset(key, data=value)


def one_nan(nodes):
    weight = nodes["fc1/weight"][()]
    weight[3, 4] = np.nan
    replaced(nodes["fc1"], "weight", weight)


# The shipped network with one thing changed, by file name.
GRAPHS = {
    "nan.nir": one_nan,
    "gone.nir": lambda n: n["lif1"].__delitem__("tau_mem"),
    "type.nir": lambda n: replaced(n["lif1"], "type", "Resonator"),
    "shape.nir": lambda n: replaced(n["fc2"], "weight", np.ones((128, 7), "f4")),
    "tau.nir": lambda n: replaced(n["lif1"], "tau_mem", -np.ones(128)),
    "edge.nir": lambda n: replaced(n.parent, "edges",
                                   np.array([["input", "nowhere"]], dtype=object)),
    "extra.nir": lambda n: n["lif1"].create_dataset("wibble", data=1.0),
}
# The trained checkpoint with a member changed, by file name.
MEMBERS = {
    "nan.npz": ("W0", lambda a: np.where(np.arange(a.size).reshape(a.shape) == 5, np.nan, a)),
    "shape.npz": ("b1", lambda a: a[:-1]),
    "meta.npz": ("meta", lambda a: np.array(str(a).replace('"mmdend"', '"ssm"'))),
    "window.npz": ("Dp0", lambda a: a + 1),
}
ARRAYS = {
    "columns": np.zeros((2, 32, 33)), "short": np.zeros((2, 0, 32)),
    "nan": np.full((4, 32), np.nan), "real": np.full((2, 32, 32), 0.5),
    "three": np.arange(3), "pairs": np.zeros((2, 2)), "no_query": np.zeros((2, 11, 7)),
    "equal": np.ones((3, 10)), "steps": np.zeros((3, 4)),
}


def write_broken(data, root):
    bad = data / "bad"
    bad.mkdir()
    shipped = root / "models" / "lif" / "shapes_lif.nir"
    content = shipped.read_bytes()
    (bad / "cut.nir").write_bytes(content[:5000])
    (bad / "zip.nir").write_bytes(b"PK\3\4" + b"x" * 100)
    (bad / "empty.nir").write_bytes(b"")
    for name, change in GRAPHS.items():
        shutil.copyfile(shipped, bad / name)
        with h5py.File(bad / name, "r+") as file:
            change(file["node/nodes"])
    for name, (old, new) in TEXTS.items():
        assert old in LOOP
        (bad / name).write_text(LOOP.replace(old, new))
    good = dict(np.load(root / "models" / "mmdend" / "sparse.npz"))
    for name, (key, change) in MEMBERS.items():
        np.savez(bad / name, **{**good, key: change(good[key])})
    (bad / "cut.npz").write_bytes((root / "models/mmdend/sparse.npz").read_bytes()[:9999])
    (bad / "cut.net").write_bytes((root / "models/netx/shapes.net").read_bytes()[:9999])
    (bad / "hello.lava.pb").write_bytes(b"hello")
    (bad / "hello.dlp").write_bytes(b"hello")
    for name, array in ARRAYS.items():
        np.save(bad / f"{name}.npy", array)
    np.save(bad / "object.npy", np.array([{}], dtype=object), allow_pickle=True)
    (bad / "cut.npy").write_bytes((root / "models/lif/test_x.npy").read_bytes()[:9999])
    chip = (root / "targets" / "tiny" / "chip.yaml").read_text()
    (bad / "typo.yaml").write_text(chip.replace("compartments_per_core",
                                                "compartment_per_core"))
    (bad / "not.yaml").write_text("{[")
    costs = (root / "targets" / "loihi1" / "costs-davies2018.yaml").read_text()
    (bad / "negative.yaml").write_text(costs.replace("value: 81", "value: -81", 1))
    (bad / "missing.yaml").write_text(re.sub(r"(?m)^ *within_tile:.*\n", "", costs,
                                             count=1))
    (bad / "pinned.yaml").write_text("- {population: lif1, first: 0, count: 128, core: 0}\n")
    (bad / "broken").mkdir()
    (bad / "broken" / "result.json").write_text('{"counts": ')
    (bad / "file").write_text("x")
