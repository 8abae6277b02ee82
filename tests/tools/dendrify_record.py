# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what Dendrify's model computes in Brian 2: dendrify_record.py FILE.npz

Needs brian2 2.9, dendrify 2.2 and NumPy 1, which Brian asks for. A soma and a dendrite that
has AMPA and NMDA synapses and sodium spikes; runtime/python/tutorial/dendrify.py has the equations.
"""
import sys

import brian2 as b2
import dendrify
import numpy as np
from brian2 import cm, ms, mV, nS, ohm, pF, uF, um, uS

STEP, STEPS, NEURONS, INPUTS = 0.1 * ms, 2000, 4, 8
b2.prefs.codegen.target = "numpy"
b2.defaultclock.dt = STEP
membrane = dict(cm=1 * uF / cm**2, gl=50 * uS / cm**2, v_rest=-70 * mV, r_axial=150 * ohm * cm)
soma = dendrify.Soma("soma", model="leakyIF", length=20 * um, diameter=20 * um, **membrane)
branch = dendrify.Dendrite("dend", length=120 * um, diameter=3 * um, **membrane)
branch.synapse("AMPA", tag="x", g=1 * nS, t_decay=2 * ms)
branch.synapse("NMDA", tag="x", g=1 * nS, t_decay=50 * ms)
branch.dspikes("Na", threshold=-35 * mV, g_rise=20 * nS, g_fall=15 * nS, duration_rise=2 * ms,
               duration_fall=4 * ms, offset_fall=0.2 * ms, refractory=5 * ms,
               reversal_rise="E_Na", reversal_fall="E_K")
model = dendrify.NeuronModel([(soma, branch, 12 * nS)], v_rest=-70 * mV)
cells = model.make_neurongroup(NEURONS, method="euler", threshold="V_soma > -42*mV",
                               reset="V_soma = -55*mV")

rng = np.random.default_rng(52)
x = rng.random((STEPS, INPUTS)) < 0.01
weight = np.round(rng.random((NEURONS, INPUTS)) * 2, 2)
step, line = np.nonzero(x)
source = b2.SpikeGeneratorGroup(INPUTS, line, step * STEP)
synapses = b2.Synapses(source, cells, "w : 1", on_pre="s_AMPA_x_dend += w; s_NMDA_x_dend += w")
synapses.connect()
synapses.w = weight.T.ravel()
states = b2.StateMonitor(cells, ["V_soma", "V_dend"], record=True, when="end")
fired, events = b2.SpikeMonitor(cells), b2.EventMonitor(cells, "spike_Na_dend")
b2.Network(cells, source, synapses, states, fired, events).run(STEPS * STEP)
spikes = np.zeros((STEPS, NEURONS), bool)
spikes[np.round(fired.t / STEP).astype(int), fired.i] = True
if "--equations" in sys.argv:
    print(model.equations, model.parameters, model.event_actions, sep="\n")
np.savez_compressed(
    sys.argv[1], x=x, weight=weight, spikes=spikes, dendritic_spikes=len(events.t),
    v_soma=np.array(states.V_soma / mV).T[::10], v_dend=np.array(states.V_dend / mV).T[::10],
    capacity=[float(model.parameters[f"C_{part}"] / pF) for part in ("soma", "dend")],
    leak=[float(model.parameters[f"gL_{part}"] / nS) for part in ("soma", "dend")])
print(f"{spikes.sum()} spikes of {NEURONS} neurons in {STEPS} steps, {len(events.t)} of dendrites; "
      f"brian2 {b2.__version__}, dendrify 2.2.0, NumPy {np.__version__}")
