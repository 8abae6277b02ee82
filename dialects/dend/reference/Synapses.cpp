// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Synapses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

using namespace mlir;

namespace dendrolith::dend {
namespace {

ConstantOp findConstant(ProjectOp op, StringRef name) {
  return networkOf(op).lookupSymbol<ConstantOp>(name);
}

FailureOr<Tensor> readNamed(ProjectOp op, StringRef name,
                            const Bindings &bindings) {
  ConstantOp constant = findConstant(op, name);
  if (!constant)
    return op.emitError() << "no constant @" << name;
  return readConstant(constant, bindings);
}

LogicalResult expect(ProjectOp op, StringRef what, int64_t found,
                     int64_t expected) {
  if (found == expected)
    return success();
  return op.emitError() << "projection @" << op.getSource() << " -> @"
                        << op.getTarget() << " has " << found << ' ' << what
                        << ", expected " << expected;
}

/// Puts the narrow form of numbers that it holds exactly in place of them.
template <typename Narrow, typename Wide, typename Weights>
void keepNarrowest(std::vector<Wide> wide, Weights &weights) {
  const bool fits = llvm::all_of(wide, [](Wide x) {
    if constexpr (std::is_integral_v<Wide>)
      return Wide(Narrow(x)) == x;
    else // what float does not reach is not cast to it
      return std::fabs(x) <= std::numeric_limits<Narrow>::max() &&
             Wide(Narrow(x)) == x;
  });
  if (fits)
    weights = std::vector<Narrow>(wide.begin(), wide.end());
  else
    weights = std::move(wide);
}

} // namespace

FailureOr<Synapses::Listing> Synapses::listingOf(ProjectOp op, int64_t sources,
                                                 int64_t targets,
                                                 const Bindings &bindings,
                                                 const Tensor &weights) {
  Attribute kind = op.getSynapses();
  if (isa<DenseAttr>(kind))
    return Listing([=](Visit visit) {
      for (int64_t t = 0; t < targets; ++t)
        for (int64_t s = 0; s < sources; ++s)
          visit(s, t, t * sources + s);
    });
  if (isa<SparseAttr>(kind)) {
    if (!op.getIndices())
      return op.emitError() << "sparse synapses need indices";
    FailureOr<Tensor> indices = readNamed(op, *op.getIndices(), bindings);
    if (failed(indices))
      return failure();
    if (indices->isReal)
      return op.emitError() << "indices must be integers";
    if (failed(
            expect(op, "index numbers", indices->size(), 2 * weights.size())))
      return failure();
    for (int64_t i = 0; i < weights.size(); ++i) {
      int64_t t = indices->ints[2 * i], s = indices->ints[2 * i + 1];
      if (t < 0 || t >= targets || s < 0 || s >= sources)
        return op.emitError()
               << "synapse " << i << " joins source " << s << " and target "
               << t << ", expected sources 0.." << sources - 1
               << " and targets 0.." << targets - 1;
    }
    return Listing([pairs = std::move(indices->ints)](Visit visit) {
      for (size_t i = 0; i < pairs.size() / 2; ++i)
        visit(pairs[2 * i + 1], pairs[2 * i], int64_t(i));
    });
  }
  if (isa<DiagonalAttr>(kind)) {
    if (failed(expect(op, "sources", sources, targets)) ||
        (op.getWeight() &&
         failed(expect(op, "weights", weights.size(), targets))))
      return failure();
    const int64_t step = op.getWeight() ? 1 : 0;
    return Listing([=](Visit visit) {
      for (int64_t i = 0; i < targets; ++i)
        visit(i, i, i * step);
    });
  }
  auto conv = dyn_cast<ConvAttr>(kind);
  if (conv && weights.shape.size() != 4)
    return op.emitError() << "a convolution needs weights of four axes";
  Window window =
      conv ? windowOf(conv, weights.shape) : windowOf(cast<PoolAttr>(kind));
  if (conv && failed(expect(op, "weights", weights.size(), window.weights())))
    return failure();
  if (window.targets() == 0)
    return op.emitError() << "the kernel is larger than the padded input";
  if (failed(expect(op, "targets", targets, window.targets())) ||
      failed(expect(op, "sources", sources, window.sources())))
    return failure();
  const int64_t step = conv ? 1 : 0;
  return Listing([window, step](Visit visit) {
    window.taps([&](int64_t t, int64_t s, int64_t weight) {
      visit(s, t, weight * step);
    });
  });
}

bool Synapses::takeDense(int64_t sources, const Tensor &weights) {
  // A weight of zero adds nothing. Where few integers are zero, they stay
  // nevertheless: rows without gaps are faster.
  const auto count = size_t(weights.size());
  const auto zeros = uint64_t(realPort ? llvm::count(weights.real, 0.0)
                                       : llvm::count(weights.ints, 0));
  if (zeros > (realPort ? 0 : count / 4))
    return false;
  begin.resize(size_t(sources) + 1);
  for (size_t s = 0; s < begin.size(); ++s)
    begin[s] = s * targets;
  target.resize(count);
  for (size_t i = 0; i < count; ++i)
    target[i] = uint32_t(i % targets);
  auto bySource = [&](const auto &byTarget) {
    auto turned = byTarget;
    for (size_t t = 0; t < targets; ++t)
      for (size_t s = 0; s < size_t(sources); ++s)
        turned[s * targets + t] = byTarget[t * size_t(sources) + s];
    return turned;
  };
  if (realPort)
    keepNarrowest<float>(bySource(weights.real), this->weights);
  else
    keepNarrowest<int16_t>(bySource(weights.ints), this->weights);
  return true;
}

/// Sorts a row by target; equal ones keep their order. Most kinds have rows in
/// order already.
template <typename Weight>
static void sortRow(MutableArrayRef<uint32_t> target,
                    MutableArrayRef<Weight> weight) {
  if (llvm::is_sorted(target))
    return;
  std::vector<std::pair<uint32_t, Weight>> row;
  for (auto [t, w] : llvm::zip_equal(target, weight))
    row.push_back({t, w});
  llvm::stable_sort(row, llvm::less_first());
  for (size_t i = 0; i < row.size(); ++i)
    std::tie(target[i], weight[i]) = row[i];
}

template <typename Weight>
std::vector<Weight> Synapses::listed(const std::vector<Weight> &weights,
                                     const Listing &listing) {
  // A weight of zero adds nothing. To list twice takes less time than to keep
  // the list, which is larger than what is made of it.
  listing([&](int64_t source, int64_t, int64_t weight) {
    begin[source + 1] += weights[weight] != 0;
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  target.resize(begin.back());
  std::vector<Weight> bySource(begin.back());
  std::vector<size_t> next = begin;
  listing([&](int64_t source, int64_t to, int64_t weight) {
    if (weights[weight] == 0)
      return;
    const size_t at = next[source]++;
    target[at] = uint32_t(to);
    bySource[at] = weights[weight];
  });
  for (size_t s = 0; s + 1 < begin.size(); ++s) {
    const size_t size = begin[s + 1] - begin[s];
    MutableArrayRef<uint32_t> row(target.data() + begin[s], size);
    sortRow(row, MutableArrayRef<Weight>(bySource.data() + begin[s], size));
    distinct &= std::adjacent_find(row.begin(), row.end()) == row.end();
  }
  return bySource;
}

void Synapses::takeListed(int64_t sources, const Tensor &weights,
                          const Listing &listing) {
  begin.assign(sources + 1, 0);
  if (realPort)
    keepNarrowest<float>(listed(weights.real, listing), this->weights);
  else
    keepNarrowest<int16_t>(listed(weights.ints, listing), this->weights);
}

FailureOr<Synapses> Synapses::create(ProjectOp op, int64_t sources,
                                     int64_t targets, bool realPort,
                                     const Bindings &bindings) {
  Synapses synapses;
  synapses.realPort = realPort;
  synapses.shift = unsigned(op.getShift());
  synapses.productShift = unsigned(op.getProductShift());
  synapses.targets = targets;
  // Without a weight every synapse has weight 1; average pooling divides by
  // the size of the whole window, padding included.
  Tensor weights;
  weights.isReal = realPort;
  weights.real = {1.0};
  weights.ints = {1};
  if (op.getWeight()) {
    FailureOr<Tensor> read = readNamed(op, *op.getWeight(), bindings);
    if (failed(read))
      return failure();
    weights = std::move(*read);
  } else if (auto pool = dyn_cast<PoolAttr>(op.getSynapses())) {
    ArrayRef<int64_t> kernel = pool.getKernel().asArrayRef();
    if (pool.getAverage() && !realPort)
      return op.emitError() << "average pooling into a fixed-point port: make "
                               "it sum pooling and fold the division";
    if (pool.getAverage())
      weights.real = {1.0 / double(kernel[0] * kernel[1])};
  } else if (!isa<DiagonalAttr>(op.getSynapses())) {
    return op.emitError() << "these synapses need a weight";
  }
  if (weights.isComplex || (weights.isReal && !realPort))
    return op.emitError() << "weight @" << op.getWeight().value_or("")
                          << " holds "
                          << (weights.isComplex ? "complex numbers" : "reals")
                          << ", the port takes "
                          << (realPort ? "reals" : "integer mantissas");
  if (realPort && !weights.isReal)
    weights.real.assign(weights.ints.begin(), weights.ints.end());

  const bool isDense = isa<DenseAttr>(op.getSynapses());
  if (isDense &&
      failed(expect(op, "weights", weights.size(), sources * targets)))
    return failure();
  if (!isDense || !synapses.takeDense(sources, weights)) {
    FailureOr<Listing> listing =
        listingOf(op, sources, targets, bindings, weights);
    if (failed(listing))
      return failure();
    synapses.takeListed(sources, weights, *listing);
  }

  if (op.getBias()) {
    FailureOr<Tensor> bias = readNamed(op, *op.getBias(), bindings);
    if (failed(bias) ||
        failed(expect(op, "bias numbers", bias->size(), targets)))
      return failure();
    if (bias->isComplex || (bias->isReal && !realPort))
      return op.emitError() << "bias @" << *op.getBias()
                            << " does not hold what the port takes";
    if (realPort && !bias->isReal)
      bias->real.assign(bias->ints.begin(), bias->ints.end());
    synapses.biasValues = std::move(*bias);
  }
  return synapses;
}

} // namespace dendrolith::dend
