# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks of the table by name: how each is made and what it runs on."""
import dataclasses
import json
import pathlib
import typing

from . import graphs, layered, models, network, reservoir
from .evaluate import Mesh, lower_bound

LARGE = "mesh.tiles_x=16,mesh.tiles_y=16"  # 1,024 cores


@dataclasses.dataclass
class Case:
    """A network on a target. `make` gives a study network, settled; cases of
    the same `file` share it. `generate` has flags of `dendrolith generate`
    instead. `model` writes a network of another form, whose file has `suffix`,
    and what goes in. `why` says why a network of the table is not there."""
    name: str
    target: str
    make: typing.Callable = None
    generate: list = None
    model: typing.Callable = None
    suffix: str = ".npz"
    neurons: int = None  # of a model on a chip that bounds cores by them
    why: str = None
    file: str = None
    quick: bool = False

    def __post_init__(self):
        self.file = self.file or self.name

    @property
    def orders(self):
        return ["given"] if self.model or self.why else ["given", "shuffled"]

    @property
    def mesh(self):
        words = dict(w.split("=") for w in self.target.split(",")[1:])
        return Mesh(int(words.get("mesh.tiles_x", 8)),
                    int(words.get("mesh.tiles_y", 4)),
                    int(words.get("mesh.cores_per_tile", 4)))

    def prepare(self, folder, order, dendrolith):
        """The file of the network in `folder`, made where it is missing."""
        path = folder / (self.file + ("-shuffled" if order == "shuffled"
                                      else "") + self.suffix)
        partner = path.with_suffix(".npy" if self.model else ".json")
        if path.exists() and partner.exists():
            return path
        fresh = folder / f"new-{path.stem}"  # whole files only get the name
        if self.model:
            self.model(fresh)
        elif order == "shuffled":
            given = self.prepare(folder, "given", dendrolith)
            network.write(network.shuffled(network.read(given)), fresh)
        elif self.generate:
            dendrolith("generate", fresh, *self.generate)
        else:
            net = self.make()
            if net.ref_t is None:
                network.settle(net)
            network.write(net, fresh)
        fresh.with_suffix(partner.suffix).rename(partner)
        fresh.with_suffix(self.suffix).rename(path)
        return path


def bound(case, path):
    """The least number of cores, neurons and synapses. Of a model the synapses
    are not known, as lists may be shared, and perhaps not the neurons."""
    if case.model:
        least = case.neurons and lower_bound(case.neurons, 0, case.target)
        return least, case.neurons, None
    meta = json.loads(pathlib.Path(path).with_suffix(".json").read_text())
    neurons, synapses = meta["n_neurons"], meta["n_synapses"]
    return lower_bound(neurons, synapses, case.target), neurons, synapses


def both(case, **more):
    """The case on loihi1 beside the one without limits of its tables."""
    return [case, dataclasses.replace(
        case, name=case.name + "_loihi1", file=case.file,
        target=case.target.replace("loihi1-study", "loihi1"), **more)]


def cases():
    study = "loihi1-study"
    found = [
        Case("random_10k", study, generate=["--neurons", 10000], quick=True),
        Case("random_100k", study,
             generate=["--neurons", 100000, "--steps", 20]),
        Case("local_1k", "loihi1", quick=True, generate=[
            "--neurons", 1152, "--mode", "local", "--cores", 9]),
        Case("local_10k", "loihi1", quick=True, generate=[
            "--neurons", 10240, "--mode", "local", "--cores", 10]),
        Case("local_100k", "loihi1", generate=[
            "--neurons", 99968, "--mode", "local", "--steps", 20]),
        Case("local_131k", "loihi1", generate=[
            "--neurons", 131072, "--mode", "local", "--steps", 20]),
        Case("local_1m", f"loihi1,{LARGE}", generate=[
            "--neurons", 1 << 20, "--mode", "local", "--cores", 1024,
            "--steps", 10]),
    ]
    for n, steps in ((20000, 100), (100000, 20)):
        for share in (0, .1, 1):
            name = f"small_world_{n // 1000}k_{share:g}"
            found += both(Case(
                name, study, quick=n == 20000 and share == .1,
                make=lambda n=n, share=share, steps=steps: graphs.small_world(
                    n, share, steps=steps)), quick=False)
    for percent in (10, 20):
        found.append(Case(
            f"potjans_{percent}", study,
            make=lambda percent=percent: graphs.potjans(percent / 100, .05)))
    for name, n, fanout, steps in (("16k", 1 << 14, 128, 100),
                                   ("64k", 1 << 16, 192, 20),
                                   ("256k", 1 << 18, 256, 10)):
        target = study if n <= 131072 else f"{study},{LARGE}"
        found += both(Case(
            f"reservoir_{name}", target,
            make=lambda n=n, fanout=fanout, steps=steps: reservoir.reservoir(
                n, fanout, steps)))
    found += [layers(name) for name in (*layered.CONVOLUTIONS,
                                        *layered.PERCEPTRONS)]
    found.append(dataclasses.replace(layers("cnn_vggish"),
                                     name="cnn_vggish_large",
                                     target=f"loihi1,{LARGE}"))
    found += [
        Case("shapes_lif", "loihi1", model=models.shapes, suffix=".nir",
             neurons=266, quick=True),
        Case("cnn_sinabs", "loihi1", model=models.sinabs, suffix=".nir",
             neurons=8970, quick=True,
             why=None if models.SINABS.exists() else
             "needs cnn_sinabs.nir of the NIR paper in ../shared/data/nir"),
        Case("dendricl_d50", "loihi2", model=models.dendricl, quick=True),
        Case("mmdend_sparse", "loihi2", model=models.mmdend, quick=True),
        Case("neurons_mixed", "loihi2", model=models.mixed, suffix=".mlir",
             quick=True),
        Case("potjans_100", "loihi1", why=(
            "the weights of 298,880,969 synapses alone need "
            f"{lower_bound(77169, 298_880_969, 'loihi1'):,} cores, the chip "
            "has 128; the file is not made")),
        Case("hysmap_potjans", "loihi1", why=(
            "its networks follow from draws that the C++ standard leaves to "
            "the library, and its hops are those of a multicast on tiles of "
            "one core")),
    ]
    return {case.name: case for case in found}


def layers(name):
    chips = ",board.chips_x=3,board.chips_y=2" if name == "pilotnet" else ""
    return Case(name, "loihi1" + chips, suffix=".nir", quick=name == "cnn_s",
                model=lambda prefix: layered.make(name, prefix),
                neurons=layered.neurons_of(name), file=name)
