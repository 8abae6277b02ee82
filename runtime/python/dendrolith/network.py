# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trained network, from a file or from memory."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from .arrays import ArrayLike, Inputs, place_inputs, to_numpy, write_archive
from .binary import find_binary
from .compare import tell_drift
from .errors import DendrolithError
from .flags import flags_of, target_text
from .html import table
from .layers import Layer
from .parts import Warned
from .plots import Drawing
from .program import Held, Program
from .report import Report
from .result import Result
from .texts import kind_of, path_of, replacing
from .words import Own
from .worker import POOL

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import CompileOptions, Conventions

#: A Network, or what `load` makes one of.
Source = Any


class Network:
    """A network as it was trained, with the conventions that its file leaves open.

    `conventions` are the options of the importer: dt=1e-3, reset="subtract",
    preset="norse" and so on (compiler/import/nir/README.md).
    """

    def __init__(
        self,
        name: str,
        path: Optional[str] = None,
        content: Optional[bytes] = None,
        weights: Optional[Mapping[str, ArrayLike]] = None,
        conventions: Optional[Mapping[str, Any]] = None,
        own_words: Optional[Own] = None,
    ) -> None:
        self.name = name
        #: What its layers call conventions that messages name.
        self.own_words: Own = dict(own_words or {})
        self.conventions = dict(conventions or {})
        self._path = path
        self._content = content
        self._flags = flags_of(self.conventions)
        # Copies: who reuses a buffer would have another network.
        self._weights = {
            str(key): np.array(to_numpy(value, f"weights '{key}'"))
            for key, value in (weights or {}).items()
        }
        self._loaded: Optional[Held] = None

    def place(self, folder: str) -> str:
        """Return the path of the model's file, written to `folder` if need be."""
        if self._content is None:
            return str(self._path)
        path = os.path.join(folder, self.name)
        try:
            with open(path, "wb") as file:
                file.write(self._content)
        except OSError as error:
            raise DendrolithError(
                f"{path}: cannot write the model: {error.strerror}; set TMPDIR to a "
                "folder with room",
                file=path,
            ) from error
        return path

    def arguments(self, folder: str) -> List[str]:
        """Return the flags of its conventions and arrays."""
        if not self._weights:
            return list(self._flags)
        path = os.path.join(folder, "weights.npz")
        write_archive(self._weights, path)
        return [*self._flags, f"--weights={path}"]

    def write(self, path: Union[str, "os.PathLike[str]"]) -> str:
        """Write the model's file, as the command takes it. Conventions that `load`
        was given are flags of the command: `flags` has them."""
        if self._content is None:
            raise DendrolithError(f"the network is a file already: {self._path}")
        where = path_of(path, "write")
        with replacing(where) as part, open(part, "wb") as file:
            file.write(self._content)
        return os.fspath(path)

    @property
    def flags(self) -> List[str]:
        """The conventions as flags of the command."""
        return list(self._flags)

    def _held(self) -> Held:
        if self._loaded is None:
            self._loaded = Held(self, "load", [], None, False)
        return self._loaded

    @property
    def inputs(self) -> Dict[str, Tuple[int, ...]]:
        """The shape of a step of each input, by name."""
        return {p["name"]: tuple(p["shape"]) for p in self._held().ports["inputs"]}

    @property
    def populations(self) -> Dict[str, int]:
        """Neurons of each population, by the name that traces take."""
        return {p["name"]: p["neurons"] for p in self._held().ports["populations"]}

    @property
    def warnings(self) -> List[Warned]:
        """What the importer warned of."""
        return self._held().warnings

    def check(
        self, target: Any = "ideal", calibrate: Optional[Inputs] = None, **flags: Any
    ) -> Report:
        """Say all that is wrong with it, and whether it fits chips: check()."""
        return check(self, target, calibrate, **flags)

    def compile(self, target: Any = "ideal", **options: Any) -> Program:
        """Compile it for a chip: compile()."""
        return compile(self, target, **options)

    def plot(self) -> Drawing:
        """Draw layers, synapses and delays, and the states of a neuron as a tree."""
        return self._held().draw()

    def text(self) -> str:
        """Return the network in the dialect `dend`, without its arrays."""
        with tempfile.TemporaryDirectory(prefix="dendrolith-") as folder:
            command = [find_binary(), "compile", self.place(folder)]
            command += [*self.arguments(folder), "--emit", "dend"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DendrolithError(done.stderr.strip() or "the command failed")
        return done.stdout

    def run(
        self,
        x: Optional[Inputs] = None,
        labels: Optional[ArrayLike] = None,
        trace: Any = (),
        metric: Optional[str] = None,
        time_first: bool = False,
        out: Optional[str] = None,
        **flags: Any,
    ) -> Result:
        """Run it as it was trained, without a chip (the float engine); the
        arguments are those of Program.run."""
        return Program(self._held(), None).run(
            x, labels, "float", trace, metric, time_first, out, **flags
        )

    def _look_at(
        self, program: Program, calibrate: Optional[Inputs], time_first: bool
    ) -> None:
        """Say what a step of PyTorch loses in the chip's integers."""
        if self.name.endswith(".pt2"):
            tell_drift(self, program, calibrate, time_first)

    def __repr__(self) -> str:
        return f"<dendrolith.Network {self.name}>"

    def _repr_html_(self) -> str:
        rows = [{"population": k, "neurons": n} for k, n in self.populations.items()]
        return table(rows, self.name)


def load(
    source: Source,
    weights: Optional[Mapping[str, ArrayLike]] = None,
    **conventions: Unpack[Conventions],
) -> Any:
    """Return the Network, or for an image (.dlp) the Program, of `source`.

    `source` is the path of a model (.nir, .pt2, a checkpoint .npz, .mlir, .net,
    .lava.pb), an object of the package nir (NIRGraph), a dict of the arrays of a
    checkpoint, a Circuit, or a Network. `weights` are the arrays that an .mlir model leaves
    open, by key. `conventions` say what a NIR file does not: from_="snntorch" (the
    tool that trained it), dt=1e-3, reset="subtract", ..., or "lif2:reset" for one
    node. Nothing is read yet but an image.
    """
    if isinstance(source, Network):
        if not weights and not conventions:
            return source
        return Network(
            source.name,
            source._path,
            source._content,
            weights or source._weights,
            {**source.conventions, **conventions},
            source.own_words,
        )
    if isinstance(source, (str, os.PathLike)):
        path = path_of(source, "load")
        if not os.path.isfile(path) and not os.path.isfile(os.path.join(path, "csram_000.mem")):
            raise DendrolithError(f"{path}: no such file", file=path)
        network = Network(os.path.basename(path), path, None, weights, conventions)
        if path.endswith(".dlp"):
            return Program(Held(network, "compile", [], None, False), None)
        return network
    if isinstance(source, Mapping):
        buffer = io.BytesIO()
        arrays = {str(k): _plain(v, str(k)) for k, v in source.items()}
        write_archive(arrays, buffer)
        return Network("arrays.npz", None, buffer.getvalue(), weights, conventions)
    if callable(getattr(source, "network", None)):  # a Circuit
        return load(source.network(), weights, **conventions)
    if hasattr(source, "nodes") and hasattr(source, "edges"):
        from .nir_file import graph_bytes  # which makes Networks itself

        return Network("graph.nir", None, graph_bytes(source), weights, conventions)
    if isinstance(source, Layer):
        raise DendrolithError("cannot load a layer; from_layers([...]) makes a network of them")
    if hasattr(source, "state_dict"):
        raise DendrolithError(
            f"cannot load {kind_of(source)}; from_torch takes a module of PyTorch, and "
            "from_layers the arrays of its layers"
        )
    raise DendrolithError(
        f"cannot load {kind_of(source)}, expected a path, a NIRGraph, a dict "
        "of the arrays of a checkpoint, a Circuit, or what from_layers returns"
    )


def _plain(value: Any, key: str) -> np.ndarray:
    """An array of a checkpoint, which may be a text, too."""
    if isinstance(value, (str, bytes)):
        return np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "USc":
        return value
    return to_numpy(value, f"array '{key}'")


def compile(
    model: Source,
    target: Any = "ideal",
    calibrate: Optional[Inputs] = None,
    time_first: bool = False,
    **flags: Unpack[CompileOptions],
) -> Program:
    """Quantise a network and map it onto a chip.

    `target` is the name of a chip ("loihi1", "loihi2", ...), the path of its
    file, or either with numbers changed: "loihi1,formats.weight_bits=4".
    `calibrate` are samples that set the ranges of numbers, as Program.run takes
    them; some dozens are enough, and they should not be those that are tested.
    `flags` are those of `dendrolith compile` (options.CompileOptions has them):
    map_for="energy", weight_bits=4, weight_bits={"fc1": 8, "fc2": 4}, cores=":16",
    rewrite=["dead-units"], tuning={"map_seed": 3}.
    Raises Unfit where the chip has too little room, Unsupported where it has no
    engine for a neuron, else DendrolithError.
    """
    network = load(model)
    if isinstance(network, Program):
        raise DendrolithError(f"{network.network.name}: is compiled already; run it")
    name = target_text(target)
    arguments = [f"--target={name}", *flags_of(flags)]
    program = Program(Held(network, "compile", arguments, calibrate, time_first), name)
    network._look_at(program, calibrate, time_first)
    return program


def check(
    model: Source,
    target: Any = "ideal",
    calibrate: Optional[Inputs] = None,
    time_first: bool = False,
    **flags: Unpack[CompileOptions],
) -> Report:
    """Say all that is wrong with a network, and whether it fits chips.

    `target` is one chip or a list of them. `calibrate` are samples as compile()
    takes them; neurons that run as programs (on loihi2 all but the plainest) are
    not judged without. `flags` are those of `dendrolith check`. A network that does
    not fit is a Report, not an exception.
    """
    network = load(model)
    if isinstance(network, Program):
        raise DendrolithError(f"{network.network.name}: is compiled already; run it")
    targets = list(target) if isinstance(target, (list, tuple)) else [target]
    with POOL.worker() as worker:
        folder = worker.folder_for_request()
        try:
            arguments = [network.place(folder), *network.arguments(folder)]
            for one in targets:
                arguments += ["--target", target_text(one)]
            arguments += flags_of(flags)
            if calibrate is not None:
                ports = Held(network, "load", [], None, False).ports["inputs"]
                placed, _ = place_inputs(
                    calibrate, ports, folder, "--calibrate", time_first, None
                )
                arguments += [text for one in placed for text in one.arguments()]
            own = network.own_words
            return Report(worker.ask({"do": "check", "args": arguments}, own), own)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
