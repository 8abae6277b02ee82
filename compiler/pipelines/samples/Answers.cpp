// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/samples/Answers.h"

#include "compiler/pipelines/samples/RunSamples.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace dendrolith {
namespace {

// Numbers of an output up to which every tick counts by itself.
constexpr uint64_t kMostNumbers = uint64_t(1) << 24;

/// An output and what is summed up of it. Threads have different samples, and
/// so write different elements.
struct Shown {
  dend::PopulationOp population;
  Value value; // of the body
  bool eachTick = false;
  double unitsPerReal = 0;          // 0: by the value's format
  double units = 1;                 // of the body, in one of the model's file
  uint64_t elements = 1, slots = 1; // slots are those of a sample
  std::vector<double> sum;          // by sample, slot and element
  std::vector<uint32_t> count;      // by sample and slot
};

Shown shownBy(dend::OutputOp output) {
  Shown shown;
  shown.population =
      dend::symbolOf<dend::PopulationOp>(output, output.getPopulationAttr());
  dend::NeuronOp model = dend::modelOf(shown.population);
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  if (output.getProbe()) {
    shown.value = yield.getStates()[model.findState(output.getFrom())];
    if (auto scale = shown.population.getScale())
      shown.unitsPerReal = scale->convertToDouble();
    shown.units =
        dend::unitsOf(shown.population, dend::kStateUnits, output.getFrom());
  } else {
    shown.value = yield.getEmitted()[model.findOutput(output.getFrom())];
  }
  shown.eachTick = output.getProbe() || dend::isReal(shown.value.getType());
  shown.elements = shown.population.getSize() *
                   uint64_t(dend::elementCount(shown.value.getType()));
  return shown;
}

void add(Shown &shown, const dend::Frame &frame, const SampleClock &clock) {
  const dend::PopulationValue &lanes = frame[shown.value];
  if (lanes.kind == dend::ElementKind::Complex)
    return;
  const uint64_t sample = clock.now / clock.ticks,
                 tick = clock.now % clock.ticks,
                 slot = sample * shown.slots + (shown.slots == 1 ? 0 : tick);
  ++shown.count[slot];
  double *into = shown.sum.data() + slot * shown.elements;
  const auto size = uint64_t(lanes.size);
  const double unit = shown.unitsPerReal > 0 ? 1 / shown.unitsPerReal
                                             : std::ldexp(1.0, lanes.exponent);
  for (uint64_t k = 0; k < shown.elements; ++k) {
    const auto n = int64_t(k / size), e = int64_t(k % size);
    into[k] += lanes.isReal()
                   ? dend::reals(lanes)(n, e)
                   : double(dend::raws(lanes)(n, e)) * unit / shown.units;
  }
}

} // namespace

FailureOr<Answers> answersOf(dend::NetworkOp network,
                             const std::map<std::string, Samples> &inputs,
                             uint64_t most, unsigned threads) {
  std::vector<Shown> all;
  {
    dend::NetworkIndex index(network);
    for (auto output : network.getOps<dend::OutputOp>())
      all.push_back(shownBy(output));
  }
  auto prepare = [&](const SampleClock &clock) {
    for (Shown &shown : all) {
      const uint64_t numbers = clock.samples * clock.ticks * shown.elements;
      shown.slots = shown.eachTick && numbers <= kMostNumbers ? clock.ticks : 1;
      shown.sum.resize(clock.samples * shown.slots * shown.elements, 0.0);
      shown.count.resize(clock.samples * shown.slots, 0);
    }
  };
  auto observe = [&](const SampleClock &clock) -> dend::Observer {
    prepare(clock);
    return [&](const dend::Update &update) {
      for (Shown &shown : all)
        if (shown.population == update.population)
          add(shown, update.frame, clock);
    };
  };
  if (failed(runSamples({network, {}, inputs, most, threads}, observe)))
    return failure();
  Answers answers;
  for (auto [shown, output] :
       llvm::zip(all, network.getOps<dend::OutputOp>())) {
    for (size_t k = 0; k < shown.sum.size(); ++k)
      shown.sum[k] /= std::max(shown.count[k / shown.elements], 1u);
    answers[output.getSymName().str()] = std::move(shown.sum);
  }
  return answers;
}

double answerError(const Answers &answers, const Answers &truth) {
  double all = 0;
  for (const auto &[name, wanted] : truth) {
    auto found = answers.find(name);
    if (found == answers.end() || found->second.size() != wanted.size())
      return std::numeric_limits<double>::infinity();
    double error = 0, size = 0;
    for (size_t k = 0; k < wanted.size(); ++k) {
      const double off = found->second[k] - wanted[k];
      error += off * off;
      size += wanted[k] * wanted[k];
    }
    all += size > 0 ? error / size : error;
  }
  return std::isnan(all) ? std::numeric_limits<double>::infinity() : all;
}

} // namespace dendrolith
