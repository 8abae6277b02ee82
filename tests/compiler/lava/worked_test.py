# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/lava/Neurons.cpp, compiler/lava/Array.cpp.
"""Worked examples: a process, its input, and the numbers that Lava gives, written
out. Each in the three engines, and in the NumPy oracle that the random tests use."""
import json
import subprocess

from lava_net import ENGINES, FOLDER, DENDROLITH, Net, check, np, run, same
import lava_ref

RELAY = dict(vth=0)  # GradedVec(vth=0) shows what arrives


def column(values):
    return np.array(values, np.int64).reshape(len(values), -1)


def verify(name, net, given, out, **states):
    """`out` and `states` are columns of process "p"."""
    given = {k: column(v) for k, v in given.items()}
    low_high = {k: (min(0, int(v.min())), max(1, int(v.max()))) for k, v in given.items()}
    net.inputs = {k: (t, p, low_high[k]) for k, (t, p, _) in net.inputs.items()}
    keys = [("p", s) for s in states]
    want = {("p", s): column(v) for s, v in states.items()}
    steps = len(next(iter(given.values())))
    found, traced = lava_ref.simulate(net, given, steps)
    for engine in ("oracle",) + ENGINES:
        if engine != "oracle":
            found, traced, _ = run(net, given, engine, keys)
        same(f"{name} in {engine}, output", found["p"], column(out))
        for key in keys:
            same(f"{name} in {engine}, state {key[1]}", traced[key], want[key])
    check(True, f"{name} in oracle, {', '.join(ENGINES)}")


def neuron(cls, *ports, **kwargs):
    net = Net(cls).process("p", cls, (1,), **kwargs)
    for i, port in enumerate(ports or ("a_in",)):
        net.input("xy"[i], "p", 0, 1, port)
    return net


def synapse(cls, targets, **kwargs):
    net = Net(cls).process("w", cls, **kwargs).process("p", "GradedVec", targets, **RELAY)
    return net.connect("w", "p").input("x", "w", 0, 1)


verify("LIF", neuron("LIF", du=409, dv=819, vth=20, bias_mant=5, bias_exp=4),
       dict(x=[10, 0, -7, 20, 0, 30, 0, 0]), [0, 0, 0, 1, 1, 1, 1, 1],
       u=[640, 575, 69, 1342, 1207, 3006, 2705, 2434],
       v=[720, 1231, 1133, 0, 0, 0, 0, 0])
verify("LIF, wrap and clip",
       neuron("LIF", du=0, dv=0, vth=131071, bias_mant=-1, bias_exp=-1),
       dict(x=[131071] * 3 + [-131072] * 4), [0, 0, 1, 0, 0, 0, 1],
       u=[8388544, -2176, 8386369, -4287, 8384323, -6332, 8382278],
       v=[8388543, 8386366, 0, -4288, 8380034, 8373701, 0])
verify("LIF, u = 2^23", neuron("LIF", du=0, vth=1 << 20), dict(x=[131072]), [0],
       u=[8388608])
verify("TernaryLIF", neuron("TernaryLIF", du=4095, dv=819, vth_hi=20, vth_lo=-20),
       dict(x=[30, -60, 0, 30]), [1, -1, 0, 1], u=[1920, -3840, 0, 1920])
verify("ATRLIF", neuron("ATRLIF", delta_i=0.4, delta_v=0.4, delta_theta=0.2, delta_r=0.2,
                        theta_0=5, theta_step=3.75),
       dict(x=[4, 4, 4, 4, 0, 4]), [0, 1, 0, 1, 0, 0], i=[256, 409, 501, 556, 333, 455],
       v=[256, 562, 838, 1058, 967, 1035], theta=[320, 560, 511, 712, 633, 570],
       r=[0, 640, 511, 1352, 1081, 864])
# Sums of a graded input that may leave the range of ATRLIF's proof: the input is
# narrowed, and values beyond what is left are refused.
wide = Net("ATRLIF behind a graded input").process("p", "ATRLIF", (1,), delta_i=0.4)
wide.process("w", "Dense", weights=np.array([[100]]), num_weight_bits=8, num_message_bits=16)
wide.connect("w", "p").input("x", "w", -30000, 30000)
given = {"x": column([4, -7, 2000, 0, -1500, 3, 60, 2000])}
want, states = lava_ref.simulate(wide, given, 8)
for engine in ENGINES:
    found, traced, _ = run(wide, given, engine, [("p", "i"), ("p", "v")])
    same(f"ATRLIF behind a graded input in {engine}", found["p"], want["p"])
    same(f"and its current in {engine}", traced[("p", "i")], states[("p", "i")])
