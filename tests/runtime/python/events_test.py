# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/events.py, nir_data.py.
"""Events become frames without one that is lost in silence: the first one begins step 0
unless told otherwise, and what has no place is refused with its count."""
import pathlib
import sys
import tempfile

from support import check, dl, finish, np, refused

events = np.array([(10, 1, 0, 1), (10, 1, 0, 1), (35, 2, 3, 0), (99, 0, 1, 1)],
                  dtype=[("t", int), ("x", int), ("y", int), ("p", int)])
frames = dl.events_to_frames(events, (2, 4, 3), steps=10, dt=10, origin=0)
check(frames.shape == (10, 2, 4, 3) and frames.dtype == np.uint8, f"{frames.shape}")
check([tuple(at) for at in np.argwhere(frames)] == [(1, 1, 0, 1), (3, 0, 3, 2), (9, 1, 1, 0)],
      "events land where they are")
check(dl.events_to_frames(events, (2, 4, 3), 10, 10, False, 0)[1, 1, 0, 1] == 2, "counts")
table = np.stack([events[key] for key in "txyp"], axis=1)
check(np.array_equal(dl.events_to_frames(table, (2, 4, 3), 10, 10, origin=0), frames), "rows")
spikes = dl.events_to_frames({"times": [0.0, 0.5, 1.0], "units": [5, 6, 7]}, (700,), steps=100)
check([tuple(at) for at in np.argwhere(spikes)] == [(0, 5), (50, 6), (99, 7)], "SHD's fields")
signed = events.copy()
signed["p"] = signed["p"] * 2 - 1
check(np.array_equal(dl.events_to_frames(signed, (2, 4, 3), 10, 10, origin=0), frames), "-1 and 1")
refused("outside", lambda: dl.events_to_frames(events, (2, 4, 2), 10, 10), "'x' goes from 0 to 2")
refused("no y", lambda: dl.events_to_frames({"t": [1], "x": [1]}, (2, 4, 3), 10), "field 'p'")


def frame(t, x, shape=(700,), steps=10, **more):
    fields = {"t": t, "x": x, **{key: more.pop(key) for key in "yp" if key in more}}
    return dl.events_to_frames(fields, shape, steps, **more)


# Where time begins.
random = np.random.default_rng(1)
since = np.sort(random.integers(0, 300_000, 2000))
late = since + 1_600_000_000_000_000
x = random.integers(0, 700, 2000)
counts = frame(late, x, steps=300, dt=1000, binary=False)
check(counts.sum() == 2000, f"{counts.sum()} of 2,000 events of a clock that counts from 1970")
check(np.array_equal(counts, frame(since, x, steps=300, dt=1000, binary=False)), "the first begins")
spread = frame(late, x, steps=300, binary=False)
check(spread.sum() == 2000 and spread.any(axis=1).sum() > 290, "without dt they spread over all steps")
check(frame([5, 6], [0, 0], dt=1, origin=3)[:, 0].tolist() == [0, 0, 1, 1] + [0] * 6, "an origin")
for kind in (np.int8, np.uint8, np.int64, np.uint64, np.float32):
    check(np.argwhere(frame(np.array([3, 100], kind), [0, 1], steps=98, dt=1)).tolist() ==
          [[0, 0], [97, 1]], f"times of {kind.__name__}")
for kind, begin in ((np.float32, 0), (np.float64, 0), (np.float64, 1.6e9)):
    grid = frame((np.arange(1000) * 1e-3 + begin).astype(kind), [0] * 1000, steps=1000, dt=1e-3, binary=False)
    check((grid[:, 0] == 1).all(), f"times of {kind.__name__} after {begin:g} lie in steps of their own")
refused("late ones", lambda: frame(late, x, steps=200, dt=1000), "of 2000 lie behind the last step")
refused("all late", lambda: frame(late, x, dt=1000, origin=0), "2000 of 2000")
refused("early ones", lambda: frame(late, x, dt=1000, origin=int(late[5])), "5 of 2000 lie before origin")
refused("a far one", lambda: frame([1, 1e19], [1, 2], dt=1), "1 of 2")

