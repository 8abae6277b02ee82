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
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          take(diagnostic);
        return success();
      }) {}

/// A text of a pass for somebody whose network was no MLIR: without the name of
/// the operation that it begins with, and without the @ of symbols.
static std::string plain(std::string text) {
  const std::string behind = "' op ";
  if (text.rfind("'dend.", 0) == 0 || text.rfind("'chip.", 0) == 0)
    if (size_t end = text.find('\'', 1);
        text.compare(end, behind.size(), behind) == 0)
      text.replace(0, end + behind.size(), "a part of the network ");
  for (const std::string before : {"'@", "-> @"})
    for (size_t at = 0; (at = text.find(before, at)) != text.npos;)
      text.erase(at += before.size() - 1, 1);
  return text;
}

void DiagnosticsAsError::take(Diagnostic &diagnostic) {
  std::string place = placeOf(diagnostic.getLocation());
  if (!place.empty())
    place += ": ";
  std::string text = place + plain(diagnostic.str());
  if (found.isEmpty() && (refused = refusalOf(diagnostic)))
    refused->reason = place + plain(refused->reason);
  for (Diagnostic &note : diagnostic.getNotes()) {
    std::string where = placeOf(note.getLocation());
    text +=
        "\n  note: " + (where.empty() ? "" : where + ": ") + plain(note.str());
  }
  found.keep(text);
}

void DiagnosticsAsError::raise(const std::string &otherwise) {
  if (refused)
    throw Refused(all(), *refused);
  found.raise();
  throw Error(otherwise);
}

/// Adds a clause to a message, in front of its notes.
static std::string withClause(std::string message, const std::string &clause) {
  return message.insert(std::min(message.find('\n'), message.size()), clause);
}

void DiagnosticsAsError::raise(const std::string &otherwise,
                               const std::optional<Tried> &tried) {
  if (!tried || !refused)
    raise(otherwise);
  std::vector<std::string> texts = all();
  if (refused->oneNeuron && !tried->refusal.oneNeuron) {
    texts.front() =
        withClause(tried->message, "; this is " + tried->form +
                                       "; otherwise: " + refused->reason);
    throw Refused(texts, tried->refusal);
  }
  texts.front() = withClause(texts.front(),
                             "; " + tried->form + ": " + tried->refusal.reason);
  throw Refused(texts, *refused);
}

} // namespace dendrolith
