# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network compiled for a chip, which runs."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
import weakref
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .arrays import ArrayLike, Inputs, is_path, place_inputs, to_labels, write
from .binary import ran
from .errors import DendrolithError
from .flags import flags_of
from .given import Given, Placed, digest_of
from .html import table
from .parts import Warned, warning_of
from .plots import Drawing
from .result import Result
from .texts import path_of, replacing, trace_flags, written
from .worker import MOST_HELD, POOL, Worker

if TYPE_CHECKING:
    import numpy as np

    from typing_extensions import Unpack

    from .network import Network
    from .options import RunOptions


class Held:
    """Something that a worker holds under a name, and makes again from what it
    was made of where another worker, or one after a crash, is asked."""

    def __init__(
        self,
        network: "Network",
        what: str,
        arguments: Sequence[str],
        calibrate: Optional[Inputs],
        time_first: bool,
    ) -> None:
        self.key = uuid.uuid4().hex
        self.network = network
        self.facts: Dict[str, Any] = {}
        self.warnings: List[Warned] = []
        self.ports: Dict[str, Any] = {}
        self.steps: Optional[int] = None  # of the samples for calibration
        self.identity: Dict[str, Any] = {}  # digests of what it was first
        self._what = what
        self._arguments = list(arguments)
        self._calibrate = None
        if calibrate is not None:
            self._calibrate = Given(
                lambda folder: self._place_samples(calibrate, folder, time_first)
            )
        with self.worker():
            pass  # what is wrong is said now, not when it is run

    @contextmanager
    def worker(self) -> Iterator[Worker]:
        """Lend a worker that holds this."""
        with POOL.worker(self.key) as worker:
            if self.key in worker.held:
                worker.held[self.key] = worker.held.pop(self.key)  # used last
            else:
                self._make(worker)
            yield worker

    def _make(self, worker: Worker) -> None:
        folder = worker.folder_for_request()
        try:
            path = self.network.place(folder)
            arguments = [path, *self.network.arguments(folder), *self._arguments]
            if self._calibrate is not None:
                if not self.ports:
                    self.ports = self._ports(worker, arguments)
                arguments += self._calibrate.arguments(folder)
            answer = worker.ask(
                {"do": self._what, "name": self.key, "args": arguments},
                self.network.own_words,
            )
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        identity = answer.pop("identity")
        if self.identity and identity != self.identity:
            worker.ask({"do": "drop", "name": self.key})
            raise DendrolithError(self._changed(identity))
        self.identity = identity
        self.warnings = [
            warning_of(row, self.network.own_words) for row in answer.pop("warnings")
        ]
        self.facts, self.ports = answer.pop("facts") or {}, answer
        worker.held[self.key] = self.key
        while len(worker.held) > MOST_HELD:
            oldest = next(iter(worker.held))
            worker.ask({"do": "drop", "name": worker.held.pop(oldest)})

    def _changed(self, identity: Dict[str, Any]) -> str:
        """Say what was changed, that this was made of."""
        name = self.network.name
        if identity["model"] != self.identity["model"] or name.endswith(".dlp"):
            what = "the file was changed"
        elif identity["costs"] != self.identity["costs"]:
            what = "a cost table of its chip was changed"
        else:
            what = "the chip's file, or another that its options name, was changed"
        return (
            f"{name}: {what} after it was compiled, so it is another program now; "
            "compile it again"
        )

    def _ports(self, worker: Worker, arguments: Sequence[str]) -> Dict[str, Any]:
        """Ask for the inputs of the network, which samples have to fit."""
        name = self.key + ".ports"
        answer = worker.ask({"do": "load", "name": name, "args": list(arguments)})
        worker.ask({"do": "drop", "name": name})
        return answer

    def _place_samples(
        self, samples: Inputs, folder: str, time_first: bool
    ) -> List[Placed]:
        """Write the samples for calibration, and see how many steps they have."""
        ports = self.ports["inputs"]
        placed, arrays = place_inputs(
            samples, ports, folder, "--calibrate", time_first, None
        )
        for name, array in arrays.items():
            shape = next(p["shape"] for p in ports if p["name"] == name)
            behind = 0 if array.ndim <= 2 and not shape else len(shape)
            if array.ndim - behind == 2:
                self.steps = int(array.shape[1])
        return placed

    def classes(self) -> Optional[int]:
        """Elements of the first output, where the network says."""
        outputs = self.ports.get("outputs") or []
        return int(outputs[0]["size"]) if outputs else None

    def given(
        self,
        x: Optional[Inputs],
        labels: Optional[ArrayLike],
        time_first: bool,
        metric: Optional[str],
    ) -> Given:
        """Inputs and labels of a run, checked where they are placed."""

        def write_all(folder: str) -> List[Placed]:
            placed, arrays = place_inputs(
                x, self.ports["inputs"], folder, "--input", time_first, self.steps
            )
            if labels is not None:
                placed.append(self._place_labels(labels, folder, arrays, metric))
            return placed

        return Given(write_all)

    def run(self, given: Given, arguments: Sequence[str], out: Optional[str]) -> Result:
        with self.worker() as worker, worker.room_of_run() as folder:
            where = out or os.path.join(folder, "out")
            args = [*given.arguments(folder), *arguments, f"--out={where}"]
            worker.ask(
                {"do": "run", "name": self.key, "args": args}, self.network.own_words
            )
            return Result(where)

    def capsule(
        self,
        result: Result,
        given: Given,
        arguments: Sequence[str],
        as_image: bool,
        path: str,
    ) -> None:
        """Run the command on the same, with which a capsule is made, and pack it."""
        with tempfile.TemporaryDirectory(prefix="dendrolith-") as folder:
            rooms = [os.path.join(folder, name) for name in ("made", "given", "out")]
            for room in rooms[:2]:
                os.mkdir(room)
            if as_image:
                made = [os.path.join(rooms[0], "program.dlp")]
                with self.worker() as worker:
                    worker.ask({"do": "save", "name": self.key, "file": made[0]})
            else:
                made = [self.network.place(rooms[0]), *self.network.arguments(rooms[0])]
                made += self._arguments
                if self._calibrate is not None:
                    made += self._calibrate.arguments(rooms[0])
            made += [*given.arguments(rooms[1]), *arguments, f"--out={rooms[2]}"]
            try:
                ran("run", *made, "--report=none")
            except DendrolithError as error:
                now = digest_of(made[0])  # none of a file that is gone
                if now in ("", self.identity["model"]) or made[0].endswith(".dlp"):
                    raise
                other = {**self.identity, "model": now}
                raise DendrolithError(self._changed(other)) from error
            _expect_same(result, Result(rooms[2]), "capsule")
            ran("capsule", rooms[2], "--out", path)

    def draw(self) -> Drawing:
        with self.worker() as worker:
            return Drawing(worker.ask({"do": "draw", "name": self.key}))

    def _place_labels(
        self,
        labels: ArrayLike,
        folder: str,
        arrays: Dict[str, "np.ndarray"],
        metric: Optional[str],
    ) -> Placed:
        if is_path(labels):
            path = path_of(labels, "labels")
            return Placed("--labels", "", path, False, "labels")
        samples, steps = self._extent(arrays)
        checked = to_labels(labels, samples, steps, self.classes(), metric)
        file = write(checked, os.path.join(folder, "y.npy"))
        return Placed("--labels", "", file, True, "labels")

    def _extent(
        self, arrays: Dict[str, "np.ndarray"]
    ) -> Tuple[Optional[int], Optional[int]]:
        for port in self.ports["inputs"]:
            array = arrays.get(port["name"])
            if array is None:
                continue
            tokens = port["tokens"] and array.ndim <= 2
            if array.ndim == (0 if tokens else len(port["shape"])) + 2:
                return int(array.shape[0]), int(array.shape[1])
            return 1, int(array.shape[0])
        return None, None


