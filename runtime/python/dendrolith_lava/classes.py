# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classes that are loaded, and no others: ports and keyword arguments."""
from collections import namedtuple

# kwargs: "number" is an integer, or a tensor of the shape; a ? may be left out.
# variables: what may be probed.
Class = namedtuple("Class", "inputs outputs kwargs variables")
LIF = dict(u="number?", v="number?", du="number?", dv="number?",
           bias_mant="number?", bias_exp="number?")
RF = dict(period="real", alpha="real", state_exp="integer?", decay_bits="integer?", vth="real?")
DELTA = dict(vth="real", cum_error="flag?", spike_exp="integer?", state_exp="integer?")
SYNAPSES = dict(weight_exp="integer?", num_weight_bits="integer?", num_message_bits="integer?",
                sign_mode="SignMode?")
DENSE, SPARSE = dict(SYNAPSES, weights="matrix"), dict(SYNAPSES, weights="csr")
DELAYS = dict(delays="delays", max_delay="integer?")
SPARSE_DELAYS = dict(DELAYS, delays="csr_delays")
POPULATION = "dendrolith_lava.population.Population"


def neurons(kwargs, variables="", inputs=("a_in",)):
    return Class(inputs, ("s_out",), kwargs, set(variables.split()))


def synapses(kwargs):
    return Class(("s_in",), ("a_out",), kwargs, set())


CLASSES = {
    "lava.proc.lif.process.LIF": neurons(dict(LIF, vth="number?"), "u v"),
    "lava.proc.lif.process.LIFReset": neurons(dict(
        LIF, vth="number?", reset_interval="integer?", reset_offset="integer?"), "u v"),
    "lava.proc.lif.process.TernaryLIF": neurons(
        dict(LIF, vth_hi="number?", vth_lo="number?"), "u v"),
    "lava.proc.atrlif.process.ATRLIF": neurons(dict(
        delta_i="real?", delta_v="real?", delta_theta="real?", delta_r="real?", theta_0="real?",
        theta_step="real?", bias_mant="number?", bias_exp="number?",
        i="number?", v="number?", theta="number?", r="number?"), "i v theta r"),
    "lava.proc.rf.process.RF": neurons(RF, "real imag", ("a_real_in", "a_imag_in")),
    "lava.proc.rf_iz.process.RF_IZ": neurons(RF, "real imag", ("a_real_in", "a_imag_in")),
    "lava.proc.sdn.process.Delta": neurons(DELTA, "act residue error"),
    "lava.proc.sdn.process.Sigma": neurons({}, "sigma"),
    "lava.proc.sdn.process.SigmaDelta": neurons(
        dict(DELTA, bias="number?", act_mode="ActivationMode?"), "sigma act residue error"),
    "lava.proc.graded.process.GradedVec": neurons(dict(vth="number?", exp="integer?")),
    "lava.proc.graded.process.GradedReluVec": neurons(dict(vth="number?", exp="integer?")),
    "lava.proc.prodneuron.process.ProdNeuron": neurons(
        dict(vth="number?", exp="integer?"), inputs=("a_in1", "a_in2")),
    "lava.proc.dense.process.Dense": synapses(DENSE),
    "lava.proc.dense.process.DelayDense": synapses(dict(DENSE, **DELAYS)),
    "lava.proc.sparse.process.Sparse": synapses(SPARSE),
    "lava.proc.sparse.process.DelaySparse": synapses(dict(SPARSE, **SPARSE_DELAYS)),
    "lava.proc.conv.process.Conv": synapses(dict(
        weight="kernel", input_shape="triple", stride="pair?", padding="pair?", dilation="pair?",
        groups="integer?", weight_exp="integer?", num_weight_bits="integer?",
        num_message_bits="integer?", sign_mode="SignMode?")),
    POPULATION: None,  # what its Neuron says
}
ENUMS = {"SignMode": ("lava.utils.weightutils", ("NULL", "MIXED", "EXCITATORY", "INHIBITORY")),
         "ActivationMode": ("lava.proc.sdn.process", ("UNIT", "RELU"))}