check(want["p"].any(), "ATRLIF behind a graded input spikes")
np.save(FOLDER / "beyond.npy", np.array([[2622]]))
said = subprocess.run([DENDROLITH, "run", wide.save(), "--engine", "functional", "--input",
                       FOLDER / "beyond.npy"], capture_output=True, text=True).stderr
check("input 'x': it is taken from -2621 to 2621 in place of -30000 to 30000" in said
      and "[narrowed-input]" in said
      and "expected a whole number from -2621 to 2621" in said, f"a value beyond: {said[-120:]}")
# An image of it refuses them, too.
image = FOLDER / "narrowed.dlp"
subprocess.run([DENDROLITH, "compile", wide.save(), "--target", "ideal", "-o", image],
               check=True, capture_output=True)
for value, refused in ((-2621, False), (2622, True), (0.5, True)):
    np.save(FOLDER / "beyond.npy", np.array([[0], [value]]))
    said = subprocess.run([DENDROLITH, "run", image, "--input", FOLDER / "beyond.npy"],
                          capture_output=True, text=True).stderr
    check((f"input 'x' is {value} at sample 0, step 1, element 0: expected a whole number "
           "from -2621 to 2621" in said) == refused, f"an image given {value}: {said[-200:]}")
# What graded neurons send has no range that could be narrowed: the run looks.
after = Net("ATRLIF behind graded neurons").process("g", "GradedVec", (1,), vth=1)
after.process("w", "Dense", weights=np.array([[100]]), num_weight_bits=8, num_message_bits=16)
after.process("p", "ATRLIF", (1,), delta_i=0.4)
after.connect("g", "w").connect("w", "p").input("x", "g", -30000, 30000)
want, states = lava_ref.simulate(after, given, 8)
for engine in ENGINES:
    found, traced, said = run(after, given, engine, [("p", "i"), ("p", "v")])
    same(f"ATRLIF behind graded neurons in {engine}", found["p"], want["p"])
    same(f"and their current in {engine}", traced[("p", "i")], states[("p", "i")])
check(want["p"].any(), "ATRLIF behind graded neurons spikes")
for value, beyond in ((2621, False), (2622, True), (-2622, True)):
    np.save(FOLDER / "beyond.npy", np.array([[0], [value], [0], [0], [0]]))
    said = subprocess.run([DENDROLITH, "run", after.save(), "--target", "ideal", "--engine",
                           "functional", "--input", FOLDER / "beyond.npy", "--out",
                           FOLDER / "judged"], capture_output=True, text=True).stderr
    codes = {w["code"] for w in json.loads((FOLDER / "judged/result.json").read_text())["warnings"]}
    check("process 'p': a_in may reach" in said and "checked-range" in codes and
          ("in 1 updates its input was beyond the range" in said) == ("left-range" in codes) == beyond,
          f"a value of {value}: {codes} {said[-200:]}")
IMPULSE = dict(x=[10] + [0] * 9, y=[0] * 10)
RESONATOR = dict(period=8, alpha=0.05, state_exp=6, decay_bits=12, vth=4)
verify("RF", neuron("RF", "a_real_in", "a_imag_in", **RESONATOR), IMPULSE,
       [0] * 8 + [1, 0], real=[640, 429, 0, -386, -518, -347, 0, 312, 418, 280],
       imag=[0, 429, 576, 386, 0, -347, -466, -312, 0, 280])
# A shifted input wraps in 32 bits; the sum with the turned state has 64.
verify("RF_IZ, a sum beyond 32 bits",
       neuron("RF_IZ", "a_real_in", "a_imag_in", period=39.7188, alpha=0.153418, state_exp=8,
              decay_bits=12, vth=70),
       dict(x=[-121659488, -25125, -310375995], y=[0, 0, 0]), [0, 0, 0],
       real=[-8388607, -8388607, -8388607])
verify("RF_IZ", neuron("RF_IZ", "a_real_in", "a_imag_in", **RESONATOR), IMPULSE,
       [0, 1] + [0] * 8, real=[640, 0, -171, -228, -153, 0, 137, 184, 123, 0],
       imag=[0, 255, 171, 0, -153, -204, -137, 0, 123, 164])
verify("Delta", neuron("Delta", vth=10, spike_exp=1, state_exp=2),
       dict(x=[100, 100, 105, 140, 90]), [200, 0, 0, 80, -100],
       act=[800, 800, 840, 1120, 720], residue=[0, 0, 40, 0, 0])
