// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-split-dendrite: a wide neuron as parts and a predictor or a combiner,
// in the network.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/rewrites/DendriteParts.h"
#include "compiler/transforms/rewrites/WideNetwork.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"

#include "fmt/format.h"

#include "llvm/ADT/StringExtras.h"

#include <numeric>

namespace dendrolith {
#define GEN_PASS_DEF_DENDCOLLECTSYNAPSES
#define GEN_PASS_DEF_DENDSPLITDENDRITE
#include "compiler/transforms/Passes.h.inc"

using namespace mlir;

namespace {

/// Equal sizes, the first ones larger where the number does not divide.
std::vector<int64_t> evenSizes(int64_t compartments, int64_t parts) {
  std::vector<int64_t> sizes(size_t(parts), compartments / parts);
  for (int64_t i = 0; i < compartments % parts; ++i)
    ++sizes[size_t(i)];
  return sizes;
}

class Splitter {
public:
  Splitter(dend::PopulationOp wide, const DendriteParts &parts,
           std::vector<int64_t> sizes)
      : wide(wide), parts(parts), sizes(std::move(sizes)), builder(wide),
        constants(wide) {}

  void run() {
    std::string name = wide.getSymName().str();
    auto network = wide->getParentOfType<dend::NetworkOp>();
    for (size_t p = 0; p < sizes.size(); ++p) {
      // Parts of one size share a model.
      dend::NeuronOp &model = models[sizes[p]];
      if (!model)
        model = makePart(
            parts, sizes[p],
            freeName(network, fmt::format("{}.part{}", name, sizes[p])));
      populations.push_back(
          population(freeName(network, fmt::format("{}.{}", name, p)), model));
    }
    predictor =
        population(freeName(network, name + ".predictor"),
                   makePredictor(parts, freeName(network, name + ".predict")));
    rewire();
    connectParts();
    dend::NeuronOp model = parts.model;
    wide.erase();
    if (SymbolTable::symbolKnownUseEmpty(model, network))
      model.erase();
  }

private:
  dend::PopulationOp population(const std::string &name, dend::NeuronOp model) {
    NamedAttrList params;
    for (Attribute attr : model.getParams()) {
      StringAttr param = cast<dend::ParamAttr>(attr).getName();
      params.set(param, wide.getParamsAttr().get(param));
    }
    auto part = dend::PopulationOp::create(
        builder, wide.getLoc(), builder.getStringAttr(name),
        FlatSymbolRefAttr::get(model.getSymNameAttr()),
        builder.getI64IntegerAttr(1), wide.getClockAttr(),
        params.empty() ? DictionaryAttr()
                       : params.getDictionary(builder.getContext()),
        DenseI64ArrayAttr(), FloatAttr());
    dend::copyUnits(wide, part);
    return part;
  }

  FlatSymbolRefAttr symbol(dend::PopulationOp population) {
    return FlatSymbolRefAttr::get(population.getSymNameAttr());
  }

  /// Every projection of the wide neuron: of its scalars to the predictor, of
  /// its vectors in slices.
  void rewire() {
    auto network = wide->getParentOfType<dend::NetworkOp>();
    dend::NeuronOp model = parts.model;
    for (auto project :
         llvm::make_early_inc_range(network.getOps<dend::ProjectOp>())) {
      bool in = project.getTarget() == wide.getSymName();
      bool out = project.getSource() == wide.getSymName();
      if (in && llvm::is_contained(parts.scalarPorts,
                                   unsigned(model.findPort(project.getPort()))))
        project.setTargetAttr(symbol(predictor));
      else if (out &&
               llvm::is_contained(parts.scalarOutputs, outputOf(project)))
        project.setSourceAttr(symbol(predictor));
      else if (in || out)
        slice(project, in);
    }
  }

  unsigned outputOf(dend::ProjectOp project) {
    dend::NeuronOp model = parts.model;
    return project.getOutput()
               ? unsigned(model.findOutput(*project.getOutput()))
               : 0;
  }

