# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/arrays.py, events.py, given.py, program.py and worker.py.
"""Arrays of any type, order and shape, events of any kind, and calls in any order, all by
Hypothesis, beside plain models of what has to hold. DENDROLITH_EXAMPLES multiplies how
many are tried. Hypothesis comes from the environment, or is installed below the build."""
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

VERSION = "6.148.2"
# What it learns of the sources stays nowhere.
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(tempfile.gettempdir(), f"hypothesis-{os.getpid()}")


def from_environment():
    """Runs this test in an environment below the build, or says that there is none."""
    folder = pathlib.Path(sys.argv[1]).resolve().parent.parent / "hypothesis-venv"
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder],
                           check=True, capture_output=True, timeout=120)
        subprocess.run([python, "-m", "pip", "install", "-q", f"hypothesis=={VERSION}"],
                       check=True, capture_output=True, timeout=120)
    except (OSError, subprocess.SubprocessError):
        print(f"skipped: hypothesis {VERSION} is not there and cannot be installed")
        sys.exit(77)
    os.environ["DENDROLITH_HYPOTHESIS"] = "installed"
    os.execv(python, [str(python), *sys.argv])


try:
    import hypothesis
except ImportError:
    if os.environ.get("DENDROLITH_HYPOTHESIS"):
        print("skipped: hypothesis was installed and cannot be imported")
        sys.exit(77)
    from_environment()

from hypothesis import HealthCheck, given, settings, strategies as st  # noqa: E402
from hypothesis.extra import numpy as hnp  # noqa: E402
from hypothesis.stateful import (RuleBasedStateMachine, initialize, precondition, rule,  # noqa: E402
                                 run_state_machine_as_test)

from support import FOLDER, check, dl, finish, lif, need, np  # noqa: E402

h5py = need("h5py")

TIMES = float(os.environ.get("DENDROLITH_EXAMPLES", "1"))


def examples(number):
    return settings(max_examples=max(1, int(number * TIMES)), deadline=None, database=None,
                    derandomize=TIMES == 1, suppress_health_check=list(HealthCheck))


path, x, _ = lif()
x = x[:6]
net = dl.load(path)
programs = {"loihi1": net.compile("loihi1", calibrate=x), "loihi2": net.compile("loihi2", calibrate=x)}
usual = {name: program.run(x).outputs for name, program in programs.items()}

# Arrays: what is taken gives what the same numbers give as plain bytes, all else is refused.
TYPES = st.one_of(hnp.boolean_dtypes(), hnp.integer_dtypes(endianness="?"), hnp.unsigned_integer_dtypes(endianness="?"),
                  hnp.floating_dtypes(endianness="?"), st.just(np.dtype(object)), st.just(np.dtype("c16")),
                  st.just(np.dtype("U1")), st.just(np.dtype("M8[s]")))
LAYOUTS = {"C": np.ascontiguousarray, "F": np.asfortranarray,
           "reversed": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
           "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
           "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape) if a.dtype != object else a,
           "list": lambda a: a.tolist(), "masked": np.ma.array}


@examples(60)
@given(TYPES, st.sampled_from(sorted(LAYOUTS)), st.integers(1, 6), st.integers(1, 32), st.booleans())
def arrays(kind, layout, samples, steps, single):
    plain = x[:samples, :steps]
    plain = plain[0] if single else plain
    value = LAYOUTS[layout](plain.astype(kind))
    wanted = programs["loihi1"].run(np.array(plain)).outputs
    try:
        found = programs["loihi1"].run(value).outputs
    except dl.DendrolithError as error:
        assert kind.kind not in "biuf" or layout == "list" and kind.kind not in "biuf", f"{kind} {layout}: {error}"
        return
    assert kind.kind in "biuf" or layout == "list" and kind == object, f"{kind} {layout} was taken"
    assert np.array_equal(found, wanted), f"{kind} {layout}"


@examples(60)
@given(hnp.arrays(st.sampled_from([np.int8, np.float64, np.uint16, object]),
                  hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=5)))
def shapes(value):
    try:
        result = programs["loihi1"].run(value)
    except dl.DendrolithError:
        return
    assert value.ndim in (2, 3) and value.shape[-1] == 32, f"{value.shape} was taken"
    assert result.outputs.shape[:-1] == value.shape[:-1]


# Layers: what is taken makes the network of the same numbers in plain bytes, whatever
# becomes of the buffer afterwards.
PLAIN = np.random.default_rng(5).integers(0, 2, (4, 3))


def layered(weight, threshold, back):
    return [dl.Linear(weight), dl.Recurrent(dl.LIF(2.0, v_threshold=threshold), back), dl.Linear(weight.T)
            if isinstance(weight, np.ndarray) else dl.Linear(PLAIN.T), dl.LI(2.0)]


def outputs(made):
    return dl.from_layers(made, time_unit="steps").run(np.ones((1, 5, 3))).outputs


