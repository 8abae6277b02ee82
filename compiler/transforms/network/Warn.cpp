// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Warn.h"

#include "dialects/report/Report.h"

namespace dendrolith {

void warn(dend::NetworkOp network, const Warning &warning) {
  report::WarningAttr::Fields row{warning.code, warning.where, warning.text};
  network.setWarningsAttr(
      report::appended(network.getWarningsAttr(),
                       report::WarningAttr::of(network.getContext(), row)));
}

Warnings warningsOf(dend::NetworkOp network) {
  Warnings all;
  if (mlir::ArrayAttr rows = network.getWarningsAttr())
    for (auto row : rows.getAsRange<report::WarningAttr>())
      all.push_back(
          {row.getCode().str(), row.getWhere().str(), row.getText().str()});
  return all;
}

std::string placeOfLayer(llvm::StringRef population) {
  return "layer '" + population.str() + "'";
}

} // namespace dendrolith
