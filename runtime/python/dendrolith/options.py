# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The keywords of compile, check, run and load.

Printed by `dendrolith man python` from the table of options.
"""

import os
from typing import Any, Mapping, Sequence, TypedDict, Union

FILES = {"costs", "map_constraints", "map_from", "placement"}

REPEATED = {"override_limit", "rewrite"}
CHOICES = {
    "spikes": "auto|graded|unary",
    "quantise": "auto|max|percentile|mse|search",
    "round": "auto|nearest|adaptive",
    "rewrite": "fold-readout|rank-d|dead-units",
    "map_for": "balanced|time|energy|edp|cores",
    "threshold_scale": "neuron|layer",
    "bias_correction": "true|false",
    "rescaling": "true|false",
    "candidates": "auto|one|few|many",
    "jit": "auto|on|off",
}
CONVENTIONS = {
    "preset",
    "from_",
    "strict",
    "dt",
    "time_unit",
    "integrator",
    "reset",
    "v_reset",
    "reset_when",
    "spike_when",
    "current_order",
    "threshold",
    "spikes_per_step",
    "v_min",
    "spike_value",
    "loop_delay",
    "loop_start",
    "if_convention",
    "reset_interval",
    "reset_offset",
    "input_shape",
    "input_bias",
}


class Conventions(TypedDict, total=False):
    """What a NIR file does not say, for load."""

    # NIR: what the importer of norse, snntorch, spyx, sinabs or nengo makes of a file;
    # options beside it go before
    preset: Any
    # NIR: the tool that trained it, whose rule holds: snntorch, norse, spikingjelly,
    # sinabs, rockpool, spyx, or nir for none; else it is looked for in the file
    from_: Any
    # NIR: yes refuses what is assumed of a file, such as its tool by a signature, the
    # usual dt or where a loop waits
    strict: Any
    # NIR: time step in seconds (else the file's, else 1e-4)
    dt: Any
    # NIR: unit of tau and delay: s, ms or steps
    time_unit: Any
    # NIR: euler, exact, expdecay or mixed (current by Euler, membrane exact)
    integrator: Any
    # NIR: value (as the file says), zero, subtract or none; NODE:reset=zero is that of
    # one node, so for the next keys but spike-when
    reset: Any
    # NIR: where a spike leads v, in place of the file's
    v_reset: Any
    # NIR: same or next step, there after decay and input; again: the same, and what is
    # still above the threshold once more before the next spike
    reset_when: Any
    # NIR: a spike leaves in the same or the next step
    spike_when: Any
    # NIR: the membrane reads the new or the old current
    current_order: Any
    # NIR: a spike where v is gt or ge v_threshold
    threshold: Any
    # NIR: one, or many: floor(v / v_threshold)
    spikes_per_step: Any
    # NIR: least v, in units of -v_threshold
    v_min: Any
    # NIR: a spike is worth 1 (unit), 1/dt (dirac) or a number
    spike_value: Any
    # NIR: ticks on an edge that closes a cycle
    loop_delay: Any
    # NIR: at first a loop carries what zeros give (zero) or nothing, no bias either
    # (skip)
    loop_start: Any
    # NIR: IF and I integrate r*x (r), dt*r*x (dt), x (unit) or leak by 0.9 (leaky)
    if_convention: Any
    # NetX: CUBA and LOIHI neurons begin again after so many steps
    reset_interval: Any
    # NetX: steps before the first layer's first reset; each next layer is one later
    reset_offset: Any
    # NetX: what a convolution reads that stands first and has a stride, as 2x34x34:
    # channels, rows, columns
    input_shape: Any
    # NetX: the input layer's biases: a step of --input in integers (.npy), or input:
    # each sample's first step
    input_bias: Any


class Tuning(TypedDict, total=False):
    """What is seldom set by hand."""

    # Bits of states of neurons that run as programs, by population, as --weight-bits
    # says them of weights
    state_bits: Any
    # neuron: fixed-function neurons have a step of their own, by their thresholds;
    # layer: one for all, but for --quantise max and percentile, which always have one
    threshold_scale: str
    # Whether biases keep mean potentials at those of the float network
    bias_correction: bool
    # Whether a search of steps chooses units of programs whose powers of two suit the
    # weights
    rescaling: bool
    # How many networks of integers are compared, to keep the one whose answers to the
    # calibration samples are closest to the float network's: one, few or many of those
    # that the other options leave open; auto: many with --quantise search, few where it
    # is auto and a weight has fewer than 8 bits, else one
    candidates: str
    # Seconds after which the best mapping so far is taken; where that happens, the
    # result depends on the machine
    map_time: float
    # Seed of the mapping's search
    map_seed: int
    # Neurons that may leave the cores that --map-from gives them (else any number)
    max_moves: int
    # Mapping solver: default, or to compare with round-robin, packed (few cores) or
    # iterative-split (layer by layer); without it the model's own placement, else
    # default
    solver: Any


class CompileOptions(Conventions, total=False):
    """Keywords of compile and check."""

    tuning: Union[Tuning, Mapping[str, Any], str, "os.PathLike[str]"]
    # Steps to run a network that has no inputs
    steps: int
    # How integers travel: graded (one message with a payload), unary (a message per
    # unit) or auto, as the target can
    spikes: str
    # Bits of weights, at most as many as the chip has, in which synapse lists are
    # stored, too: 4 (with --quantise auto a read-out of real numbers keeps 8), 8,4,4
    # for each projection in order, L1=4,R=8 by name, or a YAML or JSON file {L1: 4, R:
    # 8}
    weight_bits: Any
    # The same for real-valued inputs, sign included (else 8)
    input_bits: Any
    # How weights get their steps: max (the largest fills the mantissa), percentile (all
    # but one in a thousand do), mse (least error of the weights) or search (least error
    # of what neurons sum up, on the calibration samples); auto: search where a weight
    # has fewer than 8 bits, else max
    quantise: str
    # nearest, or adaptive: weights make up for what others lost in rounding, on the
    # calibration samples; auto: adaptive where auto searches steps and there are
    # samples, else nearest
    round: str
    # Change the network into a cheaper one (repeatable); the result says what was
    # changed and what was verified
    rewrite: Union[str, Sequence[str]]
    # What the mapping minimises: balanced (energy x time of a step, or time where
    # nothing is priced), time, energy, edp or cores; without it a model's own placement
    # stays, and others are balanced
    map_for: str
    # Use so many cores: MIN:MAX, MIN:, :MAX or one number
    cores: Any
    # File of what the mapping has to keep: pins, neurons together or apart, dead cores,
    # memory that stays free
    map_constraints: Any
    # Start from the mapping of this image (.dlp) or placement file, made before for a
    # network like it
    map_from: Any
    # A neuron too wide for a core: wide, a number of parts, groups of states by slices
    # (4x2), sizes of slices (5+6+5), each for one population (H0=4) and with a front
    # neuron (4/front) if so given, or auto, as the mapper finds cheapest
    split_dendrite: Any
    # File that pins slices of populations to cores
    placement: Any
    # Limit of the chip to exceed by request, recorded in the result
    override_limit: Union[str, Sequence[str]]


class RunOptions(TypedDict, total=False):
    """Keywords of Program.run."""

    # Timing set of the chip (cycle engine)
    timing: Any
    # Cost table: a name or a .yaml file
    costs: Any
    # Compare with the reference interpreter, and in the cycle engine accumulators at
    # every barrier
    verify: bool
    # Samples at a time, or how many share a sample of a large network; and threads of a
    # compilation. 0 = one per processor. The result is the same
    threads: int
    # Whether neurons' programs, and step bodies in the float engine, become machine
    # code: auto, where the run is long enough to pay for it; on, always; or off. The
    # result is the same
    jit: str
    # F.json: the longest steps in time for Perfetto or chrome://tracing (cycle engine);
    # ,samples=A:B,steps=A:B behind it chooses among these
    timeline: Any
    # float or reference: run this engine too and print how far both agree; X.npy or
    # X.npz: compare outputs, and POPULATION[:STATE], with these arrays and print the
    # first difference
    compare: Any
    # With --compare, how far each layer agrees, and where it first does not
    layers: bool
    # For a program image: the model it was compiled from, which --compare float runs
    model: Any
