# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/tutorial/dendrify.py and what dendrify.md quotes.
"""A published dendritic model in the words of dl.neuron is what Brian 2 recorded of it."""
import contextlib
import io
import sys

from support import ROOT, check, dl, finish, np

sys.path.insert(0, str(ROOT / "runtime/python/tutorial"))
import dendrify  # noqa: E402

told = np.load(dendrify.HERE / "dendrify.npz")
net, x, wanted = dendrify.network(told), told["x"].astype(float), told["spikes"]
traces = ["cells:soma", "cells:dend"]
real = dl.load(net).run(x, trace=traces)
check(np.array_equal(real.outputs.reshape(wanted.shape), wanted), f"{wanted.sum()} spikes at the same steps")
for name, key in zip(traces, ("v_soma", "v_dend")):
    worst = np.abs(real.traces[name].reshape(wanted.shape)[::10] - told[key]).max()
    check(worst < 1e-9, f"{name} differs by {worst} mV")
program = dl.compile(net, "loihi2", calibrate=x)
cycle, functional = (program.run(x, engine=engine, trace=traces) for engine in ("cycle", "functional"))
check(all(np.array_equal(cycle.traces[name], functional.traces[name]) for name in traces), "the engines agree")
spikes = int((cycle.outputs > 0).sum())
check(abs(spikes - int(wanted.sum())) < 30, f"{spikes} spikes in integers")
with contextlib.redirect_stdout(io.StringIO()) as printed:
    dendrify.main()
quoted = (dendrify.HERE / "dendrify.md").read_text()
check(all(line in quoted for line in printed.getvalue().splitlines()), f"the page quotes {printed.getvalue()}")
finish()
