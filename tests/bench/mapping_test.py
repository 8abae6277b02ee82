# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests tests/bench/mapping.py, tests/bench/mapping_nets.
"""Generators against their rules said plainly, the evaluator against the
engine's counters and figures by hand."""
import argparse
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import column_chips  # noqa: E402
from mapping_nets import (baselines, catalogue, command, evaluate, graphs,
                          image, layered, measure, models, network, report,
                          reservoir)  # noqa: E402

FOLDER = pathlib.Path(tempfile.mkdtemp())
DENDROLITH = None  # command.Dendrolith


def by_hand():
    """in -> 0; 0 -> 1, 2; 1 -> 2; 2 -> 0."""
    return graphs.from_pairs(1, 3, np.array([0, 1, 1, 1, 2, 3]),
                             np.array([0, 1, 2, 2, 2, 0]), seed=1, steps=20)


class Generators(unittest.TestCase):
    def test_pairs_are_merged_and_signed(self):
        net = by_hand()
        self.assertEqual(list(net.row_ptr), [0, 1, 3, 4, 5])
        self.assertEqual(list(net.col), [0, 1, 2, 2, 0])
        self.assertTrue(48 <= net.weight[0] <= 96)

    def test_ring(self):
        net = graphs.small_world(200, 0, 6)
        rows = np.split(net.col, net.row_ptr[1:-1])[net.inputs:]
        for i, row in enumerate(rows):
            offset = sorted((row - i + 100) % 200 - 100)
            self.assertEqual(offset, [-3, -2, -1, 1, 2, 3])

    def test_potjans_has_its_share_of_synapses(self):
        net = graphs.potjans(.02, .02)
        expected = 298_880_969 * .02 * .02
        self.assertLess(abs(len(net.col) / expected - 1), .1)
        self.assertTrue((net.weight < 0).any())

    def test_reservoir_as_the_rule_says(self):
        n, fanout = 600, 12
        made = reservoir.rows(n, fanout)
        next(made)
        rng = np.random.default_rng(192)
        points = rng.random((n, 3))
        direction = rng.choice([-1, 1], n, p=[.1, .9])
        rng.normal(np.log(1), np.sqrt(np.log(1 + 1.58 ** 2)), n)
        for i, row in enumerate(made):
            k = rng.poisson(fanout)
            far = int(round(.01 * k))
            distance = np.sqrt(((points - points[i]) ** 2).sum(1))
            behind = (points[:, 2] - points[i, 2]) * direction < 0
            distance[behind] = np.inf
            weight = np.exp(-.5 * (distance / .01) ** 2)
            weight[i] = 0
            count = min(k - far, np.count_nonzero(weight))
            local = rng.choice(n, count, False, weight / weight.sum()) if (
                count) else np.zeros(0, int)
            wide = rng.choice(n, far, False)
            self.assertEqual(sorted(row), sorted([*local, *wide[wide != i]]), i)

    def test_layers_have_the_known_sizes(self):
        self.assertEqual([layered.neurons_of(name) for name in (
            "cnn_s", "cnn_m", "cnn_l", "cnn_vggish", "pilotnet", "mlp_dense")],
            [3338, 26698, 53386, 110858, 107033, 2058])

    def test_a_core_of_the_whole_column(self):
        # A synapse has 8 + 6 bits, of which 3 fill a word beside its 10 bits.
        self.assertEqual([column_chips.list_words(k, 20) for k in (1, 3, 4, 64, 65)],
                         [1, 1, 2, 15, 16])
        # One target alone needs no index.
        self.assertEqual(column_chips.list_words(1, 1), 1)
        rng = np.random.default_rng(1)
        axons = words = 0
        for p, size in zip(graphs.POTJANS_P[6], graphs.POTJANS_SIZE):
            lists = rng.binomial(8, p, size)
            axons += np.count_nonzero(lists)
            words += sum(column_chips.list_words(int(k), 8) for k in lists[lists > 0])
        found = column_chips.needs(6, 8)
        self.assertAlmostEqual(found[0] / axons, 1, delta=.02)
        self.assertAlmostEqual(found[1] / words, 1, delta=.02)

    def test_potjans_as_a_whole_is_beyond_the_chip(self):
        # 298,880,969 x 8 bits / (16,384 words x 64 bits)
        self.assertIn(" 2,281 cores", catalogue.cases()["potjans_100"].why)

    def test_mixed_neurons_all_spike(self):
        models.mixed(FOLDER / "mixed")
        DENDROLITH("run", FOLDER / "mixed.mlir", "--target", "loihi2", "--input",
                FOLDER / "mixed.npy", "--calibrate", FOLDER / "mixed.npy",
                "--engine", "cycle", "--verify", "--out", FOLDER / "mixed")
        result = json.loads((FOLDER / "mixed/result.json").read_text())
        self.assertEqual(set(result["spike_values"]), set(models.RULES))
        for name, values in result["spike_values"].items():
            self.assertGreater(values["1"], 0, name)

    def test_chains_lead_to_the_next_layer(self):
        net, layer = graphs.chain(1, 3, (10, 20), 4)
        source = net.source_of_synapse() - net.inputs
        inner = source >= 0
        self.assertTrue((layer[net.col[inner]]
                         == layer[source[inner]] + 1).all())