def _expect_same(result: Result, again: Result, what_for: str = "report") -> None:
    """Raise DendrolithError unless a run once more gave the same answers at the same
    prices."""
    for key, what in (
        ("program_sha256", "the program"),
        ("costs", "the cost tables"),
        ("hashes", "what it gave"),
    ):
        if result.data[key] != again.data[key]:
            raise DendrolithError(
                f"the {what_for} would be about another run: {what} changed after "
                "this one, as a file that its options name did; run again"
            )


class Program:
    """A network on a chip, from `dendrolith.compile` or from an image (.dlp)."""

    def __init__(self, held: Held, target: Optional[str]) -> None:
        self._held = held
        self._target = target
        self._drift: Optional[float] = None

    @property
    def target(self) -> Optional[str]:
        """The chip as it was asked for; None for an image."""
        return self._target

    @property
    def network(self) -> "Network":
        """The network that was compiled."""
        return self._held.network

    @property
    def warnings(self) -> List[Warned]:
        """What the importer and the compiler warned of."""
        return self._held.warnings

    @property
    def drift(self) -> Optional[float]:
        """How far a step of PyTorch is off on some calibration samples: the share of spikes
        that are others than the float network's, else the rms difference in parts of the spread."""
        return self._drift

    @property
    def facts(self) -> Dict[str, Any]:
        """Mapping, fit, quantisation and schedule as result.json has them."""
        return self._held.facts

    @property
    def fit(self) -> List[Dict[str, Any]]:
        """By resource: used on the worst core, and the limit of a core."""
        return list(self.facts.get("fit") or [])

    @property
    def inputs(self) -> Dict[str, Tuple[int, ...]]:
        """The shape of a step of each input, by name."""
        return {p["name"]: tuple(p["shape"]) for p in self._held.ports["inputs"]}

    def run(
        self,
        x: Optional[Inputs] = None,
        labels: Optional[ArrayLike] = None,
        engine: str = "functional",
        trace: Sequence[str] = (),
        metric: Optional[str] = None,
        time_first: bool = False,
        out: Optional[str] = None,
        **flags: Unpack[RunOptions],
    ) -> Result:
        """Run the program and return its Result.

        `x` is (samples, steps, *shape) or (steps, *shape): an array, a tensor
        (`time_first` for (steps, samples, *shape)), the path of a .npy file, or a
        dict of them by input. `labels` is one class from 0 on for each sample.
        `engine` is "functional" (integers, counts, energy), "cycle" (times, too),
        "float" (the network as it was trained) or "reference". `trace` names what
        to record: "lif1" its spikes, "lif1:v" a state. `out` is a folder that
        keeps the result. `flags` are those of
        `dendrolith run`: timing="silicon-fit-2025", verify=True.
        """
        held = self._held
        populations = (row["name"] for row in held.ports["populations"])
        # Times and prices are of a chip, which other engines have not.
        common = trace_flags(trace, populations)
        if metric:
            common.append(f"--metric={metric}")
        arguments = [f"--engine={engine}", *flags_of(flags), *common]
        given = held.given(x, labels, time_first, metric)
        folder = None if out is None else path_of(out, "out")
        result = held.run(given, arguments, folder)

        def again(other: str) -> Result:
            return held.run(given, [f"--engine={other}", *common], None)

        def page(path: str) -> None:
            with replacing(path) as part:
                again = held.run(given, [*arguments, f"--html={part}"], None)
                _expect_same(result, again)

        def capsule(path: str) -> None:
            # The command maps for the times and prices of its run, and a program that
            # was compiled before has its mapping.
            as_image = self._target is not None and not {"timing", "costs"}.isdisjoint(flags)
            held.capsule(result, given, arguments, as_image, path)

        result._again, result._page, result._capsule = again, page, capsule
        return result

    def stepper(self) -> "Stepper":
        """Run one sample in pieces, each of which may depend on the outputs before."""
        return Stepper(self._held)

    def plot(self) -> Drawing:
        """Draw the network and the cores of its layers; result.plot.network() draws
        rates, messages and energy, too."""
        return self._held.draw()

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Write the program image (.dlp), which `load` and the command take."""
        with self._held.worker() as worker:
            file = written(path, "save")
            worker.ask({"do": "save", "name": self._held.key, "file": file})

    def __repr__(self) -> str:
        cores = (self.facts.get("mapping") or {}).get("cores")
        on = f" for {self._target}" if self._target else ""
        return f"<dendrolith.Program {self.network.name}{on}, {cores} core(s)>"

    def _repr_html_(self) -> str:
        return table(self.fit, repr(self)[1:-1])


class Stepper:
    """One sample in pieces (functional engine), from `Program.stepper`, for a `with`."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._anew, self._closed, self._saturated = True, False, 0
        self._lent = ExitStack()
        self._worker = self._lent.enter_context(held.worker())
        weakref.finalize(self, self._lent.close)

    def step(
        self, x: Optional[Inputs] = None
    ) -> "np.ndarray | Dict[str, np.ndarray]":
        """Return the outputs of the next steps: (steps, *shape) as `x`, or dicts of
        such arrays. State stays."""
        if self._closed or not self._worker.is_alive:
            raise DendrolithError(
                "this stepper is closed, or its process ended, and the state is gone; "
                "make another one by program.stepper()"
            )
        held = self._held
        with self._worker.room_of_run() as folder:
            args = held.given(x, None, False, None).arguments(folder)
            told = self._worker.ask(
                {"do": "step", "name": held.key, "args": args, "anew": self._anew},
                held.network.own_words,
            )
        self._anew, self._saturated = False, int(told["saturated"])
        outputs = {name: _stepped(row) for name, row in told["outputs"].items()}
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    @property
    def saturated(self) -> int:
        """Input values of this sample beyond the calibrated range."""
        return self._saturated

    def reset(self) -> None:
        """Begin another sample with the next step."""
        self._anew = True

    def close(self) -> None:
        """Let other runs have the process."""
        self._closed = True
        self._lent.close()

    def __enter__(self) -> "Stepper":
        return self

    def __reduce__(self) -> Any:
        raise DendrolithError(
            "a stepper's state is in its process, which cannot be copied or pickled; "
            "make another one by program.stepper()"
        )

    def __exit__(self, *_: object) -> None:
        self.close()


def _stepped(row: Dict[str, Any]) -> "np.ndarray":
    import numpy as np

    values = np.array(row["values"], np.int32 if row["integer"] else np.float64)
    return values.reshape(row["shape"])
