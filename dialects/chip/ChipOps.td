// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit dialect: one op per table the program image has, rows in blobs.
// Emission is one-to-one; row layouts are those of runtime/image/program.proto.
#ifndef NEURITE_DIALECTS_CHIP_CHIPOPS_TD
#define NEURITE_DIALECTS_CHIP_CHIPOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def Chip_Dialect : Dialect {
  let name = "chip";
  let cppNamespace = "::neurite::chip";
  let summary = "What a chip holds: cores, groups, synapse memories, axon tables";
  let useDefaultAttributePrinterParser = 1;
}

class Chip_Op<string mnemonic, list<Trait> traits = []>
    : Op<Chip_Dialect, mnemonic, traits>;

def Chip_OutputKind : I32EnumAttr<"OutputKind", "what the host receives", [
    I32EnumAttrCase<"Spikes", 0, "spikes">, I32EnumAttrCase<"State", 1, "state">]> {
  let cppNamespace = "::neurite::chip";
  let genSpecializedAttr = 0;
}
def Chip_OutputKindAttr : EnumAttr<Chip_Dialect, Chip_OutputKind, "output_kind"> {
  // Prints a space first; the operation takes its own back (``) before it.
  let assemblyFormat = "$value";
}

def Chip_ProgramImageOp : Chip_Op<"program_image",
    [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
     NoRegionArguments, RegionKindInterface]> {
  let summary = "Everything the program image holds";
  let description = [{
    `fit`, `quantisation`, `policies`, `layers` and `rewrites` are the compiler's reports
    (arrays of dictionaries keyed like the messages of program.proto).
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, I64Attr:$period,
      I64Attr:$depth, DefaultValuedAttr<StrAttr, "\"\"">:$critical,
      OptionalAttr<ArrayAttr>:$fit, OptionalAttr<ArrayAttr>:$quantisation,
      OptionalAttr<ArrayAttr>:$policies, OptionalAttr<DictionaryAttr>:$mapping,
      OptionalAttr<DictionaryAttr>:$statistics, OptionalAttr<ArrayAttr>:$layers,
      OptionalAttr<ArrayAttr>:$overridden_limits, OptionalAttr<ArrayAttr>:$rewrites);
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
  let summary = "Name, size, rhythm and scale of a population (groups hold its neurons)";
  let description = [{
    Tick q of its clock is in step phase + period * (q / ticks) + stride * (q mod
    ticks); `ticks` and `stride` are 1 on the root clock. `numbers` are those of
    its neurons in the model's file, where they differ.
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$model, DenseI64ArrayAttr:$shape,
      I64Attr:$phase, F64Attr:$scale, DefaultValuedAttr<I64Attr, "1">:$ticks,
      DefaultValuedAttr<I64Attr, "1">:$stride, OptionalAttr<ElementsAttr>:$numbers);
  let assemblyFormat = [{
    $name `:` $model $shape `phase` $phase `scale` $scale (`ticks` $ticks^)?
    (`stride` $stride^)? (`numbers` $numbers^)? attr-dict
  }];
}

def Chip_InputOp : Chip_Op<"input", [HasParent<"ProgramImageOp">]> {
  let summary = "Host input with its axon table";
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$shape, BoolAttr:$integer,
      I64Attr:$low, I64Attr:$high, F64Attr:$scale, I64Attr:$phase,
      DefaultValuedAttr<I64Attr, "1">:$ticks, DefaultValuedAttr<I64Attr, "1">:$stride,
      ElementsAttr:$axon_begin, ElementsAttr:$axon_rows,
      OptionalAttr<I64Attr>:$query, OptionalAttr<I64Attr>:$masks);
  let assemblyFormat = [{
    $name $shape `integer` $integer `range` $low `,` $high `scale` $scale `phase` $phase
    (`ticks` $ticks^)? (`stride` $stride^)? `axons` $axon_begin `,` $axon_rows
    (`query` $query^)? (`masks` $masks^)? attr-dict
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
    Exactly one engine. `cuba` holds the fixed-function parameters: dictionary of
    dense i32 arrays (decay_u, decay_v, threshold, bias, initial_u, initial_v) and
    options (input_wrap_bits, vmin, vmax, refractory, wrap_open_high, bias_wrap,
    silent). `microcode` runs a `chip.program` of the core: `program`, its index
    among them; `params` and `initial`, arrays of i64 tensors in the order of the
    program's parameters and states (an empty tensor is zero). Groups of one
    population may run different programs of the same ports and outputs.
  }];
  let arguments = (ins StrAttr:$population, I64Attr:$first, I64Attr:$count,
      I64Attr:$base, I64Attr:$phase, DefaultValuedAttr<I64Attr, "1">:$ticks,
      DefaultValuedAttr<I64Attr, "1">:$stride, DefaultValuedAttr<I64Attr, "1">:$sources,
      OptionalAttr<DictionaryAttr>:$cuba, OptionalAttr<DictionaryAttr>:$microcode,
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
    (runtime/microcode/Isa.h). `ports`, `states`, `params` and `outputs` are
    dictionaries keyed like the messages of program.proto; `names` gives the
    value each instruction computes, for listings.
  }];
  let arguments = (ins StrAttr:$model, I64Attr:$registers, ArrayAttr:$ports,
      ArrayAttr:$states, ArrayAttr:$params, ArrayAttr:$outputs,
      OptionalAttr<StrArrayAttr>:$names, ElementsAttr:$code, ElementsAttr:$constants);
  let assemblyFormat = [{
    $model `registers` $registers `ports` $ports `states` $states `params` $params
    `outputs` $outputs (`names` $names^)? `code` $code `constants` $constants attr-dict
  }];
  let hasVerifier = 1;
}

def Chip_SynapsesOp : Chip_Op<"synapses", [HasParent<"CoreOp">]> {
  let summary = "Synapse memory: shapes of lists, lists, weights, offsets";
  let description = [{
    `shapes` are rows (entries, memory words, kind, shift, weight bits, index bits);
    the kind is 0 (dense), 1 (sparse) or 2 (conv). `lists` names the shape of each
    list. Lists lie one after the other in `weights`, and those that are not dense
    in `offsets`.
  }];
  let arguments = (ins ElementsAttr:$shapes, ElementsAttr:$lists, ElementsAttr:$weights,
      ElementsAttr:$offsets);
  let assemblyFormat = [{
    `shapes` $shapes `lists` $lists `weights` $weights `offsets` $offsets attr-dict
  }];
  let hasVerifier = 1;
}

def Chip_InAxonsOp : Chip_Op<"in_axons", [HasParent<"CoreOp">]> {
  let summary = "In-axon table: (list, compartment base, port, delay)";
  let arguments = (ins ElementsAttr:$rows);
  let assemblyFormat = "$rows attr-dict";
  let hasVerifier = 1;
}

#endif // NEURITE_DIALECTS_CHIP_CHIPOPS_TD
