// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler reports of a network, row by row. Passes leave these rows
// on `dend.network`, lowering hands them on to `chip.program_image`, and they
// end in the program image in messages of the same names and fields.
#ifndef DENDROLITH_DIALECTS_REPORT_REPORTOPS_TD
#define DENDROLITH_DIALECTS_REPORT_REPORTOPS_TD

include "mlir/IR/OpBase.td"
include "dialects/report/Row.td"

def Report_Dialect : Dialect {
  let name = "report";
  let cppNamespace = "::dendrolith::report";
  let summary = "Rows of the compiler's reports";
  let useDefaultAttributePrinterParser = 1;
}

class Report_Row<string name, string mnemonic, list<Row_Field> fields>
    : Row<Report_Dialect, name, mnemonic, fields>;

def Report_FitRow : Report_Row<"FitRow", "fit", [
    Row_Text<"resource">, Row_Text<"unit">, Row_Number<"used">,
    Row_Number<"limit">, Row_Number<"worst_core">, Row_Text<"population">]> {
  let summary = "How much of a resource the fullest core uses; a limit of 0 is none";
}

def Report_QuantRow : Report_Row<"QuantRow", "quantised", [
    Row_Text<"layer">, Row_Text<"source">, Row_Real<"scale">,
    Row_Number<"weight_bits">, Row_Number<"shift">, Row_Number<"weights">,
    Row_Number<"clipped">, Row_Number<"zeroed">, Row_Flag<"lossless">,
    Row_Real<"max_error">, Row_Text<"detail">]> {
  let summary = "What rounding did to a population, or to the weights from `source`";
}

def Report_Note : Report_Row<"Note", "note", [
    Row_Text<"key">, Row_Text<"value">]> {
  let summary = "A choice of the importer or of the compiler";
}

def Report_Warning : Report_Row<"Warning", "warning", [
    Row_Text<"code">, Row_Text<"where">, Row_Text<"text">]> {
  let summary = "What a user should know although nothing failed";
}

def Report_RewriteRow : Report_Row<"RewriteRow", "rewrite", [
    Row_Text<"rewrite">, Row_Text<"population">, Row_Text<"detail">,
    Row_Number<"neurons_before">, Row_Number<"neurons_after">,
    Row_Number<"synapses_before">, Row_Number<"synapses_after">,
    Row_Text<"verified">, Row_Text<"removed_ids">]> {
  let summary = "What a rewrite changed in one population; sizes are the network's";
}

def Report_MappingTerm : Report_Row<"MappingTerm", "mapping_term", [
    Row_Text<"name">, Row_Text<"unit">, Row_Real<"value">,
    Row_Real<"baseline">]> {
  let summary = "A part of what a step is predicted to cost, and the same of the baseline";
}

def Report_MappingBound : Report_Row<"MappingBound", "mapping_bound", [
    Row_Text<"resource">, Row_Number<"cores">, Row_Text<"population">]> {
  let summary = "The cores below which no mapping has enough of a resource";
}

def Report_TradeOff : Report_Row<"TradeOff", "trade_off", [
    Row_Number<"cores">, Row_Real<"step_ns">, Row_Real<"step_pj">,
    Row_Text<"how">, Row_Flag<"chosen">, Row_Flag<"pareto">,
    Row_Flag<"rough">]> {
  let summary = "A mapping that was looked at, by its predicted step, which is rough where it is from few of the steps";
}

def Report_Hotspot : Report_Row<"Hotspot", "hotspot", [
    Row_Text<"where">, Row_Real<"step_ns">, Row_Text<"cause">,
    Row_Text<"remedy">]> {
  let summary = "A core or link that steps wait for, predicted, with what would relieve it";
}

def Report_MappingReport : Report_Row<"MappingReport", "mapping", [
    Row_Text<"solver">, Row_Real<"cost">, Row_Real<"baseline_cost">,
    Row_Text<"cost_unit">, Row_Number<"cores">, Row_Text<"objective">,
    Row_Text<"activity">, Row_Text<"fewer_cores">,
    Row_List<"terms", "::dendrolith::report::MappingTermAttr">,
    Row_List<"bounds", "::dendrolith::report::MappingBoundAttr">,
    Row_List<"trade_off", "::dendrolith::report::TradeOffAttr">,
    Row_List<"hotspots", "::dendrolith::report::HotspotAttr">]> {
  let summary = "Who mapped the network, what a step is predicted to cost, and what was looked at";
}

def Report_ModelStatistics : Report_Row<"ModelStatistics", "statistics", [
    Row_Number<"parameters">, Row_Number<"parameter_bytes">,
    Row_Number<"connection_weights">, Row_Number<"zero_weights">,
    Row_Number<"dense_synops_per_tick">]> {
  let summary = "NeuroBench's static figures of the network as it was trained";
}

def Report_Branch : Report_Row<"Branch", "branch", [
    Row_Number<"first">, Row_Number<"end">, Row_Number<"modes">,
    Row_Flag<"complex">]> {
  let summary = "A branch that neurons [first, end) of a population have";
}

def Report_Source : Report_Row<"Source", "source", [
    Row_Text<"name">, Row_Number<"synapses">]> {
  let summary = "An input or population that feeds a population";
}

def Report_Layer : Report_Row<"Layer", "layer", [
    Row_Text<"population">, Row_Number<"neurons">,
    Row_List<"branches", "::dendrolith::report::BranchAttr">,
    Row_List<"sources", "::dendrolith::report::SourceAttr">]> {
  let summary = "What a population is made of in the network as it was trained";
}

def Report_OverriddenLimit : Report_Row<"OverriddenLimit", "overridden_limit", [
    Row_Text<"name">, Row_Number<"limit">, Row_Number<"used">]> {
  let summary = "A limit of the chip that was lifted by request";
}

#endif // DENDROLITH_DIALECTS_REPORT_REPORTOPS_TD
