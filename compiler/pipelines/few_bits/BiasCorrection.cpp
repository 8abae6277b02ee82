// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/BiasCorrection.h"

#include "compiler/pipelines/few_bits/RealConstant.h"
#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith {
namespace {

/// A bias of a current that never decays has no place on a chip.
bool mayBias(dend::PopulationOp population) {
  auto shape = matchCuba(dend::modelOf(population), population);
  if (failed(shape))
    return false;
  auto reals = readCubaReals(*shape, dend::modelOf(population), population);
  return succeeded(reals) &&
         (!shape->synapse ||
          llvm::all_of(reals->keepI, [](double keep) { return keep < 1; }));
}

/// What the mean sums of a port lost in all of its feeds; empty for a feed that
/// is not the first one of its port.
std::vector<double> lostAtPort(const ChosenFeed &first,
                               const std::vector<ChosenFeed> &feeds) {
  dend::ProjectOp at = first.project;
  std::vector<double> lost;
  for (const ChosenFeed &feed : feeds) {
    dend::ProjectOp project = feed.project;
    if (project.getPort() != at.getPort())
      continue;
    if (&feed < &first)
      return {};
    if (feed.lost.empty())
      continue;
    lost.resize(std::max(lost.size(), feed.lost.size()), 0.0);
    for (size_t n = 0; n < feed.lost.size(); ++n)
      lost[n] += feed.lost[n];
  }
  return lost;
}

} // namespace

BiasCorrection::BiasCorrection(dend::NetworkOp network) {
  for (auto project : network.getOps<dend::ProjectOp>()) {
    if (!project.getBiasAttr())
      continue;
    auto values = dend::readReals(project, project.getBiasAttr());
    if (succeeded(values))
      bias[project] = std::move(*values);
  }
}

/// The projection whose bias the port of `first` has or may get; null if none.
dend::ProjectOp BiasCorrection::holderOf(dend::PopulationOp population,
                                         dend::ProjectOp first) const {
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (project.getPort() == first.getPort() && bias.count(project))
      return project;
  if (kindOf(population) == ModelKind::Cuba && mayBias(population))
    return first;
  return {};
}

void BiasCorrection::correct(dend::PopulationOp population,
                             const std::vector<ChosenFeed> &feeds) {
  LinearPort::Params &original = params[population];
  LinearPort::Params now = original;
  std::optional<LinearPort> last;
  for (const ChosenFeed &first : feeds) {
    const std::vector<double> lost = lostAtPort(first, feeds);
    if (lost.empty())
      continue;
    dend::ProjectOp holder = holderOf(population, first.project);
    if (!holder) {
      dend::ProjectOp into = first.project;
      auto linear = LinearPort::of(population, into.getPort());
      if (linear && linear->addMeans(lost, now, original))
        last = std::move(linear);
      continue;
    }
    std::vector<double> values = bias.count(holder)
                                     ? bias.lookup(holder)
                                     : std::vector<double>(lost.size(), 0.0);
    for (size_t n = 0; n < values.size(); ++n)
      values[n] += lost[n];
    std::string name = fmt::format("{}.bias", population.getSymName().str());
    holder.setBiasAttr(
        makeReals(population, name, {int64_t(values.size())}, values));
  }
  if (last)
    last->write(now);
}

} // namespace dendrolith
