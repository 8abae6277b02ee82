// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops with a meaning that hardware has a place for; where it has none they
// expand into body arithmetic (`--dend-expand-structure`).
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283
// DendAttn: K. Wang et al., Biologically Inspired Neuron Structures for
// Versatile Foundation Models: Augmenting Memory Capacity, Temporal Dynamics,
// and Information Segregation via Native Dendritic Mechanisms, manuscript, its
// newest references are of 2025; models/dendattn/README.md names all authors.
#ifndef DENDROLITH_DIALECTS_DEND_DENDSTRUCTUREOPS_TD
#define DENDROLITH_DIALECTS_DEND_DENDSTRUCTUREOPS_TD

include "dialects/dend/DendBodyOps.td"

class Dend_StructureOp<string mnemonic, list<Trait> traits = []>
    : Dend_BodyOp<mnemonic, !listconcat([Dend_NoIntegerForm], traits)>;

def Dend_CompartmentOp : Dend_StructureOp<"compartment",
    [AttrSizedOperandSegments, Dend_SameNumbers<Dend_Real>, Dend_Broadcasts]> {
  let summary = "Leaky state: keep * state + gain * drive + offset";
  let description = [{
    One compartment's update in a step. `gain` (default 1) and `offset` (default
    0) are optional; `drive` is the port or the compartment that feeds it.
  }];
  let arguments = (ins Dend_RealLike:$state, Dend_RealLike:$drive, Dend_RealLike:$keep,
      Optional<Dend_RealLike>:$gain, Optional<Dend_RealLike>:$offset);
  let results = (outs Dend_RealLike:$result);
  let assemblyFormat = "$state `drive` $drive `keep` $keep (`gain` $gain^)? (`offset` "
      "$offset^)? attr-dict "
      # Dend_Types<"likeFirst", ["state", "drive", "keep", "gain", "offset"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_BranchOp : Dend_StructureOp<"branch", [AttrSizedOperandSegments]> {
  let summary = "Diagonal chain of compartments with a non-linearity (MMDEND eq. 10-14)";
  let description = [{
    V' = A V + G I;  d = act(Re(C . V') + direct I), for neurons in `range`
    (absent neurons: V' = V, d = 0). State, A, G and C: tensor<K x complex>, or
    tensor<K x real> for a real spectrum, which has half the arithmetic. Without
    `G` every mode's input gain is 1 (`--dend-gauge`).
  }];
  let arguments = (ins Dend_RealOrComplexLike:$state, Dend_RealLike:$input,
      Dend_RealOrComplexLike:$A,
      Optional<Dend_RealOrComplexLike>:$G, Dend_RealOrComplexLike:$C,
      Optional<Dend_RealLike>:$direct,
      Dend_ActivationAttr:$activation, OptionalAttr<DenseI64ArrayAttr>:$range);
  let results = (outs Dend_RealOrComplexLike:$next, Dend_RealLike:$drive);
  let assemblyFormat = "$state `,` $input `A` $A (`G` $G^)? `C` $C (`direct` $direct^)? "
      "`act` `` $activation (`for` $range^)? attr-dict "
      # Dend_Types<"branch", ["state", "input", "A", "G", "C", "direct"],
          ["next", "drive"]>.text;
  let hasVerifier = 1;
}