@examples(60)
@given(TYPES, st.sampled_from(sorted(LAYOUTS)), st.sampled_from(["weight", "threshold", "back"]), st.booleans())
def layers(kind, layout, which, masked):
    usual_ones = {"weight": PLAIN, "threshold": np.ones(4), "back": np.eye(4)}
    value = LAYOUTS[layout](np.array(usual_ones[which]).astype(kind))
    masked &= layout == "masked"
    if masked:
        value[0] = np.ma.masked
    try:
        made = layered(**{**usual_ones, which: value})
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = value.flat[0] if kind.kind in "biuf" and not masked else value
            value.flat[0] = 0
        found = outputs(made)
    except dl.DendrolithError as error:
        assert masked or kind.kind not in "biuf", f"{kind} {layout} {which}: {error}"
        return
    assert not masked and (kind.kind in "biuf" or layout == "list" and kind == object), f"{kind} {layout} was taken"
    assert np.array_equal(found, outputs(layered(**usual_ones))), f"{kind} {layout} {which}"


# Events: frames hold every event, where a plain loop puts it, or there is an error.
NUMBERS = st.one_of(st.integers(-3, 40), st.floats(-3, 40, width=32), st.floats(allow_nan=True))


@examples(200)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8), st.integers(1, 5), st.one_of(st.none(), st.integers(1, 20)),
       st.one_of(st.none(), st.integers(-5, 5)), st.booleans())
def events(rows, steps, dt, origin, binary):
    t, places = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows], float)
    try:
        frames = dl.events_to_frames({"t": t, "x": places}, (8,), steps, dt, binary, origin)
    except dl.DendrolithError:
        return
    expected = np.zeros((steps, 8), int)
    begin = origin if origin is not None else min(t, default=0)
    width = dt if dt is not None else max(max(t - begin, default=1), 1e-300) / steps
    for time, place in zip(t, places):
        assert place == int(place)
        step = (time - begin) / width
        step = int(round(step) if abs(step - round(step)) < 1e-14 * (1 + abs(time)) else step) if dt else min(
            int(step), steps - 1)
        expected[step, int(place)] += 1
    assert np.array_equal(frames, expected > 0 if binary else expected)


class Calls(RuleBasedStateMachine):
    """Programs, results, steppers, capsules and one buffer, in any order. The model of a result is what its
    program gives for the bytes that the buffer had."""

    def __init__(self):
        super().__init__()
        self.buffer, self.programs, self.results, self.steppers = x.copy(), {}, [], []
        self.packed = False  # a capsule runs its network twice, so there is one

    def teardown(self):
        for _, stepper, _ in self.steppers:
            stepper.close()

    @initialize()
    def begin(self):
        self.programs["loihi1"] = programs["loihi1"]

    @rule(name=st.sampled_from(sorted(programs)), first=st.integers(0, 5))
    def compile(self, name, first):
        samples = x.copy()
        self.programs[name] = dl.load(path).compile(name, calibrate=samples)
        samples[first] ^= 1  # later, which is of no concern

    @rule(seed=st.integers(0, 9))
    def change(self, seed):
        self.buffer[:] = np.random.default_rng(seed).permutation(x)

    @rule(data=st.data(), engine=st.sampled_from(["functional", "cycle", "float", "reference"]))
    def run(self, data, engine):
        name = data.draw(st.sampled_from(sorted(self.programs)))
        result = self.programs[name].run(self.buffer, engine=engine)
        fresh = programs[name].run(np.array(self.buffer), engine=engine)
        assert np.array_equal(result.outputs, fresh.outputs)
        self.results.append((name, result, np.array(self.buffer)))

    @precondition(lambda self: self.results)
    @rule(data=st.data(), engine=st.sampled_from(["float", "reference"]))
    def compare(self, data, engine):
        name, result, given_then = data.draw(st.sampled_from(self.results))
        other = result.compare(engine).other
        assert np.array_equal(other.outputs, programs[name].run(given_then, engine=engine).outputs)

    @precondition(lambda self: self.results)
    @rule(data=st.data())
    def report(self, data):
        _, result, _ = data.draw(st.sampled_from(self.results))
        result.report(FOLDER / "R.html")
        assert (FOLDER / "R.html").stat().st_size > 1000

    @rule(data=st.data())
    def save(self, data):
        name = data.draw(st.sampled_from(sorted(self.programs)))
        self.programs[name].save(FOLDER / f"{name}.dlp")
        assert np.array_equal(dl.load(FOLDER / f"{name}.dlp").run(x).outputs, usual[name])

    # A stepper has seen the rows since it began, and gives what a run of these gives.
    @precondition(lambda self: len(self.steppers) < 4)
    @rule(data=st.data())
    def begin_steps(self, data):
        name = data.draw(st.sampled_from(sorted(self.programs)))
        self.steppers.append((name, self.programs[name].stepper(), []))

    @precondition(lambda self: self.steppers)
    @rule(data=st.data(), pieces=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 24), st.integers(1, 8),
                                                    st.booleans()), min_size=2, max_size=4))
    def step(self, data, pieces):
        name, stepper, seen = data.draw(st.sampled_from(self.steppers))
        for sample, first, steps, anew in pieces:
            if anew:
                stepper.reset()
                seen.clear()
            piece = self.buffer[sample, first:first + steps]
            found = stepper.step(piece)
            seen.extend(piece.copy())
            assert np.array_equal(found, programs[name].run(np.array(seen)).outputs[-steps:]), "a piece"

    @precondition(lambda self: self.steppers)
    @rule(data=st.data())
    def refuse_step(self, data):
        _, stepper, _ = data.draw(st.sampled_from(self.steppers))
        try:
            stepper.step(self.buffer)
        except dl.DendrolithError:
            return
        assert False, "six samples were taken for steps of one"

    @precondition(lambda self: self.steppers)
    @rule(data=st.data())
    def end_steps(self, data):
        _, stepper, _ = self.steppers.pop(data.draw(st.integers(0, len(self.steppers) - 1)))
        stepper.close()

    @precondition(lambda self: self.results and not self.packed)
    @rule(data=st.data())
    def capsule(self, data):
        self.packed = True
        _, result, _ = data.draw(st.sampled_from(self.results))
        try:
            result.capsule(FOLDER / "c.zip")
        except dl.DendrolithError:
            assert False, "a result was not equal when it was run again"
        with zipfile.ZipFile(FOLDER / "c.zip") as members:
            kept = np.load(io.BytesIO(members.read("outputs.npy")))
        assert np.array_equal(kept, result.outputs), "a capsule of another result"

    @rule()
    def close(self):
        dl.close()


