// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_TRANSFORMS_PASSES_TD
#define DENDROLITH_COMPILER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DendPrepare : Pass<"dend-prepare", "::dendrolith::dend::NetworkOp"> {
  let summary = "Bring a float network into the form that is calibrated and quantised";
  let description = [{
    Each population that a fixed-function current-based neuron cannot run gets a
    float model of its own, raised as by --dend-raise-structure where it is plain
    arithmetic, and with structure ops expanded as by
    --dend-expand-structure: every value that needs a range is then there to be
    seen. A quotient becomes a product with a reciprocal. `poles` on the model names the parameters that states are multiplied
    by, `not_cuba` says why it needs a programmable neuron.
  }];
}

def DendRaiseStructure : Pass<"dend-raise-structure", "::dendrolith::dend::NetworkOp"> {
  let summary = "Write plain arithmetic as the compartments and thresholds that it is";
  let description = [{
    The scalars of a step body have a normal form: sums of states, ports and other
    values, each times a number for each neuron and a condition. Where a state's is
    keep v + gain drive + offset it becomes a `compartment`; a comparison that is a
    threshold on one, with what the spike does to it, becomes a `fire`. A drive may
    be the new value of another compartment. A reset at the head of the next step
    becomes one at once where nothing else reads the state and no output probes it:
    the state is then the one behind its reset. compiler/transforms/raise/README.md
    says what is equal to what. Left alone: bodies in which that makes no more
    structure or more operations, other types than f64, parameters without
    elements (`extern`).
  }];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendDiagonalise : Pass<"dend-diagonalise", "::dendrolith::dend::NetworkOp"> {
  let summary = "Turn chains of coupled compartments into independent modes";
  let description = [{
    `cable` becomes `branch`: V = P V~ with the eigenvectors P, input and read-out
    in the new coordinates (MMDEND eq. 10). A chain whose links have positive
    products lower * upper is similar to a symmetric matrix: its spectrum, and the
    branch, are real. Any other has a complex branch unless its spectrum is real in
    every population. Eigenvectors with a condition number above 1e3 are refused,
    naming population, branch and number. Left alone: a cable whose state does not
    start at zero, is read by anything else or is probed by an output (the modes
    are no voltages), or whose parameters have no elements (`extern`).
  }];
}

def DendGauge : Pass<"dend-gauge", "::dendrolith::dend::NetworkOp"> {
  let summary = "Choose the units of linear states such that input gains are 1";
  let description = [{
    A branch's modes are divided by their input gain: V~ = V / G, C~ = C G, and `G`
    goes: 6 instead of 8 multiplications per complex mode, 2 instead of 3 per real
    one. Exact in reals. A mode with G = 0 never leaves zero; it gets C~ = 0. Modes
    that do not rotate (A real in every population) then have a real state, and
    their branch becomes a real one.
    compiler/transforms/structure/DendGauge.cpp describes the freedom. A branch keeps its gauge in
    all populations of its model if its state is probed by an output in one of
    them, does not start at zero or is read by anything else, if its `C` has
    other uses, or if `G` or `C` has no elements (`extern`).
  }];
}

def DendQuantise : Pass<"dend-quantise", "::dendrolith::dend::NetworkOp"> {
  let summary = "Turn a float network into the integers of a target";
  let description = [{
    Recognises neuron models made of `dend.compartment` and `dend.fire` that a
    fixed-function current-based neuron can run, chooses a scale per population,
    and rewrites models, parameters, weights and inputs to integers. Any other
    step body is quantised value by value where the target has microcode:
    values that are added or compared share a format whose exponent follows from
    the ranges seen, products are rounded to it at once, a port has a power of
    two as unit and a width that its largest sum fits, real outputs that feed
    neurons become 16-bit integers (needs --dend-prepare and ranges on values).
    Ranges come
    from `calibration` attributes on populations and inputs where present (see
    compiler/transforms/quantise/Calibration.h), else from static bounds. The choices are
    left in the network's `quantisation` attribute.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"",
           "chip whose number formats to use (name or file)">,
    Option<"inputBits", "input-bits", "std::string", "\"\"",
           "of the integers that real-valued inputs become, sign included: one "
           "number, one for each input, or NAME=BITS,...; empty = 8, or as many "
           "as whole numbers need">,
    Option<"weightBits", "weight-bits", "std::string", "\"\"",
           "of weights: one number, one for each projection, or NAME=BITS,...; "
           "empty = as many as the target has">,
    Option<"stateBits", "state-bits", "std::string", "\"\"",
           "the same for the states of neurons that run as programs">];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendSchedule : Pass<"dend-schedule", "::dendrolith::dend::NetworkOp"> {
  let summary = "Retiming: phases, period and connection delays in chip steps";
  let description = [{
    Finds the smallest period P and phases f >= 0 with, for every projection
    i -> j of logical delay d, D = f_j - f_i + P d and 1 <= D - c <= P for a
    connection delay 0 <= c <= the target's limit. Sets `period`, `depth` and
    `critical` on the network, `phase` on inputs and populations and `steps` (c)
    on projections. Without gating P must be 1.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"",
           "chip whose gating and delay limit to use (name or file)">,
    Option<"spikes", "spikes", "std::string", "\"auto\"",
           "how integer values travel: graded, unary, or auto (graded where the "
           "target's payload holds them)">];
}

def DendExpandStructure : Pass<"dend-expand-structure", "::dendrolith::dend::NetworkOp"> {
  let summary = "Expand structure ops into body arithmetic of the same meaning";
  let description = [{
    `compartment`, `branch`, `soma`, `fire`, `join`, `delta_rule`, `cuba` become
    element-wise arithmetic: the same bits in fixed point, the same order of
    operations in float. `math` of fixed point becomes its recipe
    (compiler/transforms/structure/Recipes.h). The complex states and parameters of a
    `branch` become pairs of real ones, in the network too; without elements
    (`extern`) they stay. A branch `for` a range of neurons becomes a `when` that
    the others skip. `ssf` stays, and so does `cable` (--dend-diagonalise).
  }];
}

def DendSelectEngine : Pass<"dend-select-engine", "::dendrolith::dend::NetworkOp"> {
  let summary = "Give every neuron model the form that the target's engine runs";
  let description = [{
    A model that the target's fixed-function neuron can run (`dend.cuba`) stays
    as it is. On a target with microcode the others lose their structure ops, as
    by --dend-expand-structure: a program is made of body arithmetic.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"",
           "chip whose engines to use (name or file)">];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendFoldReadout : Pass<"dend-fold-readout", "::dendrolith::dend::NetworkOp"> {
  let summary = "Rewrite: compose linear populations into the weights around them";
  let description = [{
    W2 (W1 x + b1) + b2 = (W2 W1) x + (W2 b1 + b2) for a population that only emits
    its port: exact in reals. It goes, with its messages. Only where ticks agree:
    it feeds one projection, to a population on its own clock; its port does not
    hold; with a bias, that projection has no delay and no held port; with a delay,
    no source is slower. Left alone where the product has more synapses, and where
    an output of the network reads it. An error where nothing can be composed.
    Rows of `rewrites` on the network say what was done.
  }];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendRankD : Pass<"dend-rank-d", "::dendrolith::dend::NetworkOp"> {
  let summary = "Rewrite: hold a delta rule's state in the coordinates of its input";
  let description = [{
    With the key a = W s (one dense projection, no bias) the state of
    u' = keep u + rate e a, zero at first, always lies in the columns of W: u = W z.
    So z' = keep z + rate e s (an element per column of W that is not zero), the
    prediction u . a is z . (W^T W s), a reader V u is (V W) z. Exact in reals; the
    vector of compartments that u was is gone. An error where no population fits:
    one neuron, state and key longer than the input, emitted to dense synapses.
  }];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendDeadUnits : Pass<"dend-dead-units", "::dendrolith::dend::NetworkOp"> {
  let summary = "Rewrite: remove neurons of an integer network that never emit";
  let description = [{
    Of populations with a `silent` attribute (ids of neurons that emitted nothing in
    a run over `silent_samples` samples) those neurons go; of others those that
    cannot emit, whatever the input: intervals of states and sums, from weights and
    the values that sources send, never cross (compiler/transforms/rewrites/SpikeBounds.h).
    Rows of weights, biases and parameters go with them, and the columns of their
    synapses. Populations that an output of the network reads stay, and so does the
    first neuron of a population that would vanish. `removed` lists the ids.
  }];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendSplitDendrite : Pass<"dend-split-dendrite", "::dendrolith::dend::NetworkOp"> {
  let summary = "Split wide neurons into parts that fit cores";
  let description = [{
    For fixed-point bodies without structure ops, in one of two ways; every
    output of every tick has the bits of the wide neuron's.

    Without feedback, where the states fall into groups, or into slices along an
    axis, that do not decide about each other: parts hold the states, and a
    combiner, which keeps the population's name, computes in the same tick what
    needs several of them. What follows from ports alone is repeated in each part
    or, with `front`, computed once and sent.

    With feedback, where the compartments of a population of one neuron meet in
    sums alone (`dot`, `reduce sum`): parts keep compartments [0, n), [n, m),
    ..., and send their share of each sum; a predictor adds them and sends what
    follows from them back with delay 1. A part applies that pending update at
    the head of its next tick, to the inputs that it kept; a state shows the
    update one tick later. This way is taken where it can be.

    Named in the error if nothing can be split: the value that ties the states of
    each population together.
  }];
  let options = [
    Option<"parts", "parts", "std::string", "\"2\"",
           "how many, as equal as can be, groups of states by slices of each (4x2), or sizes of slices: 5+6+5">,
    Option<"population", "population", "std::string", "",
           "the only one to split; else all that can be">,
    Option<"front", "front", "bool", "false",
           "compute once what several parts need, and send it">,
    Option<"messageBits", "message-bits", "unsigned", "32",
           "the most bits of a message between parts">];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

def DendCollectSynapses
    : Pass<"dend-collect-synapses", "::dendrolith::dend::NetworkOp"> {
  let summary = "Gather the synapses of a port in neurons of their own";
  let description = [{
    Neurons `NAME.PORT`, one for each element of the port, receive what the port
    received, on as many cores as its synapses need, and send the sums on in the
    same tick. The bits are the same: a sum is modular and travels at its full
    width.
  }];
  let options = [
    Option<"population", "population", "std::string", "", "whose port it is">,
    Option<"port", "port", "std::string", "", "the port's name">,
    Option<"messageBits", "message-bits", "unsigned", "32",
           "the most bits of a message">];
  let dependentDialects = ["::dendrolith::dend::DendDialect"];
}

#endif // DENDROLITH_COMPILER_TRANSFORMS_PASSES_TD
