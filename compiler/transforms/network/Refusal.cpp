// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Refusal.h"

#include "dialects/report/Report.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {

// The mark is a dictionary in the diagnostic's metadata, which is never
// printed.
static constexpr const char *kReason = "dendrolith.refusal";
static constexpr const char *kOneNeuron = "dendrolith.one_neuron";
static constexpr const char *kResource = "dendrolith.resource";
static constexpr const char *kUsed = "dendrolith.used";
static constexpr const char *kLimit = "dendrolith.limit";

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
  Builder build(diagnostic.getLocation().getContext());
  // Numbers beyond 63 bits lie in the attribute as they lie in memory.
  auto number = [&](uint64_t n) { return build.getI64IntegerAttr(int64_t(n)); };
  diagnostic.getMetadata().push_back(DiagnosticArgument(build.getDictionaryAttr(
      {build.getNamedAttr(kReason, build.getStringAttr(refusal.reason)),
       build.getNamedAttr(kOneNeuron, build.getBoolAttr(refusal.oneNeuron)),
       build.getNamedAttr(kResource, build.getStringAttr(refusal.resource)),
       build.getNamedAttr(kUsed, number(refusal.used)),
       build.getNamedAttr(kLimit, number(refusal.limit))})));
  return error;
}

std::optional<Refusal> refusalOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() !=
        DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto mark = dyn_cast<DictionaryAttr>(argument.getAsAttribute());
    if (!mark || !mark.contains(kReason))
      continue;
    auto number = [&](const char *name) {
      return uint64_t(mark.getAs<IntegerAttr>(name).getInt());
    };
    return Refusal{mark.getAs<StringAttr>(kReason).getValue().str(),
                   mark.getAs<BoolAttr>(kOneNeuron).getValue(),
                   mark.getAs<StringAttr>(kResource).getValue().str(),
                   number(kUsed), number(kLimit)};
  }
  return std::nullopt;
}

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
