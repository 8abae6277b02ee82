// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of step bodies. Values are real (any float type, evaluated in
// double), fixed point, i1/i32, or tensors of those; a scalar operand of an
// element-wise op is broadcast. Passes ask an op about itself through
// BodyOpInterface, which answers from the traits below.
#ifndef DENDROLITH_DIALECTS_DEND_DENDBODYOPS_TD
#define DENDROLITH_DIALECTS_DEND_DENDBODYOPS_TD

include "dialects/dend/BodyOpInterface.td"
include "dialects/dend/DendNetworkOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Dend_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::dendrolith::dend::OpTrait";
}
// This checks that operands and results are body values. Structural traits are
// verified before type constraints, so the error is in the dialect's wording.
def Dend_BodyValues : Dend_Trait<"BodyValues">, StructuralOpTrait;
// This checks that all operands and the only result hold numbers of one element
// type, which is of the given kinds.
class Dend_SameNumbers<string kinds>
    : ParamNativeOpTrait<"SameNumbers", kinds>, StructuralOpTrait {
  let cppNamespace = "::dendrolith::dend::OpTrait";
}
defvar Dend_Real = "::dendrolith::dend::kReal";
defvar Dend_Ordered = "::dendrolith::dend::kOrdered";
defvar Dend_OrderedOrBool = "::dendrolith::dend::kOrdered | ::dendrolith::dend::kBool";
defvar Dend_AnyNumbers = "::dendrolith::dend::kAny";
// This checks the shapes of an element-wise op. Some structure ops have it too,
// but count as a whole: they are not element-wise to a pass.
def Dend_Broadcasts : Dend_Trait<"Broadcasts">;
def Dend_Elementwise : TraitList<[Dend_Broadcasts, Dend_Trait<"Elementwise">]>;
// BodyOpInterface answers from these properties, which BodyTraits.h defines.
def Dend_KeepsZero : Dend_Trait<"KeepsZero">;
def Dend_OneFormat : Dend_Trait<"OneFormat">;
def Dend_NoIntegerForm : Dend_Trait<"NoIntegerForm">;
// An op that has this defines a rule of its own, in Interval.cpp or
// BodyTraits.cpp.
class Dend_Answers<list<string> methods>
    : DeclareOpInterfaceMethods<BodyOpInterface, methods>;
def Dend_HasIntervals : Dend_Answers<["inferIntervals"]>;

class Dend_BodyOp<string mnemonic, list<Trait> traits = []>
    : Dend_Op<mnemonic, !listconcat([Pure, Dend_BodyValues, BodyOpInterface], traits)>;

// This is an element-wise op on numbers of one type, which is the result's. A
// tensor operand gives the result its shape.
class Dend_ArithmeticOp<string mnemonic, string kinds, list<Trait> traits = []>
    : Dend_BodyOp<mnemonic, !listconcat(
          [Dend_SameNumbers<kinds>, Dend_Elementwise, InferTypeOpInterface], traits)> {
  code inferTypes = [{
    static ::llvm::LogicalResult inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
        ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(::dendrolith::dend::broadcastType(
          ::dendrolith::dend::elementType(operands[0].getType()), operands.getTypes()));
      return ::mlir::success();
    }
  }];
  let extraClassDeclaration = inferTypes;
}

class Dend_SumOp<string mnemonic, list<Trait> traits = []>
    : Dend_ArithmeticOp<mnemonic, Dend_Ordered, !listconcat(
          [Dend_OneFormat, Dend_KeepsZero, Dend_HasIntervals], traits)> {
  let description = [{
    Real operands: the result in double. Fixed-point operands have one type,
    which is the result's; `overflow` says what happens outside its range.
  }];
  let arguments = (ins Dend_OrderedLike:$lhs, Dend_OrderedLike:$rhs,
      DefaultValuedAttr<Dend_OverflowAttr, "::dendrolith::dend::Overflow::Wrap">:$overflow);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "$lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict "
      # Dend_Types<"likeFirst", ["lhs", "rhs"], ["result"]>.text;
  let extraClassDeclaration = inferTypes # [{
    bool saturates() {
      return getOverflow() == ::dendrolith::dend::Overflow::Saturate;
    }
    void saturate() { setOverflow(::dendrolith::dend::Overflow::Saturate); }
  }];
  let hasFolder = 1;
}
def Dend_AddOp : Dend_SumOp<"add", [Commutative]> { let summary = "lhs + rhs"; }
def Dend_SubOp : Dend_SumOp<"sub"> { let summary = "lhs - rhs"; }