  /// Rows (of a projection in) or columns of the weights.
  void slice(dend::ProjectOp project, bool rows) {
    auto weight =
        dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
    auto type = cast<RankedTensorType>(weight.getType());
    std::vector<int64_t> all = *dend::readInts(*weight.getValue());
    std::vector<int64_t> bias;
    if (auto attr = project.getBiasAttr())
      bias = *dend::readInts(project, attr);
    int64_t targets = type.getShape()[0], sources = type.getShape()[1];
    OpBuilder at(project);
    int64_t first = 0;
    for (auto [p, count] : llvm::enumerate(sizes)) {
      std::vector<int64_t> some;
      for (int64_t t = 0; t < targets; ++t)
        for (int64_t s = 0; s < sources; ++s)
          if (int64_t i = rows ? t : s; i >= first && i < first + count)
            some.push_back(all[size_t(t * sources + s)]);
      auto copy = cast<dend::ProjectOp>(at.clone(*project));
      copy.setWeightAttr(constants.make(
          fmt::format("{}.{}", project.getWeight()->str(), p),
          {rows ? count : targets, rows ? sources : count}, bits(type), some));
      if (rows) {
        copy.setTargetAttr(symbol(populations[p]));
        if (!bias.empty())
          copy.setBiasAttr(constants.make(
              fmt::format("{}.{}", project.getBias()->str(), p), {count}, 64,
              {bias.begin() + first, bias.begin() + first + count}));
      } else {
        copy.setSourceAttr(symbol(populations[p]));
        copy.setOutputAttr(
            dend::NeuronOp(parts.model).getOutput(outputOf(project)).getName());
        // Once per target.
        if (p > 0)
          copy.removeBiasAttr();
      }
      first += count;
    }
    project.erase();
    if (SymbolTable::symbolKnownUseEmpty(
            weight, weight->getParentOfType<dend::NetworkOp>()))
      weight.erase();
  }

  static unsigned bits(RankedTensorType type) {
    return type.getElementTypeBitWidth();
  }

  /// Partial sums to the predictor in the same tick, decisions back to all
  /// parts for the next.
  void connectParts() {
    FlatSymbolRefAttr one =
        constants.make(wide.getSymName().str() + ".one", {1, 1}, 16, {1});
    auto project = [&](dend::PopulationOp from, dend::PopulationOp to,
                       const std::string &name, int64_t delay) {
      dend::ProjectOp::create(
          builder, wide.getLoc(), symbol(from), builder.getStringAttr(name),
          symbol(to), builder.getStringAttr(name),
          dend::DenseAttr::get(builder.getContext()), one, FlatSymbolRefAttr(),
          FlatSymbolRefAttr(), builder.getI64IntegerAttr(delay),
          builder.getI64IntegerAttr(0));
    };
    for (dend::PopulationOp part : populations) {
      for (unsigned i = 0; i < parts.sums.size(); ++i)
        project(part, predictor, sumName(i), 0);
      for (unsigned i = 0; i < parts.decisions.size(); ++i)
        project(predictor, part, decisionName(i), 1);
    }
  }

