# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/Graph.cpp, compiler/lava/Neurons.cpp.
"""Random networks of Lava processes against the NumPy oracle: every output and
state at every step in the three engines, and some on loihi2. Chains, loops,
several synapses into one port, direct connections, delays, all sign modes, bits and
exponents, binary and graded messages, ranges that overflow, shapes that are turned."""
import sys

from lava_net import ENGINES, Net, check, np, run, same
import lava_ref

STEPS, NETWORKS = 24, int(sys.argv[3]) if len(sys.argv) > 3 else 70
WORD = 1 << 31


def pick(rng, *choices):
    return choices[rng.integers(len(choices))]


def neuron(rng, net, name, shape, small):
    """Adds one; `small`: its input stays small (ATRLIF's limit)."""
    def each(low, high):
        """One number or one per neuron."""
        return (rng.integers(low, high, shape).astype(np.int32) if rng.random() < 0.4
                else int(rng.integers(low, high)))
    cls = pick(rng, "LIF", "LIF", "LIF", "LIFReset", "TernaryLIF", "RF", "RF_IZ", "Delta",
               "Sigma", "SigmaDelta", "GradedVec", "GradedReluVec", "ProdNeuron",
               *(["ATRLIF"] * 3 if small else []))
    bias = dict(bias_mant=each(-4096, 4096), bias_exp=each(-6, 8))
    kwargs = {}
    if "LIF" in cls and cls != "ATRLIF":
        kwargs = dict(du=each(-1, 4096), dv=each(0, 4097), **bias)
        if rng.random() < 0.3:
            kwargs.update(u=each(-1 << 23, 1 << 23), v=each(-1 << 23, 1 << 23))
        top = pick(rng, 100, 5000, 131071)
        if cls == "TernaryLIF":
            kwargs.update(vth_hi=int(rng.integers(0, top)), vth_lo=-int(rng.integers(0, top)))
        else:
            kwargs.update(vth=each(0, top))
        if cls == "LIFReset":
            kwargs.update(reset_interval=int(rng.integers(1, 9)),
                          reset_offset=int(rng.integers(0, 20)))
    elif cls == "ATRLIF":
        decay = lambda: pick(rng, 0.0, 0.01, 0.125, 0.4, 0.45, 0.8, 0.95, 1.0)
        kwargs = dict(delta_i=decay(), delta_v=decay(), delta_theta=decay(),
                      delta_r=decay(), theta_0=float(rng.random() * 90),
                      theta_step=float(rng.random() * 20), **bias)
    elif cls in ("RF", "RF_IZ"):
        kwargs = dict(period=float(2 + 20 * rng.random()), alpha=float(rng.random() * 0.3),
                      state_exp=int(rng.integers(0, 10)), decay_bits=int(rng.integers(4, 16)),
                      vth=float(rng.random() * 900))
    elif cls in ("Delta", "SigmaDelta"):
        kwargs = dict(vth=pick(rng, 3, 40.5, 900), cum_error=bool(rng.random() < 0.5),
                      spike_exp=int(rng.integers(0, 7)), state_exp=int(rng.integers(0, 7)))
        if cls == "SigmaDelta":
            kwargs.update(act_mode=pick(rng, "RELU", "UNIT"), bias=each(-60, 60))
    elif cls != "Sigma":
        kwargs = dict(vth=int(rng.integers(-1, 300)), exp=int(rng.integers(0, 12)))
    net.process(name, cls, shape, **kwargs)
    return lava_ref.CLASSES[cls].inputs


def is_binary(net, source):
    return source in net.inputs or net.processes[source][0] in (
        "LIF", "LIFReset", "ATRLIF", "RF", "RF_IZ")


def matrix(rng, net, name, targets, sources, small):
    cls = pick(rng, "Dense", "Dense", "Sparse", "DelayDense", "DelaySparse")
    size = 60 if small else 330
    mode = pick(rng, None, None, "NULL", "EXC", "INH", "MIXED")
    sign = pick(rng, (-size, size), (-size, size), (0, size), (-size, 1))
    weights = rng.integers(*sign, (targets, sources)).astype(pick(rng, "i2", "i4", "i8"))
    weights[rng.random(weights.shape) < (0.5 if "Sparse" in cls else 0.1)] = 0
    if rng.random() < 0.2:
        weights = weights + rng.random(weights.shape) * (weights != 0)  # cut to whole
    kwargs = dict(weights=weights, weight_exp=int(rng.integers(-4, 1 if small else 8)),
                  num_weight_bits=int(rng.integers(3, 9)),
                  num_message_bits=pick(rng, 0, 8, 24))
    if mode:
        kwargs["sign_mode"] = mode
    if "Delay" in cls:
        kwargs["delays"] = (int(rng.integers(0, 6)) if rng.random() < 0.3 else
                            rng.integers(0, 6, weights.shape).astype("i4"))
        if "Sparse" in cls and not isinstance(kwargs["delays"], int):
            kwargs["delays"] *= weights != 0
    net.process(name, cls, **kwargs)


