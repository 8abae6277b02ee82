// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Refusal.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace neurite {

// The mark is a pair in the diagnostic's metadata, which is never printed.
static constexpr const char *kMark = "neurite.refusal";

InFlightDiagnostic refuse(InFlightDiagnostic error, const Twine &reason,
                          const Twine &advice) {
  Diagnostic &diagnostic = *error.getUnderlyingDiagnostic();
  std::string why = reason.str();
  diagnostic << why;
  if (std::string helps = advice.str(); !helps.empty())
    diagnostic << "; " << helps;
  MLIRContext *context = diagnostic.getLocation().getContext();
  diagnostic.getMetadata().push_back(DiagnosticArgument(DictionaryAttr::get(
      context, NamedAttribute(StringAttr::get(context, kMark),
                              StringAttr::get(context, why)))));
  return error;
}

std::optional<StringRef> refusalOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() !=
        DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto mark = dyn_cast<DictionaryAttr>(argument.getAsAttribute());
    if (auto reason = mark ? mark.getAs<StringAttr>(kMark) : StringAttr())
      return reason.getValue();
  }
  return std::nullopt;
}

} // namespace neurite
