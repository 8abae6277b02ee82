// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Diagnostics.h"

#include "compiler/transforms/network/Refusal.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace neurite {

std::string placeOf(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  if (auto name = dyn_cast<NameLoc>(location)) {
    std::string child = placeOf(name.getChildLoc());
    return child.empty() ? name.getName().str()
                         : child + ": " + name.getName().str();
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string place = placeOf(part); !place.empty())
        return place;
  return {};
}

DiagnosticsAsError::DiagnosticsAsError(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        // The first error is the cause; later ones follow from it.
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !text.empty())
          return success();
        std::string place = placeOf(diagnostic.getLocation());
        if (!place.empty())
          place += ": ";
        text = place + diagnostic.str();
        if (auto reason = refusalOf(diagnostic))
          refused = place + reason->str();
        for (Diagnostic &note : diagnostic.getNotes()) {
          std::string where = placeOf(note.getLocation());
          text +=
              "\n  note: " + (where.empty() ? "" : where + ": ") + note.str();
        }
        return success();
      }) {}

void DiagnosticsAsError::raise(const std::string &otherwise) {
  throw Error(text.empty() ? otherwise : text);
}

} // namespace neurite
