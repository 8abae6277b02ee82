// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NEURITE_COMPILER_TRANSFORMS_PASSES_TD
#define NEURITE_COMPILER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DendPrepare : Pass<"dend-prepare", "::neurite::dend::NetworkOp"> {
  let summary = "Bring a float network into the form that is calibrated and quantised";
  let description = [{
    Each population that a fixed-function current-based neuron cannot run gets a
    float model of its own, with structure ops expanded as by
    --dend-expand-structure: every value that needs a range is then there to be
    seen. `poles` on the model names the parameters that states are multiplied
    by, `not_cuba` says why it needs a programmable neuron.
  }];
}

def DendQuantise : Pass<"dend-quantise", "::neurite::dend::NetworkOp"> {
  let summary = "Turn a float network into the integers of a target";
  let description = [{
    Recognises neuron models made of `dend.compartment` and `dend.fire` that a
    fixed-function current-based neuron can run, chooses a scale per population,
    and rewrites models, parameters, weights and inputs to integers. Any other
    step body is quantised value by value where the target has microcode:
    values that are added or compared share a format whose exponent follows from
    the ranges seen, products are rounded to it at once, a port has a power of
    two as unit and a width that its largest sum fits (needs --dend-prepare and
    ranges on values). Ranges come
    from `calibration` attributes on populations and inputs where present (see
    compiler/transforms/Calibration.h), else from static bounds. The choices are
    left in the network's `quantisation` attribute.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"",
           "chip whose number formats to use (name or file)">,
    Option<"inputBits", "input-bits", "unsigned", "0",
           "of an integer that a real-valued input becomes, sign included; 0 = 8, "
           "or what the target's payload holds">];
  let dependentDialects = ["::neurite::dend::DendDialect"];
}

def DendSchedule : Pass<"dend-schedule", "::neurite::dend::NetworkOp"> {
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

def DendExpandStructure : Pass<"dend-expand-structure", "::neurite::dend::NetworkOp"> {
  let summary = "Expand structure ops into body arithmetic of the same meaning";
  let description = [{
    `compartment`, `branch`, `soma`, `fire`, `join`, `delta_rule`, `cuba` become
    element-wise arithmetic: the same bits in fixed point, the same order of
    operations in float. `math` of fixed point becomes its recipe
    (compiler/transforms/Recipes.h). The complex states and parameters of a
    `branch` become pairs of real ones, in the network too; without elements
    (`extern`) they stay. So does `ssf`.
  }];
}

def DendSelectEngine : Pass<"dend-select-engine", "::neurite::dend::NetworkOp"> {
  let summary = "Give every neuron model the form that the target's engine runs";
  let description = [{
    A model that the target's fixed-function neuron can run (`dend.cuba`) stays
    as it is. On a target with microcode the others lose their structure ops, as
    by --dend-expand-structure: a program is made of body arithmetic.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"ideal\"",
           "chip whose engines to use (name or file)">];
  let dependentDialects = ["::neurite::dend::DendDialect"];
}

#endif // NEURITE_COMPILER_TRANSFORMS_PASSES_TD
