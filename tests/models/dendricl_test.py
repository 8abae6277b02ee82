# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/dendricl/reference.py, models/dendricl/task.py,
# models/dendricl/spikformer.py, models/dendricl/active_dendrites.py.
"""The trained networks of models/dendricl, their task and the reference.

    python3 tests/models/dendricl_test.py

Needs neither PyTorch nor a build.
"""
import contextlib
import io
import pathlib
import re
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models" / "dendricl"
sys.path.insert(0, str(MODEL))
import probe  # noqa: E402
import reference  # noqa: E402
import active_dendrites  # noqa: E402
import reference_io  # noqa: E402
import score  # noqa: E402
import spikformer  # noqa: E402
import task  # noqa: E402

NETS = ("d10 d20 d20_sparse small_sparse tiny tiny_memoryless tiny_leaky "
        "lif_d10").split()
OTHERS = "cnn_d10 two_layer_d10 d30 spikformer_d10 active_d10".split()
SOMAS = "virtual memoryless leaky".split()


def examples(net):
    params = reference.load(MODEL / f"{net}.npz")
    return params, params["x_ex"]


def apical_only(d):
    """W_A = I, alpha = 1, gamma = 1/(d + 2): the LMS rule itself, behind a soma
    and a block of one neuron each that nobody looks at."""
    one = lambda *shape: np.ones(shape)
    return {
        "WA": np.eye(d), "alpha": 1.0, "gamma": 1 / (d + 2), "gA": 1.0, "gB": 1.0,
        "WB": one(1, d + 2), "bB": one(1), "WO": one(1, d), "th1": 1.0, "th2": 1.0,
        "F1.weight": one(1, 1), "F1.bias": one(1), "F2.weight": one(1, 1),
        "F2.bias": one(1), "R.weight": one(1, 1), "R.bias": one(1),
        "meta": {"neuron": "dendricl"},
    }


def scalar_run(p, x):
    """Read-outs of a small network, one number at a time."""
    dot = lambda a, b: sum(float(m) * float(n) for m, n in zip(a, b))
    _, passes, decay = reference.soma_of(p)
    d = p["WA"].shape[1]
    u, outs = [0.0] * len(p["WA"]), []
    v1, v2 = [0.0] * len(p["WB"]), [0.0] * len(p["F1.bias"])
    for row in x:
        y = (1 - row[d + 1]) * row[d]
        token = [*row[:d], y, row[d + 1]]
        a = [dot(w, row[:d]) for w in p["WA"]]
        e = (1 - row[d + 1]) * (y - dot(u, a))
        I = [p["gB"] * (dot(wb, token) + b) + p["gA"] * dot(wo, u)
             for wb, b, wo in zip(p["WB"], p["bB"], p["WO"])]
        u = [p["alpha"] * m + p["gamma"] * e * n for m, n in zip(u, a)]
        if p["meta"]["soma"] != "leaky":
            v1, v2 = [0.0] * len(v1), [0.0] * len(v2)
        count = [0] * len(v2)
        for _ in range(passes):
            s1 = []
            for i, current in enumerate(I):
                v1[i] = decay * v1[i] + current
                s1.append(int(v1[i] > p["th1"]))
                v1[i] -= p["th1"] * s1[i]
            for i, (w, b) in enumerate(zip(p["F1.weight"], p["F1.bias"])):
                v2[i] = decay * v2[i] + dot(w, s1) + b
                fired = int(v2[i] > p["th2"])
                v2[i] -= p["th2"] * fired
                count[i] += fired
        mean = [c / passes for c in count]
        o = [dot(w, mean) + b for w, b in zip(p["F2.weight"], p["F2.bias"])]
        outs.append([dot(p["R.weight"][0], o) + p["R.bias"][0]])
    return np.array(outs)


