# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests tests/bench/mapping_nets/summary.py.
"""What lines of the table say together, against figures by hand."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from mapping_nets import summary  # noqa: E402


def line(solver, us, hops, cores=4, order="given", **more):
    return dict(network="net", order=order, solver=solver, cores=cores,
                us=us, hops_ew=hops, hops_ns=0, neurons=10_000,
                engines="agree", answers="same", raster=True,
                evaluator="agrees", map_cpu_s=1, peak_mb=100, **more)


class Summary(unittest.TestCase):
    def said(self, *rows, about):
        return [l for l in summary.lines(rows) if l.startswith(about)]

    def test_metis_beside_balanced(self):
        said = self.said(line("metis", 8, 1, events_nj=4, static_nj=0),
                         line("balanced", 2, 1, events_nj=1, static_nj=1),
                         dict(network="net", order="shuffled", solver="metis",
                              refused="in-axons"), about="METIS")
        self.assertIn("2 lines: refused on 1; balanced takes a geometric mean of "
                      "0.250 of their step time (at most 0.250) and 0.125",
                      said[0])

    def test_step_time_beside_the_split(self):
        said = self.said(line("iterative-split", 10, 1), line("balanced", 5, 1),
                         line("iterative-split", 4, 1, order="shuffled"),
                         line("balanced", .5, 1, order="shuffled"),
                         about="step time")
        self.assertIn("mean 0.250 (-75 %), worst 0.500 (net given)", said[0])

    def test_prediction(self):
        said = self.said(
            *(line(goal, us, 1, predicted_us=guess) for goal, us, guess in (
                ("balanced", 1, 1.05), ("time", 2, 1.6), ("cores", 4, 4))),
            line("round-robin", 1, 1, predicted_us=9), about="predicted")
        self.assertIn("3 lines: mean -5.0 %, mean size 8.3 %, worst -20.0 % "
                      "(net given time), within 10 %: 2", said[0])

    def test_what_is_lost_without_a_part(self):
        said = self.said(line("balanced", 2, 1, events_nj=6, static_nj=4),
                         line("apart", 3, 1, events_nj=5, static_nj=4),
                         about="without co-activity")
        self.assertIn("time +50.0 %, energy -10.0 %, energy x time +35.0 %",
                      said[0])

    def test_a_mapping_that_answers_otherwise_is_seen(self):
        odd = {**line("time", 1, 1), "answers": "other", "engines": "differ"}
        said = self.said(line("balanced", 1, 1), odd, about="agreement")
        self.assertIn("both engines on 1 of 2 mappings; all mappings of a "
                      "network on 0 of 1", said[0])


if __name__ == "__main__":
    unittest.main(verbosity=1)