  dend::PopulationOp wide, predictor;
  const DendriteParts &parts;
  std::vector<int64_t> sizes;
  OpBuilder builder;
  ConstantMaker constants;
  std::map<int64_t, dend::NeuronOp> models; // by number of compartments
  SmallVector<dend::PopulationOp> populations;
};

/// What of the network around a population cannot be divided.
std::string obstacle(dend::PopulationOp population) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  StringRef name = population.getSymName();
  for (auto output : network.getOps<dend::OutputOp>())
    if (output.getPopulation() == name)
      return "the host reads it";
  for (auto project : network.getOps<dend::ProjectOp>()) {
    bool in = project.getTarget() == name, out = project.getSource() == name;
    if (in && out)
      return "it feeds itself";
    if ((in || out) && !isa<dend::DenseAttr>(project.getSynapses()))
      return "a projection of it is not dense";
  }
  return "";
}

struct DendSplitDendritePass
    : impl::DendSplitDendriteBase<DendSplitDendritePass> {
  using DendSplitDendriteBase::DendSplitDendriteBase;

  /// Sizes of the parts, from "3" or "5+6+5"; empty, with an error, if the text
  /// is neither or does not fit.
  std::vector<int64_t> readSizes(dend::PopulationOp population,
                                 int64_t compartments) {
    std::vector<int64_t> sizes;
    SmallVector<StringRef> words;
    StringRef(parts).split(words, '+');
    for (StringRef word : words) {
      int64_t size = 0;
      if (word.getAsInteger(10, size) || size < 1) {
        population.emitError(
            "parts of a dendrite: expected a number or sizes such as 5+6+5, "
            "found '")
            << parts << "'";
        return {};
      }
      sizes.push_back(size);
    }
    if (sizes.size() == 1 && sizes[0] >= 2 && sizes[0] <= compartments)
      return evenSizes(compartments, sizes[0]);
    int64_t sum = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
    if (sizes.size() > 1 && sum == compartments)
      return sizes;
    population.emitError("parts of a dendrite: expected 2 to ")
        << compartments << ", or sizes that sum to the " << compartments
        << " compartments of '@" << population.getSymName() << "', found '"
        << parts << "'";
    return {};
  }

  /// Splits a population whose compartments meet in sums, if it is one.
  /// Returns whether it was; a wrong number of parts signals failure.
  bool splitAtSums(dend::PopulationOp wide, std::string &why) {
    why = obstacle(wide);
    std::optional<DendriteParts> divided;
    if (why.empty())
      divided = divide(wide, why);
    if (!divided)
      return false;
    std::vector<int64_t> sizes = readSizes(wide, divided->compartments);
    if (sizes.empty())
      signalPassFailure();
    else
      Splitter(wide, *divided, std::move(sizes)).run();
    return true;
  }

  /// The same for one whose states do not decide about each other.
  bool splitApart(dend::PopulationOp wide, std::string &why) {
    why = whyNotDivisible(wide);
    if (!why.empty())
      return false;
    dend::NeuronOp model = dend::modelOf(wide);
    auto limits = wideLimits(model, why);
    if (!limits)
      return false;
    auto shape = wideShape(parts, *limits);
    if (!shape) {
      wide.emitError("parts of '@")
          << wide.getSymName() << "': expected 2 to "
          << limits->groups * limits->length << ", or " << limits->groups << "x"
          << limits->length
          << " (groups of states by slices of each) at most, or sizes that sum "
             "to "
          << limits->length << ", found '" << parts << "'";
      signalPassFailure();
      return true;
    }
    auto body = divideWide(model, *shape, why);
    if (!body)
      return false;
    if (failed(divideNeuron(wide, *body, {front, messageBits})))
      signalPassFailure();
    return true;
  }

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    SmallVector<dend::PopulationOp> left;
    std::vector<std::string> reasons;
    bool found = false;
    for (auto wide :
         llvm::make_early_inc_range(network.getOps<dend::PopulationOp>())) {
      std::string why;
      if (!population.empty() && wide.getSymName() != population)
        continue;
      if (splitAtSums(wide, why)) {
        found = true;
        continue;
      }
      left.push_back(wide);
      reasons.push_back(
          fmt::format("; '@{}': {}", wide.getSymName().str(), why));
    }
    for (auto [wide, reason] : llvm::zip_equal(left, reasons)) {
      std::string why;
      if (found && population.empty())
        break; // Those that need no feedback are small beside a dendrite.
      if (!splitApart(wide, why))
        reason += ", and " + why;
      else
        reason.clear();
    }
    if (found || llvm::any_of(reasons, [](auto &text) { return text.empty(); }))
      return;
    refuse(network.emitError(),
           "no dendrite to split: expected a neuron whose compartments meet in "
           "sums alone, or whose states do not decide about each other")
        << llvm::join(reasons, "");
    signalPassFailure();
  }
};

struct DendCollectSynapsesPass
    : impl::DendCollectSynapsesBase<DendCollectSynapsesPass> {
  using DendCollectSynapsesBase::DendCollectSynapsesBase;

  void runOnOperation() override {
    auto wide = getOperation().lookupSymbol<dend::PopulationOp>(population);
    if (!wide) {
      getOperation().emitError("there is no population '@")
          << population << "'";
      return signalPassFailure();
    }
    if (failed(collectSynapses(wide, port, messageBits)))
      signalPassFailure();
  }
};
} // namespace
} // namespace dendrolith
