// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith {

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
        if ((refused = refusalOf(diagnostic)))
          refused->reason = place + refused->reason;
        for (Diagnostic &note : diagnostic.getNotes()) {
          std::string where = placeOf(note.getLocation());
          text +=
              "\n  note: " + (where.empty() ? "" : where + ": ") + note.str();
        }
        return success();
      }) {}

void DiagnosticsAsError::raise(const std::string &otherwise) {
  if (refused)
    throw Refused(text, *refused);
  throw Error(text.empty() ? otherwise : text);
}

/// Adds a clause to a message, in front of its notes.
static std::string withClause(std::string message, const std::string &clause) {
  return message.insert(std::min(message.find('\n'), message.size()), clause);
}

void DiagnosticsAsError::raise(const std::string &otherwise,
                               const std::optional<Tried> &tried) {
  if (!tried || !refused)
    raise(otherwise);
  if (refused->oneNeuron && !tried->refusal.oneNeuron)
    throw Refused(
        withClause(tried->message, "; this is " + tried->form +
                                       "; otherwise: " + refused->reason),
        tried->refusal);
  throw Refused(
      withClause(text, "; " + tried->form + ": " + tried->refusal.reason),
      *refused);
}

} // namespace dendrolith
