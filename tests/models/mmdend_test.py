# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/mmdend/reference.py, models/mmdend/cable.py,
# models/mmdend/baselines.py, models/real.py.
"""The trained networks of models/mmdend and the reference that runs them.

    python3 tests/models/mmdend_test.py

Needs neither PyTorch nor a build.
"""
import cmath
import contextlib
import importlib.util
import io
import math
import pathlib
import re
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models" / "mmdend"
sys.path[:0] = [str(MODEL), str(MODEL.parent)]
import baselines  # noqa: E402
import cable  # noqa: E402
import real  # noqa: E402
import reference  # noqa: E402
import reference_io  # noqa: E402
import task  # noqa: E402

MMDEND = "sparse dense single ternary j2 j6".split()
NETS = [*MMDEND, "lif", *baselines.BASELINES]


def diagonalised(params):
    """A cable checkpoint with every branch in its eigenbasis instead."""
    params = dict(params)
    for l in range(reference.layers(params)):
        tau, f, p, gamma = (params.pop(f"{key}{l}")
                            for key in ("tau", "tau_f", "tau_p", "gamma"))
        lam, P = np.linalg.eig(np.stack(
            [cable.matrix(*branch) for branch in zip(tau, f, p)]))
        B = np.linalg.solve(P, gamma[..., None])[..., 0]
        params[f"lam_re{l}"], params[f"lam_im{l}"] = lam.real, lam.imag
        for key, value in (("B", B), ("C", P[:, -1])):
            params[f"{key}{l}"] = np.stack([value.real, value.imag], -1)
    return params


def scalar_run(p, x):
    """Logits per step of a small network, one number at a time."""
    act = {"relu": lambda d: max(d, 0.0), "tanh": math.tanh,
           "leaky_relu": lambda d: d if d > 0 else d / 100}[p["meta"]["f"]]
    U, Vth = p["meta"]["U"], p["meta"]["Vth"]
    V, Vs, logits = {}, {}, []
    for h in x:
        for l in (0, 1):
            get = lambda key: p[f"{key}{l}"]
            spikes = []
            for n, (row, bias) in enumerate(zip(get("W"), get("b"))):
                I = sum(w * v for w, v in zip(row, h)) + bias
                drive = get("gs") * I
                for j, dt in enumerate(get("dt")):
                    if not 0 <= n - j * get("S") < get("Dp"):
                        continue
                    d = get("go")[j] * I
                    for k in range(p["meta"]["K"]):
                        lam = complex(get("lam_re")[j, k], get("lam_im")[j, k])
                        A, at = cmath.exp(lam * dt), (l, n, j, k)
                        G = (A - 1) / lam * complex(*get("B")[j, k])
                        V[at] = A * V.get(at, 0) + G * I
                        d += (complex(*get("C")[j, k]) * V[at]).real
                    drive += act(d) / get("tauj")[j]
                beta = math.exp(-1 / get("taus"))
                Vs[l, n] = (beta * Vs.get((l, n), 0)
                            + get("taus") * (1 - beta) * drive)
                z = (Vs[l, n] - get("phi_p")) / get("phi_s")
                spikes.append(math.floor(min(max(z, -U), U) / Vth))
            h = spikes
        logits.append(p["Wout"] @ h + p["bout"])
    return np.array(logits)


