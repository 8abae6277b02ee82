// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_DIALECTS_DEND_DENDDIALECT_TD
#define DENDROLITH_DIALECTS_DEND_DENDDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Dend_Dialect : Dialect {
  let name = "dend";
  let cppNamespace = "::dendrolith::dend";
  let summary = "What a dendritic or spiking network computes";
  let description = [{
    A network is populations of neurons joined by frozen synapses, all in
    logical time. A neuron model is a step body in SSA form. Real-valued
    networks and fixed-point networks use the same operations; in a fixed-point
    network only `dend.rescale` loses bits. See Rationale.md.
  }];
  let dependentDialects = ["::dendrolith::report::ReportDialect"];
  // On operations of step bodies: the range of each result that calibration has
  // seen, `array<f64: low, high>`, or an empty array where it has seen none.
  let discardableAttrs = (ins "::mlir::ArrayAttr":$calibration);
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Refuses the name of an op that the dialect does not have, with the one
    /// that was probably meant.
    ::std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif // DENDROLITH_DIALECTS_DEND_DENDDIALECT_TD
