// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_DIALECTS_DEND_DENDATTRS_TD
#define DENDROLITH_DIALECTS_DEND_DENDATTRS_TD

include "dialects/dend/DendDialect.td"

class Dend_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::dendrolith::dend";
  let genSpecializedAttr = 0;
}
class Dend_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Dend_Dialect, info, mnemonic> {
  // Prints a space first; operations take theirs back (``) in front of it.
  let assemblyFormat = "custom<Word>($value)";
}

def Dend_Rounding : Dend_Enum<"Rounding", "how dropped bits are rounded", [
    I32EnumAttrCase<"Floor", 0, "floor">,
    I32EnumAttrCase<"TowardZero", 1, "toward_zero">,
    I32EnumAttrCase<"NearestEven", 2, "nearest_even">,
    I32EnumAttrCase<"NearestUp", 3, "nearest_up">]>;
def Dend_RoundingAttr : Dend_EnumAttr<Dend_Rounding, "rounding">;

def Dend_Overflow : Dend_Enum<"Overflow", "what happens outside the range", [
    I32EnumAttrCase<"Wrap", 0, "wrap">,
    I32EnumAttrCase<"Saturate", 1, "saturate">]>;
def Dend_OverflowAttr : Dend_EnumAttr<Dend_Overflow, "overflow">;

def Dend_Predicate : Dend_Enum<"Predicate", "comparison", [
    I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
    I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
    I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Dend_PredicateAttr : Dend_EnumAttr<Dend_Predicate, "predicate">;

def Dend_Function : Dend_Enum<"Function", "real function of one argument", [
    I32EnumAttrCase<"Exp", 0, "exp">, I32EnumAttrCase<"Log", 1, "log">,
    I32EnumAttrCase<"Tanh", 2, "tanh">, I32EnumAttrCase<"Sigmoid", 3, "sigmoid">,
    I32EnumAttrCase<"Sqrt", 4, "sqrt">, I32EnumAttrCase<"Rsqrt", 5, "rsqrt">,
    I32EnumAttrCase<"Reciprocal", 6, "reciprocal">,
    I32EnumAttrCase<"Softplus", 7, "softplus">]>;
def Dend_FunctionAttr : Dend_EnumAttr<Dend_Function, "function">;

def Dend_Reduction : Dend_Enum<"Reduction", "reduction over all elements", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">]>;
def Dend_ReductionAttr : Dend_EnumAttr<Dend_Reduction, "reduction">;

def Dend_Activation : Dend_Enum<"Activation", "branch non-linearity", [
    I32EnumAttrCase<"Identity", 0, "identity">, I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"LeakyRelu", 2, "leaky_relu">, I32EnumAttrCase<"Tanh", 3, "tanh">]>;
def Dend_ActivationAttr : Dend_EnumAttr<Dend_Activation, "activation">;

def Dend_JoinKind : Dend_Enum<"JoinKind", "how branches meet", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Or", 3, "or">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Pass", 5, "pass">,
    I32EnumAttrCase<"AbsMax", 6, "absmax">]>;
def Dend_JoinKindAttr : Dend_EnumAttr<Dend_JoinKind, "join_kind">;

def Dend_ResetKind : Dend_Enum<"ResetKind", "what a spike does to the state", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Value", 1, "value">,
    I32EnumAttrCase<"Subtract", 2, "subtract">]>;
def Dend_ResetKindAttr : Dend_EnumAttr<Dend_ResetKind, "reset_kind">;

// Modular range of the synaptic current: Lava wraps into (-2^23, 2^23], the
// NengoLoihi emulator into [-2^23, 2^23).
def Dend_WrapRange : Dend_Enum<"WrapRange", "half-open range of a modular sum", [
    I32EnumAttrCase<"OpenLow", 0, "open_low">,
    I32EnumAttrCase<"OpenHigh", 1, "open_high">]>;
def Dend_WrapRangeAttr : Dend_EnumAttr<Dend_WrapRange, "wrap_range">;

// The numbers are those of the program image.
def Dend_EmissionKind : Dend_Enum<"EmissionKind", "how a value of an output leaves", [
    I32EnumAttrCase<"Binary", 0, "binary">, I32EnumAttrCase<"Graded", 1, "graded">,
    I32EnumAttrCase<"Unary", 2, "unary">, I32EnumAttrCase<"Split", 3, "split">]>;