def Dend_CableOp : Dend_StructureOp<"cable", [AttrSizedOperandSegments]> {
  let summary = "Chain of coupled compartments, not diagonalised (MMDEND eq. 7-9)";
  let description = [{
    With the tridiagonal T (T_kk = diag_k, T_k+1,k = lower_k, T_k,k+1 = upper_k)
    and an input held over the step dt:

      V' = exp(T dt) V + (integral_0^dt exp(T s) ds) gamma I
      d  = act(V'_K + direct I)

    for neurons in `range` (absent neurons: V' = V, d = 0). State, diag, gamma:
    tensor<K x real>; lower, upper: tensor<K-1 x real>, left out for K = 1; dt,
    direct, I: scalar. `--dend-diagonalise` turns it into a `branch`.
  }];
  let arguments = (ins Dend_RealOrComplexLike:$state, Dend_RealLike:$input,
      Dend_RealOrComplexLike:$diag, Optional<Dend_RealOrComplexLike>:$lower,
      Optional<Dend_RealOrComplexLike>:$upper, Dend_RealOrComplexLike:$gamma,
      Dend_RealLike:$dt, Optional<Dend_RealLike>:$direct, Dend_ActivationAttr:$activation,
      OptionalAttr<DenseI64ArrayAttr>:$range);
  let results = (outs Dend_RealOrComplexLike:$next, Dend_RealLike:$drive);
  let assemblyFormat = "$state `,` $input `diag` $diag (`lower` $lower^)? (`upper` "
      "$upper^)? `gamma` $gamma `dt` $dt (`direct` $direct^)? `act` `` $activation "
      "(`for` $range^)? attr-dict "
      # Dend_Types<"branch", ["state", "input", "diag", "lower", "upper", "gamma", "dt",
          "direct"], ["next", "drive"]>.text;
  let hasVerifier = 1;
}

def Dend_JoinOp : Dend_StructureOp<"join", [AttrSizedOperandSegments]> {
  let summary = "How branches meet: (weighted) sum, max, min, or, and, pass, absmax";
  let description = [{
    `absmax` keeps the value that is farthest from zero, with its sign, and of
    equally far ones the first.
  }];
  let arguments = (ins Dend_JoinKindAttr:$kind, Variadic<Dend_OrderedOrBoolLike>:$branches,
      Optional<Dend_BodyValue>:$weights);
  let results = (outs Dend_OrderedOrBoolLike:$result);
  let assemblyFormat = "`` $kind `(` $branches `)` (`weights` $weights^)? attr-dict "
      # Dend_Types<"first", ["branches", "weights"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_SomaOp : Dend_StructureOp<"soma", [Dend_SameNumbers<Dend_Real>, Dend_Broadcasts]> {
  let summary = "keep * state + gain * (dendrite + feed * input) (MMDEND eq. 15)";
  let arguments = (ins Dend_RealLike:$state, Dend_RealLike:$dendrite, Dend_RealLike:$input,
      Dend_RealLike:$keep, Dend_RealLike:$gain, Dend_RealLike:$feed);
  let results = (outs Dend_RealLike:$result);
  let assemblyFormat = "$state `,` $dendrite `,` $input `keep` $keep `gain` $gain `feed` "
      "$feed attr-dict "
      # Dend_Types<"likeFirst", ["state", "dendrite", "input", "keep", "gain", "feed"],
          ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_FireOp : Dend_StructureOp<"fire", [Dend_HasIntervals]> {
  let summary = "Threshold crossing and reset: spike if v > theta (>= with `inclusive`)";
  let description = [{
    `none` leaves v, `value` sets it to `to` (zero if absent), `subtract` takes
    theta off.
  }];
  let arguments = (ins Dend_OrderedLike:$potential, Dend_OrderedLike:$threshold,
      Optional<Dend_OrderedLike>:$to, Dend_ResetKindAttr:$reset, UnitAttr:$inclusive);
  let results = (outs Dend_BodyValue:$spike, Dend_OrderedLike:$next);
  let assemblyFormat = "$potential `,` $threshold `reset` `` $reset (`to` $to^)? "
      "(`inclusive` $inclusive^)? attr-dict "
      # Dend_Types<"fire", ["potential", "threshold", "to"], ["spike", "next"]>.text;
  let hasVerifier = 1;
}

// Unlike the other structure ops, an engine computes it as it stands.
def Dend_SsfOp : Dend_BodyOp<"ssf", [Dend_Broadcasts, Dend_OneFormat]> {
  let summary = "Scaling-Shifting Integer Firing: floor(clip((v - shift)/scale, -U, U)/vth) as i32";
  let description = [{
    MMDEND eq. 16-17. scale > 0 and vth divides U exactly; `scale` is checked
    again when its value is bound.
  }];
  let arguments = (ins Dend_RealOrFxLike:$potential, Dend_RealOrFxLike:$shift,
      Dend_RealOrFxLike:$scale, F64Attr:$vth, F64Attr:$u);
  let results = (outs I32:$result);
  let assemblyFormat = "$potential `shift` $shift `scale` $scale `vth` $vth `u` $u attr-dict "
      # Dend_Types<"counts", ["potential", "shift", "scale"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_DeltaRuleOp : Dend_StructureOp<"delta_rule", [Dend_SameNumbers<Dend_Real>]> {
  let summary = "keep * state + rate * key (x) (target - prediction)";
  let description = [{
    Vector state: state, key: tensor<k>, target and prediction scalar (DendriCL
    eq. 1). Matrix state: state tensor<k x v>, key tensor<k>, target and
    prediction tensor<v> (DendAttn eq. 18-20). `keep` and `rate` are scalars; a
    gate multiplies `rate`.
  }];
  let arguments = (ins Dend_RealLike:$state, Dend_RealLike:$key, Dend_RealLike:$target,
      Dend_RealLike:$prediction, Dend_RealLike:$keep, Dend_RealLike:$rate);
  let results = (outs Dend_RealLike:$result);
  let assemblyFormat = "$state `key` $key `target` $target `prediction` $prediction `keep` "
      "$keep `rate` $rate attr-dict "
      # Dend_Types<"likeFirst", ["state", "key", "target", "prediction", "keep", "rate"],
          ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_CubaOp : Dend_StructureOp<"cuba", [Dend_HasIntervals]> {
  let summary = "Loihi 1's fixed-function current-based neuron, to the bit";
  let description = [{
    With M = 2^(current_bits - 1) and tz(x, 12) = sign(x) * (|x| >> 12):

      a  = input, first wrapped to `input_wrap_bits` + sign bits if that is set
      u' = wrap(tz(u * (4095 - decay_u), 12) + a)        modulo 2M
      d  = u' + bias, wrapped like u if `bias_wrap`
      v' = clip(tz(v * (4096 - decay_v), 12) + d, vmin, vmax)
      if refractory count r > 0: v' = 0
      s  = v' > threshold (strict); then v' = 0, r' = refractory - 1
      else r' = max(r - 1, 0)
      (r' is never negative, also for refractory 0)

    `input` is the exact sum of weight contributions (mantissa << shift).
    decay_u in -1..4095, decay_v in 0..4096, threshold and bias are full
    integers (mantissa and exponent applied). u wraps into (-M, M]
    (`open_low`, Lava) or [-M, M) (`open_high`, NengoLoihi; the one that 32
    bits have room for). `current_bits` is 2 to 32. `silent` never
    fires (read-outs). Types: input !dend.fx<64,0>; u, v !dend.fx<32,0>;
    r i32; the parameters i32. These are the
    integers of Lava's LIF process in its `fixed_pt` model
    (https://github.com/lava-nc/lava).
  }];
  let arguments = (ins Dend_FxLike:$input, Dend_FxLike:$u, Dend_FxLike:$v, Dend_BodyValue:$r,
      Dend_BodyValue:$decay_u, Dend_BodyValue:$decay_v, Dend_BodyValue:$threshold, Dend_BodyValue:$bias,
      DefaultValuedAttr<I64Attr, "0">:$input_wrap_bits,
      DefaultValuedAttr<I64Attr, "24">:$current_bits,
      DefaultValuedAttr<I64Attr, "-8388607">:$vmin,
      DefaultValuedAttr<I64Attr, "8388607">:$vmax,
      DefaultValuedAttr<I64Attr, "0">:$refractory,
      DefaultValuedAttr<Dend_WrapRangeAttr, "::dendrolith::dend::WrapRange::OpenLow">:$wrap,
      UnitAttr:$bias_wrap, UnitAttr:$silent);
  let results = (outs I1:$spike, Dend_FxLike:$next_u, Dend_FxLike:$next_v,
      Dend_BodyValue:$next_r);
  let assemblyFormat = "$input `,` $u `,` $v `,` $r `decay` $decay_u `,` $decay_v "
      "`threshold` $threshold `bias` $bias attr-dict "
      # Dend_Types<"cuba", ["input", "u", "v", "r", "decay_u", "decay_v", "threshold",
          "bias"], ["spike", "next_u", "next_v", "next_r"]>.text;
  let hasVerifier = 1;
}

#endif // DENDROLITH_DIALECTS_DEND_DENDSTRUCTUREOPS_TD
