// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/Messages.h"
#include "compiler/transforms/quantise/RowRounding.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {

ConstantMaker::ConstantMaker(Operation *before)
    : network(before->getParentOfType<dend::NetworkOp>()), builder(before) {}

FlatSymbolRefAttr ConstantMaker::make(const std::string &wanted,
                                      ArrayRef<int64_t> shape, unsigned bits,
                                      const std::vector<int64_t> &values) {
  std::string name = freeName(network, wanted);
  auto type = RankedTensorType::get(shape, builder.getIntegerType(bits));
  dend::ConstantOp::create(builder, network.getLoc(), name, type,
                           dend::makeElements(type, name, values), StringAttr(),
                           DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

/// The shape of a projection's weights, which mantissas keep.
static std::vector<int64_t> weightShape(dend::ProjectOp project, size_t count) {
  if (!project.getWeightAttr())
    return {static_cast<int64_t>(count)};
  auto old = dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(old.getType()).getShape();
  return {shape.begin(), shape.end()};
}

report::QuantRowAttr writeMantissas(dend::ProjectOp project,
                                    const ProjectionWeights &real, double step,
                                    int shift, const NumberFormats &formats,
                                    llvm::StringRef unit) {
  const NumberFormats own = narrowed(formats, real.bits);
  int64_t limit = mantissaLimit(own, real.mixed);
  std::vector<int64_t> mantissas;
  int64_t clipped = 0, zeroed = 0;
  double worst = 0, lost = 0, all = 0; // the last two of squares
  // Chosen integers that belong to another step are of no use: the target does
  // not have that step.
  const bool chosen =
      !real.chosen.empty() && std::fabs(step / real.step - 1) < 1e-6;
  for (size_t k = 0; k < real.weight.size(); ++k) {
    const double weight = real.weight[k];
    int64_t exact = chosen ? real.chosen[k] : roundEven(weight / step);
    int64_t mantissa = std::clamp(exact, -limit, limit);
    clipped += std::fabs(weight) > (double(limit) + 0.5) * step;
    zeroed += mantissa == 0 && weight != 0;
    const double off = double(mantissa) * step - weight;
    worst = std::max(worst, std::fabs(off));
    lost += off * off;
    all += weight * weight;
    mantissas.push_back(mantissa);
  }
  if (zeroed > 0 && std::all_of(mantissas.begin(), mantissas.end(),
                                [](int64_t value) { return value == 0; }))
    warn(project->getParentOfType<dend::NetworkOp>(),
         {"zero-weights", placeOfLayer(project.getTarget()),
          fmt::format("all {} weights from '{}' round to 0, so that nothing "
                      "reaches it from there: another weight or threshold of "
                      "the layer is too large beside them",
                      mantissas.size(), project.getSource().str())});
  else if (lost > all / 2)
    warn(project->getParentOfType<dend::NetworkOp>(),
         {"rounded-parameter", placeOfLayer(project.getTarget()),
          fmt::format("weights from '{}': a step is {:.3g} of the largest, and "
                      "{} of {} are 0 after rounding",
                      project.getSource().str(), step / real.largest, zeroed,
                      mantissas.size())});
  // Symbols of the old weights survive only if another projection uses them.
  std::string name = fmt::format("{}.{}.w", project.getTarget().str(),
                                 project.getSource().str());
  // In front of the population, where its other constants are.
  ConstantMaker constants(dend::symbolOf(project, project.getTargetAttr()));
  project.setWeightAttr(constants.make(
      name, weightShape(project, mantissas.size()), 16, mantissas));
  project.setShift(shift);
  report::QuantRowAttr::Fields row;
  row.layer = project.getTarget().str();
  row.source = project.getSource().str();
  row.scale = step;
  row.weight_bits = int64_t(own.weightBits);
  row.shift = shift;
  row.weights = int64_t(mantissas.size());
  row.clipped = clipped;
  row.zeroed = zeroed;
  row.max_error = real.largest > 0 ? worst / real.largest : 0;
  // 1e-9: the products that make a weight's real value round too.
  row.lossless = row.max_error < 1e-9;
  row.detail =
      fmt::format("{}, 1 mantissa unit = {:.6g} of {}",
                  real.mixed ? "both signs" : "one sign", step, unit.str());
  return report::QuantRowAttr::of(project.getContext(), row);
}

FailureOr<Payload> payloadOf(dend::ProjectOp project) {
  Operation *source = dend::symbolOf(project, project.getSourceAttr());
  auto largest = [](dend::SpikeType spike) {
    return std::max(std::fabs(double(spike.getLow())),
                    std::fabs(double(spike.getHigh())));
  };
  if (auto input = dyn_cast<dend::InputOp>(source)) {
    auto spike = cast<dend::SpikeType>(input.getSpike());
    if (spike.getKind() == dend::SpikeKind::Binary)
      return Payload{};
    double scale = input.getScale() ? input.getScale()->convertToDouble() : 1.0;
    return Payload{1.0 / scale, largest(spike)};
  }
  auto population = cast<dend::PopulationOp>(source);
  dend::NeuronOp model = dend::modelOf(population);
  int index = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  dend::SpikeType spike = model.getOutput(index).getType();
  if (spike.getKind() == dend::SpikeKind::Binary)
    return Payload{};
  dend::FxType format =
      messageFormat(model, model.getOutput(unsigned(index)).getName());
  if (spike.getKind() != dend::SpikeKind::Graded)
    return Payload{format ? std::ldexp(1.0, format.getExponent()) : 1.0,
                   largest(spike)};
  return project.emitError("projection from '@")
         << project.getSource() << "' to '@" << project.getTarget()
         << "' carries real values ('"
         << model.getOutput(index).getName().getValue()
         << "' of a neuron that does not spike); a chip sends binary spikes or "
            "integers";
}

} // namespace dendrolith