verify("SigmaDelta", neuron("SigmaDelta", vth=3, bias=2, spike_exp=0, state_exp=6),
       dict(x=[700, -100, 5, -900, 6000]), [12, 0, 0, -13, 91],
       sigma=[700, 600, 605, -295, 5705], act=[828, 728, 733, 0, 5833],
       residue=[0, -100, -95, 0, 0])
verify("ProdNeuron", neuron("ProdNeuron", "a_in1", "a_in2", vth=1, exp=2),
       dict(x=[7, -7], y=[3, 3]), [5, -6])

# By hand from the formulas: a reset each third step; both forms of error.
verify("LIFReset", neuron("LIFReset", du=4095, dv=0, vth=1000, v=900, reset_interval=3,
                          reset_offset=4), dict(x=[1] * 6), [0] * 6,
       v=[64, 128, 192, 64, 128, 192])
verify("Sigma", neuron("Sigma"), dict(x=[5, -3, 0, 10]), [5, 2, 2, 12],
       sigma=[5, 2, 2, 12])
verify("SigmaDelta, UNIT, cum_error",
       neuron("SigmaDelta", vth=3, act_mode="UNIT", cum_error=True),
       dict(x=[1, 1, 1, -5, 0]), [0, 2, 0, -4, 0], act=[1, 2, 3, -2, -2],
       residue=[1, 0, 1, 0, 0], error=[1, 0, 1, 0, 0])
verify("GradedVec", neuron("GradedVec", vth=3), dict(x=[5, -5, 3, -3, 0]),
       [5, -5, 0, 0, 0])
verify("GradedReluVec", neuron("GradedReluVec", vth=3), dict(x=[5, -5, 3, -3, 0]),
       [5, 0, 0, 0, 0])

WEIGHTS = np.array([[83, -11, 257], [-300, 5, 1]])
FIRING = dict(x=[[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
for kwargs, rows in ((dict(), ([70, 242, 82], [-252, 4, -256])),
                     (dict(num_weight_bits=6), ([64, 232, 80], [-256, 0, -256])),
                     (dict(weight_exp=2), ([280, 968, 328], [-1008, 16, -1024])),
                     (dict(weight_exp=-3), ([8, 30, 10], [-32, 0, -32]))):
    for cls in ("Dense", "Sparse"):
        verify(f"{cls} {kwargs}", synapse(cls, (2,), weights=WEIGHTS, **kwargs), FIRING,
               [[0, 0]] + [list(pair) for pair in zip(*rows)])
verify("Dense INH", synapse("Dense", (2,), weights=np.array([[-7], [-100]]),
                            num_weight_bits=5), dict(x=[1, 0]), [[0, 0], [0, -96]])
verify("Dense EXC graded",
       synapse("Dense", (1,), weights=np.array([[100]]), num_weight_bits=5,
               weight_exp=-1, num_message_bits=8), dict(x=[-5, 0]), [0, -240])
for cls in ("DelayDense", "DelaySparse"):
    verify(cls, synapse(cls, (1,), weights=np.array([[10, 20]]),
                        delays=np.array([[0, 2]])),
           dict(x=[[1, 1]] + [[0, 0]] * 4), [0, 10, 0, 20, 0])


def large_conv():
    net = Net("Conv").process("w", "Conv", weight=np.full((1, 1, 1, 1), 255),
                              input_shape=(1, 1, 1), num_message_bits=24)
    net.process("p", "GradedVec", (1, 1, 1), **RELAY).connect("w", "p")
    net.input("x", "w", 0, 100000)
    given = {"x": np.array([100000, 0]).reshape(2, 1, 1, 1)}
    for engine in ENGINES:
        same(f"Conv in {engine}", run(net, given, engine, [])[0]["p"],
             np.array([0, -8054432]).reshape(2, 1, 1, 1))
    check(True, f"Conv wraps to 24 bits in {', '.join(ENGINES)}")


large_conv()

# Where sums of 2^31 are possible, Lava's 0 there is warned of.
for most, warns in ((1 << 22, False), (1 << 24, True)):
    net = Net(f"Conv of {most}").process("w", "Conv", weight=np.full((1, 1, 1, 1), 255),
                                         input_shape=(1, 1, 1), num_message_bits=24)
    net.process("p", "GradedVec", (1, 1, 1), **RELAY).connect("w", "p")
    net.input("x", "w", 0, most)
    np.save(FOLDER / "one.npy", np.ones((2, 1, 1, 1), int))
    said = subprocess.run([DENDROLITH, "run", net.save(), "--engine", "functional", "--input",
                           FOLDER / "one.npy"], capture_output=True, text=True).stderr
    check(("gives 0 on x86" in said) == ("[large-sums]" in said) == warns, f"sums of up to {255 * most}: {said[:90]!r}")
