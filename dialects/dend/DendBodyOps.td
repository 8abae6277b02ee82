// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of step bodies. Values are real (any float type, evaluated in
// double), fixed point, i1/i32, or tensors of those; a scalar operand of an
// element-wise op is broadcast.
#ifndef NEURITE_DIALECTS_DEND_DENDBODYOPS_TD
#define NEURITE_DIALECTS_DEND_DENDBODYOPS_TD

include "dialects/dend/DendNetworkOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Dend_BodyOp<string mnemonic, list<Trait> traits = []>
    : Dend_Op<mnemonic, !listconcat([Pure], traits)>;

class Dend_SumOp<string mnemonic, list<Trait> traits = []> : Dend_BodyOp<mnemonic, traits> {
  let description = [{
    Real operands: the result in double. Fixed-point operands have one type,
    which is the result's; `overflow` says what happens outside its range.
  }];
  let arguments = (ins AnyType:$lhs, AnyType:$rhs,
      DefaultValuedAttr<Dend_OverflowAttr, "::neurite::dend::Overflow::Wrap">:$overflow);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_AddOp : Dend_SumOp<"add", [Commutative]> { let summary = "lhs + rhs"; }
def Dend_SubOp : Dend_SumOp<"sub"> { let summary = "lhs - rhs"; }

def Dend_MulOp : Dend_BodyOp<"mul", [Commutative]> {
  let summary = "lhs * rhs, exact in fixed point: fx<a,e> * fx<b,f> -> fx<a+b,e+f>";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_DivOp : Dend_BodyOp<"div"> {
  let summary = "lhs / rhs, real only";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
class Dend_MinMaxOp<string mnemonic> : Dend_BodyOp<mnemonic, [Commutative]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_MinOp : Dend_MinMaxOp<"min"> { let summary = "smaller of two values of one type"; }
def Dend_MaxOp : Dend_MinMaxOp<"max"> { let summary = "larger of two values of one type"; }
def Dend_NegOp : Dend_BodyOp<"neg", [SameOperandsAndResultType]> {
  let summary = "-x; fixed point wraps at the most negative value";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_AbsOp : Dend_BodyOp<"abs", [SameOperandsAndResultType]> {
  let summary = "|x|; fixed point wraps at the most negative value";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dend_RescaleOp : Dend_BodyOp<"rescale"> {
  let summary = "Change width and exponent of a fixed-point value: the only lossy op";
  let description = [{
    `dend.rescale %x round nearest_even overflow wrap : !dend.fx<40,-27> ->
    !dend.fx<24,-12>`: round x * 2^(e_in - e_out) to an integer, then bring it
    into the result's range.
  }];
  let arguments = (ins AnyType:$input, Dend_RoundingAttr:$rounding, Dend_OverflowAttr:$overflow);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `round` `` $rounding `overflow` `` $overflow attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dend_LiteralOp : Dend_BodyOp<"literal", [ConstantLike]> {
  let summary = "A constant scalar (raw integer for fixed point) or splat/dense tensor";
  let description = [{
    `dend.literal 0.5 : f64`; `dend.literal 64 : i64 as !dend.fx<24, 0>` holds
    the raw integer; tensors take a dense attribute of f64 or i64.
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `as` type($result) attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dend_ToRealOp : Dend_BodyOp<"to_real"> {
  let summary = "i1, i32 or fixed-point value as a real number (exact)";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dend_CmpOp : Dend_BodyOp<"cmp"> {
  let summary = "Compare two values of one type";
  let arguments = (ins Dend_PredicateAttr:$predicate, AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` $predicate $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_SelectOp : Dend_BodyOp<"select"> {
  let summary = "condition ? yes : no, element-wise";
  let arguments = (ins AnyType:$condition, AnyType:$yes, AnyType:$no);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$condition `,` $yes `,` $no attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_ClampOp : Dend_BodyOp<"clamp"> {
  let summary = "min(max(x, low), high)";
  let arguments = (ins AnyType:$input, AnyType:$low, AnyType:$high);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `,` $low `,` $high attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_ShiftOp : Dend_BodyOp<"shift"> {
  let summary = "x * 2^amount in the type of x: left wraps, right rounds as named";
  let arguments = (ins AnyType:$input, AnyType:$amount, Dend_RoundingAttr:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `by` $amount `round` `` $rounding attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_ClzOp : Dend_BodyOp<"clz"> {
  let summary = "Number of leading zero bits of |x| in the fixed-point width, as i32";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_MathOp : Dend_BodyOp<"math"> {
  let summary = "exp, log, tanh, sigmoid, sqrt, rsqrt, reciprocal, softplus";
  let description = [{
    Real: the function. Fixed point: stands for its recipe, which
    `--dend-expand-structure` writes out, with an error bound that
    compiler/transforms/structure/README.md derives; not for `log`. The input has at most
    32 bits, the result at most 31, exponents are -64 to 64 (the result of
    `exp`: -32 to 32). Results saturate; reciprocal of 0 and rsqrt of x <= 0
    give the largest value, sqrt of x < 0 gives 0.
  }];
  let arguments = (ins Dend_FunctionAttr:$function, AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` $function $input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_TableOp : Dend_BodyOp<"table"> {
  let summary = "Interpolated table lookup over evenly spaced knots, clamped at both ends";
  let description = [{
    Knots lie at `low + i * step`, both in real units. Real: linear
    interpolation. Fixed point fx<w, e>: low_raw = low / 2^e must be an integer
    and step / 2^e = 2^step_log2 a power of two; index = (x - low_raw) >>
    step_log2, the remainder interpolates with floor.
  }];
  let arguments = (ins AnyType:$input, AnyType:$knots, F64Attr:$low, F64Attr:$step);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `in` $knots `from` $low `step` $step attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

class Dend_ProductOp<string mnemonic> : Dend_BodyOp<mnemonic> {
  let description = [{
    In fixed point every product is rescaled to the result's type first (floor
    unless `rounding` says otherwise), then added modulo 2^width in index order.
  }];
  let arguments = (ins AnyType:$lhs, AnyType:$rhs,
      DefaultValuedAttr<Dend_RoundingAttr, "::neurite::dend::Rounding::Floor">:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs (`round` `` $rounding^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_DotOp : Dend_ProductOp<"dot"> { let summary = "vector . vector"; }
def Dend_MatVecOp : Dend_ProductOp<"matvec"> { let summary = "tensor<m x n> times tensor<n>"; }
def Dend_VecMatOp : Dend_ProductOp<"vecmat"> { let summary = "tensor<m> times tensor<m x n>"; }
def Dend_OuterAddOp : Dend_BodyOp<"outer_add"> {
  let summary = "accumulator + lhs (x) rhs";
  let arguments = (ins AnyType:$accumulator, AnyType:$lhs, AnyType:$rhs,
      DefaultValuedAttr<Dend_RoundingAttr, "::neurite::dend::Rounding::Floor">:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$accumulator `,` $lhs `,` $rhs (`round` `` $rounding^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dend_ReduceOp : Dend_BodyOp<"reduce"> {
  let summary = "Sum or maximum of all elements; fixed-point sums are modular";
  let arguments = (ins Dend_ReductionAttr:$kind, AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`` $kind $input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_TopKOp : Dend_BodyOp<"topk"> {
  let summary = "Mask of the k largest elements, ties to the lower index";
  let arguments = (ins AnyType:$input, I64Attr:$k);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `,` $k attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_SliceOp : Dend_BodyOp<"slice"> {
  let summary = "Elements [offset, offset + size) along the first axis; rank is kept";
  let arguments = (ins AnyType:$input, I64Attr:$offset, I64Attr:$size);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `[` $offset `,` $size `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_ElementOp : Dend_BodyOp<"element"> {
  let summary = "input[index] along the first axis; rank drops by one (scalar from a vector)";
  let arguments = (ins AnyType:$input, I64Attr:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_ConcatOp : Dend_BodyOp<"concat"> {
  let summary = "Join along the first axis; a scalar counts as one element";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$inputs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_RollOp : Dend_BodyOp<"roll", [SameOperandsAndResultType]> {
  let summary = "Rotate along the first axis: result[i] = input[(i - by) mod n]";
  let arguments = (ins AnyType:$input, I64Attr:$by);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `by` $by attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Dend_SplatOp : Dend_BodyOp<"splat"> {
  let summary = "A tensor with every element equal to the scalar";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dend_WhenOp : Dend_Op<"when", [SingleBlock, RecursiveMemoryEffects, NoRegionArguments]> {
  let summary = "Run a region only if the condition holds, else keep the carried values";
  let description = [{
    `%s2 = dend.when %c keep(%s : T) { ... dend.give %new : T }`: the result is
    what the region gives if `%c` is true, else the carried value; a skipped
    region costs nothing and changes no state.
  }];
  let arguments = (ins I1:$condition, Variadic<AnyType>:$carried);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $condition (`keep` `(` $carried^ `:` type($carried) `)` `->` `(` type($results) `)`)?
    $body attr-dict
  }];
  let hasVerifier = 1;
}
def Dend_GiveOp : Dend_Op<"give", [Terminator, ReturnLike, Pure, HasParent<"WhenOp">]> {
  let summary = "Values a `dend.when` region gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // NEURITE_DIALECTS_DEND_DENDBODYOPS_TD