def conv(rng, net, name, shape):
    """A convolution of `shape`; its output's shape, or None."""
    groups = pick(rng, *[g for g in (1, 2, 3) if shape[2] % g == 0])
    out = groups * int(rng.integers(1, 4))
    size = rng.integers(1, 4, 2)
    kwargs = dict(weight=2 * rng.integers(-128, 128, (out, *size, shape[2] // groups)).astype("i4"),
                  input_shape=tuple(shape), stride=tuple(int(x) for x in rng.integers(1, 3, 2)),
                  padding=tuple(int(x) for x in rng.integers(0, 3, 2)),
                  dilation=tuple(int(x) for x in rng.integers(1, 3, 2)), groups=groups,
                  num_message_bits=pick(rng, 0, 8))
    net.process(name, "Conv", **kwargs)
    result = lava_ref.Conv(kwargs).out.shape
    if min(result) < 1:
        del net.processes[name]
        return None
    return result


def turned(rng, source, target):
    """A transform from one shape to another of as many elements, or None."""
    if int(np.prod(source)) != int(np.prod(target)):
        return None
    change = {}
    if len(source) > 1 and rng.random() < 0.5:
        change["transpose"] = tuple(int(x) for x in rng.permutation(len(source)))
        source = tuple(source[i] for i in change["transpose"])
    if tuple(source) != tuple(target):
        change["reshape"] = tuple(int(x) for x in target)
    return change


def build(rng, number):
    net = Net(f"random{number}")
    small = rng.random() < 0.3
    shape_of, before = {}, []
    for layer in range(int(rng.integers(1, 4))):
        shape = (tuple(int(x) for x in rng.integers(1, 5, 3)) if rng.random() < 0.4
                 else (int(rng.integers(1, 10)),))
        name = f"n{layer}"
        convolved = None
        if before and len(shape_of[before[-1]]) == 3 and rng.random() < 0.6:
            convolved = conv(rng, net, f"c{layer}", shape_of[before[-1]])
            shape = convolved or shape
        ports = neuron(rng, net, name, shape, small and not convolved)
        shape_of[name] = shape
        if convolved:
            net.connect(before[-1], f"c{layer}").connect(f"c{layer}", name, ports[0])
        for p, port in enumerate(ports):
            if layer == 0 or rng.random() < 0.3:  # from the host, at once
                low, high = pick(rng, (0, 1), (-100, 100), (-5000, 70000),
                                 *([] if small else [(-WORD, WORD - 1)]))
                if rng.random() < 0.4 and not small:  # or a step later
                    synapse, size = f"i{layer}{p}", int(rng.integers(1, 9))
                    matrix(rng, net, synapse, int(np.prod(shape)), size, small)
                    net.input(f"x{layer}{p}", synapse, low, high)
                    net.connect(synapse, name, port, **turned(rng, (int(np.prod(shape)),),
                                                              shape))
                else:
                    net.input(f"x{layer}{p}", name, low, high, port)
            for k in range(int(rng.integers(0 if layer == 0 else 1, 3))):
                synapse = f"d{layer}{p}{k}"
                source = pick(rng, *before, name) if before else name
                if small and not is_binary(net, source):
                    continue
                elements = int(np.prod(shape_of[source]))
                matrix(rng, net, synapse, int(np.prod(shape)), elements, small)
                net.connect(source, synapse, **turned(rng, shape_of[source], (elements,)))
                net.connect(synapse, name, port, **turned(rng, (int(np.prod(shape)),), shape))
        if before and not small and rng.random() < 0.4:
            change = turned(rng, shape_of[before[-1]], shape)
            if change is not None:
                net.connect(before[-1], name, ports[0], **change)
        before.append(name)
    return net


def sample(rng, net):
    given = {}
    for name, (target, _, (low, high)) in net.inputs.items():
        x = rng.integers(low, high, (STEPS, *net.port_shape(target)), endpoint=True)
        given[name] = np.where(rng.random(x.shape) < pick(rng, 0.2, 0.7), x, 0)
    return given


classes, where = set(), 0
for number in range(NETWORKS):
    rng = np.random.default_rng(number)
    net = build(rng, number)
    given = sample(rng, net)
    outs, states = lava_ref.simulate(net, given, STEPS)
    kept = {k: v for k, v in states.items()  # ours has "error" only where it is used
            if k[1] != "error" or net.processes[k[0]][2].get("cum_error")}
    chips = [("cycle", "--target", "loihi2")] if number % 5 == 0 else []
    for engine, *more in [(e,) for e in ENGINES] + chips:
        found, traced, _ = run(net, given, engine, list(kept), *more)
        label = " ".join((f"network {number} in {engine}", *more))
        for name in outs:
            same(f"{label}, output of {name} ({net.processes[name][0]})", found[name],
                 outs[name])
        for key in kept:
            same(f"{label}, state {key[0]}.{key[1]} ({net.processes[key[0]][0]})",
                 traced[key], kept[key])
    classes |= {c for c, _, _ in net.processes.values()}
    where += sum(np.count_nonzero(v) for v in outs.values())
check(classes == set(lava_ref.CLASSES) | set(lava_ref.SYNAPSES),
      f"{NETWORKS} random networks, {STEPS} steps, {where} messages, classes: "
      f"{', '.join(sorted(classes))}")
