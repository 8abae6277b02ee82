// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Networks, clocks, constants, neuron models, populations and projections.
#ifndef DENDROLITH_DIALECTS_DEND_DENDNETWORKOPS_TD
#define DENDROLITH_DIALECTS_DEND_DENDNETWORKOPS_TD

include "dialects/dend/DendAttrs.td"
include "dialects/dend/DendTypes.td"
include "dialects/DeclaredAttributes.td"
include "dialects/report/ReportOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Dend_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dend_Dialect, mnemonic, !listconcat(traits, [DeclaredAttributes])>;

// The end of the syntax of an op in a step body: its types, of which those may
// be left out that follow from its operands. `rule` (TypeSyntax.h) gives the
// types of the results; `more` are attributes that it needs.
class Dend_Types<string rule, list<string> operands, list<string> results,
                 list<string> more = []> {
  string text = "custom<Types>(\"" # rule # "\", " # !interleave(!listconcat(
      !foreach(name, more, "ref($" # name # ")"),
      !foreach(name, operands, "ref($" # name # "), type($" # name # ")"),
      !foreach(name, results, "type($" # name # ")")), ", ") # ")";
}

def Dend_NetworkOp : Dend_Op<"network",
    [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
     NoRegionArguments, RegionKindInterface]> {
  let summary = "Populations joined by frozen synapses";
  let description = [{
    Holds clocks (exactly one without `divides`: the root, one tick per step or
    token of the input), constants, neuron models, inputs, populations,
    projections and outputs. The order of ops has no meaning.

    `statistics` and `layers` describe the network as it was trained; `rewrites`,
    `quantisation` and `policies` say what passes and the importer made of it;
    `warnings` what a user should know although nothing failed.
    Calibration leaves `sampled`, samples and root ticks of each that the
    `activity` of inputs and populations tells of. The schedule sets `period` and
    `depth`, in steps, and `critical`, the cycle that forbids a smaller period.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<I64Attr>:$period,
      OptionalAttr<I64Attr>:$depth, OptionalAttr<StrAttr>:$critical,
      OptionalAttr<DenseI64ArrayAttr>:$sampled,
      OptionalAttr<Report_ModelStatistics>:$statistics,
      OptionalAttr<TypedArrayAttrBase<Report_Layer, "rows of `layers`">>:$layers,
      OptionalAttr<TypedArrayAttrBase<Report_RewriteRow, "rows of `rewrites`">>:$rewrites,
      OptionalAttr<TypedArrayAttrBase<Report_QuantRow, "rows of `quantisation`">>:$quantisation,
      OptionalAttr<TypedArrayAttrBase<Report_Note, "rows of `policies`">>:$policies,
      OptionalAttr<TypedArrayAttrBase<Report_Warning, "rows of `warnings`">>:$warnings);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$sym_name), [{
    auto &properties = $_state.getOrAddProperties<Properties>();
    properties.sym_name = sym_name;
    $_state.addRegion();
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    static ::mlir::RegionKind getRegionKind(unsigned) {
      return ::mlir::RegionKind::Graph;
    }
    /// The clock that divides no other, null while none exists.
    ClockOp getRootClock();
  }];
}

def Dend_ClockOp : Dend_Op<"clock", [Symbol, HasParent<"NetworkOp">]> {
  let summary = "Root clock, or a clock that ticks `by` times per tick of another";
  let arguments = (ins SymbolNameAttr:$sym_name,
      OptionalAttr<FlatSymbolRefAttr>:$divides, OptionalAttr<I64Attr>:$by);
  let assemblyFormat = "$sym_name (`divides` $divides^ `by` $by)? attr-dict";
  let hasVerifier = 1;
}

def Dend_ConstantOp : Dend_Op<"constant", [Symbol, HasParent<"NetworkOp">]> {
  let summary = "A frozen tensor: elements in place, or a key bound before use";
  let description = [{
    `dend.constant @W : tensor<2x3xf32> = dense<1.0> : tensor<2x3xf32>` holds its
    elements (large ones as `dense_resource`); `dend.constant @W = [[1.0, 2.0]]` and
    `dend.constant @theta = 0.5` are of f64. `dend.constant @A0 : tensor<8xcomplex<f64>> extern
    "l0.A" at [0]` is bound from an array file by name before anything runs;
    `at` takes leading indices. A complex constant binds one complex array or
    the pair `key_re`, `key_im`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type,
      OptionalAttr<ElementsAttr>:$value, OptionalAttr<StrAttr>:$key,
      OptionalAttr<DenseI64ArrayAttr>:$at);
  let assemblyFormat = [{
    $sym_name custom<ConstantValue>($type, $value) (`extern` $key^ (`at` $at^)?)? attr-dict
  }];
  let hasVerifier = 1;
}

def Dend_NeuronOp : Dend_Op<"neuron",
    [Symbol, IsolatedFromAbove, SingleBlock, HasParent<"NetworkOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "Neuron model: ports, parameters, states, outputs and a step body";
  let description = [{
    The block arguments are ports, then parameters, then states (old values), in
    the order of the three arrays; their types are per neuron: `f64`, `i1`,
    `i32`, `!dend.fx`, or a tensor of those. The terminator `dend.yield` gives
    each state's new value once and each output's value. Custom syntax:

    ```mlir
    dend.neuron @lif ports(%I : f64)
        params(%keep : f64, %theta : f64 per_neuron)
        states(%v : f64 reset sample init 0.0)
        outputs(s : !dend.spike<binary>) {
      %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
      %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
      dend.yield states(%v2 : f64) emit(%s : i1)
    }
    ```
    `hold @clock` may follow a port's type; `reset` is `sample`, `never` or a
    clock symbol; an output with more than one element is `u[384] : type`. A
    string after `%name` gives a name that differs from the value's.

    What follows from the rest may be left out: a port, a parameter or a state
    without a type is `f64`, a state without `reset` is reset with the sample, an
    output without a type is binary if an `i1` is emitted and graded if a real
    is, and an op of the body whose types follow from its operands needs none:

    ```mlir
    dend.neuron @lif ports(%I) params(%keep, %theta per_neuron) states(%v) outputs(s) {
      %v1 = dend.compartment %v drive %I keep %keep
      %s, %v2 = dend.fire %v1, %theta reset value
      dend.yield states(%v2) emit(%s)
    }
    ```
    Where only the result does not follow, as with a fixed-point format, it alone
    is written: `dend.rescale %x round floor overflow wrap -> !dend.fx<24, 0>`. The
    printer writes all types.

    Until a model is quantised, `poles` names the parameters that a state is
    multiplied by (a complex one by its two parts), `not_cuba` says why the
    fixed-function neuron cannot run it, and `messages` gives the formats of real
    outputs that became integers, by output.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
      TypedArrayAttrBase<Dend_PortAttr, "ports">:$ports,
      TypedArrayAttrBase<Dend_ParamAttr, "parameters">:$params,
      TypedArrayAttrBase<Dend_StateAttr, "states">:$states,
      TypedArrayAttrBase<Dend_OutputAttr, "outputs">:$outputs,
      OptionalAttr<TypedArrayAttrBase<StrArrayAttr, "arrays of parameter names">>:$poles,
      OptionalAttr<StrAttr>:$not_cuba, OptionalAttr<Dend_Formats>:$messages);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$sym_name,
      "::mlir::ArrayAttr":$ports, "::mlir::ArrayAttr":$params,
      "::mlir::ArrayAttr":$states, "::mlir::ArrayAttr":$outputs), [{
    auto &properties = $_state.getOrAddProperties<Properties>();
    properties.sym_name = sym_name;
    properties.ports = ports;
    properties.params = params;
    properties.states = states;
    properties.outputs = outputs;
    $_state.addRegion();
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::llvm::ArrayRef<::mlir::BlockArgument> getPortArgs();
    ::llvm::ArrayRef<::mlir::BlockArgument> getParamArgs();
    ::llvm::ArrayRef<::mlir::BlockArgument> getStateArgs();
    PortAttr getPort(unsigned i);
    ParamAttr getParam(unsigned i);
    StateAttr getState(unsigned i);
    OutputAttr getOutput(unsigned i);
    /// Index by name, -1 if there is none.
    int findPort(::llvm::StringRef name);
    int findParam(::llvm::StringRef name);
    int findState(::llvm::StringRef name);
    int findOutput(::llvm::StringRef name);
  }];
}

def Dend_YieldOp : Dend_Op<"yield",
    [Terminator, ReturnLike, AttrSizedOperandSegments, HasParent<"NeuronOp">]> {
  let summary = "New value of every state and value of every output";
  let arguments = (ins Variadic<AnyType>:$states, Variadic<AnyType>:$emitted);
  let assemblyFormat = [{
    (`states` `(` $states^ custom<KnownTypes>(ref($states), type($states)) `)`)?
    (`emit` `(` $emitted^ custom<KnownTypes>(ref($emitted), type($emitted)) `)`)? attr-dict
  }];
}

def Dend_InputOp : Dend_Op<"input", [Symbol, HasParent<"NetworkOp">]> {
  let summary = "Host input: one tensor per tick of a clock";
  let description = [{
    `dend.input @x on @step : tensor<12xf64> as !dend.spike<binary>`, or, the
    same, `dend.input @x[12] on @step as binary`; without `as` it is graded. The tensor
    shape is what the user's array has after (samples, steps). In a fixed-point
    network a graded input is `int` with a `scale` attribute: the integer is
    round(value * scale).

    `query 6 masks 5`: the samples are tasks of tokens, each a vector; element 6
    is 1 at the last token of a sample, its query, and 0 before; what element 5
    has there, the label, is taken as 0 by the host that reads the samples.

    `tokens`: a step is one of so many tokens as the vector has elements; the
    host takes their ids, integers (steps) or (samples, steps), and sends a
    spike from the element of that number. Vectors of 0 and 1 do as well.

    Calibration leaves `calibration`, the range of the values; `integers` if all
    were whole numbers; `rates`, how often each element is not 0; `activity`, as
    on a population. The schedule leaves `phase`, `ticks` and `stride`, as on a population.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$clock,
      TypeAttrOf<AnyRankedTensor>:$type, TypeAttrOf<Dend_SpikeType>:$spike,
      OptionalAttr<F64Attr>:$scale, OptionalAttr<I64Attr>:$query,
      OptionalAttr<I64Attr>:$masks, UnitAttr:$tokens,
      OptionalAttr<Dend_Range>:$calibration, UnitAttr:$integers, OptionalAttr<ElementsAttr>:$rates,
      OptionalAttr<ElementsAttr>:$activity, OptionalAttr<I64Attr>:$phase, OptionalAttr<I64Attr>:$ticks,
      OptionalAttr<I64Attr>:$stride);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$sym_name,
      "::mlir::FlatSymbolRefAttr":$clock, "::mlir::TypeAttr":$type,
      "::mlir::TypeAttr":$spike, "::mlir::FloatAttr":$scale,
      "::mlir::IntegerAttr":$query, "::mlir::IntegerAttr":$masks), [{
    auto &properties = $_state.getOrAddProperties<Properties>();
    properties.sym_name = sym_name;
    properties.clock = clock;
    properties.type = type;
    properties.spike = spike;
    properties.scale = scale;
    properties.query = query;
    properties.masks = masks;
  }]>];
  let assemblyFormat = [{
    $sym_name custom<InputType>($clock, $type, $spike) (`scale` $scale^)?
    (`query` $query^)? (`masks` $masks^)? (`tokens` $tokens^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Dend_PopulationOp : Dend_Op<"population",
    [Symbol, HasParent<"NetworkOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "N neurons of one model on one clock";
  let description = [{
    `dend.population @L0 : @lif[38] on @step bind {theta = @theta}`.
    Every parameter of the model is bound to a `dend.constant`: a shared one has
    the parameter's type (a scalar binds a rank-0 tensor), a per-neuron one has
    a leading axis of N. `shape` is the user's shape of the N neurons. In a
    fixed-point network `scale` is the number of integer units per real unit of
    the states (one number), so that probes can be dequantised.

    An importer leaves `cores`, the core of each neuron, and `numbers`, those of
    the neurons in the model's file, where the file says so. Calibration leaves
    `calibration`, ranges by the names of ports and states, and `rates`, how often
    each element of the outputs is not 0 in a root tick; `activity`, for each
    element an i64 for each tick of the population's clock in a root tick, side by
    side, whose bit sample * ticks + tick says whether it was not 0 there in that
    root tick, for the samples and ticks that the network's `sampled` counts;
    `silent` are the neurons that emitted nothing in `silent_samples` samples, and
    `removed` those of them that are gone.
    The schedule leaves `phase`, `ticks` and `stride` (tick q is in step phase +
    period * (q / ticks) + stride * (q mod ticks)) and the `emission` of each
    output.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$model,
      I64Attr:$size, FlatSymbolRefAttr:$clock, OptionalAttr<DictionaryAttr>:$params,
      OptionalAttr<DenseI64ArrayAttr>:$shape, OptionalAttr<F64Attr>:$scale,
      OptionalAttr<ElementsAttr>:$cores, OptionalAttr<ElementsAttr>:$numbers,
      OptionalAttr<Dend_Ranges>:$calibration, OptionalAttr<ElementsAttr>:$rates,
      OptionalAttr<ElementsAttr>:$activity,
      OptionalAttr<DenseI64ArrayAttr>:$silent, OptionalAttr<I64Attr>:$silent_samples,
      OptionalAttr<DenseI64ArrayAttr>:$removed, OptionalAttr<I64Attr>:$phase,
      OptionalAttr<I64Attr>:$ticks, OptionalAttr<I64Attr>:$stride,
      OptionalAttr<TypedArrayAttrBase<Dend_EmissionAttr, "emissions by output">>:$emission);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$sym_name,
      "::mlir::FlatSymbolRefAttr":$model, "::mlir::IntegerAttr":$size,
      "::mlir::FlatSymbolRefAttr":$clock, "::mlir::DictionaryAttr":$params,
      "::mlir::DenseI64ArrayAttr":$shape, "::mlir::FloatAttr":$scale), [{
    auto &properties = $_state.getOrAddProperties<Properties>();
    properties.sym_name = sym_name;
    properties.model = model;
    properties.size = size;
    properties.clock = clock;
    properties.params = params;
    properties.shape = shape;
    properties.scale = scale;
  }]>];
  let assemblyFormat = [{
    $sym_name `:` $model `[` $size `]` `on` $clock (`bind` $params^)?
    (`shape` $shape^)? (`scale` $scale^)? attr-dict
  }];
}

def Dend_ProjectOp : Dend_Op<"project",
    [HasParent<"NetworkOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Frozen synapses from an output to a port, with logical delay";
  let description = [{
    `dend.project @x -> @L0["I"] #dend.dense weight @W bias @b delay 0`; without a
    kind it is dense. Source
    element = neuron * output elements + element; target element = neuron *
    port elements + element. `delay` is in ticks of the slower of the two
    clocks. `bias` (one per target element) is added at every update of the
    target. In a fixed-point network weights are integer mantissas; each product
    mantissa * value is shifted left by `shift` bits (exact) and added modulo
    2^width of the port. With `product_shift` s each product is shifted right
    by s bits instead (floor) and wraps to 16 bits, those of a weight on a chip,
    before it is added. `shared`: many sources have the same list of weights,
    counted from its first target (as behind pooling); a core stores it once.
    That holds for convolutions and pooling without saying. The schedule leaves
    `steps`, how many steps what is sent waits at its target.
  }];
  let arguments = (ins FlatSymbolRefAttr:$source, OptionalAttr<StrAttr>:$output,
      FlatSymbolRefAttr:$target, StrAttr:$port, Dend_SynapsesAttr:$synapses,
      OptionalAttr<FlatSymbolRefAttr>:$weight, OptionalAttr<FlatSymbolRefAttr>:$indices,
      OptionalAttr<FlatSymbolRefAttr>:$bias,
      DefaultValuedAttr<I64Attr, "0">:$delay, DefaultValuedAttr<I64Attr, "0">:$shift,
      DefaultValuedAttr<I64Attr, "0">:$product_shift, UnitAttr:$shared, OptionalAttr<I64Attr>:$steps);
  let builders = [OpBuilder<(ins "::mlir::FlatSymbolRefAttr":$source,
      "::mlir::StringAttr":$output, "::mlir::FlatSymbolRefAttr":$target,
      "::mlir::StringAttr":$port, "::mlir::Attribute":$synapses,
      "::mlir::FlatSymbolRefAttr":$weight, "::mlir::FlatSymbolRefAttr":$indices,
      "::mlir::FlatSymbolRefAttr":$bias, "::mlir::IntegerAttr":$delay,
      "::mlir::IntegerAttr":$shift, CArg<"::mlir::UnitAttr", "{}">:$shared), [{
    auto &properties = $_state.getOrAddProperties<Properties>();
    properties.source = source;
    properties.output = output;
    properties.target = target;
    properties.port = port;
    properties.synapses = synapses;
    properties.weight = weight;
    properties.indices = indices;
    properties.bias = bias;
    properties.delay = delay;
    properties.shift = shift;
    properties.shared = shared;
  }]>];
  let assemblyFormat = [{
    $source (`[` $output^ `]`)? `->` $target `[` $port `]` custom<SynapseKind>($synapses)
    (`weight` $weight^)?
    (`indices` $indices^)? (`bias` $bias^)? (`delay` $delay^)? (`shift` $shift^)?
    (`product_shift` $product_shift^)? (`shared` $shared^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// Lists of weights are shared: `shared`, a convolution or a pooling.
    bool sharesLists();
  }];
}

def Dend_OutputOp : Dend_Op<"output",
    [Symbol, HasParent<"NetworkOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What the host receives: an output of a population, or a probed state";
  let description = [{
    `dend.output @y = @L1["s"]` gives the spikes of every tick;
    `dend.output @y = probe @R["v"]` the new value of a state at every tick,
    divided by the population's `scale` where there is one. `decode` says what
    a sample's answer is, for the host: "mean" over its ticks or over the "last=N"
    of them.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$probe,
      FlatSymbolRefAttr:$population, StrAttr:$from,
      OptionalAttr<DenseI64ArrayAttr>:$shape, OptionalAttr<StrAttr>:$decode);
  let assemblyFormat = [{
    $sym_name `=` (`probe` $probe^)? $population `[` $from `]` (`shape` $shape^)?
    (`decode` $decode^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // DENDROLITH_DIALECTS_DEND_DENDNETWORKOPS_TD