class Reference(unittest.TestCase):
    def test_equations_one_number_at_a_time(self):
        for soma in SOMAS:
            params = reference.random_checkpoint(7, soma=soma)
            x = reference.random_input(8, params)
            x[4, -1] = 1.0  # a query in between must not teach
            self.assertLess(reference_io.largest(
                reference.run(params, x), scalar_run(params, x)), 1e-12, soma)

    def test_threshold_itself_does_not_fire(self):
        v, s = reference.fire(np.array([1.0, 1.0]), np.array([0.25, 0.5]), 1.0, 0.75)
        self.assertEqual((list(v), list(s)), ([1.0, 0.25], [0, 1]))

    def test_exported_form(self):
        for soma in SOMAS:
            params = reference.random_checkpoint(5, soma=soma)
            x, trace, exported = reference.random_input(6, params), {}, {}
            out = reference.run(params, x, trace)
            self.assertLess(reference_io.largest(reference.run_exported(
                reference.effective(params), x, exported), out), 1e-12, soma)
            self.assertTrue((trace["B.s"] == exported["B.s"]).all(), soma)

    def test_samples_side_by_side(self):
        for params in (reference.random_checkpoint(3),
                       reference.random_checkpoint(3, soma="leaky"),
                       reference.load(MODEL / "lif_d10.npz")):
            xs = np.stack([reference.random_input(s, params) for s in range(4)])
            self.assertLess(reference_io.largest(
                reference.run(params, xs),
                np.stack([reference.run(params, x) for x in xs])), 1e-12)

    def test_unknown_soma_is_refused(self):
        params = reference.random_checkpoint(0, soma="graded")
        with self.assertRaisesRegex(ValueError, "'graded', expected one of virtual"):
            reference.run(params, reference.random_input(0, params))
        params = reference.load(MODEL / "lif_d10.npz")
        params["meta"]["soma"] = "memoryless"
        with self.assertRaisesRegex(ValueError, "'memoryless' of a LIF network"):
            reference.run(params, params["x_ex"])

    def test_one_query_per_sample(self):
        x = task.test_set(5)[0][:3]
        for flags in (0.0, 1.0):  # none at all, and one too many
            bad = x.copy()
            bad[1, -1 if flags == 0 else 2, 6] = flags
            with self.assertRaisesRegex(ValueError, "sample 1: expected one token"):
                score.at_query(np.zeros((3, 11, 1)), bad, 5)


class Apical(unittest.TestCase):
    def test_closed_form_of_the_rule(self):
        """Without noise R2 of u . a at the query is 1 - (1 - 1/(d + 2))^k."""
        for d in task.SHIPPED:
            k, params, trace = 2 * d, apical_only(d), {}
            rng = np.random.default_rng([31, d])
            x, y, _ = task.draw(rng, 10000, d, k, noise=0.0)
            reference.run(params, x, trace)
            found = score.r2(trace["A.yhat"][-1], y)
            expected = 1 - (1 - 1 / (d + 2)) ** k
            error = score.r2_error(trace["A.yhat"][-1], y)
            self.assertLess(abs(found - expected), 3 * error, f"d = {d}")
            self.assertLess(error, 0.01)

    def test_ridge_regression_on_tasks_of_other_spreads(self):
        """As least squares with rows that hold w near 0, and nearer than the rule."""
        for spread in (0.25, 1.0, 3.0):
            x, y, w = task.test_set(10, count=200, spread=spread)
            self.assertLess(abs(w.std() / spread - 1), 0.05)
            found, rows = task.ridge(x), np.vstack([x[7, :-1, :10], task.NOISE * np.eye(10)])
            told = np.concatenate([x[7, :-1, 10], np.zeros(10)])
            self.assertLess(np.abs(found[7] - np.linalg.lstsq(rows, told, rcond=None)[0]).max(), 1e-9)
            ridge, rule = (score.r2(np.sum(each * x[:, -1, :10], axis=1), y)
                           for each in (found, task.lms(x, 1 / 12)))
            self.assertGreater(ridge, rule + 0.1)

    def test_label_at_the_query_changes_nothing(self):
        for net in (*NETS, *OTHERS):
            params, x = examples(net)
            d = reference.token_width(params)
            self.assertTrue((x[:, -1, d] == 0).all() and (x[:, -1, d + 1] == 1).all())
            told = x.copy()
            told[:, -1, d] = 7.0
            self.assertTrue(
                (reference.run(params, told) == reference.run(params, x)).all(), net)

    def test_gauge(self):
        """W_A -> c W_A, gamma -> gamma / c^2, W_O -> c W_O: exact for a power of
        two, up to rounding for others."""
        for net in set(NETS) - {"lif_d10"}:
            params, x = examples(net)
            out = reference.run(params, x[:2])
            for c in (4.0, 0.7):
                scaled = dict(params, WA=c * params["WA"], WO=c * params["WO"],
                              gamma=params["gamma"] / c**2)
                gap = reference_io.largest(reference.run(scaled, x[:2]), out)
                self.assertLessEqual(gap, 0 if c == 4.0 else 1e-9, f"{net}, {c}")

    def test_probe_does_not_see_the_gauge(self):
        x, _, w = task.test_set(5, count=200)
        u = task.lms(x, 0.1) @ np.random.default_rng(1).normal(size=(5, 16))
        self.assertAlmostEqual(probe.ridge(u, w), probe.ridge(512 * u, w), 12)
        self.assertGreater(probe.ridge(u, task.lms(x, 0.1)), 0.999)

    def test_stable_step(self):
        """gamma times the mean eigenvalue of W_A^T W_A is near 1/(d + 2)."""
        for net in set(NETS) - {"lif_d10"}:
            p = reference.load(MODEL / f"{net}.npz")
            d = reference.token_width(p)
            step = p["gamma"] * np.sum(p["WA"] ** 2) / d
            self.assertTrue(0.5 < step * (d + 2) < 1.5, net)


