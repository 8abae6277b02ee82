// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Refusal.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace neurite {

// The mark is a pair in the diagnostic's metadata, which is never printed.
static constexpr const char *kMark = "neurite.refusal";
static constexpr const char *kMarkOneNeuron = "neurite.refusal.one_neuron";

InFlightDiagnostic refuse(InFlightDiagnostic error, const Twine &reason,
                          const Twine &advice, bool oneNeuron) {
  std::string why = reason.str();
  error << why;
  if (std::string helps = advice.str(); !helps.empty())
    error << "; " << helps;
  return refuse(std::move(error), Refusal{why, oneNeuron});
}

InFlightDiagnostic refuse(InFlightDiagnostic error, const Refusal &refusal) {
  Diagnostic &diagnostic = *error.getUnderlyingDiagnostic();
  MLIRContext *context = diagnostic.getLocation().getContext();
  diagnostic.getMetadata().push_back(DiagnosticArgument(DictionaryAttr::get(
      context,
      NamedAttribute(
          StringAttr::get(context, refusal.oneNeuron ? kMarkOneNeuron : kMark),
          StringAttr::get(context, refusal.reason)))));
  return error;
}

std::optional<Refusal> refusalOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() !=
        DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto mark = dyn_cast<DictionaryAttr>(argument.getAsAttribute());
    for (const char *name : {kMark, kMarkOneNeuron})
      if (auto reason = mark ? mark.getAs<StringAttr>(name) : StringAttr())
        return Refusal{reason.getValue().str(), name == kMarkOneNeuron};
  }
  return std::nullopt;
}

} // namespace neurite