class Dend_Attr<string name, string attrMnemonic> : AttrDef<Dend_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Dend_PortAttr : Dend_Attr<"Port", "port"> {
  let summary = "Name of a port and the clock that clears it";
  let description = [{
    Without `hold` the accumulator is cleared at each update. With `hold @c` it
    keeps its value until clock `@c` ticks.
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
      OptionalParameter<"::mlir::FlatSymbolRefAttr">:$hold);
  let assemblyFormat = "`<` $name (`,` `hold` $hold^)? `>`";
}

def Dend_ParamAttr : Dend_Attr<"Param", "param"> {
  let summary = "Name of a frozen parameter; shared or one value per neuron";
  let parameters = (ins "::mlir::StringAttr":$name, "bool":$perNeuron);
  let assemblyFormat = "`<` $name `,` $perNeuron `>`";
}

def Dend_StateAttr : Dend_Attr<"State", "state"> {
  let summary = "Name, reset and initial value of a state";
  let description = [{
    `reset` is a string attribute "sample" or "never", or a symbol naming a
    clock. `init` is absent (zero), a float or integer attribute (every element
    of every neuron), or a symbol naming a `dend.constant` shaped N x type.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Attribute":$reset,
      OptionalParameter<"::mlir::Attribute">:$init);
  let assemblyFormat = "`<` $name `,` $reset (`,` $init^)? `>`";
}

def Dend_OutputAttr : Dend_Attr<"Output", "output"> {
  let summary = "Name, spike type and number of elements of a neuron's output";
  let parameters = (ins "::mlir::StringAttr":$name, "SpikeType":$type,
      "int64_t":$elements);
  let assemblyFormat = "`<` $name `,` $type `,` $elements `>`";
}

// Synapse kinds of a projection. Weight constants are named by the op.
def Dend_DenseAttr : Dend_Attr<"Dense", "dense"> {
  let summary = "weight: tensor<targets x sources>";
}
def Dend_SparseAttr : Dend_Attr<"Sparse", "sparse"> {
  let summary = "weight: tensor<nnz>, indices: tensor<nnz x 2 x i32> of (target, source), sorted by (source, target)";
}
def Dend_DiagonalAttr : Dend_Attr<"Diagonal", "diagonal"> {
  let summary = "weight: tensor<n>, source i reaches target i only; no weight means 1";
}
def Dend_ConvAttr : Dend_Attr<"Conv", "conv"> {
  let summary = "cross-correlation; weight: tensor<Cout x Cin/groups x Kh x Kw>";
  let description = [{
    `input` is (C, H, W); sources are numbered in that order, targets as
    (Cout, Hout, Wout). `padding` is (top, left, bottom, right).
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$input,
      "::mlir::DenseI64ArrayAttr":$stride, "::mlir::DenseI64ArrayAttr":$padding,
      "::mlir::DenseI64ArrayAttr":$dilation, "int64_t":$groups);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Dend_PoolAttr : Dend_Attr<"Pool", "pool"> {
  let summary = "sum or average pooling, no weight";
  let parameters = (ins "bool":$average, "::mlir::DenseI64ArrayAttr":$input,
      "::mlir::DenseI64ArrayAttr":$kernel, "::mlir::DenseI64ArrayAttr":$stride,
      "::mlir::DenseI64ArrayAttr":$padding);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Dend_SynapsesAttr : AnyAttrOf<[Dend_DenseAttr, Dend_SparseAttr, Dend_DiagonalAttr,
    Dend_ConvAttr, Dend_PoolAttr], "kind of synapses"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

// What passes leave on operations for later ones.
def Dend_EmissionAttr : Dend_Attr<"Emission", "emission"> {
  let summary = "How the values of an output leave, and over how many steps";
  let parameters = (ins EnumParameter<Dend_EmissionKind>:$kind, "int64_t":$steps);
  let assemblyFormat = "`<` $kind `,` $steps `>`";
}
def Dend_Range : ConfinedAttr<DenseF64ArrayAttr, [AttrConstraint<
    CPred<"::dendrolith::dend::isRange($_self)">, "of two numbers, low and high">]>;
def Dend_Ranges : ConfinedAttr<DictionaryAttr, [AttrConstraint<CPred<
    "::dendrolith::dend::allValues($_self, ::dendrolith::dend::isRange)">,
    "of ranges array<f64: low, high>">]>;
def Dend_Formats : ConfinedAttr<DictionaryAttr, [AttrConstraint<CPred<
    "::dendrolith::dend::allValues($_self, ::dendrolith::dend::isFormat)">,
    "of fixed-point types">]>;

#endif // DENDROLITH_DIALECTS_DEND_DENDATTRS_TD
