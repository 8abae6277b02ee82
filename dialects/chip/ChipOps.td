// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit dialect: one op per table the program image has, rows in blobs.
// Emission is one-to-one; row layouts are those of runtime/image/program.proto.
#ifndef DENDROLITH_DIALECTS_CHIP_CHIPOPS_TD
#define DENDROLITH_DIALECTS_CHIP_CHIPOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/DeclaredAttributes.td"
include "dialects/report/ReportOps.td"

def Chip_Dialect : Dialect {
  let name = "chip";
  let cppNamespace = "::dendrolith::chip";
  let summary = "What a chip holds: cores, groups, synapse memories, axon tables";
  let dependentDialects = ["::dendrolith::report::ReportDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Chip_Op<string mnemonic, list<Trait> traits = []>
    : Op<Chip_Dialect, mnemonic, !listconcat(traits, [DeclaredAttributes])>;

def Chip_OutputKind : I32EnumAttr<"OutputKind", "what the host receives", [
    I32EnumAttrCase<"Spikes", 0, "spikes">, I32EnumAttrCase<"State", 1, "state">]> {
  let cppNamespace = "::dendrolith::chip";
  let genSpecializedAttr = 0;
}
def Chip_OutputKindAttr : EnumAttr<Chip_Dialect, Chip_OutputKind, "output_kind"> {
  // Prints a space first; the operation takes its own back (``) before it.
  let assemblyFormat = "$value";
}

// The numbers are those of the program image.
def Chip_EmissionKind : I32EnumAttr<"EmissionKind", "how a value of an output leaves", [
    I32EnumAttrCase<"Binary", 0, "binary">, I32EnumAttrCase<"Graded", 1, "graded">,
    I32EnumAttrCase<"Unary", 2, "unary">, I32EnumAttrCase<"Split", 3, "split">]> {
  let cppNamespace = "::dendrolith::chip";
  let genSpecializedAttr = 0;
}

// Rows that describe a program and an engine. Their fields are those of the
// messages in runtime/image/program.proto, where they are explained.
class Chip_Row<string name, string mnemonic, list<Row_Field> fields>
    : Row<Chip_Dialect, name, mnemonic, fields>;

def Chip_Port : Chip_Row<"Port", "port", [
    Row_Text<"name">, Row_Number<"elements">, Row_Number<"width">,
    Row_Number<"hold">]> {
  let summary = "A port of a program";
}
def Chip_State : Chip_Row<"State", "state", [
    Row_Text<"name">, Row_Number<"elements">, Row_Number<"width">,
    Row_Number<"reset_every">, Row_Flag<"keep">]> {
  let summary = "A state of a program";
}
def Chip_Param : Chip_Row<"Param", "param", [
    Row_Text<"name">, Row_Number<"elements">, Row_Number<"width">,
    Row_Flag<"per_neuron">]> {
  let summary = "A parameter of a program";
}
def Chip_Emission : Chip_Row<"Emission", "output", [
    Row_Text<"name">, Row_Number<"elements">, Row_Number<"low">,
    Row_Number<"high">, Row_Enum<"kind", Chip_EmissionKind, "Binary">,
    Row_Number<"steps">]> {
  let summary = "An output of a program, and how its values leave";
}

def Chip_Cuba : Chip_Row<"Cuba", "cuba", [
    Row_Attribute<"decay_u", "::mlir::Attribute">,
    Row_Attribute<"decay_v", "::mlir::Attribute">,
    Row_Attribute<"threshold", "::mlir::Attribute">,
    Row_Attribute<"bias", "::mlir::Attribute">,
    Row_OptionalAttribute<"initial_u", "::mlir::Attribute">,
    Row_OptionalAttribute<"initial_v", "::mlir::Attribute">,
    Row_Number<"input_wrap_bits">, Row_Number<"current_bits">,
    Row_Number<"vmin">, Row_Number<"vmax">, Row_Number<"refractory">,
    Row_Flag<"wrap_open_high">, Row_Flag<"bias_wrap">, Row_Flag<"silent">]> {
  let summary = "Parameters and options of the fixed-function neuron";
  let description = [{
    Parameters are vectors of i32 (`array<i32: ...>` or a tensor) with one value
    or one for each neuron. No initial value is zero.
  }];
}
def Chip_Microcode : Chip_Row<"Microcode", "microcode", [
    Row_Required<"program">, Row_Attribute<"params", "::mlir::ArrayAttr">,
    Row_Attribute<"initial", "::mlir::ArrayAttr">]> {
  let summary = "Which program of its core a group runs, and what it reads";
  let description = [{
    `params` and `initial` are i64 vectors in the order of the program's
    parameters and states; an empty one is zero.
  }];
}

def Chip_ProgramImageOp : Chip_Op<"program_image",
    [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
     NoRegionArguments, RegionKindInterface]> {
  let summary = "Everything the program image holds";
  let description = [{
    `critical` is the cycle of the network that forbids a smaller period. The
    other optional attributes are the compiler's reports, rows of the report
    dialect.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, I64Attr:$period,
      I64Attr:$depth, DefaultValuedAttr<StrAttr, "\"\"">:$critical,
      OptionalAttr<TypedArrayAttrBase<Report_FitRow, "rows of `fit`">>:$fit,
      OptionalAttr<TypedArrayAttrBase<Report_QuantRow, "rows of `quantisation`">>:$quantisation,
      OptionalAttr<TypedArrayAttrBase<Report_Note, "rows of `policies`">>:$policies,
      OptionalAttr<TypedArrayAttrBase<Report_Warning, "rows of `warnings`">>:$warnings,
      OptionalAttr<Report_MappingReport>:$mapping,
      OptionalAttr<Report_ModelStatistics>:$statistics,
      OptionalAttr<TypedArrayAttrBase<Report_Layer, "rows of `layers`">>:$layers,
      OptionalAttr<TypedArrayAttrBase<Report_OverriddenLimit,
                                      "rows of `overridden_limits`">>:$overridden_limits,
      OptionalAttr<TypedArrayAttrBase<Report_RewriteRow, "rows of `rewrites`">>:$rewrites);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `target` $target `period` $period `depth` $depth attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    static ::mlir::RegionKind getRegionKind(unsigned) { return ::mlir::RegionKind::Graph; }
  }];
}

def Chip_PopulationOp : Chip_Op<"population", [HasParent<"ProgramImageOp">]> {
  let summary = "Name, size, ticks and scale of a population (groups hold its neurons)";
  let description = [{
    Tick q of its clock is in step phase + period * (q / ticks) + stride * (q mod
    ticks); `ticks` and `stride` are 1 on the root clock. `numbers` are those of
    its neurons in the model's file, where they differ; `calibrated` the largest
    magnitudes that calibration saw of states, in their integers.
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$model, DenseI64ArrayAttr:$shape,
      I64Attr:$phase, F64Attr:$scale, DefaultValuedAttr<I64Attr, "1">:$ticks,
      DefaultValuedAttr<I64Attr, "1">:$stride, OptionalAttr<ElementsAttr>:$numbers,
      OptionalAttr<DictionaryAttr>:$calibrated);
  let assemblyFormat = [{
    $name `:` $model $shape `phase` $phase `scale` $scale (`ticks` $ticks^)?
    (`stride` $stride^)? (`numbers` $numbers^)? (`calibrated` $calibrated^)? attr-dict
  }];
}

def Chip_InputOp : Chip_Op<"input", [HasParent<"ProgramImageOp">]> {
  let summary = "Host input with its axon table";
  let description = [{
    `unary` integers leave a host without payloads as that many unit spikes; those of
    a `split` input have a sign, and its element e has the sources 2 e, and 2 e + 1
    for negative values. `tokens` are ids of elements, each a spike of its element.
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$shape, BoolAttr:$integer,
      UnitAttr:$unary, UnitAttr:$split, I64Attr:$low, I64Attr:$high, F64Attr:$scale, I64Attr:$phase,
      DefaultValuedAttr<I64Attr, "1">:$ticks, DefaultValuedAttr<I64Attr, "1">:$stride,
      ElementsAttr:$axon_begin, ElementsAttr:$axon_rows,
      OptionalAttr<I64Attr>:$query, OptionalAttr<I64Attr>:$masks, UnitAttr:$tokens);
  let assemblyFormat = [{
    $name $shape `integer` $integer (`unary` $unary^)? (`split` $split^)? `range` $low `,` $high `scale` $scale `phase` $phase
    (`ticks` $ticks^)? (`stride` $stride^)? `axons` $axon_begin `,` $axon_rows
    (`query` $query^)? (`masks` $masks^)? (`tokens` $tokens^)? attr-dict
  }];
}

def Chip_OutputOp : Chip_Op<"output", [HasParent<"ProgramImageOp">]> {
  let summary = "Spikes or a state delivered to the host";
  let description = [{
    `from` names the neuron's output or state; a state leaves divided by `scale`.
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$shape, StrAttr:$population,
      Chip_OutputKindAttr:$kind, StrAttr:$from, F64Attr:$scale,
      OptionalAttr<StrAttr>:$decode);
  let assemblyFormat = [{
    $name $shape `=` `` $kind $population `[` $from `]` `scale` $scale
    (`decode` $decode^)? attr-dict
  }];
}

def Chip_CoreOp : Chip_Op<"core",
    [HasParent<"ProgramImageOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "One used core: programs, groups, one synapse memory, one in-axon table";
  let arguments = (ins I64Attr:$id);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$id attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Chip_GroupOp : Chip_Op<"group", [HasParent<"CoreOp">]> {
  let summary = "A contiguous range of a population's neurons with its engine and axons";
  let description = [{
    Exactly one engine: `cuba`, the fixed-function neuron, or `microcode`, which
    runs a `chip.program` of the core. Groups of one
    population may run different programs of the same ports and outputs.
  }];
  let arguments = (ins StrAttr:$population, I64Attr:$first, I64Attr:$count,
      I64Attr:$base, I64Attr:$phase, DefaultValuedAttr<I64Attr, "1">:$ticks,
      DefaultValuedAttr<I64Attr, "1">:$stride, DefaultValuedAttr<I64Attr, "1">:$sources,
      OptionalAttr<Chip_Cuba>:$cuba, OptionalAttr<Chip_Microcode>:$microcode,
      ElementsAttr:$axon_begin, ElementsAttr:$axon_rows);
  let assemblyFormat = [{
    $population `neurons` $first `+` $count `base` $base `phase` $phase
    (`ticks` $ticks^)? (`stride` $stride^)? (`sources` $sources^)? (`cuba` $cuba^)?
    (`microcode` $microcode^)? `axons` $axon_begin `,` $axon_rows attr-dict
  }];
  let hasVerifier = 1;
}

def Chip_ProgramOp : Chip_Op<"program", [HasParent<"CoreOp">]> {
  let summary = "A step body as a program of a vector neuron core";
  let description = [{
    `code` holds an instruction in each row: 48 bytes as six little-endian words
    (runtime/microcode/Isa.h). `names` gives the value each instruction
    computes, for listings.
  }];
  let arguments = (ins StrAttr:$model, I64Attr:$registers,
      TypedArrayAttrBase<Chip_Port, "ports">:$ports,
      TypedArrayAttrBase<Chip_State, "states">:$states,
      TypedArrayAttrBase<Chip_Param, "parameters">:$params,
      TypedArrayAttrBase<Chip_Emission, "outputs">:$outputs,
      OptionalAttr<StrArrayAttr>:$names, ElementsAttr:$code, ElementsAttr:$constants);
  let assemblyFormat = [{
    $model `registers` $registers `ports` $ports `states` $states `params` $params
    `outputs` $outputs (`names` $names^)? `code` $code `constants` $constants attr-dict
  }];
  let hasVerifier = 1;
}

def Chip_SynapsesOp : Chip_Op<"synapses", [HasParent<"CoreOp">]> {
  let summary = "Synapse memory: shapes of lists, lists, weights, offsets, delays";
  let description = [{
    `shapes` are rows (entries, memory words, kind, shift, weight bits, index bits);
    the kind is 0 (dense), 1 (sparse) or 2 (conv). `lists` names the shape of each
    list. Lists lie one after the other in `weights`, and those that are not dense
    in `offsets`. `delays` has for each weight how many steps it comes later than
    its in-axon says; without it none does.
  }];
  let arguments = (ins ElementsAttr:$shapes, ElementsAttr:$lists, ElementsAttr:$weights,
      ElementsAttr:$offsets, OptionalAttr<ElementsAttr>:$delays);
  let assemblyFormat = [{
    `shapes` $shapes `lists` $lists `weights` $weights `offsets` $offsets
    (`delays` $delays^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Chip_InAxonsOp : Chip_Op<"in_axons", [HasParent<"CoreOp">]> {
  let summary = "In-axon table: (list, accumulator base, port, delay)";
  let arguments = (ins ElementsAttr:$rows);
  let assemblyFormat = "$rows attr-dict";
  let hasVerifier = 1;
}

#endif // DENDROLITH_DIALECTS_CHIP_CHIPOPS_TD