def Dend_MulOp : Dend_BodyOp<"mul",
    [Commutative, Dend_Elementwise, Dend_Answers<["inferIntervals", "givesZero"]>]> {
  let summary = "lhs * rhs, exact in fixed point: fx<a,e> * fx<b,f> -> fx<a+b,e+f>";
  let arguments = (ins Dend_OrderedLike:$lhs, Dend_OrderedLike:$rhs);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict "
      # Dend_Types<"product", ["lhs", "rhs"], ["result"]>.text;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_DivOp : Dend_ArithmeticOp<"div", Dend_Real, [Dend_NoIntegerForm]> {
  let summary = "lhs / rhs, real only";
  let arguments = (ins Dend_RealLike:$lhs, Dend_RealLike:$rhs);
  let results = (outs Dend_RealLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict "
      # Dend_Types<"likeFirst", ["lhs", "rhs"], ["result"]>.text;
}
// On i1 these two are `and` and `or`.
class Dend_MinMaxOp<string mnemonic>
    : Dend_ArithmeticOp<mnemonic, Dend_OrderedOrBool,
          [Commutative, Dend_OneFormat, Dend_KeepsZero, Dend_HasIntervals]> {
  let arguments = (ins Dend_OrderedOrBoolLike:$lhs, Dend_OrderedOrBoolLike:$rhs);
  let results = (outs Dend_OrderedOrBoolLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict "
      # Dend_Types<"likeFirst", ["lhs", "rhs"], ["result"]>.text;
}
def Dend_MinOp : Dend_MinMaxOp<"min"> { let summary = "smaller of two values of one type"; }
def Dend_MaxOp : Dend_MinMaxOp<"max"> { let summary = "larger of two values of one type"; }
class Dend_SignOp<string mnemonic, list<Trait> traits = []>
    : Dend_BodyOp<mnemonic, !listconcat(
          [SameOperandsAndResultType, Dend_SameNumbers<Dend_Ordered>, Dend_Elementwise,
           Dend_OneFormat, Dend_KeepsZero], traits)> {
  let arguments = (ins Dend_OrderedLike:$input);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "$input attr-dict "
      # Dend_Types<"likeFirst", ["input"], ["result"]>.text;
}
def Dend_NegOp : Dend_SignOp<"neg", [Dend_HasIntervals]> {
  let summary = "-x; fixed point wraps at the most negative value";
}
def Dend_AbsOp : Dend_SignOp<"abs"> {
  let summary = "|x|; fixed point wraps at the most negative value";
}

def Dend_RescaleOp : Dend_BodyOp<"rescale",
    [Dend_Elementwise, Dend_KeepsZero, Dend_HasIntervals]> {
  let summary = "Change width and exponent of a fixed-point value: the only lossy op";
  let description = [{
    `dend.rescale %x round nearest_even overflow wrap : !dend.fx<40,-27> ->
    !dend.fx<24,-12>`: round x * 2^(e_in - e_out) to an integer, then bring it
    into the result's range.
  }];
  let arguments = (ins Dend_BodyValue:$input, Dend_RoundingAttr:$rounding,
      Dend_OverflowAttr:$overflow);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input `round` `` $rounding `overflow` `` $overflow attr-dict "
      # Dend_Types<"stated", ["input"], ["result"]>.text;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dend_LiteralOp : Dend_BodyOp<"literal", [ConstantLike, Dend_HasIntervals]> {
  let summary = "A constant scalar (raw integer for fixed point) or splat/dense tensor";
  let description = [{
    `dend.literal 0.5`, `dend.literal 0.5 : f64 as f64` in full, is real; `dend.literal
    64 as !dend.fx<24, 0>` holds the raw integer; tensors take a dense attribute of
    f64 or i64.
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$value custom<LiteralType>(ref($value), type($result)) attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dend_ToRealOp : Dend_BodyOp<"to_real", [Dend_Elementwise, Dend_NoIntegerForm]> {
  let summary = "i1, i32 or fixed-point value as a real number (exact)";
  let arguments = (ins Dend_BodyValue:$input);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input attr-dict "
      # Dend_Types<"reals", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_CmpOp : Dend_BodyOp<"cmp", [Dend_Elementwise, Dend_OneFormat, Dend_HasIntervals]> {
  let summary = "Compare two values of one type";
  let arguments = (ins Dend_PredicateAttr:$predicate, Dend_OrderedOrBoolLike:$lhs,
      Dend_OrderedOrBoolLike:$rhs);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "`` $predicate $lhs `,` $rhs attr-dict "
      # Dend_Types<"truths", ["lhs", "rhs"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_SelectOp : Dend_BodyOp<"select",
    [Dend_Elementwise, Dend_OneFormat, Dend_Answers<["inferIntervals", "givesZero"]>]> {
  let summary = "condition ? yes : no, element-wise";
  let arguments = (ins Dend_BodyValue:$condition, Dend_BodyValue:$yes, Dend_BodyValue:$no);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$condition `,` $yes `,` $no attr-dict "
      # Dend_Types<"likeSecond", ["condition", "yes", "no"], ["result"]>.text;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Dend_ClampOp : Dend_ArithmeticOp<"clamp", Dend_Ordered,
    [Dend_OneFormat, Dend_HasIntervals]> {
  let summary = "min(max(x, low), high)";
  let arguments = (ins Dend_OrderedLike:$input, Dend_OrderedLike:$low, Dend_OrderedLike:$high);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "$input `,` $low `,` $high attr-dict "
      # Dend_Types<"likeFirst", ["input", "low", "high"], ["result"]>.text;
  let hasFolder = 1;
}
def Dend_ShiftOp : Dend_BodyOp<"shift", [Dend_Elementwise]> {
  let summary = "x * 2^amount in the type of x: left wraps, right rounds as named";
  let arguments = (ins Dend_OrderedLike:$input, Dend_BodyValue:$amount, Dend_RoundingAttr:$rounding);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "$input `by` $amount `round` `` $rounding attr-dict "
      # Dend_Types<"likeFirst", ["input", "amount"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_ClzOp : Dend_BodyOp<"clz", [Dend_Elementwise]> {
  let summary = "Number of leading zero bits of |x| in the fixed-point width, as i32";
  let arguments = (ins Dend_BodyValue:$input);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input attr-dict "
      # Dend_Types<"counts", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_MathOp : Dend_BodyOp<"math",
    [Dend_Elementwise, Dend_NoIntegerForm, Dend_Answers<["getFormatGroups"]>]> {
  let summary = "exp, log, tanh, sigmoid, sqrt, rsqrt, reciprocal, softplus";
  let description = [{
    Real: the function. Fixed point: stands for its recipe, which
    `--dend-expand-structure` writes out, with an error bound that
    compiler/transforms/structure/README.md derives; not for `log`. The input has at most
    32 bits, the result at most 31, exponents are -64 to 64 (the result of
    `exp`: -32 to 32). Results saturate; reciprocal of 0 and rsqrt of x <= 0
    give the largest value, sqrt of x < 0 gives 0.
  }];
  let arguments = (ins Dend_FunctionAttr:$function, Dend_RealOrFxLike:$input);
  let results = (outs Dend_RealOrFxLike:$result);
  let assemblyFormat = "`` $function $input attr-dict "
      # Dend_Types<"realLikeFirst", ["input"], ["result"]>.text;
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
  let arguments = (ins Dend_RealOrFxLike:$input, Dend_RealOrFxLike:$knots, F64Attr:$low,
      F64Attr:$step);
  let results = (outs Dend_RealOrFxLike:$result);
  let assemblyFormat = "$input `in` $knots `from` $low `step` $step attr-dict "
      # Dend_Types<"realLikeFirst", ["input", "knots"], ["result"]>.text;
  let hasVerifier = 1;
}

class Dend_ProductOp<string mnemonic> : Dend_BodyOp<mnemonic> {
  let description = [{
    In fixed point every product is rescaled to the result's type first (floor
    unless `rounding` says otherwise), then added modulo 2^width in index order.
  }];
  let arguments = (ins Dend_RealOrFxLike:$lhs, Dend_RealOrFxLike:$rhs,
      DefaultValuedAttr<Dend_RoundingAttr, "::dendrolith::dend::Rounding::Floor">:$rounding);
  let results = (outs Dend_RealOrFxLike:$result);
  let assemblyFormat = "$lhs `,` $rhs (`round` `` $rounding^)? attr-dict "
      # Dend_Types<"contraction", ["lhs", "rhs"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_DotOp : Dend_ProductOp<"dot"> { let summary = "vector . vector"; }
def Dend_MatVecOp : Dend_ProductOp<"matvec"> { let summary = "tensor<m x n> times tensor<n>"; }
def Dend_VecMatOp : Dend_ProductOp<"vecmat"> { let summary = "tensor<m> times tensor<m x n>"; }
def Dend_OuterAddOp : Dend_BodyOp<"outer_add", [Dend_Answers<["getFormatGroups"]>]> {
  let summary = "accumulator + lhs (x) rhs";
  let arguments = (ins Dend_RealOrFxLike:$accumulator, Dend_RealOrFxLike:$lhs,
      Dend_RealOrFxLike:$rhs,
      DefaultValuedAttr<Dend_RoundingAttr, "::dendrolith::dend::Rounding::Floor">:$rounding);
  let results = (outs Dend_RealOrFxLike:$result);
  let assemblyFormat = "$accumulator `,` $lhs `,` $rhs (`round` `` $rounding^)? attr-dict "
      # Dend_Types<"likeFirst", ["accumulator", "lhs", "rhs"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_ReduceOp : Dend_BodyOp<"reduce", [Dend_SameNumbers<Dend_Ordered>, Dend_OneFormat]> {
  let summary = "Sum or maximum of all elements; fixed-point sums are modular";
  let arguments = (ins Dend_ReductionAttr:$kind, Dend_OrderedLike:$input);
  let results = (outs Dend_OrderedLike:$result);
  let assemblyFormat = "`` $kind $input attr-dict "
      # Dend_Types<"elementOfFirst", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_TopKOp : Dend_BodyOp<"topk"> {
  let summary = "Mask of the k largest elements, ties to the lower index";
  let arguments = (ins Dend_OrderedLike:$input, I64Attr:$k);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input `,` $k attr-dict "
      # Dend_Types<"truths", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}
// A move takes elements as they are, of whatever kind.
class Dend_MoveOp<string mnemonic, list<Trait> traits = []>
    : Dend_BodyOp<mnemonic, !listconcat(
          [Dend_SameNumbers<Dend_AnyNumbers>, Dend_OneFormat], traits)>;
def Dend_SliceOp : Dend_MoveOp<"slice", [Dend_HasIntervals]> {
  let summary = "Elements [offset, offset + size) along the first axis; rank is kept";
  let arguments = (ins Dend_BodyValue:$input, I64Attr:$offset, I64Attr:$size);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input `[` $offset `,` $size `]` attr-dict "
      # Dend_Types<"slice", ["input"], ["result"], ["size"]>.text;
  let hasVerifier = 1;
}
def Dend_ElementOp : Dend_MoveOp<"element", [Dend_HasIntervals]> {
  let summary = "input[index] along the first axis; rank drops by one (scalar from a vector)";
  let arguments = (ins Dend_BodyValue:$input, I64Attr:$index);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input `[` $index `]` attr-dict "
      # Dend_Types<"elementAt", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_ConcatOp : Dend_MoveOp<"concat"> {
  let summary = "Join along the first axis; a scalar counts as one element";
  let arguments = (ins Variadic<Dend_BodyValue>:$inputs);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$inputs attr-dict "
      # Dend_Types<"concat", ["inputs"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_RollOp : Dend_MoveOp<"roll", [SameOperandsAndResultType, Dend_HasIntervals]> {
  let summary = "Rotate along the first axis: result[i] = input[(i - by) mod n]";
  let arguments = (ins Dend_BodyValue:$input, I64Attr:$by);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input `by` $by attr-dict "
      # Dend_Types<"likeFirst", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}
def Dend_SplatOp : Dend_MoveOp<"splat", [Dend_HasIntervals]> {
  let summary = "A tensor with every element equal to the scalar";
  let arguments = (ins Dend_BodyValue:$input);
  let results = (outs Dend_BodyValue:$result);
  let assemblyFormat = "$input attr-dict "
      # Dend_Types<"stated", ["input"], ["result"]>.text;
  let hasVerifier = 1;
}

def Dend_WhenOp : Dend_Op<"when",
    [SingleBlock, RecursiveMemoryEffects, NoRegionArguments, Dend_BodyValues,
     Dend_Answers<["getFormatGroups"]>]> {
  let summary = "Run a region only if the condition holds, else keep the carried values";
  let description = [{
    `%s2 = dend.when %c keep(%s : T) { ... dend.give %new : T }`: the result is
    what the region gives if `%c` is true, else the carried value; a skipped
    region costs nothing and changes no state.
  }];
  let arguments = (ins I1:$condition, Variadic<Dend_BodyValue>:$carried);
  let results = (outs Variadic<Dend_BodyValue>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $condition (`keep` `(` $carried^
      custom<CarriedTypes>(ref($carried), type($carried), type($results)))? $body attr-dict
  }];
  let hasVerifier = 1;
}
def Dend_GiveOp : Dend_Op<"give", [Terminator, ReturnLike, Pure, HasParent<"WhenOp">]> {
  let summary = "Values a `dend.when` region gives";
  let arguments = (ins Variadic<Dend_BodyValue>:$values);
  let assemblyFormat = "($values^ custom<KnownTypes>(ref($values), type($values)))? attr-dict";
}

#endif // DENDROLITH_DIALECTS_DEND_DENDBODYOPS_TD
