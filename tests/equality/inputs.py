# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that the cases read, in a folder of their own: networks and chips of the
checkout, few samples of their test sets, weights, and small networks made here.

The same bytes each time; the record has their digests.
"""
import importlib.util
import os
import pathlib
import shutil
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np  # noqa: E402

from broken import write_broken  # noqa: E402
from networks import write_nets  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = {".npz", ".npy", ".nir", ".net", ".mlir"}
# name in data/ -> file of models/ and how many of its samples
FEW = {
    "lif_x": ("lif/test_x", 3), "lif_y": ("lif/test_y", 3), "lif_calib": ("lif/calib_x", 8),
    "mm_x": ("mmdend/test_x", 2), "mm_y": ("mmdend/test_y", 2),
    "mm_calib": ("mmdend/calib_x", 4),
    **{f"d{d}_{end}": (f"dendricl/{kind}_d{d}_{last}", count) for d in (5, 10, 20)
       for end, kind, last, count in (("x", "test", "x", 2), ("y", "test", "y", 2),
                                      ("calib", "calib", "x", 4))},
}
# Inputs of the networks that come without a test set: shape and least and largest
# value; about a third of the values is not 0.
DRAWN = {
    "lif_neuron_x": ((30, 4), 0, 1), "resonator_x": ((30, 2), -3, 3),
    "two_x": ((30, 3), 0, 1), "maps_x": ((2, 12, 2, 10, 10), 0, 1),
    "maps_counts": ((2, 12, 2, 10, 10), 0, 3), "loop_x": ((2, 30, 6), 0, 1),
    "events_x": ((1, 15, 8), 0, 1), "graded_x": ((2, 20, 5), -4, 4), "clocks_x": ((20, 2), -6, 9),
    "sdnn_x": ((1, 15, 8), 0, 20), "netmaps_x": ((1, 15, 1, 6, 6), 0, 1),
    "wide_x": ((2, 20, 6), -8, 8),
}


def shared_folder():
    """Data of others beside the checkout, where the tests look for it too."""
    given = os.environ.get("DENDROLITH_SHARED")
    folder = pathlib.Path(given) if given else ROOT.parent / "shared"
    return folder / "data" if (folder / "data").is_dir() else None


def reference(paper):
    """A model's reference.py as a module."""
    spec = importlib.util.spec_from_file_location(
        f"{paper}_reference", ROOT / "models" / paper / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copy_networks(work):
    for path in (ROOT / "models").rglob("*"):
        if path.suffix in NETWORKS:
            target = work / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def copy_chips(work):
    """Folders of chips alone: sources of the compiler may lie beside them."""
    for chip in (ROOT / "targets").glob("*/chip.yaml"):
        folder = work / "targets" / chip.parent.name
        folder.mkdir(parents=True)
        for path in chip.parent.glob("*.yaml"):
            shutil.copyfile(path, folder / path.name)


def write_samples(data):
    for name, (source, count) in FEW.items():
        np.save(data / f"{name}.npy", np.load(ROOT / "models" / f"{source}.npy")[:count])
    rng = np.random.default_rng(7)
    for name, (shape, low, high) in DRAWN.items():
        values = rng.integers(low, high, shape, endpoint=True)
        np.save(data / f"{name}.npy", (values * (rng.random(shape) < 0.35)).astype(float))
    np.save(data / "lif_single.npy", np.load(data / "lif_x.npy")[0])
    np.save(data / "lif_grey.npy", np.load(data / "lif_x.npy") * np.linspace(0.4, 1, 32))
    told = np.load(data / "d5_x.npy")
    told[:, -1, 5] = 1.5  # the label at the query
    np.save(data / "d5_told.npy", told)
    spikes = np.load(ROOT / "models" / "netx" / "spikes.npz")["output"][:3]
    np.savez(data / "spikes.npz", output=spikes)
    wrong = spikes.copy()
    wrong[1, 20, 4] += 1
    np.savez(data / "spikes_wrong.npz", output=wrong)


def write_weights(data, shared):
    """What the papers' .mlir networks bind: of random networks of their sizes, and of
    trained ones where they are."""
    mmdend, dendricl = reference("mmdend"), reference("dendricl")
    models = ROOT / "models"
    mmdend.export(mmdend.load(models / "mmdend" / "sparse.npz"), data / "mm_w.npz")
    dendricl.export(dendricl.load(models / "dendricl" / "tiny.npz"), data / "d5_w.npz")
    for paper, trained in (("elm", "elm_relu"), ("dendattn", "da_mqar")):
        module = reference(paper)
        params = module.random_checkpoint(3, small=False)
        module.export(params, data / f"{paper}_w.npz")
        x = np.array([module.random_input(s, params) for s in range(2)])
        if paper == "dendattn":  # token ids, which the network takes one-hot
            x = np.eye(len(params["emb"]))[x]
        np.save(data / f"{paper}_x.npy", x)
        if shared:
            params = module.load(shared / "checkpoints" / f"{trained}.npz")
            module.export(params, data / f"{trained}_w.npz")
            x = params["x_ex"][:1, :20]
            if paper == "dendattn":
                x = np.eye(len(params["emb"]))[x.astype(int)]
            np.save(data / f"{trained}_x.npy", x)


def write_checkpoints(data):
    """Forms of the papers' networks that no committed checkpoint has."""
    mmdend, dendricl = reference("mmdend"), reference("dendricl")
    save = mmdend.reference_io.save
    save(data / "cable.npz", mmdend.random_checkpoint(4, cable=True))
    params = mmdend.random_checkpoint(5)
    save(data / "tanh.npz", {**params, "meta": {**params["meta"], "f": "tanh"}})
    np.save(data / "cable_x.npy", [mmdend.random_input(s, params) for s in range(2)])
    params = dendricl.random_checkpoint(6)
    meta = {**params["meta"], "readout": "ff+prediction"}
    save(data / "prediction.npz", {**params, "meta": meta})
    np.save(data / "d3_x.npy", [dendricl.random_input(s, params) for s in range(2)])
    # This is `tiny`, with units of the block that a strong inhibition keeps silent.
    params = dict(np.load(ROOT / "models" / "dendricl" / "tiny.npz"))
    params["F1.bias"][[0, 7, 8, 9, 40, 63]] = -50
    np.savez(data / "dead.npz", **params)


def copy_shared(data, shared):
    for path in ("nir/braille_noDelay_bias_zero.nir", "nir/cnn_sinabs.nir", "nir/lif_norse.nir",
                 "checkpoints/mm_shapes_sparse.npz", "checkpoints/lif_shapes.npz",
                 "checkpoints/d10_small_sparse.npz"):
        shutil.copyfile(shared / path, data / pathlib.Path(path).name)
    x = np.load(shared / "nir" / "braille_input_sample0.npy")
    np.save(data / "braille_x.npy", x[:60])
    events = np.random.default_rng(5).random((1, 10, 2, 34, 34)) < 0.08
    np.save(data / "cnn_x.npy", events.astype(np.uint8))
    np.save(data / "norse_x.npy", np.random.default_rng(6).random((1, 30, 1)))


def prepare(work):
    """Fills models/, targets/ and data/ of the folder; says whether data of others
    were there."""
    sys.dont_write_bytecode = True
    data = work / "data"
    data.mkdir(parents=True)
    shared = shared_folder()
    copy_networks(work)
    copy_chips(work)
    write_samples(data)
    write_weights(data, shared)
    write_checkpoints(data)
    write_nets(data)
    write_broken(data, ROOT)
    if shared:
        copy_shared(data, shared)
    return shared is not None
