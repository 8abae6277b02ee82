// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/Variants.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <map>
#include <set>

using namespace mlir;

namespace dendrolith {
namespace {

/// A region that always runs is inlined; one that never does keeps the values.
struct InlineWhen : OpRewritePattern<dend::WhenOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(dend::WhenOp op,
                                PatternRewriter &rewriter) const override {
    IntegerAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)))
      return failure();
    if (condition.getValue().isZero()) {
      rewriter.replaceOp(op, op.getCarried());
      return success();
    }
    Block &body = op.getBody().front();
    Operation *give = body.getTerminator();
    SmallVector<Value> given(give->getOperands());
    rewriter.eraseOp(give);
    rewriter.inlineBlockBefore(&body, op);
    rewriter.replaceOp(op, given);
    return success();
  }
};

bool startsAtZero(dend::StateAttr state) {
  Attribute init = state.getInit();
  auto number = dyn_cast_or_null<IntegerAttr>(init);
  return !init || (number && number.getValue().isZero());
}

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  Attribute zero = builder.getI64IntegerAttr(0);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    zero = DenseElementsAttr::get(
        RankedTensorType::get(tensor.getShape(), builder.getI64Type()),
        ArrayRef<int64_t>{0});
  return dend::LiteralOp::create(builder, loc, type, zero);
}

ArrayAttr without(ArrayAttr all, unsigned index) {
  SmallVector<Attribute> rest(all.begin(), all.end());
  rest.erase(rest.begin() + index);
  return ArrayAttr::get(all.getContext(), rest);
}

/// Drops states that nothing ever moves from 0; true if that may let more fold.
bool dropConstantStates(dend::NeuronOp model, ArrayRef<StringAttr> shown) {
  bool folds = false;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  OpBuilder builder = OpBuilder::atBlockBegin(&model.getBlock());
  for (unsigned s = model.getStateArgs().size(); s-- > 0;) {
    BlockArgument old = model.getStateArgs()[s];
    if (yield.getStates()[s] != old || !startsAtZero(model.getState(s)))
      continue;
    if (!old.hasOneUse()) { // by more than the yield
      OpOperand &kept = yield.getStatesMutable()[s];
      Value zero = zeroOf(builder, model.getLoc(), old.getType());
      old.replaceUsesWithIf(zero,
                            [&](OpOperand &use) { return &use != &kept; });
      folds = true;
    }
    if (llvm::is_contained(shown, model.getState(s).getName()))
      continue;
    yield.getStatesMutable().erase(s);
    unsigned at = old.getArgNumber();
    model.setStatesAttr(without(model.getStatesAttr(), s));
    model.getBlock().eraseArgument(at);
  }
  return folds;
}

void dropUnusedParams(dend::NeuronOp model) {
  for (unsigned p = model.getParamArgs().size(); p-- > 0;) {
    BlockArgument param = model.getParamArgs()[p];
    if (!param.use_empty())
      continue;
    unsigned at = param.getArgNumber();
    model.setParamsAttr(without(model.getParamsAttr(), p));
    model.getBlock().eraseArgument(at);
  }
}

bool isCondition(BlockArgument param) {
  return llvm::any_of(param.getUses(), [](OpOperand &use) {
    return isa<dend::WhenOp>(use.getOwner()) && use.getOperandNumber() == 0;
  });
}

} // namespace

FailureOr<Variants> findVariants(dend::PopulationOp population,
                                 dend::NeuronOp model) {
  const size_t size = static_cast<size_t>(population.getSize());
  Variants variants;
  std::vector<std::vector<int64_t>> columns;
  std::set<size_t> cuts; // neurons that differ from the one before
  for (auto [i, param] : llvm::enumerate(model.getParamArgs())) {
    if (!model.getParam(i).getPerNeuron() || !isCondition(param))
      continue;
    StringAttr name = model.getParam(i).getName();
    DictionaryAttr bound = population.getParamsAttr();
    auto values = dend::readInts(population, bound ? bound.get(name) : nullptr);
    if (failed(values) || values->size() != size)
      return population.emitError("parameter '")
             << name.getValue() << "' has no readable value for each of "
             << size << " neurons";
    std::set<size_t> more = cuts;
    for (size_t n = 1; n < size && more.size() < kMostRuns; ++n)
      if ((*values)[n] != (*values)[n - 1])
        more.insert(n);
    if (more.size() >= kMostRuns)
      continue;
    cuts = std::move(more);
    variants.params.push_back(static_cast<unsigned>(i));
    columns.push_back(std::move(*values));
  }
  cuts.insert(0);
  std::map<std::vector<bool>, uint32_t> ids;
  for (auto cut = cuts.begin(); cut != cuts.end(); ++cut) {
    size_t end = std::next(cut) == cuts.end() ? size : *std::next(cut);
    std::vector<bool> key;
    for (const std::vector<int64_t> &column : columns)
      key.push_back(column[*cut] != 0);
    auto [at, isNew] = ids.emplace(key, static_cast<uint32_t>(ids.size()));
    if (isNew)
      variants.values.emplace_back(key.begin(), key.end());
    variants.runs.push_back({static_cast<uint32_t>(*cut),
                             static_cast<uint32_t>(end - *cut), at->second});
  }
  return variants;
}

dend::NeuronOp specialise(dend::NeuronOp model, ArrayRef<unsigned> params,
                          ArrayRef<bool> values, ArrayRef<StringAttr> shown) {
  OpBuilder builder(model);
  builder.setInsertionPointAfter(model);
  auto copy = cast<dend::NeuronOp>(builder.clone(*model));
  builder.setInsertionPointToStart(&copy.getBlock());
  for (auto [param, value] : llvm::zip_equal(params, values)) {
    BlockArgument argument = copy.getParamArgs()[param];
    argument.replaceAllUsesWith(
        dend::LiteralOp::create(builder, model.getLoc(), argument.getType(),
                                builder.getBoolAttr(value)));
  }
  RewritePatternSet patterns(model.getContext());
  patterns.add<InlineWhen>(model.getContext());
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  do
    (void)applyPatternsGreedily(copy, frozen, config);
  while (dropConstantStates(copy, shown));
  dropUnusedParams(copy);
  return copy;
}

SmallVector<dend::NeuronOp> specialiseAll(dend::NeuronOp model,
                                          const Variants &variants) {
  if (variants.params.empty())
    return {model};
  SmallVector<dend::NeuronOp> models;
  for (const SmallVector<bool> &values : variants.values)
    models.push_back(specialise(model, variants.params, values));
  SmallVector<StringAttr> lost;
  for (unsigned s = 0; s < model.getStateArgs().size(); ++s) {
    StringAttr name = model.getState(s).getName();
    if (llvm::none_of(models, [&](dend::NeuronOp variant) {
          return variant.findState(name) >= 0;
        }))
      lost.push_back(name);
  }
  if (!lost.empty()) {
    models.front().erase();
    models.front() =
        specialise(model, variants.params, variants.values.front(), lost);
  }
  return models;
}

} // namespace dendrolith
