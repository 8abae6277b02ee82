# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/elm/reference.py, models/elm/task.py, models/elm/torch_net.py,
# models/elm/tradeoff.py, models/elm/figure.py.
"""The trained family of models/elm, its task, recipe and tables.

    python3 tests/models/elm_test.py

Needs no build; what needs PyTorch is skipped without it.
"""
import pathlib
import sys
import tempfile
import unittest
import xml.dom.minidom

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models" / "elm"
sys.path[:0] = [str(MODEL), str(MODEL.parent)]
import reference  # noqa: E402
import task  # noqa: E402
import tradeoff  # noqa: E402

try:
    import torch
    import torch_net
except ImportError:
    torch = None
FAMILY = sorted((MODEL / "family").glob("*.npz"))


class Task(unittest.TestCase):
    def test_committed_samples_follow_from_the_seed(self):
        x, y = task.test_set()
        np.testing.assert_array_equal(x, np.load(MODEL / "test_x.npy"))
        np.testing.assert_array_equal(y, np.load(MODEL / "test_y.npy"))
        np.testing.assert_array_equal(task.calibration(), np.load(MODEL / "calib_x.npy"))
        self.assertEqual((x.shape, x.max()), ((task.TEST, task.STEPS, task.CHANNELS), 1))

    def test_sums_are_of_the_digits(self):
        pool = task.Pool(5, 40)
        x, sums, said = pool.pairs(30)
        np.testing.assert_array_equal(sums, said.sum(1))
        for half, digit in zip((x[:, :task.DIGIT_STEPS], x[:, task.DIGIT_STEPS:]), said.T):
            for spikes, label in zip(half, digit):
                found = [n for n, s in enumerate(pool.spikes) if np.array_equal(s, spikes)]
                self.assertIn(label, pool.labels[found])


class Family(unittest.TestCase):
    def test_members_keep_their_budget_and_their_scores(self):
        self.assertGreaterEqual(len(FAMILY), 18)
        for path in FAMILY:
            params = reference.load(path)
            meta, k_c = params["meta"], params["rec_ws"].shape[1]
            if "budget" in meta and meta["budget"]:
                each = tradeoff.complexity(params) + k_c
                spent = len(params["rec_b"]) * each
                self.assertTrue(meta["budget"] - each < spent <= meta["budget"], path.stem)
            # Stored in float32; where q is next to 0 a binary output may differ.
            gap = np.abs(reference.scores_of(params, params["x_ex"]) - params["logits_ex"]).max(1)
            close = 2e-3 * np.abs(params["logits_ex"]).max()
            far = int((gap > close).sum())
            self.assertLessEqual(far, 1 if meta["out"] == "binary" else 0, path.stem)

    def test_splits_of_a_budget(self):
        splits = {}
        for path in FAMILY:
            _, *rest = path.stem.split("_")
            budget = path.stem.split("_")[0]
            if budget.startswith("p"):
                splits.setdefault((budget, *rest[1:]), set()).add(rest[0])
        for key in (("p2000", "s0"), ("p4000", "s0"), ("p8000", "s0")):
            self.assertGreaterEqual(len(splits[key]), 6, key)


class Reference(unittest.TestCase):
    def test_exported_networks_are_the_same(self):
        for out in ("relu", "binary"):
            params = reference.random_checkpoint(3, out=out)
            x, trace = reference.random_input(4, params, 20), {}
            expected = reference.run(params, x, trace)
            found = reference.run_exported(reference.effective(params), x)
            np.testing.assert_allclose(found, expected, atol=1e-12)
            values = set(np.unique(trace["rec.a"]))
            self.assertEqual(values <= {0.0, 1.0}, out == "binary")

    def test_an_unknown_output_is_refused(self):
        params = reference.random_checkpoint(3)
        params["meta"]["out"] = "tanh"
        with self.assertRaisesRegex(ValueError, "output 'tanh'"):
            reference.run(params, reference.random_input(0, params))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Recipe(unittest.TestCase):
    def test_derivatives_by_hand(self):
        torch.manual_seed(0)
        N, dm, hidden, T, B = 3, 2, 4, 5, 2
        shapes = ((T, B, N * hidden), (N, N * hidden), (N, dm, hidden), (N, hidden, dm),
                  (N, dm), (N, dm), (N,))
        given = [(0.5 * torch.randn(s)).double().requires_grad_() for s in shapes]
        km = torch.tensor([0.3, 0.9]).double()
        self.assertTrue(torch.autograd.gradcheck(
            lambda *v: torch_net.Recurrent.apply(*v, km, 1 - km ** 5, 0.8, False), given))
        drive, blocks = ((0.5 * torch.randn(s)).double().requires_grad_()
                         for s in ((T, B, N * dm), (N, dm, dm)))
        decay = km.repeat(N)
        self.assertTrue(torch.autograd.gradcheck(
            lambda *v: torch_net.Memory.apply(*v, decay, 1 - decay ** 5), (drive, blocks)))

    def test_what_is_trained_is_what_is_written(self):
        for binary in (False, True):
            net = torch_net.Net(1, 6, 9, 2, 3, 2, 4, 0.4, 50.0, 5, binary).double()
            params = {k: np.asarray(v) for k, v in net.arrays().items()}
            params["meta"] = {"Din": 6, "out": "binary" if binary else "relu"}
            x = (np.random.default_rng(0).random((4, 12, 6)) < 0.3).astype(float)
            scores, _, _ = net(torch.from_numpy(x))
            np.testing.assert_allclose(reference.scores_of(params, x), scores.detach().numpy(),
                                       atol=1e-5)


class Tradeoff(unittest.TestCase):
    ROWS = [{"network": f"n{k}", "budget": 100, "out": out, "batches": 300, "N": 100 // k, "k_e": k,
             "float": 0.5, "chip": chip, "interval": [chip - 0.1, chip + 0.1], "spikes": 1,
             "messages": 2, "synops": 3, "events": [1 / k, 9 / k], "static": [0.1, 0.2],
             "both": [1 / k + 0.1, 9 / k + 0.2], "per_right": [1 / chip / k, 9 / chip / k],
             "latency": 1.0, "cores": 1}
            for out in ("relu", "binary") for k, chip in ((5, 0.4), (10, 0.6), (20, 0.3))]

    def test_optima_of_a_curve(self):
        (_, curve), _ = tradeoff.curves(self.ROWS)
        best = {what: point["k_e"] for what, point in tradeoff.optima(curve).items()}
        self.assertEqual(best["score"], 10)
        self.assertEqual(best["uJ, low"], 20)
        again = [dict(row, chip=row["chip"] + 0.1) for row in self.ROWS]
        _, (_, curve) = tradeoff.curves(self.ROWS + again)
        self.assertEqual([point["seeds"] for point in curve], [2, 2, 2])
        self.assertAlmostEqual(curve[1]["chip"], 0.65)
        self.assertAlmostEqual(curve[1]["sd"], 0.1 / 2 ** 0.5)

    def test_the_figure_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figure.svg"
            tradeoff.draw(self.ROWS, path)
            page = xml.dom.minidom.parse(str(path))
            first = path.read_bytes()
            tradeoff.draw(self.ROWS, path)
            self.assertEqual(first, path.read_bytes())
        marks = [t.firstChild.data for t in page.getElementsByTagName("text")]
        self.assertEqual((marks.count("*"), marks.count("v")), (2, 4))


if __name__ == "__main__":
    unittest.main()
