// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/EmitReports.h"

using namespace mlir;

namespace dendrolith {

/// Writes each row into a message that `add` appends.
template <typename RowAttr, typename Add>
static void emitRows(std::optional<ArrayAttr> rows, Add add) {
  if (rows)
    for (auto row : rows->getAsRange<RowAttr>())
      row.writeTo(*add());
}

void emitReports(chip::ProgramImageOp image, image::Program &program) {
  emitRows<report::FitRowAttr>(image.getFit(),
                               [&] { return program.add_fit(); });
  emitRows<report::QuantRowAttr>(image.getQuantisation(),
                                 [&] { return program.add_quantisation(); });
  emitRows<report::NoteAttr>(image.getPolicies(),
                             [&] { return program.add_policies(); });
  emitRows<report::WarningAttr>(image.getWarnings(),
                                [&] { return program.add_warnings(); });
  if (image.getMapping())
    image.getMapping()->writeTo(*program.mutable_mapping());
  if (image.getStatistics())
    image.getStatistics()->writeTo(*program.mutable_statistics());
  emitRows<report::LayerAttr>(image.getLayers(),
                              [&] { return program.add_layers(); });
  emitRows<report::OverriddenLimitAttr>(image.getOverriddenLimits(), [&] {
    return program.add_overridden_limits();
  });
  emitRows<report::RewriteRowAttr>(image.getRewrites(),
                                   [&] { return program.add_rewrites(); });
}

} // namespace dendrolith