class Spikes(unittest.TestCase):
    def test_shuffling_changes_numbers_alone(self):
        net = network.settle(graphs.small_world(300, .3, 20, steps=30))
        other = network.shuffled(net)
        when, who = network.simulate(other)
        self.assertTrue(len(when) > 100)
        self.assertTrue(np.array_equal(when, other.ref_t))
        self.assertTrue(np.array_equal(who, other.ref_id))
        self.assertFalse(np.array_equal(net.ref_id, other.ref_id))

    def test_apart_keeps_rates_and_no_more(self):
        net = network.settle(graphs.small_world(300, .3, 20, steps=30))
        other = network.apart(net)
        self.assertTrue(np.array_equal(other.measured_rate(),
                                       net.measured_rate()))
        self.assertFalse(np.array_equal(other.ref_t, net.ref_t))
        pairs = set(zip(other.ref_t.tolist(), other.ref_id.tolist()))
        self.assertEqual(len(pairs), len(net.ref_t))
        self.assertTrue(1 <= other.ref_t.min() <= other.ref_t.max() <= 30)

    def test_engine_and_evaluator_agree(self):
        """On any placement: spikes, every counter, and where neurons lie."""
        for seed, order in ((1, "given"), (2, "shuffled")):
            net = network.settle(graphs.uniform(400, 12, seed, steps=30))
            if order == "shuffled":
                net = network.shuffled(net)
            net.core = np.random.default_rng(seed).integers(
                0, 40, net.neurons).astype(np.int32)
            network.write(net, FOLDER / "any", 128)
            DENDROLITH("compile", FOLDER / "any.npz", "--target", "loihi1",
                    "-o", FOLDER / "any.dlp")
            DENDROLITH("run", FOLDER / "any.dlp", "--input", FOLDER / "any.npz",
                    "--engine", "cycle", "--costs", "davies2018", "--out",
                    FOLDER / "out")
            result, tables = (
                json.loads((FOLDER / "out" / name).read_text())
                for name in ("result.json", "tables.json"))
            core = image.cores_of_neurons(FOLDER / "any.dlp")["lif"]
            self.assertTrue(np.array_equal(core, net.core))
            case = catalogue.Case("any", "loihi1")
            row = measure.counted(result, tables)
            measure.compare(case, net, core, row)
            self.assertEqual(row["evaluator"], "agrees")
            self.assertEqual(result["raster"]["spikes"], len(net.ref_t))
            used = {r["resource"]: r["used"] for r in result["fit"]}
            self.assertEqual(row["in_axons"], used["in-axons"])
            self.assertEqual(row["out_axons"], used["out-axons"])

    def test_evaluator_by_hand(self):
        net = by_hand()
        found = evaluate.evaluate(net, np.array([0, 9, 4]),
                                  evaluate.Mesh(2, 2, 4))
        # 0 -> cores 9 and 4, 1 -> 4, 2 -> 0, the host -> 0: tiles 0, 2, 1.
        self.assertEqual(found["km1"], 4)
        self.assertEqual(found["messages"], 5)
        self.assertEqual((found["hops_ew"], found["hops_ns"]), (3, 2))
        self.assertEqual(found["busiest_link"], 1)