# Counts, polarities, sensors of one axis.
check(frame([0] * 400, [0] * 400, binary=False)[0, 0] == 400, "more than 255 of them")
check(frame([0] * 255, [0] * 255, binary=False).dtype == np.uint8, "as narrow as they fit")
check(frame([0] * 70000, [0] * 70000, binary=False)[0, 0] == 70000, "more than 65,535")
check(frame([1], [2], shape=(1, 700), p=[1])[0, 0, 2] == 1, "a single polarity of 1")
check(frame([1], [2], shape=(1, 1, 700))[0, 0, 0, 2] == 1, "no polarity, no row")
check(frame([1], [2], shape=700).shape == (10, 700), "a shape of one number")
refused("two polarities in one", lambda: frame([1, 2], [2, 2], (1, 700), p=[0, 1]), "'p' goes from 0 to 1")
refused("three", lambda: frame([1, 2, 3], [2] * 3, (2, 700), p=[-1, 0, 1]), "-1, 0, 1")
refused("a shape turned round", lambda: frame([1], [2], (700, 1, 1), p=[1], y=[0]), "(p, y, x)")

# What is no event.
refused("fractions", lambda: frame([1, 2], [1.7, 2]), "1 of 2 values of 'x' have a fraction")
refused("NaN", lambda: frame([1, np.nan], [1, 2]), "events: 't'", "[1]")
masked = np.ma.array([1, 2, 3], mask=[0, 1, 1])
refused("masked", lambda: frame(masked, [1, 2, 3]), "2 of 3 values are masked")
refused("lengths", lambda: frame([1, 2], [1, 2, 3]), "2 of 't', 3 of 'x'")
refused("texts", lambda: frame(["a"], [1]), "events: 't'", "<U1")
group = np.empty(2, object)
group[:] = [np.arange(3), np.arange(2)]
refused("all samples of SHD", lambda: dl.events_to_frames({"times": group, "units": group}, (700,), 10),
        "holds 2 arrays", "[i]")
for steps in (2.5, 0, -1, "a", None, 10**12):
    refused(f"steps {steps}", lambda steps=steps: frame([1], [1], steps=steps), "events")
for shape in ((-1,), None, (), (2, 2, 2, 2), (2.5,), "a"):
    refused(f"shape {shape}", lambda shape=shape: frame([1], [1], shape=shape), "events")
for dt in (0, -1, "a", np.nan):
    refused(f"dt {dt}", lambda dt=dt: frame([1], [1], dt=dt), "events")
for odd in (None, 5, [[1, 2], [3]], {}, np.ma.array([[1, 2]], mask=[[0, 1]])):
    refused(f"{odd}", lambda odd=odd: dl.events_to_frames(odd, (700,), 10), "events")

# NIRData, recordings beside a NIR graph: written and read, on a grid and as events.
try:
    import h5py
except ImportError:
    print("skipped: h5py is not installed, NIRData is not tried")
    finish()
    sys.exit(0)
folder = pathlib.Path(tempfile.mkdtemp())
seen, v = frames.reshape(1, 10, -1).astype(float), np.linspace(-1, 1, 60).reshape(1, 10, 6)
dl.write_nir_data(folder / "all.nird", {"input": seen, "lif1": {"s": seen, "v": v}}, dt=1e-3)
again = dl.read_nir_data(folder / "all.nird")
check(np.array_equal(again["input"], seen) and np.array_equal(again["lif1"]["v"], v), "NIRData")
with h5py.File(folder / "events.nird", "w") as file:
    file.attrs["__type__"] = "NIRGraphData"
    group = file.create_group("nodes/input/observables/spikes")
    group["idx"], group["time"] = [[2, 0, -1]], [[0.0031, 0.001, np.inf]]
    group.attrs["n_neurons"], group.attrs["t_max"] = 3, 0.005
wanted = np.zeros((1, 5, 3))
wanted[0, 3, 2] = wanted[0, 1, 0] = 1
check(np.array_equal(dl.read_nir_data(folder / "events.nird", 1e-3)["input"], wanted), "its events")
refused("events without dt", lambda: dl.read_nir_data(folder / "events.nird"), "give dt")
(folder / "text.nird").write_text("no HDF5")
refused("no NIRData", lambda: dl.read_nir_data(folder / "text.nird"), "no NIRData file")
refused("a flat array", lambda: dl.write_nir_data(folder / "x", {"input": [1, 2]}, 1e-3), "(steps, neurons)")
finish()