class Reference(unittest.TestCase):
    def test_equations_one_number_at_a_time(self):
        for f, U, Vth in (("relu", 4, 1), ("tanh", 2, 0.5), ("leaky_relu", 1, 1)):
            params = reference.random_checkpoint(7)
            params["meta"].update(f=f, U=U, Vth=Vth)
            x = reference.random_input(8, params, 6)
            self.assertLess(reference_io.largest(
                reference.run(params, x), scalar_run(params, x)), 1e-12)

    def test_samples_side_by_side(self):
        params = reference.random_checkpoint(3)
        xs = np.stack([reference.random_input(s, params) for s in range(4)])
        self.assertLess(reference_io.largest(
            reference.run(params, xs),
            np.stack([reference.run(params, x) for x in xs])), 1e-12)

    def test_cable_equals_its_eigenbasis(self):
        for seed, small in ((0, True), (1, False)):
            params = reference.random_checkpoint(seed, small, cable=True)
            x, dense, modes = reference.random_input(seed, params, 30), {}, {}
            reference.run(params, x, dense)
            reference.run(diagonalised(params), x, modes)
            for l in (0, 1):
                self.assertLess(reference_io.largest(
                    dense[f"L{l}.Vs"], modes[f"L{l}.Vs"]), 1e-10)
                self.assertTrue((dense[f"L{l}.s"] == modes[f"L{l}.s"]).all())

    def test_couplings_run_in_the_stated_direction(self):
        """Three compartments, input only at the first, coupling only towards
        the soma: after one short step the k-th holds about dt^k / k!."""
        far = 1e12  # as good as no coupling and no leak
        M = cable.matrix(np.full(3, far), np.ones(2), np.full(2, far))
        _, G = cable.zero_order_hold(M, np.array([1.0, 0, 0]), 0.1)
        np.testing.assert_allclose(G, [0.1, 0.1**2 / 2, 0.1**3 / 6], rtol=1e-9)

    def test_unknown_activation_is_refused(self):
        params = reference.random_checkpoint(0)
        params["meta"]["f"] = "swish"
        with self.assertRaisesRegex(ValueError, "'swish', expected one of relu"):
            reference.run(params, reference.random_input(0, params))


class Downloaded(unittest.TestCase):
    def test_bytes_of_images(self):
        head = b"\0\0\x08\3" + np.array([2, 1, 3], ">i4").tobytes()
        np.testing.assert_array_equal(real.idx(head + bytes(range(6))), [[[0, 1, 2]], [[3, 4, 5]]])
        with self.assertRaisesRegex(SystemExit, "not an IDX file"):
            real.idx(head + bytes(5))

    def test_series_end_together(self):
        x, y = real.series("#\n@data\n1.001,2:-0.5,0:3\n0.25:4:1\n")
        self.assertEqual((x.shape, y.tolist()), ((2, real.FRAMES, 2), [2, 0]))
        np.testing.assert_array_equal(x[0, -2:], [[1, -0.5], [2, 0]])
        np.testing.assert_array_equal(x[1, -1], [0.25, 4])
        self.assertFalse(x[0, :-2].any() or x[1, :-1].any())


class Baselines(unittest.TestCase):
    def layer(self, neuron, seed=1, D=5, steps=12, **sizes):
        """Constants and currents of a random layer, and the spikes of the first
        channel."""
        rng = np.random.default_rng(seed)
        p = baselines.random_layer(rng, neuron, D, **sizes)
        I = rng.normal(0.5, 1.5, (steps, D))
        return p, I[:, 0], baselines.BASELINES[neuron][0](p, I)[:, 0]

    def test_pmsn_one_step_at_a_time(self):
        """The closed form of the reset: what is left after whole thresholds."""
        p, I, spikes = self.layer("pmsn", steps=200)
        V, v, out = [0j] * len(p["lam_re"][0]), 0.0, []
        for current in I:
            drive = p["go"][0] * current
            for k, (re, im) in enumerate(zip(p["lam_re"][0], p["lam_im"][0])):
                A = cmath.exp(complex(re, im) * p["dt"][0])
                G = (A - 1) / complex(re, im) * complex(*p["B"][0, k])
                V[k] = A * V[k] + G * current
                drive += (complex(*p["C"][0, k]) * V[k]).real
            v += min(max(drive / p["theta"][0], 0.0), baselines.MOST_DRIVE)
            out.append(int(v >= 1))
            v -= math.floor(v)
        self.assertEqual(out, spikes.tolist())
        self.assertTrue(20 < sum(out) < 180)

    def test_parallel_neurons_are_one_another(self):
        """Rows that are all one row, shifted, slide; a masked one is full."""
        p, I, spikes = self.layer("sliding_psn", order=4)
        rows = sum(np.diag(np.full(12 - age, w), -age) for age, w in enumerate(p["w"]))
        wide = {"w": rows, "theta": np.full(12, p["theta"])}
        for neuron in (baselines.masked_psn, baselines.psn):
            np.testing.assert_array_equal(neuron(wide, I[:, None])[:, 0], spikes)

    def test_masked_keeps_its_last_row(self):
        p, I, spikes = self.layer("masked_psn", steps=20, order=3)
        for t in range(8, 20):
            H = sum(p["w"][7, 7 - age] * I[t - age] for age in range(3))
            self.assertEqual(spikes[t], H >= p["theta"][7])

    def test_glif_between_its_gates(self):
        """With every gate at 1 it leaks by a factor and resets to 0, as LIF does;
        with every gate at 0 it leaks and resets by subtraction."""
        _, I, _ = self.layer("glif", steps=60)
        keep = leak = reset = conduct = 0.25
        for gate in (0.0, 1.0):
            p = dict(alpha=gate, beta=gate, gamma=gate, keep=keep, leak=leak, reset=reset,
                     conduct=conduct, theta=0.5)
            u, s, out = 0.0, 0, []
            for current in I:
                if gate:
                    u = keep * u * (1 - s) + conduct * current
                else:
                    u = u - leak + current - reset * s
                s = int(u > 0.5)
                out.append(s)
            self.assertEqual(out, baselines.glif(p, I[:, None])[:, 0].tolist())

    def test_what_needs_the_future_needs_all_steps(self):
        p, I, _ = self.layer("psn", steps=8)
        with self.assertRaisesRegex(ValueError, "8 steps, expected samples as long, found 5"):
            baselines.psn(p, I[:5, None])