def doubled(source, target):
    """The network with another first weight matrix, under the same names."""
    shutil.copyfile(source, target)
    with h5py.File(target, "r+") as file:
        nodes = file["node/nodes"]
        weight = next(nodes[name]["weight"] for name in nodes if "weight" in nodes[name])
        weight[...] = weight[...][..., ::-1]


class Files(RuleBasedStateMachine):
    """A model's file and an image that change under what was loaded from them, workers
    that end, and folders of results that are written again. The model of a program is
    the version that its file had when it was made: it gives that version's outputs, or
    it refuses."""
    versions, usual = [], []

    @initialize()
    def begin(self):
        self.file, self.image, self.out = (FOLDER / name for name in ("m.nir", "m.dlp", "out"))
        self.made, self.results = [], []
        self.now = self.imaged = None
        self.change(0)

    @rule(version=st.integers(0, 1))
    def change(self, version):
        shutil.copyfile(self.versions[version], self.file)
        self.now = version
        self.network = dl.load(self.file)

    @rule()
    def load(self):
        self.network = dl.load(self.file)

    @rule()
    def compile(self):
        try:
            self.made.append((self.now, self.network.compile("loihi1", calibrate=x)))
        except dl.DendrolithError:
            assert False, "a network whose file did not change since was refused"

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def save(self, data):
        version, program = data.draw(st.sampled_from(self.made))
        try:
            program.save(self.image)
            self.imaged = version
        except dl.DendrolithError:
            assert version != self.now or self.image.exists()

    @precondition(lambda self: self.imaged is not None)
    @rule()
    def load_image(self):
        self.made.append((self.imaged, dl.load(self.image)))

    @precondition(lambda self: self.made)
    @rule(data=st.data(), kept=st.booleans())
    def run(self, data, kept):
        version, program = data.draw(st.sampled_from(self.made))
        try:
            result = program.run(x, out=self.out if kept else None)
        except dl.DendrolithError:
            assert version != self.now or self.imaged is not None, "nothing had changed"
            return
        assert np.array_equal(result.outputs, self.usual[version]), "another version's outputs"
        self.results.append((version, result))
        if kept:
            self.results.append((version, dl.Result.load(self.out)))

    @rule()
    def look(self):
        for version, result in self.results:
            assert np.array_equal(result.outputs, self.usual[version]), "a result that changed"

    @rule()
    def close(self):
        dl.close()


def files():
    other = FOLDER / "other.nir"
    doubled(path, other)
    Files.versions = [path, other]
    Files.usual = [usual["loihi1"], dl.load(other).compile("loihi1", calibrate=x).run(x).outputs]
    assert not np.array_equal(*Files.usual), "two versions that cannot be told apart"
    run_state_machine_as_test(Files, settings=settings(examples(30), stateful_step_count=30))


for test in (arrays, shapes, layers, events, files):
    try:
        test()
    except Exception as error:  # noqa: BLE001
        check(False, f"{test.__name__}: {type(error).__name__}: {error}")
try:
    run_state_machine_as_test(Calls, settings=settings(examples(12), stateful_step_count=15))
except Exception as error:  # noqa: BLE001
    check(False, f"calls: {type(error).__name__}: {error} {getattr(error, '__notes__', '')}")
print(f"hypothesis {hypothesis.__version__}")
shutil.rmtree(os.environ["HYPOTHESIS_STORAGE_DIRECTORY"], ignore_errors=True)
finish()