class Methods(unittest.TestCase):
    def test_metis_and_annealing_stay_within_capacity(self):
        if not baselines.metis():
            self.skipTest("libmetis is not installed")
        net = network.shuffled(network.settle(
            graphs.small_world(480, .05, 20, steps=20)))
        mesh = evaluate.Mesh(4, 2, 1)
        core = baselines.place("metis", net, 6, mesh, 80, 3000)
        self.assertEqual(sorted(np.bincount(core)[np.unique(core)]), [80] * 6)
        chunks = np.arange(480) // 80
        self.assertLess(evaluate.evaluate(net, core, mesh)["hops"],
                        .7 * evaluate.evaluate(net, chunks, mesh)["hops"])

    def test_annealing_finds_the_line(self):
        flow = np.diag(np.ones(5), 1) * 10
        mesh = evaluate.Mesh(6, 1, 1)
        core = baselines.anneal(flow, np.eye(6)[0], mesh, 4000)
        self.assertEqual(list(core), [0, 1, 2, 3, 4, 5])


class Table(unittest.TestCase):
    def test_solvers(self):
        found = command.Solver.parse("iterative-split@64")
        self.assertEqual((found.name, found.cores), ("iterative-split", 64))

        goal = command.Solver.parse("energy@64/2.5")
        self.assertEqual(goal.flags(), ["--map-for", "energy", "--cores", "64:64",
                                        "--tuning", "{map-time: 2.5}"])
        self.assertEqual(command.Solver.parse("default@8").flags(),
                         ["--tuning", "{solver: default}", "--cores", "8:8"])

    def test_a_line_of_each_kind(self):
        graph = catalogue.Case("small", "loihi1-study", make=lambda: (
            graphs.small_world(200, .1, 10, steps=10)))
        for solver in ("balanced", "apart", "chunks@4", "in-order@4",
                       "metis@4"):
            row = measure.measure(graph, "shuffled",
                                  command.Solver.parse(solver), FOLDER, DENDROLITH)
            row["solver"] = solver
            self.assertEqual(len(report.cells(row)), len(report.HEAD))
            if "skipped" not in row:
                self.assertEqual(report.checks(row),
                                 "engines = counts = spikes")
        small = catalogue.Case("few", "loihi1,mesh.tiles_x=1,mesh.tiles_y=1,"
                               "limits.compartments_per_core=20",
                               make=graph.make)
        row = measure.measure(small, "given", command.Solver("default"), FOLDER,
                              DENDROLITH)
        self.assertIn("neurons", row["refused"])

    def test_a_layered_line(self):
        try:
            import h5py  # noqa: F401
        except ImportError:
            self.skipTest("h5py is not installed")
        row = measure.measure(catalogue.cases()["cnn_s"], "given",
                              command.Solver("iterative-split"), FOLDER,
                              DENDROLITH)
        self.assertEqual(row["bound"], 4)
        self.assertGreater(row["messages"], 0)
        self.assertEqual(report.checks(row), "engines")

    def test_leaky_layers_are_of_the_chips_rule(self):
        try:
            import h5py  # noqa: F401
        except ImportError:
            self.skipTest("h5py is not installed")
        path = FOLDER / "leaky"
        with mock.patch.dict(layered.PERCEPTRONS, leaky=((8, 4), 1.)):
            layered.make("leaky", path)
        DENDROLITH("compile", path.with_suffix(".nir"), "--target", "loihi1",
                   "--calibrate", path.with_suffix(".npy"), "-o", path.with_suffix(".dlp"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--dendrolith", required=True)
    known, rest = parser.parse_known_args()
    DENDROLITH = command.Dendrolith(known.dendrolith)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