class Trained(unittest.TestCase):
    def test_logits_of_the_training_framework(self):
        for net in NETS:
            with self.subTest(net), contextlib.redirect_stdout(io.StringIO()):
                report = reference_io.Report()
                reference.selftest(MODEL / f"{net}.npz", report)
                self.assertFalse(report.failed)

    def test_safe_to_round(self):
        for net in MMDEND:
            eff = reference.effective(reference.load(MODEL / f"{net}.npz"))
            for l in (0, 1):
                A = np.hypot(eff[f"A{l}_re"], eff[f"A{l}_im"])
                self.assertLess(A.max(), 1 - 2.0**-8, net)
                self.assertGreater(eff[f"phi_s{l}"], 0, net)

    def test_figures_in_the_page(self):
        """The table of networks says what --evaluate prints."""
        rows = dict(re.findall(r"^\| `(\w+)\.npz` \|(.*)\|$",
                               (MODEL / "TRAINING.md").read_text(), re.M))
        self.assertEqual(set(rows), set(NETS))
        for net in NETS:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                reference.evaluate(MODEL / f"{net}.npz", MODEL / "test_x.npy",
                                   MODEL / "test_y.npy", reference_io.Report())
            for figure in re.findall(r"(?:accuracy|\|S\||non-zero) ([\d.]+)",
                                     out.getvalue()):
                self.assertIn(f" {figure} ", rows[net], net)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_recipes_of_ablations_and_exported_steps(self):
        import torch
        sys.path.insert(0, str(MODEL))  # the task of lif lies beside another one
        import train
        x, _ = task.test_set()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            out = pathlib.Path(folder)
            for name, shape in (("k1", (1, 56, 24)), ("share100", (8, 128, 0)), ("unshifted", (8, 56, 24))):
                train.build(name, 2, out)
                found = reference.load(out / f"{name}.npz")
                self.assertEqual((found["lam_re0"].shape[1], found["Dp0"], found["S0"]), shape, name)
                self.assertEqual(name == "unshifted", found["phi_p0"] == 0 and found["phi_s0"] == 1, name)
                logits = reference.run(found, found["x_ex"]).mean(-2)
                np.testing.assert_allclose(logits, found["logits_ex"], atol=1e-3)
            for name in baselines.STEPPED:
                net = train.build(name, 2, out).double()
                with torch.no_grad():
                    logits, spikes = net(torch.from_numpy(x[:20]).double())
                found, counted = baselines.run_stepped(name, baselines.load_step(out / f"{name}.pt2"), x[:20])
                np.testing.assert_allclose(found.mean(1), logits, atol=1e-4, err_msg=name)
                self.assertEqual(counted[0].sum(), float(spikes[0].sum()), name)
                self.assertGreater(counted[0].sum(), 0, name)

    def test_test_set_follows_from_its_seed(self):
        x, y = task.test_set()
        self.assertTrue((y == np.load(MODEL / "test_y.npy")).all())
        # Another libm may round a grey level the other way.
        gap = x.astype(int) - np.load(MODEL / "test_x.npy")
        self.assertLess(np.mean(gap != 0), 1e-4)


if __name__ == "__main__":
    unittest.main()
