# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the numbers of a keyword may be: the ranges of compiler/lava/Neurons.cpp and
compiler/import/lava/Synapse.cpp, checked before Lava takes memory for them."""
import numpy as np

from dendrolith_lava.checks import expect

WORD = (-(1 << 31), (1 << 31) - 1)
HALF = 1 << 23
THRESHOLD = (WORD[0] >> 6, WORD[1] >> 6)
LARGEST_BIAS = 1 << 30
LARGEST_DELAY = 63

SYNAPSE = dict(weight_exp=(-31, 31), num_weight_bits=(1, 8), num_message_bits=(0, 32),
               max_delay=(0, LARGEST_DELAY), groups=(1, 127))
LIF = dict(u=WORD, v=WORD, du=(-1, 4095), dv=(0, 4096), vth=THRESHOLD, vth_hi=THRESHOLD,
           vth_lo=THRESHOLD, bias_mant=(-32768, 32767), bias_exp=(-31, 31),
           reset_interval=(1, WORD[1]), reset_offset=(0, WORD[1]))
DELTA = dict(spike_exp=(0, 15), state_exp=(0, 15))
GRADED = dict(vth=WORD, exp=(0, 31))
INTEGERS = {
    "ATRLIF": dict(LIF, i=(1 - HALF, HALF), r=WORD),
    "RF": dict(state_exp=(0, 30), decay_bits=(0, 30)),
    "RF_IZ": dict(state_exp=(0, 30), decay_bits=(0, 30)),
    "Delta": DELTA, "SigmaDelta": DELTA,
    "GradedVec": GRADED, "GradedReluVec": GRADED, "ProdNeuron": GRADED,
    "LIF": LIF, "LIFReset": LIF, "TernaryLIF": LIF}
SHARES = {"ATRLIF": ("delta_i", "delta_v", "delta_theta", "delta_r"),
          "RF": ("alpha",), "RF_IZ": ("alpha",)}


def check_ranges(lava_class, kwargs, where):
    """Raises FileError for a number outside its keyword's range."""
    name = lava_class.rpartition(".")[2]
    for key, (low, high) in INTEGERS.get(name, SYNAPSE).items():
        if key in kwargs:
            check(kwargs[key], low, high, f"{where}: '{key}'")
    for key in SHARES.get(name, ()):
        if key in kwargs:
            check(kwargs[key], 0, 1, f"{where}: '{key}'")
    if "bias_mant" in kwargs:
        shifted(kwargs["bias_mant"], kwargs.get("bias_exp", 0), f"{where}: 'bias_exp'")
    if name in ("RF", "RF_IZ"):
        turn = 2 * np.pi / kwargs["period"] if kwargs["period"] else np.inf
        expect(np.isfinite(turn),
               f"{where}: 'period': {kwargs['period']} has no finite frequency")
        scaled(kwargs, "vth", 1 << kwargs.get("state_exp", 0), where)
    elif name in ("Delta", "SigmaDelta"):
        for key in ("vth", "bias"):
            scaled(kwargs, key, 1 << (kwargs.get("spike_exp", 0) + kwargs.get("state_exp", 0)),
                   where)
    elif name == "ATRLIF":
        for key in ("theta_0", "theta_step"):
            scaled(kwargs, key, 64, where)


def check(value, low, high, where):
    found = np.asarray(value)
    worst = found.min() if found.min() < low else found.max()
    expect(low <= worst <= high, f"{where}: expected {low} to {high}, found {worst}")


def scaled(kwargs, key, factor, where):
    """The class multiplies it by `factor` and keeps 32 bits."""
    if key in kwargs:
        largest = max(abs(float(x)) for x in np.asarray(kwargs[key]).flat)
        expect(largest * factor <= WORD[1],
               f"{where}: '{key}': expected at most {WORD[1] / factor} in size, found {largest}")


def shifted(mantissa, exponent, where):
    mantissa, exponent = (np.asarray(x, np.float64) for x in (mantissa, exponent))
    bias = np.abs(mantissa * np.exp2(np.maximum(exponent, 0)))
    expect(bias.max() <= LARGEST_BIAS,
           f"{where}: expected a bias of at most {LARGEST_BIAS} in size, found {bias.max():.0f}")


def check_delays(kwargs, where):
    """Delays have the shape of the weights, and max_delay suits them."""
    delays, weights = kwargs.get("delays"), kwargs.get("weights")
    if delays is None:
        return
    shape, wanted = (x.dims if hasattr(x, "dims") else np.shape(x) for x in (delays, weights))
    expect(shape in ((), wanted), f"{where}: 'delays': shape {list(shape)}, expected that of "
                                  f"weights, {list(wanted)}")
    numbers = np.asarray(delays.data if hasattr(delays, "dims") else delays)
    longest = int(numbers.max()) if numbers.size else 0
    most = kwargs.get("max_delay", 0)
    expect(not most or longest <= most,
           f"{where}: 'max_delay': expected at least the longest delay, {longest}, found {most}")
