# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pyramidal cell of Dendrify: soma, dendrite, AMPA and NMDA synapses, sodium spikes.

    /usr/bin/python3 runtime/python/tutorial/dendrify.py

prints it beside what Brian 2 computed of the same model (dendrify.npz, recorded by
tests/tools/dendrify_record.py), in reals and in loihi2's integers. A step is 0.1 ms, numbers
are mV, nS, pF and ms.

Pagkalos, M., Chavlis, S., Poirazi, P. Introducing the Dendrify framework for incorporating
dendrites to spiking neural networks. Nature Communications 14, 131 (2023).
https://doi.org/10.1038/s41467-022-35747-8
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # where the package is not installed

import dendrolith as dl  # noqa: E402
from dendrolith.equations import exp, minimum, where  # noqa: E402

STEP = 0.1
REST, SODIUM, POTASSIUM = -70.0, 70.0, -89.0
COUPLING = 12.0
RESTED = 50  # steps from one sodium spike to the next at least


@dl.neuron
def pyramidal(i: dl.Port, soma: dl.State = REST, dend: dl.State = REST, ampa: dl.State = 0,
              nmda: dl.State = 0, age: dl.State = RESTED, c_soma: dl.Param = 1,
              c_dend: dl.Param = 1, g_soma: dl.Param = 1, g_dend: dl.Param = 1):
    """`age` is the number of steps since the last sodium spike, up to RESTED."""
    rising = where(age <= 20, 20.0, 0.0)
    falling = where((age >= 2) & (age <= 42), 15.0, 0.0)
    unblocked = nmda / (1 + exp(-0.062 * dend) / 3.57)  # of magnesium
    current = (COUPLING * (soma - dend) + rising * (SODIUM - dend) + falling * (POTASSIUM - dend)
               - (ampa + unblocked) * dend)
    next_soma = soma + STEP / c_soma * (g_soma * (REST - soma) + COUPLING * (dend - soma))
    dend = dend + STEP / c_dend * (g_dend * (REST - dend) + current)
    ampa, nmda = (1 - STEP / 2) * ampa + i, (1 - STEP / 50) * nmda + i
    age = where((dend >= -35) & (age >= RESTED), 1, minimum(age + 1, RESTED))
    s = next_soma > -42
    return dict(soma=where(s, -55.0, next_soma), dend=dend, ampa=ampa, nmda=nmda, age=age, s=s)


def network(told):
    circuit = dl.Circuit("dendrify")
    (c_soma, c_dend), (g_soma, g_dend) = told["capacity"], told["leak"]
    cells = circuit.population("cells", pyramidal, len(told["weight"]), c_soma=c_soma,
                               c_dend=c_dend, g_soma=g_soma, g_dend=g_dend)
    circuit.connect(circuit.input("x", told["x"].shape[1], spikes="binary"), cells, told["weight"])
    circuit.output(cells["s"])
    return circuit


def millivolts(differences):
    worst = differences.max()
    return f"{worst:.1f} mV" if worst > 1e-9 else "less than 1e-9 mV"


def main():
    told = np.load(HERE / "dendrify.npz")
    x, wanted, net = told["x"].astype(float), told["spikes"], network(told)
    traces = ["cells:soma", "cells:dend"]
    real = dl.load(net).run(x, trace=traces)
    chip = dl.compile(net, "loihi2", calibrate=x).run(x, engine="cycle", trace=traces)
    print(f"Brian 2: {wanted.sum()} spikes in {len(x)} steps, {told['dendritic_spikes']} of dendrites")
    for title, result in (("in reals", real), ("loihi2", chip)):
        spikes = result.outputs.reshape(wanted.shape) > 0
        soma, dend = (np.abs(result.traces[name].reshape(wanted.shape)[::10] - told[key])
                      for name, key in zip(traces, ("v_soma", "v_dend")))
        print(f"{title}: {spikes.sum()} spikes, {(spikes != wanted).sum()} of {wanted.size} values "
              f"differ; soma by {millivolts(soma)} at most, dendrite by {millivolts(dend)}")
    print(f"{chip.energy.low * 1e6:.1f} to {chip.energy.high * 1e6:.1f} uJ and "
          f"{chip.latency.mean * 1e6:.1f} us for {len(x) * STEP:.0f} ms")


if __name__ == "__main__":
    main()