class Others(unittest.TestCase):
    def test_running_sum_is_causal_attention(self):
        """Q K^T V below the diagonal, pass by pass, of the trained spikes."""
        params, x = examples("spikformer_d10")
        trace, heads = {}, params["meta"]["heads"]
        reference.run(params, x[:2], trace)
        for l in range(spikformer.blocks(params)):
            q, k, v = (np.moveaxis(trace[f"{n}{l}.s"], 0, -2) for n in "qkv")
            split = lambda s: np.moveaxis(s.reshape(*s.shape[:-1], heads, -1), -2, -3)
            scores = np.tril(split(q) @ np.swapaxes(split(k), -1, -2))
            seen = np.moveaxis(scores @ split(v), -3, -2)
            drive = (params[f"scale{l}"] * seen.reshape(q.shape) + params[f"shift{l}"])
            spikes = spikformer.fire(np.moveaxis(drive, -3, 0), params["meta"]["decay"])
            found = np.moveaxis(trace[f"a{l}.s"], (-2, 0), (0, -2))
            self.assertTrue((np.stack(spikes) == found).all())
            self.assertGreater(found.sum(), 500)

    def test_winners(self):
        drive = np.array([[0.5, 2.0, 2.0, -1.0], [1.0, 1.0, 1.0, 1.0]])
        self.assertEqual(active_dendrites.winners(drive, 2).tolist(),
                         [[0, 1, 1, 0], [1, 1, 0, 0]])

    def test_gate_sees_earlier_tokens_only(self):
        params, x = examples("active_d10")
        trace = {}
        reference.run(params, x[:1], trace)
        self.assertTrue((trace["L1.g"][0] == 0.5).all())
        told = np.einsum("nkc,c->nk", params["D1"], trace["L0.s"][0, 0, 0])
        self.assertLess(reference_io.largest(
            trace["L1.g"][1, 0], 1 / (1 + np.exp(-told.max(axis=1)))), 1e-12)

    def test_units_without_spikes(self):
        """A DendriCNN of one pass or of four is the same network."""
        params, x = examples("cnn_d10")
        out = reference.run(params, x[:2])
        for soma in SOMAS:
            meta = {**params["meta"], "soma": soma, "n_micro": 4}
            self.assertTrue((reference.run({**params, "meta": meta}, x[:2]) == out).all())

    def test_layer_that_says_nothing(self):
        """A second layer that passes spikes on is no layer at all."""
        one = reference.random_checkpoint(4, soma="memoryless")
        two = dict(one)
        for key, value in {"WB": np.eye(8), "bB": np.zeros(8), "gA": np.array(0.0),
                           "gB": np.array(1.0), "th1": np.array(0.5)}.items():
            two[f"L1.{key}"] = value
        for key in ("WA", "WO", "alpha", "gamma"):
            two[f"L1.{key}"] = one[key]
        x = reference.random_input(9, one)
        self.assertLess(reference_io.largest(
            reference.run(two, x), reference.run(one, x)), 1e-12)


class Trained(unittest.TestCase):
    def test_read_outs_of_the_training_framework(self):
        for net in (*NETS, *OTHERS):
            with self.subTest(net), contextlib.redirect_stdout(io.StringIO()):
                report = reference_io.Report()
                reference.selftest(MODEL / f"{net}.npz", report)
                self.assertFalse(report.failed)

    def test_figures_in_the_page(self):
        """The table of networks says what --evaluate prints; over the committed
        tasks, for all 1500 take too long here."""
        rows = dict(re.findall(r"^\| `(\w+)\.npz` \|(.*)\|$",
                               (MODEL / "TRAINING.md").read_text(), re.M))
        self.assertEqual(set(rows), set(NETS))
        for net in NETS:
            d, out = reference.load(MODEL / f"{net}.npz")["meta"]["d"], io.StringIO()
            if d == 20:
                continue
            with contextlib.redirect_stdout(out):
                reference.evaluate(
                    MODEL / f"{net}.npz", MODEL / f"test_d{d}_x.npy",
                    MODEL / f"test_d{d}_y.npy", reference_io.Report())
            self.assertIn(f" {re.search(r'R2 ([-.0-9]+)', out.getvalue())[1]} ",
                          rows[net], net)

    def test_test_sets_follow_from_their_seed(self):
        for d in task.SHIPPED:
            x, y, _ = task.test_set(d, count=task.COMMITTED)
            # Another libm may round a number to the next of the grid.
            for part, array in (("x", x), ("y", y)):
                gap = array - np.load(MODEL / f"test_d{d}_{part}.npy")
                self.assertLess(np.mean(gap != 0), 1e-3)
            self.assertEqual(np.load(MODEL / f"calib_d{d}_x.npy").shape,
                             (task.CALIB, 2 * d + 1, d + 2))


if __name__ == "__main__":
    unittest.main()
